export { HeroDrawing } from './HeroDrawing';
// What the landing page shows stands in a file of its own, so that it loads no other.
export { AiDrawing, CupDrawing, LocalDrawing, PhoneDrawing } from './LandingDrawings';
export { Logo } from './Logo';
export { RemoteDrawing } from './RemoteDrawing';
export { EmptyDrawing, LostDrawing, TornDrawing } from './SceneDrawings';
export { ClockDrawing, LadderDrawing, PairDrawing, SealDrawing } from './TournamentDrawings';
