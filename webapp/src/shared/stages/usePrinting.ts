import { useSyncExternalStore } from 'react';

/** Whether the page is being printed: what is printed is more than what the screen shows. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, isPrinting, () => false);
}

/** Between the browser's two events, for browsers whose media query changes only after the page was laid out. */
let isAnnounced = false;

function isPrinting(): boolean {
  return isAnnounced || window.matchMedia('print').matches;
}

function subscribe(listener: () => void): () => void {
  const begin = () => {
    isAnnounced = true;
    listener();
  };
  const end = () => {
    isAnnounced = false;
    listener();
  };
  const media = window.matchMedia('print');
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  media.addEventListener('change', listener);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
    media.removeEventListener('change', listener);
  };
}
