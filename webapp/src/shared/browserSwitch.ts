import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './storage';

/** A choice that is on or off, kept in this browser and shared by the whole page. */
export interface BrowserSwitch {
  isOn: () => boolean;
  switchTo: (isOn: boolean) => void;
  subscribe: (listener: () => void) => () => void;
}

export function browserSwitch(key: string, isOnAtFirst: boolean): BrowserSwitch {
  const listeners = new Set<() => void>();
  return {
    isOn: () => {
      const stored = readStored(key);
      return typeof stored === 'boolean' ? stored : isOnAtFirst;
    },
    switchTo: (isOn) => {
      writeStored(key, isOn);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useBrowserSwitch({ subscribe, isOn }: BrowserSwitch): boolean {
  return useSyncExternalStore(subscribe, isOn);
}
