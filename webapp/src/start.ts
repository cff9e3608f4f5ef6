import { lastUser } from '@/shared/session/storedSession';
import { listenForInstall } from '@/shared/site/installPrompt';

// What the document of a public page runs. The page stands there complete, so the app is fetched when its visitor
// stirs; when they see a part that waits for what only the server knows; at once where somebody was signed in, whom
// the app takes on to where they belong.

const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll'] as const;

let pressed: HTMLElement | null = null;
let isStarted = false;

async function start(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  await import('@/main');
  document.removeEventListener('click', notePressed, { capture: true });
  pressed?.click();
}

/** A button that was pressed before anything listened to it; links work by themselves. */
function notePressed({ target }: Event): void {
  pressed = target instanceof Element ? target.closest('button') : null;
}

function afterPaint(callback: () => void): void {
  requestAnimationFrame(() => setTimeout(callback));
}

function whenSeen(element: Element, callback: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    callback();
  });
  observer.observe(element);
}

listenForInstall();

const root = document.getElementById('root');
const isDark = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
document.querySelector('[role="switch"]')?.setAttribute('aria-checked', String(isDark));

if (lastUser() !== null) {
  if (root?.hasAttribute('data-visitors')) {
    // They should not see it flash by.
    root.removeAttribute('data-standing');
    root.replaceChildren();
  }
  void start();
} else {
  document.addEventListener('click', notePressed, { capture: true });
  for (const sign of SIGNS_OF_LIFE) {
    window.addEventListener(sign, () => void start(), { once: true, passive: true, capture: true });
  }
  const busy = root?.querySelector('[aria-busy="true"]');
  if (busy) whenSeen(busy, () => void start());
  // The anti-forgery cookie says that this browser was here before, and may have a session.
  if (document.cookie.includes('XSRF-TOKEN=')) afterPaint(() => void start());
}
