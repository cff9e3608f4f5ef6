export {
  type Content,
  type Game,
  gameAfter,
  type Mark,
  newGame,
  opposite,
  play,
  type Refusal,
  takenBack,
} from './game';
export {
  BOARD_SIZES,
  type BoardSize,
  cellText,
  isBoardSize,
  type Line,
  type RowCol,
  winLength,
  winningLines,
} from './lines';
