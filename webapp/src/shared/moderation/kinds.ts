import type { components } from '@/api/schema';

export type ReportKind = components['schemas']['ReportKind'];

/** What a report may be about. */
export const KINDS: Record<ReportKind, string> = {
  name: 'Name',
  picture: 'Picture',
  behaviour: 'Behaviour',
  engine: 'Help of an engine',
};
