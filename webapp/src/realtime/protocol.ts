/** The frames of `/api/backend/realtime`: `{event, data, id?}`, one JSON object each, as the contract has them. */

import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type Mark = Schemas['Symbol'];
export type GameStatus = Schemas['GameStatus'];
export type GamePlayer = Schemas['GamePlayer'];
export type GameState = Schemas['GameState'];
/** A game in a list. */
export type Game = Schemas['Game'];
export type MoveUpdate = Schemas['MoveUpdate'];
export type GameEnd = Schemas['GameEnd'];
export type Ack = Schemas['Ack'];

interface Frame {
  event: string;
  data: unknown;
}
type DataOf<F extends Frame> = { [E in F['event']]: Extract<F, { event: E }>['data'] };

/** What the client sends. */
export type ClientEvents = DataOf<Schemas['ClientFrame']>;
/** What the server sends, acknowledgements aside. */
export type ServerEvents = Omit<DataOf<Schemas['ServerFrame']>, 'ack'>;

export type ClientEvent = keyof ClientEvents;
export type ServerEvent = keyof ServerEvents;
