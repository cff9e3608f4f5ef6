const BLINK_MS = 1_000;

/**
 * Flashes a text in the title of a hidden tab, until it is shown or the time is over. The page's own title stays in the
 * document: the browser shows the first title. Returns a function that stops it.
 */
export function flashTitle(text: string, forMs: number): () => void {
  if (document.visibilityState === 'visible') return () => undefined;
  const title = document.createElement('title');
  title.textContent = text;
  const blink = () => {
    if (title.isConnected) title.remove();
    else document.head.prepend(title);
  };
  const stop = () => {
    clearInterval(timer);
    clearTimeout(end);
    document.removeEventListener('visibilitychange', stop);
    title.remove();
  };
  blink();
  const timer = setInterval(blink, BLINK_MS);
  const end = setTimeout(stop, forMs);
  document.addEventListener('visibilitychange', stop);
  return stop;
}
