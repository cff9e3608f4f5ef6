/** The engine's public interface: types, positions and the client. The search itself stays in the worker. */

export {
  type AskOptions,
  EngineClient,
  EngineUnavailable,
  type MoveOptions,
  type PlayedMove,
  type ReviewOptions,
  type WorkerLike,
} from './client.ts';
export { isSize, type Size, SIZES, winLength } from './geometry.ts';
export { type ChosenMove, isLevel, type Level, LEVELS, OVERSIGHT, type Oversight } from './levels.ts';
export {
  type Cell,
  contentOf,
  emptyCells,
  emptyPosition,
  InvalidPosition,
  isOver,
  type Mark,
  opposite,
  play,
  type Position,
  positionAfter,
  positionFromCells,
  rowCol,
  winner,
  winningLines,
} from './position.ts';
export {
  dayNumber,
  type Puzzle,
  type PuzzlePlies,
  puzzleShape,
  type PuzzleShape,
  type PuzzleStep,
  type RightMove,
  type WrongMove,
} from './puzzleDay.ts';
export { lossShare, MEASURED_GAMES, type MeasuredLevel, type MeasuredOpponent } from './measured.ts';
export { type MoveLabel, type Review, type ReviewedMove, worthForX } from './review.ts';
export { type Judgement, type MoveJudgement, type Solution, type Value } from './solver.ts';
export { REFERENCE_AI } from './referenceAi.ts';
