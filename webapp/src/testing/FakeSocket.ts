/** A websocket without a network; tests act as its server. */
export class FakeSocket extends EventTarget {
  static all: FakeSocket[] = [];
  readonly url: string;
  readonly sent: { event: string; data: Record<string, unknown>; id?: string }[] = [];
  readyState: number = WebSocket.CONNECTING;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (socket === undefined) throw new Error('no socket was opened');
    return socket;
  }

  open(): void {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FakeSocket['sent'][number]);
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }

  receive(event: string, data: unknown, id?: string): void {
    this.receiveText(JSON.stringify({ event, data, id }));
  }

  receiveText(text: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }
}
