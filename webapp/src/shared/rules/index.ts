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
export { BOARD_SIZES, type BoardSize, isBoardSize, type Line, type Place, winLength, winningLines } from './lines';
