import type { Game, GameStatus } from '@/realtime/protocol';

/** What the list of games under way asks for. */
export const ACTIVE: GameStatus[] = ['active', 'waiting'];

/** Whether the game goes on only when this user does something: it is their turn, or they are invited. */
export function waitsFor({ status, yourTurn, gameType, initiatorUserId }: Game, userId: string): boolean {
  if (status === 'active') return yourTurn;
  return status === 'waiting' && (gameType !== 'invite' || initiatorUserId !== userId);
}

/** Those that wait for the user first, then games under way, then invitations without an answer. */
export function inOrder(games: readonly Game[], userId: string): Game[] {
  const rank = (game: Game) => (waitsFor(game, userId) ? 0 : game.status === 'active' ? 1 : 2);
  return games.filter(({ status }) => ACTIVE.includes(status)).toSorted((a, b) => rank(a) - rank(b));
}
