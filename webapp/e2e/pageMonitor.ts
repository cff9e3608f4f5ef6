import type { Person } from './fixtures';

/** A pattern that no page may show, and for how many milliseconds it may be seen nevertheless. */
export type ForbiddenText = readonly [pattern: string, allowedMs: number];

/** After an outage a page has this long to recover. */
const RECOVERY_MS = 15_000;
/** Two sightings of a pattern with a shorter gap between them count as one. */
const GAP_MS = 2_000;

/** Watches all tabs of a person for texts that must not appear, from now on and through reloads. */
export class PageMonitor {
  readonly seen: string[] = [];
  readonly #name: string;
  readonly #forbidden: readonly ForbiddenText[];
  readonly #sightings = new Map<string, { since: number; last: number }>();
  /** Until then an outage explains what is seen. */
  #excusedUntil = 0;

  private constructor(name: string, forbidden: readonly ForbiddenText[]) {
    this.#name = name;
    this.#forbidden = forbidden;
  }

  /** With `mayReload: false` a reload of a tab that is open now is reported as well. */
  static async of(
    { name, page }: Person,
    forbidden: readonly ForbiddenText[],
    { mayReload = true } = {},
  ): Promise<PageMonitor> {
    const monitor = new PageMonitor(name, forbidden);
    const context = page.context();
    await context.exposeBinding('reportForbiddenTexts', (source, patterns: string[]) =>
      monitor.#record(source.page.url(), patterns),
    );
    const patterns = forbidden.map(([pattern]) => pattern);
    await context.addInitScript(observeTexts, patterns);
    for (const tab of context.pages()) {
      await tab.evaluate(observeTexts, patterns);
      if (!mayReload) tab.on('domcontentloaded', () => monitor.note('the page was reloaded', tab.url()));
    }
    return monitor;
  }

  outageStarted(): void {
    this.#excusedUntil = Number.POSITIVE_INFINITY;
  }

  outageEnded(): void {
    this.#excusedUntil = Date.now() + RECOVERY_MS;
  }

  note(what: string, url: string): void {
    const sighting = `${this.#name} at ${new URL(url).pathname}: ${what}`;
    if (!this.#isExcused && !this.seen.includes(sighting)) this.seen.push(sighting);
  }

  get #isExcused(): boolean {
    return Date.now() < this.#excusedUntil;
  }

  #record(url: string, patterns: string[]): void {
    const now = Date.now();
    for (const [pattern, allowedMs] of this.#forbidden) {
      if (!patterns.includes(pattern)) continue;
      const key = `${url} ${pattern}`;
      const known = this.#sightings.get(key);
      const since = known === undefined || now - known.last > GAP_MS || this.#isExcused ? now : known.since;
      this.#sightings.set(key, { since, last: now });
      if (now - since >= allowedMs) this.note(pattern, url);
    }
  }
}

/** Runs in the page: reports every pattern that its text matches, whenever it changes and twice a second. */
function observeTexts(patterns: string[]): void {
  const report = () => {
    const text = document.body?.innerText ?? '';
    const found = patterns.filter((pattern) => new RegExp(pattern, 'm').test(text));
    const { reportForbiddenTexts } = window as unknown as { reportForbiddenTexts: (found: string[]) => void };
    if (found.length > 0) reportForbiddenTexts(found);
  };
  new MutationObserver(report).observe(document, { childList: true, subtree: true, characterData: true });
  setInterval(report, 500);
}
