export { baseCellPx, Board, boardPx, type BoardPlace, type BoardProps, placeLabel } from './Board';
export { MarkDrawing } from './Marks';
export { ruledLines } from './pen';
export { SoundSwitch } from './SoundSwitch';
