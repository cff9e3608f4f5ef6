import { lastUser } from '@/shared/session/storedSession';

// What the landing page's document runs. The page stands there complete, so the app itself is fetched when its visitor
// stirs; at once where somebody was signed in, whom it takes on to where they belong.

const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll'] as const;

let pressed: HTMLElement | null = null;
let isStarted = false;

async function start(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  await Promise.all([import('@/main'), import('@/features/landing/LandingPage')]);
  document.removeEventListener('click', notePressed, { capture: true });
  pressed?.click();
}

/** A button that was pressed before anything listened to it; links work by themselves. */
function notePressed({ target }: Event): void {
  pressed = target instanceof Element ? target.closest('button') : null;
}

const isDark = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
document.querySelector('[role="switch"]')?.setAttribute('aria-checked', String(isDark));

if (lastUser() !== null) {
  // They should not see the landing page flash by.
  const root = document.getElementById('root');
  root?.removeAttribute('data-standing');
  root?.replaceChildren();
  void start();
} else if (document.cookie.includes('XSRF-TOKEN=')) {
  void start();
} else {
  document.addEventListener('click', notePressed, { capture: true });
  for (const sign of SIGNS_OF_LIFE) {
    window.addEventListener(sign, () => void start(), { once: true, passive: true, capture: true });
  }
}
