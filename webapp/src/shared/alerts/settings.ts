/** What calls somebody back who looks elsewhere, and how. Kept in this browser. */

import { useSyncExternalStore } from 'react';
import { readStored, STORAGE_KEYS, writeStored } from '../storage';

/** How: in the page's title, with a sound, through the system. */
export type AlertChannel = 'title' | 'sound' | 'system';
/** What: my turn, paired in an event, an invitation, the answer to mine, an event that starts. */
export type AlertKind = 'turn' | 'paired' | 'invitation' | 'answer' | 'event';

export type AlertSettings = Readonly<Record<AlertChannel | AlertKind, boolean>>;

const DEFAULTS: AlertSettings = {
  title: true,
  sound: false,
  system: false,
  turn: true,
  paired: true,
  invitation: true,
  answer: true,
  event: true,
};

const listeners = new Set<() => void>();
let known: { text: string | null; settings: AlertSettings } = { text: null, settings: DEFAULTS };

/** Returns the same object until it changes. */
export function alertSettings(): AlertSettings {
  const stored = readStored(STORAGE_KEYS.alerts);
  const text = JSON.stringify(stored);
  if (known.text !== text) known = { text, settings: settingsFrom(stored) };
  return known.settings;
}

/** What is valid of it; the defaults for the rest. */
function settingsFrom(stored: unknown): AlertSettings {
  const found = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const entries = Object.entries(DEFAULTS).map(([name, byDefault]) => {
    const value = Object.hasOwn(found, name) ? found[name] : undefined;
    return [name, typeof value === 'boolean' ? value : byDefault];
  });
  return Object.fromEntries(entries) as AlertSettings;
}

export function switchAlert(name: keyof AlertSettings, isOn: boolean): void {
  writeStored(STORAGE_KEYS.alerts, { ...alertSettings(), [name]: isOn });
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function useAlertSettings(): AlertSettings {
  return useSyncExternalStore(subscribe, alertSettings, alertSettings);
}
