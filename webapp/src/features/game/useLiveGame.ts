import { type Dispatch, useCallback, useEffect, useReducer, useState } from 'react';
import { api } from '@/api/base';
import { RealtimeError } from '@/realtime/connection';
import type { ServerEvents } from '@/realtime/protocol';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { log } from '@/shared/log';
import {
  initialLiveGame,
  JOIN_FAILED,
  type LiveGame,
  type LiveGameEvent,
  liveGameReducer,
  type PendingMove,
} from './liveGame';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** For who opens the address of somebody else's game that is not public. */
const PLAYERS_ONLY = 'Only the players can see this game. If somebody invited you, ask them for the invite link.';

/** A move without an answer for so long is said to be on its way, and the connection is probed. */
export const SENDING_AFTER_MS = 1_000;
/** A move that a living connection has not answered is sent again, well within a turn. */
export const MOVE_TIMEOUT_MS = 4_000;

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
      const refused = (error: unknown, otherwise?: string) => {
        // Without a connection the next one retries; a refusal is final.
        if (error instanceof RealtimeError && error.isUnanswered) return;
        const message = otherwise ?? (error instanceof Error ? error.message : JOIN_FAILED);
        dispatch({ type: 'joinFailed', message });
      };
      const watch = () => connection.request('spectateGame', { gameId });
      if (isSpectator) {
        watch().catch(refused);
        return;
      }
      const seat = { gameId, userId, ...(lastVersion === undefined ? {} : { lastVersion }) };
      connection.request('joinGame', seat).catch((error: unknown) => {
        // The address of a player, opened by somebody else: they watch where that is allowed.
        if (error instanceof RealtimeError && error.code === 'not-a-player') {
          watch().catch((reason: unknown) => refused(reason, PLAYERS_ONLY));
        } else refused(error);
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
      connection.send('leaveGameRoom', userId === '' ? { gameId } : { gameId, userId });
    },
    [connection, gameId, userId],
  );

  const isSending = useMove(gameId, userId, game.pending, dispatch);
  const isUnderWay = game.cancelled === null && isUrgent(game.state, userId);
  useEffect(() => (isUnderWay ? connection.attend() : undefined), [connection, isUnderWay]);

  useGameFrames(gameId, userId, dispatch);

  const play = useCallback((row: number, col: number) => dispatch({ type: 'played', row, col, userId }), [userId]);
  const forfeit = useCallback(
    () => connection.request('forfeitGame', { gameId, userId }),
    [connection, gameId, userId],
  );
  const fail = useCallback((message: string) => dispatch({ type: 'joinFailed', message }), []);

  return { game, isSending, play, forfeit, fail } satisfies { game: LiveGame; [action: string]: unknown };
}

/** Whether the user plays against time: the game runs, or begins as soon as both are there. */
function isUrgent(state: LiveGame['state'], userId: string): boolean {
  if (state === null || !state.players.some((player) => player.userId === userId)) return false;
  return state.status === 'active' || (state.status === 'waiting' && state.gameType !== 'invite');
}

/**
 * Sends a move when it is made, and again until it is answered, also after a reconnection; its version lets the server
 * play it once. True while it is not answered although it should be.
 */
function useMove(
  gameId: string,
  userId: string,
  pending: PendingMove | null,
  dispatch: Dispatch<LiveGameEvent>,
): boolean {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const [late, setLate] = useState<PendingMove | null>(null);

  useEffect(() => {
    if (pending === null || !isConnected) return;
    const { row, col, version } = pending;
    let isCurrent = true;
    const send = () => {
      connection.request('makeMove', { gameId, userId, row, col, version }, MOVE_TIMEOUT_MS).then(
        () => dispatch({ type: 'accepted', move: pending }),
        (error: unknown) => {
          if (!(error instanceof RealtimeError && error.isUnanswered)) dispatch({ type: 'rejected' });
          // Without a connection it is sent again after the next one.
          else if (isCurrent && error.code === 'timeout') send();
        },
      );
    };
    send();
    return () => {
      isCurrent = false;
    };
  }, [connection, gameId, userId, pending, isConnected, dispatch]);

  useEffect(() => {
    if (pending === null) return;
    const timer = setTimeout(() => {
      setLate(pending);
      connection.check();
    }, SENDING_AFTER_MS);
    return () => clearTimeout(timer);
  }, [connection, pending]);
  return pending !== null && late === pending;
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
  useGameEvent('opponentDisconnected', gameId, ({ userId: opponentId, absentUntil }) => {
    if (opponentId !== userId) dispatch({ type: 'opponentLeft', opponentId, absentUntil });
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
