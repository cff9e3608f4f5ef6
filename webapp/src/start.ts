import { log } from '@/shared/log';
import { mayReload, versionOfServer } from '@/shared/newerVersion';
import { lastUser } from '@/shared/session/storedSession';
import { listenForInstall } from '@/shared/site/installPrompt';

// The script of a public document. The page is complete, so the app is loaded on the visitor's first interaction,
// when a part that needs server data becomes visible, or at once if somebody was signed in, whom the app redirects.

const SIGNS_OF_LIFE = ['pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll'] as const;

let pressed: HTMLElement | null = null;
let isStarted = false;

async function start(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  try {
    await import('@/main');
  } catch (error) {
    // The document stood open while the server got another version, or there is no connection: the next act tries again.
    isStarted = false;
    listenForLife();
    if ((await versionOfServer()) === 'newer' && mayReload()) window.location.reload();
    else log.note('The app cannot be loaded', error);
    return;
  }
  document.removeEventListener('click', notePressed, { capture: true });
  document.removeEventListener('submit', keepForm, { capture: true });
  pressed?.click();
}

/** A button that was pressed, or a form submitted by it or Enter, before the app was loaded; links work without it. */
function notePressed({ target }: Event): void {
  pressed = target instanceof Element ? target.closest('button') : null;
}

/** The app sends forms; noted is the click that the browser makes of Enter. */
function keepForm(submitted: Event): void {
  submitted.preventDefault();
}

function listenForLife(): void {
  document.addEventListener('click', notePressed, { capture: true });
  document.addEventListener('submit', keepForm, { capture: true });
  for (const sign of SIGNS_OF_LIFE) {
    window.addEventListener(sign, () => void start(), { once: true, passive: true, capture: true });
  }
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
    // The landing page must not flash for them.
    root.removeAttribute('data-standing');
    root.replaceChildren();
  }
  void start();
} else {
  listenForLife();
  // A page that appears under a resting pointer also gets a pointermove, without movement.
  window.addEventListener(
    'pointermove',
    ({ movementX, movementY }) => {
      if (movementX !== 0 || movementY !== 0) void start();
    },
    { passive: true, capture: true },
  );
  const busy = root?.querySelector('[aria-busy="true"], [data-waiting]');
  if (busy) whenSeen(busy, () => void start());
  // With the CSRF cookie this browser has been here before and may have a session.
  if (document.cookie.includes('XSRF-TOKEN=')) afterPaint(() => void start());
}
