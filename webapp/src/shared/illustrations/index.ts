export { HeroDrawing } from './HeroDrawing';
// The landing page's drawings have their own file, so that it loads no others.
export { AiDrawing, CupDrawing, LocalDrawing, PhoneDrawing } from './LandingDrawings';
export { Logo } from './Logo';
export { RemoteDrawing } from './RemoteDrawing';
export { EmptyDrawing, LostDrawing, TicketDrawing, TornDrawing } from './SceneDrawings';
export { ClockDrawing, LadderDrawing, PairDrawing, SealDrawing } from './TournamentDrawings';
