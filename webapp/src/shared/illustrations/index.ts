export { HeroDrawing } from './HeroDrawing';
export { Logo } from './Logo';
export { AiDrawing, LocalDrawing, RemoteDrawing } from './PracticeDrawings';
export { CupDrawing, EmptyDrawing, LostDrawing, TornDrawing } from './SceneDrawings';
export { ClockDrawing, LadderDrawing, PairDrawing, PhoneDrawing, SealDrawing } from './TournamentDrawings';
