import type { Page, WebSocketRoute } from '@playwright/test';

/** Simulates a lost network for one page: requests fail and the realtime connection closes. */
export class Network {
  readonly #page: Page;
  readonly #open = new Set<WebSocketRoute>();
  #isDisconnected = false;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Takes effect at the next page load. */
  static async of(page: Page): Promise<Network> {
    const network = new Network(page);
    await page.routeWebSocket(/\/api\/backend\/realtime$/, (socket) => network.#opened(socket));
    return network;
  }

  #opened(socket: WebSocketRoute): void {
    if (this.#isDisconnected) {
      void socket.close();
      return;
    }
    const server = socket.connectToServer();
    this.#open.add(socket);
    socket.onClose(() => {
      this.#open.delete(socket);
      void server.close();
    });
    server.onClose(() => {
      this.#open.delete(socket);
      void socket.close();
    });
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
