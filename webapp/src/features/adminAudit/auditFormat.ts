import type { AuditEntry } from '@/api/admin';

/** `set_admin` as a person reads it. */
export function actionText(action: string): string {
  const words = action.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface Detail {
  name: string;
  value: string;
}

/** What was recorded beside an action: the fields of its JSON text, or the text itself if it is none. */
export function detailsOf({ detail }: Pick<AuditEntry, 'detail'>): Detail[] {
  if (detail === undefined || detail === '') return [];
  try {
    const parsed: unknown = JSON.parse(detail);
    if (parsed === null) return [];
    if (typeof parsed === 'object') {
      return Object.entries(parsed)
        .filter(([name]) => !isNamed(name, parsed))
        .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }));
    }
  } catch {
    // Words, then.
  }
  return [{ name: 'detail', value: detail }];
}

/** An id whose name stands beside it: `eventId` and `event`, `winnerUserId` and `winner`, `userId` and `username`. */
function isNamed(key: string, fields: object): boolean {
  if (!key.endsWith('Id')) return false;
  const thing = key.slice(0, -2);
  const names = [thing, `${thing}name`, thing.replace(/User$/, '')];
  return Object.entries(fields).some(([name, value]) => names.includes(name) && typeof value === 'string');
}

/** Whether an entry has to do with what is searched for: who, what, on what, from where. */
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
