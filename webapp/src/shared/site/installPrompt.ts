// Without React: what stands in every public page's document listens (src/start.ts).

/** What Chromium offers where the site can be installed (no other browser does). */
export interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallPrompt | null = null;
const listeners = new Set<() => void>();

export function setInstallPrompt(prompt: InstallPrompt | null): void {
  offered = prompt;
  for (const listener of listeners) listener();
}

/** The offer is made once, most likely before anything that shows it is on the page. */
export function listenForInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setInstallPrompt(event as InstallPrompt);
  });
  window.addEventListener('appinstalled', () => setInstallPrompt(null));
}

export function onInstallPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentInstallPrompt(): InstallPrompt | null {
  return offered;
}
