import { useSyncExternalStore } from 'react';

/** What Chromium offers where the site can be installed (no other browser does). */
export interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function offer(prompt: InstallPrompt | null): void {
  offered = prompt;
  for (const listener of listeners) listener();
}

/** The offer is made once, most likely before anything that shows it is on the page. */
export function listenForInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer(event as InstallPrompt);
  });
  window.addEventListener('appinstalled', () => offer(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the browser to install the site; null where one has to find it in the browser's menu. */
export function useInstallPrompt(): (() => void) | null {
  const prompt = useSyncExternalStore(
    subscribe,
    () => offered,
    () => null,
  );
  if (prompt === null) return null;
  return () => {
    // It can be used once.
    offer(null);
    void prompt.prompt();
  };
}

/** How it is done by hand in this browser. */
export function installSteps(userAgent = navigator.userAgent, touchPoints = navigator.maxTouchPoints): string {
  // An iPad calls itself a Macintosh; no Macintosh has a touch screen.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1);
  if (isIos) return 'Tap Share, then “Add to Home Screen”.';
  if (/Macintosh.*Version\/.*Safari/.test(userAgent)) return 'Choose “Add to Dock” from the File menu.';
  return 'Open your browser’s menu and choose “Install” or “Add to Home screen”.';
}
