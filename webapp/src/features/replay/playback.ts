import { type Game, gameAfter, type RowCol } from '@/shared/rules';

/** Moves a second. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** Moves beside the game, played on the board: what proves a value, what was better, or what one tries oneself. */
export interface Line {
  kind: 'proof' | 'better' | 'own';
  /** How many moves of the game come before it. */
  from: number;
  moves: readonly RowCol[];
  /** So many of them are on the board. */
  at: number;
  /** For X with best play from its start: 1 a win, 0 a draw, -1 a loss; null unproven, undefined not known yet. */
  worth: number | null | undefined;
}

/** Where in a game one is looking. */
export interface Playback {
  game: Game;
  /** So many moves of the game are on the board; while a line is open, when it was opened. */
  ply: number;
  line: Line | null;
  isPlaying: boolean;
}

export type PlaybackEvent =
  | { type: 'roundChosen'; game: Game }
  /** To so many moves of the game, or of the line if one is open. */
  | { type: 'sought'; to: number }
  | { type: 'stepped'; by: 1 | -1 }
  /** To that move of the game, leaving the line. */
  | { type: 'wentTo'; ply: number }
  /** Plays on or stands still; at the end it begins again. */
  | { type: 'toggled' }
  | { type: 'ticked' }
  | { type: 'lineOpened'; line: Omit<Line, 'at'> }
  | { type: 'lineClosed' }
  /** A move of one's own, from what is on the board. */
  | { type: 'tried'; place: RowCol }
  /** Best play after the moves tried: answered for exactly these. */
  | { type: 'answered'; line: Line; moves: readonly RowCol[]; worth: number | null };

export function playbackOf(game: Game): Playback {
  return { game, ply: game.moves.length, line: null, isPlaying: false };
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
      // The board offers possible moves only.
      return typeof after === 'string' ? playback : { ...playback, line: tried, isPlaying: false };
    }
    case 'answered': {
      if (line !== event.line) return playback;
      const moves = [...line.moves, ...event.moves];
      return { ...playback, line: { ...line, moves, worth: event.worth }, isPlaying: event.moves.length > 0 };
    }
  }
}

/** How far one is in what is being looked at, and how long that is. */
export function extent({ game, ply, line }: Playback): { at: number; length: number } {
  return line === null ? { at: ply, length: game.moves.length } : { at: line.at, length: line.moves.length };
}

/** The moves on the board. */
export function movesShown({ game, ply, line }: Playback): readonly RowCol[] {
  if (line === null) return game.moves.slice(0, ply);
  return [...game.moves.slice(0, line.from), ...line.moves.slice(0, line.at)];
}

/** The position on the board, as a game of its own. */
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
