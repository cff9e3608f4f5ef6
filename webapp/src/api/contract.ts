import type { components } from './schema';

/** The payloads and answers of the actions that the app uses, by the contract's names. */
type Schemas = components['schemas'];

export type CancelGameAction = Schemas['CancelGameAction'];
export type ClaimSeat = Schemas['ClaimSeat'];
export type ClaimWin = Schemas['ClaimWin'];
export type CreateGame = Schemas['CreateGame'];
export type CreateGameAnswer = Schemas['CreateGameAnswer'];
export type EndGame = Schemas['EndGame'];
export type GameAnswer = Schemas['GameAnswer'];
export type GamesAnswer = Schemas['GamesAnswer'];
export type GetGame = Schemas['GetGame'];
export type GetGamesByUser = Schemas['GetGamesByUser'];
export type GetReplay = Schemas['GetReplay'];
export type PlayAgain = Schemas['PlayAgain'];
export type ReplayAnswer = Schemas['ReplayAnswer'];
export type SearchUserProfile = Schemas['SearchUserProfile'];
export type ShareGame = Schemas['ShareGame'];
export type ShareGameAnswer = Schemas['ShareGameAnswer'];
export type UserAnswer = Schemas['UserAnswer'];
export type UserProfile = Schemas['UserProfile'];
export type UsersAnswer = Schemas['UsersAnswer'];
