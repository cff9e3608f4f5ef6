import type { Page, WebSocketRoute } from '@playwright/test';

/** The network of one page, to be cut and mended: requests fail, and so does the realtime channel. */
export class Network {
  readonly #page: Page;
  readonly #open = new Set<WebSocketRoute>();
  #isCut = false;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** From the next page load on. */
  static async of(page: Page): Promise<Network> {
    const network = new Network(page);
    await page.routeWebSocket(/\/api\/backend\/realtime$/, (socket) => network.#opened(socket));
    return network;
  }

  #opened(socket: WebSocketRoute): void {
    if (this.#isCut) {
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

  async cut(): Promise<void> {
    this.#isCut = true;
    await this.#page.context().setOffline(true);
    for (const socket of [...this.#open]) await socket.close();
  }

  async mend(): Promise<void> {
    this.#isCut = false;
    await this.#page.context().setOffline(false);
  }
}
