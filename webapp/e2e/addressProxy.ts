import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';

/**
 * A proxy through which a browser reaches servers of this machine from an address of its own: two people at one address
 * play no rated game with each other.
 */
export class AddressProxy {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `address` is one of the loopback network, such as `127.0.0.2`. */
  static async start(address: string): Promise<AddressProxy> {
    const server = createServer((incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      const passed = request(url, { method, headers, localAddress: address }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    });
    // Websockets come as tunnels.
    server.on('connect', ({ url = '' }, client, head) => {
      const { hostname, port } = new URL(`http://${url}`);
      const target = connect({ host: hostname, port: Number(port), localAddress: address }, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        target.write(head);
        target.pipe(client).pipe(target);
      });
      target.on('error', () => client.destroy());
      client.on('error', () => target.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AddressProxy(server);
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
