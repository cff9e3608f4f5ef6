import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long to wait for a push, in milliseconds. */
const PUSH_MS = 15_000;

/** What `PushSubscription.toJSON()` has of a browser at the stand-in. */
export interface FakeSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/**
 * A stand-in for a push service and the keys of one browser behind it: no push service of the real world is reachable from
 * here. It decrypts with Node's own cryptography, and keeps whatever is not as RFC 8291 and RFC 8292 have it.
 */
export class PushService {
  readonly #keys = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly #pushes: { path: string; payload: string }[] = [];
  readonly faults: string[] = [];
  readonly #server = createServer((request, response) => {
    this.#take(request)
      .catch((error: unknown) => this.faults.push(String(error)))
      .finally(() => response.writeHead(201).end());
  });

  static async open(): Promise<PushService> {
    const service = new PushService();
    service.#keys.generateKeys();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The browser's subscription; another number is one that took its place. */
  subscription(number = 1): FakeSubscription {
    const keys = { p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
    return { endpoint: `${this.#origin}${pathOf(number)}`, keys };
  }

  /** How many pushes came to a subscription. */
  count(number = 1): number {
    return this.#pushes.filter(({ path }) => path === pathOf(number)).length;
  }

  /** The text of the push with this number, counted from 0, once it is here. */
  async payload(number: number): Promise<string> {
    const until = Date.now() + PUSH_MS;
    while (Date.now() < until) {
      const payload = this.#pushes[number]?.payload;
      if (payload !== undefined) return payload;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`push ${number} did not come; faults: ${this.faults.join(', ')}`);
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.#check(request.headers.authorization ?? '');
    if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('not encrypted with aes128gcm');
    if (!(Number(request.headers.ttl) > 0)) throw new Error('no TTL');
    this.#pushes.push({ path: request.url ?? '', payload: this.#decrypt(Buffer.concat(chunks)) });
  }

  #check(authorization: string): void {
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    const [header = '', claims = '', signature = ''] = token.split('.');
    const point = Buffer.from(key, 'base64url');
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    const signer = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: signer, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    if (!isSigned) throw new Error('a wrong signature');
    const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number };
    const left = exp - Date.now() / 1_000;
    if (aud !== this.#origin || left <= 0 || left > 86_400) throw new Error('signed for something else');
  }

  #decrypt(body: Buffer): string {
    const [salt, length] = [body.subarray(0, 16), body[20] ?? 0];
    const sender = body.subarray(21, 21 + length);
    const record = body.subarray(21 + length);
    const derived = (secret: Buffer, salted: Buffer, info: Buffer, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, salted, info, bytes));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const secret = derived(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const cipher = createDecipheriv('aes-128-gcm', key, nonce);
    cipher.setAuthTag(record.subarray(-16));
    const text = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
    const end = text.lastIndexOf(2);
    if (text.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no end of the record');
    return text.subarray(0, end).toString();
  }
}

const pathOf = (number: number) => `/push/${number}`;
