/** The frames of `/api/backend/realtime`, one JSON object each: `{event, data, id?}`. */

import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type Mark = Schemas['Symbol'];
export type GameStatus = Schemas['GameStatus'];
export type GamePlayer = Schemas['GamePlayer'];
export type GameState = Schemas['GameState'];
export type RatingChange = Schemas['RatingChange'];
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

/** Frames from the client. */
export type ClientEvents = DataOf<Schemas['ClientFrame']>;
/** Frames from the server, except acknowledgements. */
export type ServerEvents = Omit<DataOf<Schemas['ServerFrame']>, 'ack'>;

export type ClientEvent = keyof ClientEvents;
export type ServerEvent = keyof ServerEvents;
