import type { ProfileVisibility } from '@/api/players';

/** Who sees a player's page, in words for its owner. */
export const VISIBILITY_TEXTS: Record<ProfileVisibility, { label: string; detail: string; seen: string }> = {
  public: { label: 'Everybody', detail: 'Everybody, including visitors', seen: 'Everybody sees this page.' },
  members: { label: 'Members', detail: 'Everybody with an account', seen: 'Members see this page.' },
  nobody: { label: 'Nobody', detail: 'Only your name and picture are shown', seen: 'Only you can see this page.' },
};

export const VISIBILITIES = ['public', 'members', 'nobody'] as const satisfies readonly ProfileVisibility[];
