/**
 * Two people play a game with the TypeScript client that is generated from the document alone: they register, one
 * invites the other, they play to the end over the realtime channel, and read what they played. The server's address is
 * the argument.
 */

import { checkLogin, createGame, getHistory, register } from './client';
import { createClient, type Client } from './client/client';
import type { ClientFrame, ServerFrame } from './client';

const address = process.argv[2] ?? '';

/** X wins in the first row. */
const MOVES = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 2],
] as const;

class Person {
  readonly client: Client = createClient({ baseUrl: address, headers: { Origin: address }, throwOnError: true });
  readonly cookies = new Map<string, string>();
  userId = '';
  #socket?: WebSocket;
  readonly #frames: ServerFrame[] = [];
  #told = () => {};

  constructor(readonly name: string) {
    this.client.interceptors.request.use((request) => {
      request.headers.set('Cookie', this.cookie);
      request.headers.set('X-XSRF-TOKEN', decodeURIComponent(this.cookies.get('XSRF-TOKEN') ?? ''));
      return request;
    });
    this.client.interceptors.response.use((response) => {
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
        this.cookies.set(name, value);
      }
      return response;
    });
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async join(): Promise<void> {
    const { client, name } = this;
    await checkLogin({ client });
    const account = { email: `${name}@example.org`, username: name, password: 'Chalk-and-1nk' };
    const body = { ...account, firstName: '', lastName: '', accountType: 'local', isGoogleAccount: false } as const;
    const { data } = await register({ client, body, throwOnError: true });
    this.userId = data.user.userId;
  }

  async enter(gameId: string): Promise<void> {
    const headers = { Cookie: this.cookie, Origin: address };
    // Node's own option; a browser sends both by itself.
    const options = { headers } as unknown as string[];
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/backend/realtime`, options);
    socket.onmessage = ({ data }) => {
      this.#frames.push(JSON.parse(String(data)) as ServerFrame);
      this.#told();
    };
    await new Promise((opened, failed) => Object.assign(socket, { onopen: opened, onerror: failed }));
    this.#socket = socket;
    this.send({ event: 'joinGame', data: { gameId } });
  }

  send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  leave(): void {
    this.#socket?.close();
  }

  async until<T>(fits: (frame: ServerFrame) => T | undefined): Promise<T> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame?.event === 'error' || frame?.event === 'moveRejected') throw new Error(JSON.stringify(frame));
      const found = frame && fits(frame);
      if (found !== undefined) return found;
      if (frame === undefined) await new Promise<void>((told) => (this.#told = told));
    }
  }
}

function turnOf({ event, data }: ServerFrame): string | undefined {
  if (event === 'moveUpdate') return data.nextTurn;
  return event === 'gameJoined' || event === 'gameStarted' ? data.gameState?.currentTurn : undefined;
}

async function play(): Promise<void> {
  const [ada, bob] = [new Person('slateada'), new Person('slatebob')];
  await ada.join();
  await bob.join();
  const players = [{ userId: ada.userId }, { userId: bob.userId }];
  const made = await createGame({ client: ada.client, body: { players, gameType: 'invite' }, throwOnError: true });
  const { gameId } = made.data.game;
  await ada.enter(gameId);
  await bob.enter(gameId);
  for (const [number, [row, col]] of MOVES.entries()) {
    const mover = number % 2 === 0 ? ada : bob;
    await mover.until((frame) => turnOf(frame) === mover.userId || undefined);
    mover.send({ event: 'makeMove', data: { gameId, row, col } });
  }
  const winner = await bob.until((frame) => (frame.event === 'gameEnd' ? frame.data.winnerUserId : undefined));
  if (winner !== ada.userId) throw new Error(`${winner ?? 'nobody'} won`);
  const query = { payload: JSON.stringify({ userId: ada.userId }) };
  let played: string[] = [];
  // A game is in the history once it is stored, shortly after its end.
  for (let tries = 0; tries < 50 && played.length === 0; tries += 1) {
    const { data } = await getHistory({ client: ada.client, query, throwOnError: true });
    played = data.games.map(({ gameId, result }) => `${gameId} ${result}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  if (played.join() !== `${gameId} won`) throw new Error(played.join());
  ada.leave();
  bob.leave();
  console.log(`A game of ${MOVES.length} moves was played with the TypeScript client.`);
}

void play();
