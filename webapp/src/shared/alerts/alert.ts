/** Calls somebody back to a page that is hidden: docs/behaviour/webapp.md#alerts. Nothing happens while it is shown. */

import { playAlert } from '../board/sound';
import { type AlertKind, alertSettings } from './settings';
import { closeSystemNotification, showSystemNotification, type SystemNotification } from './systemNotification';
import { TitleCount } from './titleCount';

export interface Alert extends SystemNotification {
  kind: AlertKind;
  /** After this time it is no longer worth coming back for, in milliseconds. */
  forMs?: number;
}

const titles = new TitleCount();
/** What has been told since the page was hidden, by id. */
const told = new Map<string, string>();
const ends = new Map<string, ReturnType<typeof setTimeout>>();

/** Tells it in the ways that are switched on, once as long as the page is hidden. */
export function raiseAlert({ kind, forMs, ...alert }: Alert, onOpen: (to: string) => void): void {
  const settings = alertSettings();
  if (document.visibilityState === 'visible' || !settings[kind] || told.get(alert.id) === alert.title) return;
  if (told.size === 0) document.addEventListener('visibilitychange', withdrawWhenShown);
  told.set(alert.id, alert.title);
  if (settings.title) titles.set(alert.id, alert.title);
  // The call to a game has a sound of its own.
  if (settings.sound && kind !== 'paired') playAlert();
  if (settings.system) showSystemNotification(alert, onOpen);
  clearTimeout(ends.get(alert.id));
  if (forMs !== undefined)
    ends.set(
      alert.id,
      setTimeout(() => withdrawAlert(alert.id), forMs),
    );
}

/** Takes it back: it was seen, or is no longer true. */
export function withdrawAlert(id: string): void {
  if (!told.delete(id)) return;
  clearTimeout(ends.get(id));
  ends.delete(id);
  titles.delete(id);
  closeSystemNotification(id);
  if (told.size === 0) document.removeEventListener('visibilitychange', withdrawWhenShown);
}

function withdrawWhenShown(): void {
  if (document.visibilityState !== 'visible') return;
  for (const id of [...told.keys()]) withdrawAlert(id);
}
