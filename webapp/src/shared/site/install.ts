import { useSyncExternalStore } from 'react';
import { currentInstallPrompt, setInstallPrompt, onInstallPrompt } from './installPrompt';

/** Shows the browser's install prompt; null if it has none. */
export function useInstallPrompt(): (() => void) | null {
  const prompt = useSyncExternalStore(onInstallPrompt, currentInstallPrompt, () => null);
  if (prompt === null) return null;
  return () => {
    // The prompt can be used once.
    setInstallPrompt(null);
    void prompt.prompt();
  };
}

/** Instructions to install the site in this browser. */
export function installSteps(userAgent = navigator.userAgent, touchPoints = navigator.maxTouchPoints): string {
  // An iPad calls itself a Macintosh; no Macintosh has a touch screen.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1);
  if (isIos) return 'Tap Share, then “Add to Home Screen”.';
  if (/Macintosh.*Version\/.*Safari/.test(userAgent)) return 'Choose “Add to Dock” from the File menu.';
  return 'Open your browser’s menu and choose “Install” or “Add to Home screen”.';
}
