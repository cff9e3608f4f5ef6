import { type Dispatch, useCallback, useEffect, useReducer } from 'react';
import { api } from '@/api/base';
import { RealtimeError } from '@/realtime/connection';
import type { ServerEvents } from '@/realtime/protocol';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { log } from '@/shared/log';
import { initialLiveGame, JOIN_FAILED, type LiveGame, type LiveGameEvent, liveGameReducer } from './liveGame';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

interface Options {
  gameId: string;
  userId: string;
  /** Wants to watch. A player of the game still plays it. */
  isWatching: boolean;
  /** Do not join yet, for example while a seat is being claimed. */
  isPaused: boolean;
}

/** Joins the game's room, rejoins and resynchronises after reconnections, and leaves on unmount. */
export function useLiveGame({ gameId, userId, isWatching, isPaused }: Options) {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const [game, dispatch] = useReducer(liveGameReducer, initialLiveGame);
  const version = game.state?.version;
  const isSpectator = isWatching && !(game.state?.players.some((player) => player.userId === userId) ?? false);

  const enter = useCallback(
    (lastVersion?: number) => {
      const entering = isSpectator
        ? connection.request('spectateGame', { gameId })
        : connection.request('joinGame', { gameId, userId, ...(lastVersion === undefined ? {} : { lastVersion }) });
      entering.catch((error: unknown) => {
        // Without a connection the next one retries; a refusal is final.
        if (error instanceof RealtimeError && error.isUnanswered) return;
        dispatch({ type: 'joinFailed', message: error instanceof Error ? error.message : JOIN_FAILED });
      });
    },
    [connection, gameId, userId, isSpectator],
  );

  useEffect(() => {
    if (isConnected && !isPaused) enter();
  }, [isConnected, isPaused, enter]);

  useEffect(() => {
    if (game.isBehind && isConnected) enter(version);
  }, [game.isBehind, isConnected, enter, version]);

  useEffect(
    () => () => {
      connection.send('leaveGameRoom', { gameId, userId });
    },
    [connection, gameId, userId],
  );

  // A move is sent when it is made, and again after a reconnection; its version lets the server play it once.
  const { pending } = game;
  useEffect(() => {
    if (pending === null || !isConnected) return;
    const { row, col, version: madeOn } = pending;
    connection.request('makeMove', { gameId, userId, row, col, version: madeOn }).catch((error: unknown) => {
      if (error instanceof RealtimeError && error.isUnanswered) return;
      dispatch({ type: 'rejected' });
    });
  }, [connection, gameId, userId, pending, isConnected]);

  useGameFrames(gameId, userId, dispatch);

  const play = useCallback((row: number, col: number) => dispatch({ type: 'played', row, col, userId }), [userId]);
  const forfeit = useCallback(
    () => connection.request('forfeitGame', { gameId, userId }),
    [connection, gameId, userId],
  );
  const fail = useCallback((message: string) => dispatch({ type: 'joinFailed', message }), []);

  return { game, play, forfeit, fail } satisfies { game: LiveGame; [action: string]: unknown };
}

/** What the server tells of the game. */
function useGameFrames(gameId: string, userId: string, dispatch: Dispatch<LiveGameEvent>): void {
  const dispatchStore = useAppDispatch();
  const forgetList = () => dispatchStore(api.util.invalidateTags(['Games']));
  useGameEvent('gameJoined', gameId, (data) => dispatch({ type: 'joined', data, userId, now: Date.now() }));
  useGameEvent('gameStarted', gameId, ({ gameState }) => {
    dispatch({ type: 'started', state: gameState, userId, now: Date.now() });
  });
  useGameEvent('moveUpdate', gameId, (data) => dispatch({ type: 'moved', data, now: Date.now() }));
  useGameEvent('moveRejected', gameId, ({ error }) => {
    log.note('Move rejected', error);
    dispatch({ type: 'rejected' });
  });
  useGameEvent('gameEnd', gameId, (data) => {
    dispatch({ type: 'ended', data });
    forgetList();
  });
  useGameEvent('ratingChanged', gameId, (data) => {
    dispatch({ type: 'rated', data });
    dispatchStore(api.util.invalidateTags(['Ratings']));
  });
  useGameEvent('gameDraw', gameId, (data) => dispatch({ type: 'drawn', data, userId, now: Date.now() }));
  // The room is told of everybody, including the user in another tab.
  useGameEvent('opponentDisconnected', gameId, ({ userId: opponentId, countdown }) => {
    if (opponentId !== userId) dispatch({ type: 'opponentLeft', opponentId, countdown, now: Date.now() });
  });
  useGameEvent('opponentReconnected', gameId, ({ userId: opponentId }) => {
    if (opponentId !== userId) dispatch({ type: 'opponentBack', opponentId });
  });
  useGameEvent('gameCancelled', gameId, ({ success, message }) => {
    if (success) dispatch({ type: 'cancelled', message });
    forgetList();
  });
  useGameEvent('watchersChanged', gameId, ({ watchers }) => dispatch({ type: 'watched', watchers }));
  useGameEvent('gameError', gameId, ({ error }) => dispatch({ type: 'failed', message: error }));
}

type GameEvent = {
  [E in keyof ServerEvents]: ServerEvents[E] extends { gameId?: string } ? E : never;
}[keyof ServerEvents];

/** Like `useRealtimeEvent`, for frames of this game; an error without a game id counts as one. */
function useGameEvent<E extends GameEvent>(event: E, gameId: string, handle: (data: ServerEvents[E]) => void): void {
  useRealtimeEvent(event, (data) => {
    if (!('gameId' in data) || data.gameId === gameId) handle(data);
  });
}
