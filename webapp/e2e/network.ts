import type { Page, WebSocketRoute } from '@playwright/test';

/** On a bad network a page says within this time that a move has not arrived, in milliseconds. */
const SAID_MS = 2_000;
const TICK_MS = 100;

/**
 * Whether a page says in time that a move is on its way. Time is counted in the page's own ticks, since on a busy machine a
 * browser may stand still for seconds.
 */
export function saysSending(page: Page): Promise<boolean> {
  return page.evaluate(
    ([ticks, tickMs]) =>
      new Promise<boolean>((resolve) => {
        let left = ticks;
        const timer = setInterval(() => {
          const isSaid = [...document.querySelectorAll('h2')].some((heading) => heading.textContent === 'Sending…');
          if (!isSaid && left-- > 0) return;
          clearInterval(timer);
          resolve(isSaid);
        }, tickMs);
      }),
    [SAID_MS / TICK_MS, TICK_MS] as const,
  );
}

/**
 * Simulates a bad network for one page. Disconnected, requests fail and the realtime connection closes. Held, the realtime
 * connection is silent, and so is every new one, as after a change of cells: nothing closes, and nothing arrives.
 */
export class Network {
  readonly #page: Page;
  readonly #open = new Set<WebSocketRoute>();
  readonly #lost = new Set<WebSocketRoute>();
  #isDisconnected = false;
  /** What is to be done once the network carries packets again; null while it does. */
  #held: (() => void)[] | null = null;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Takes effect at the next page load. */
  static async of(page: Page): Promise<Network> {
    const network = new Network(page);
    await page.routeWebSocket(/\/api\/backend\/realtime$/, (socket) => network.#opened(socket));
    return network;
  }

  /** Now, or when the network is no longer held. */
  #carry(packet: () => void): void {
    if (this.#held === null) packet();
    else this.#held.push(packet);
  }

  async #opened(socket: WebSocketRoute): Promise<void> {
    if (this.#isDisconnected) {
      void socket.close();
      return;
    }
    let isGivenUp = false;
    socket.onClose(() => {
      isGivenUp = true;
    });
    // The page's socket opens when this returns.
    await new Promise<void>((resolve) => this.#carry(resolve));
    if (isGivenUp) return;
    const server = socket.connectToServer();
    this.#open.add(socket);
    socket.onMessage((message) => this.#carry(() => !this.#lost.has(socket) && server.send(message)));
    server.onMessage((message) => this.#carry(() => this.#open.has(socket) && socket.send(message)));
    socket.onClose(() => {
      this.#open.delete(socket);
      if (!this.#lost.has(socket)) this.#carry(() => void server.close());
    });
    server.onClose(() => {
      this.#open.delete(socket);
      void socket.close();
    });
  }

  /** From now on no packet arrives, in either direction. */
  hold(): void {
    this.#held ??= [];
  }

  /** What was held arrives. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const packet of held) packet();
  }

  changeAddress(): void {
    for (const socket of this.#open) this.#lost.add(socket);
    this.#open.clear();
  }

  async disconnect(): Promise<void> {
    this.#isDisconnected = true;
    await this.#page.context().setOffline(true);
    for (const socket of [...this.#open]) await socket.close();
  }

  async reconnect(): Promise<void> {
    this.#isDisconnected = false;
    await this.#page.context().setOffline(false);
  }
}
