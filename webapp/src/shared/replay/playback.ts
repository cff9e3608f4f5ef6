import { type Game, gameAfter, type RowCol } from '@/shared/rules';

/** Moves per second. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** Moves beside the game, shown on the board: a proof, a better line, or the user's own try. */
export interface Line {
  kind: 'proof' | 'better' | 'own';
  /** Number of the game's moves before it. */
  from: number;
  moves: readonly RowCol[];
  /** Number of its moves on the board. */
  at: number;
  /** For X with best play from its start: 1 a win, 0 a draw, -1 a loss; null unproven, undefined if not known yet. */
  worth: number | null | undefined;
}

/** The current position within a replay. */
export interface Playback {
  game: Game;
  /** Number of the game's moves on the board; with an open line, when it was opened. */
  ply: number;
  line: Line | null;
  isPlaying: boolean;
}

export type PlaybackEvent =
  | { type: 'roundChosen'; game: Game }
  /** Goes to a number of moves of the game, or of the open line. */
  | { type: 'sought'; to: number }
  | { type: 'stepped'; by: 1 | -1 }
  /** Goes to a move of the game and closes the line. */
  | { type: 'wentTo'; ply: number }
  /** Plays or pauses; at the end it restarts. */
  | { type: 'toggled' }
  | { type: 'ticked' }
  | { type: 'lineOpened'; line: Omit<Line, 'at'> }
  | { type: 'lineClosed' }
  /** The user's own move from the current position. */
  | { type: 'tried'; place: RowCol }
  /** Best play after the user's moves, computed for exactly these. */
  | { type: 'answered'; line: Line; moves: readonly RowCol[]; worth: number | null };

export function playbackOf(game: Game): Playback {
  return { game, ply: game.moves.length, line: null, isPlaying: false };
}

/**
 * The position after so many moves of the game, counted through its rounds, as an address names it. Below 0 it is the
 * start; beyond the last move, and for what is no number, the end.
 */
export function playbackAfter(rounds: readonly [Game, ...Game[]], move: string | null): Playback {
  let ply = move !== null && /^-?\d+$/.test(move) ? Math.max(Number(move), 0) : Infinity;
  for (const game of rounds) {
    if (ply <= game.moves.length) return { ...playbackOf(game), ply };
    ply -= game.moves.length;
  }
  return playbackOf(rounds.at(-1) ?? rounds[0]);
}

/**
 * How many moves of the game, counted through its rounds, are on the board; null at the end. The empty board of a later
 * round is the end of the one before. An open line counts up to where it begins.
 */
export function moveOf(rounds: readonly Game[], { game, ply, line }: Playback): number | null {
  const played = line?.from ?? ply;
  const round = rounds.indexOf(game);
  if (round === rounds.length - 1 && played === game.moves.length) return null;
  return rounds.slice(0, round).reduce((sum, { moves }) => sum + moves.length, played);
}

export function playbackReducer(playback: Playback, event: PlaybackEvent): Playback {
  const { game, line } = playback;
  const { at, length } = extent(playback);
  switch (event.type) {
    case 'roundChosen':
      return playbackOf(event.game);
    case 'sought':
      return { ...moved(playback, event.to), isPlaying: false };
    case 'stepped':
      return { ...moved(playback, at + event.by), isPlaying: false };
    case 'wentTo':
      return { ...moved({ ...playback, line: null }, event.ply), isPlaying: false };
    case 'toggled':
      if (length === 0) return playback;
      return { ...(at === length ? moved(playback, 0) : playback), isPlaying: !playback.isPlaying };
    case 'ticked': {
      if (!playback.isPlaying) return playback;
      const next = moved(playback, at + 1);
      return { ...next, isPlaying: at + 1 < length };
    }
    case 'lineOpened':
      return { ...playback, line: { ...event.line, at: 0 }, isPlaying: event.line.moves.length > 0 };
    case 'lineClosed':
      return { ...playback, line: null, isPlaying: false };
    case 'tried': {
      const base = line ?? { kind: 'own', from: playback.ply, moves: [], at: 0, worth: undefined };
      const moves = [...base.moves.slice(0, base.at), event.place];
      const tried: Line = { kind: 'own', from: base.from, moves, at: moves.length, worth: undefined };
      const after = gameAfter(game.size, game.starter, movesShown({ ...playback, line: tried }));
      // The board offers legal moves only.
      return typeof after === 'string' ? playback : { ...playback, line: tried, isPlaying: false };
    }
    case 'answered': {
      if (line !== event.line) return playback;
      const moves = [...line.moves, ...event.moves];
      return { ...playback, line: { ...line, moves, worth: event.worth }, isPlaying: event.moves.length > 0 };
    }
  }
}

/** The current move and the number of moves of the game or line. */
export function extent({ game, ply, line }: Playback): { at: number; length: number } {
  return line === null ? { at: ply, length: game.moves.length } : { at: line.at, length: line.moves.length };
}

/** The moves on the board. */
export function movesShown({ game, ply, line }: Playback): readonly RowCol[] {
  if (line === null) return game.moves.slice(0, ply);
  return [...game.moves.slice(0, line.from), ...line.moves.slice(0, line.at)];
}

/** The position on the board, as a game. */
export function shownGame(playback: Playback): Game {
  const { size, starter } = playback.game;
  const shown = gameAfter(size, starter, movesShown(playback));
  if (typeof shown === 'string') throw new Error(`a replay that breaks the rules: ${shown}`);
  return shown;
}

function moved(playback: Playback, to: number): Playback {
  const { line } = playback;
  const at = Math.min(Math.max(to, 0), extent(playback).length);
  return line === null ? { ...playback, ply: at } : { ...playback, line: { ...line, at } };
}
