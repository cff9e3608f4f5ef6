const BLINK_MS = 1_000;

/**
 * Lets the tab's title call whoever looks at another tab, until they come, or for so long. The page's own title stands
 * unchanged underneath: the browser shows the first there is. Answers how to stop.
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
