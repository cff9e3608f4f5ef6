import type { AuditEntry } from '@/api/admin';

/** Turns `set_admin` into readable text. */
export function actionText(action: string): string {
  const words = action.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface Detail {
  name: string;
  value: string;
}

/** The details of an entry: the fields of its JSON, or the text if it is not JSON. */
export function detailsOf({ detail }: Pick<AuditEntry, 'detail'>): Detail[] {
  if (detail === undefined || detail === '') return [];
  try {
    const parsed: unknown = JSON.parse(detail);
    if (parsed === null) return [];
    if (typeof parsed === 'object') {
      return Object.entries(parsed)
        .filter(([name, value]) => !isNamed(name, value, parsed))
        .map(([name, value]) => ({ name, value: inWords(value) }));
    }
  } catch {
    // Not JSON.
  }
  return [{ name: 'detail', value: detail }];
}

function inWords(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * An id whose name is given as well: `eventId` and `event`, `winnerUserId` and `winner`, `userId` and `username`; or
 * neither is.
 */
function isNamed(key: string, id: unknown, fields: object): boolean {
  if (!key.endsWith('Id')) return false;
  const thing = key.slice(0, -2);
  const names = [thing, `${thing}name`, thing.replace(/User$/, '')];
  return Object.entries(fields).some(([name, value]) => names.includes(name) && (value !== null || id === null));
}

/** Whether an entry matches the search in actor, action, subject or address. */
export function matches(entry: AuditEntry, text: string, action: string): boolean {
  if (action !== '' && entry.action !== action) return false;
  const wanted = text.toLowerCase();
  return [
    entry.actor,
    entry.action,
    actionText(entry.action),
    entry.subject,
    entry.subjectName ?? '',
    entry.address,
    entry.detail ?? '',
  ].some((each) => each.toLowerCase().includes(wanted));
}
