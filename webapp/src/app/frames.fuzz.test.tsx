/** Whatever arrives on the websocket, nothing throws, and only what the contract has reaches the state of a page. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { act, cleanup, renderHook } from '@testing-library/react';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readDocument } from '../../scripts/api/contract';
import { createStore } from './store';
import { useEventRoom } from '@/features/eventRoom/useEventRoom';
import * as liveGame from '@/features/game/liveGame';
import { useLiveGame } from '@/features/game/useLiveGame';
import { RealtimeConnection } from '@/realtime/connection';
import type { GameState, ServerEvent } from '@/realtime/protocol';
import { RealtimeContext } from '@/realtime/RealtimeContext';
import { connectionStatusChanged } from '@/realtime/realtimeSlice';
import { log } from '@/shared/log';
import { FakeSocket } from '@/testing/FakeSocket';

/** In milliseconds. */
const ROUND_MS = 5_000;
const SECONDS = Number(process.env.MORPION_FUZZ_SECONDS ?? 1);
const CORPUS = resolve('src/testing/corpus/frames');

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
}

const schemas = readDocument().components.schemas as Record<string, Schema>;
const frames = new Map(
  (schemas.ServerFrame?.oneOf ?? []).map(({ properties }) => [
    properties?.event?.enum?.[0] as ServerEvent | 'ack',
    properties?.data ?? {},
  ]),
);

const GAME = 'g';
const EVENT = 'e';
const USER = 'u1';

/** Values as a schema has them, about one game, event and person. */
function valuesOf(schema: Schema, field = ''): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, field);
  if (schema.allOf?.[0] !== undefined) return valuesOf(schema.allOf[0], field);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, valuesOf(inner, name)]);
      return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: schema.required ?? [],
      });
    }
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 4 });
    case 'integer':
      return fc.oneof(fc.nat(6), fc.integer());
    case 'boolean':
      return fc.boolean();
    default:
      if (field === 'gameId') return fc.constant(GAME);
      if (field === 'eventId') return fc.constant(EVENT);
      if (field === 'userId' || field === 'currentTurn') return fc.constantFrom(USER, 'u2');
      return fc.constantFrom('', 'X', 'O', '2026-01-01T00:00:00Z', 'text');
  }
}

/** Replaces the value at this place, counted through the whole of it. */
function replaced(value: unknown, place: { left: number }, by: unknown): unknown {
  if (place.left-- === 0) return by;
  if (Array.isArray(value)) return value.map((item) => replaced(item, place, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, place, by)]));
}

const valid = fc
  .constantFrom(...frames)
  .chain(([event, schema]) => fc.record({ event: fc.constant(event), data: valuesOf(schema), id: fc.constant('1') }));
const mutated = fc
  .tuple(valid, fc.nat(40), fc.oneof(fc.constantFrom(null, '', -1, 1.5, [], {}), fc.jsonValue()))
  .map(([frame, left, by]) => JSON.stringify(replaced(frame, { left }, by)));
const cut = fc.tuple(valid, fc.nat(300)).map(([frame, length]) => JSON.stringify(frame).slice(0, length));
const text = fc.oneof(
  { weight: 4, arbitrary: valid.map((frame) => JSON.stringify(frame)) },
  { weight: 8, arbitrary: mutated },
  cut,
  fc.string(),
  fc.json(),
);

/** What the contract says of a frame, except of words, which may be newer than the page. */
const ajv = new Ajv({ strict: false, strictNumbers: true, validateFormats: false });
ajv.addKeyword({ keyword: 'isSafeInteger', validate: (_: unknown, value: unknown) => Number.isSafeInteger(value) });
ajv.addSchema({
  $id: 'contract',
  components: {
    schemas: JSON.parse(JSON.stringify(schemas, (key, value: unknown) => withoutLimits(key, value))) as object,
  },
});

/** A later server may send other words and numbers, but no integers that are not exact. */
function withoutLimits(key: string, value: unknown): unknown {
  if (['enum', 'minimum', 'maximum'].includes(key)) return undefined;
  const isInteger = typeof value === 'object' && value !== null && 'type' in value && value.type === 'integer';
  return isInteger ? { type: 'integer', isSafeInteger: true } : value;
}

