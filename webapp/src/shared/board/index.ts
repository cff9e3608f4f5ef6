export { baseCellPx, Board, boardPx, type BoardCell, type BoardProps, cellLabel } from './Board';
export { MarkDrawing } from './Marks';
export { ruledLines } from './pen';
export { StillBoard } from './StillBoard';
export { SoundSwitch } from './SoundSwitch';