function isOfContract(frame: string): boolean {
  try {
    const { event, data } = JSON.parse(frame) as { event: ServerEvent; data: unknown };
    const reference = frames.get(event)?.$ref;
    return reference !== undefined && ajv.validate(`contract${reference}`, data);
  } catch {
    return false;
  }
}

function open() {
  FakeSocket.all = [];
  const connection = new RealtimeConnection({
    url: () => 'ws://test/api/backend/realtime',
    createSocket: (url) => new FakeSocket(url) as unknown as WebSocket,
  });
  const store = createStore();
  store.dispatch(connectionStatusChanged('connected'));
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={store}>
      <RealtimeContext value={connection}>{children}</RealtimeContext>
    </Provider>
  );
  const page = renderHook(
    () => ({
      live: useLiveGame({ gameId: GAME, userId: USER, isWatching: false, isPaused: false }),
      event: useEventRoom(EVENT, USER),
    }),
    { wrapper },
  );
  const heard: string[] = [];
  for (const event of frames.keys()) {
    if (event !== 'ack') connection.on(event, () => heard.push(event));
  }
  connection.connect(USER);
  FakeSocket.last.open();
  const close = () => {
    // Also takes the page's element out of the document.
    cleanup();
    connection.close();
  };
  return { page, heard, close, receive: (frame: string) => act(() => FakeSocket.last.receiveText(frame)) };
}

const FRESH = {
  ...{
    gameId: GAME,
    eventId: EVENT,
    gameType: 'event',
    clock: 'turn15',
    status: 'active',
    level: 1,
    boardSize: 3,
    drawCount: 0,
  },
  ...{ board: [['', '', '']], moves: [], players: [], isDraw: false, notify: true, serverTime: 5 },
  ...{ createdAt: '2026-01-01T00:00:00Z', initiatorUserId: USER, version: Number.MAX_SAFE_INTEGER },
} satisfies GameState;

/** A page that gets these frames shows the game afterwards as the server has it. */
function check(lines: string[]): void {
  const { page, heard, close, receive } = open();
  try {
    for (const line of lines) {
      const before = page.result.current;
      heard.length = 0;
      receive(line);
      const isAck = line.includes('"ack"');
      expect(heard.length, line).toBe(isOfContract(line) && !isAck ? 1 : 0);
      const { live, event } = page.result.current;
      if (heard.length === 0 && !isAck) expect([live.game, event.room]).toEqual([before.live.game, before.event.room]);
      liveGame.shownBoard(live.game, USER);
      liveGame.shownTurn(live.game);
      liveGame.turnText(live.game, USER);
      liveGame.pathAfterForfeit(live.game.state);
      liveGame.closePath(live.game.state, true);
      if (live.game.state !== null) liveGame.outcome(live.game.state, USER);
    }
    receive(JSON.stringify({ event: 'gameStarted', data: { gameId: GAME, gameState: FRESH } }));
    expect(page.result.current.live.game).toMatchObject({ phase: 'ready', state: FRESH });
  } finally {
    close();
  }
}

it('a page survives every sequence of frames', { timeout: SECONDS * 1000 + 60_000 }, async () => {
  const note = vi.spyOn(log, 'note').mockReturnValue();
  const thrown: unknown[] = [];
  const listen = ({ error }: ErrorEvent) => void thrown.push(error);
  window.addEventListener('error', listen);
  onTestFinished(() => window.removeEventListener('error', listen));
  const survives = (lines: string[]) => {
    thrown.length = 0;
    check(lines);
    expect(thrown).toEqual([]);
  };
  for (const name of readdirSync(CORPUS)) survives(readFileSync(`${CORPUS}/${name}`, 'utf8').split('\n'));
  const end = Date.now() + SECONDS * 1000;
  let cases = 0;
  for (let left = SECONDS * 1000; left > 0; left = end - Date.now()) {
    const run = fc.check(fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), survives), {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: Math.min(left, ROUND_MS),
      markInterruptAsFailure: false,
    });
    cases += run.numRuns;
    if (run.counterexample !== null) {
      writeFileSync(`${CORPUS}/found-${run.seed}`, run.counterexample[0].join('\n'));
    }
    expect(run.failed, fc.defaultReportMessage(run)).toBe(false);
    // What the pages left to be done later would pile up.
    note.mockClear();
    await new Promise((resolve) => setTimeout(resolve));
  }
  console.log(`fuzz frames: ${cases} cases in ${SECONDS} s`);
});
