import type { LiveGame } from '@/shared/live/liveNow';
import { bob, gameWithBob } from './server';

export const carl = { userId: '00000000-0000-4000-8000-00000000000c', username: 'carl', displayName: 'Carl' };

/** A rated game of Bob against Carl. */
export function liveGame(gameId: string, board: Partial<LiveGame['board']> = {}): LiveGame {
  const terms = { gameType: 'quick', eventId: `quick-${gameId}`, clock: 'turn15', rated: true } as const;
  return {
    game: gameWithBob({ gameId, players: [bob, carl], yourTurn: false, watchers: 0, ...terms }),
    board: {
      gameId,
      version: 3,
      boardSize: 3,
      cells: '.........',
      drawCount: 0,
      status: 'active',
      currentTurn: bob.userId,
      watchers: 0,
      ...board,
    },
  };
}

/** The frame with a whole list. */
export function liveNow(games: LiveGame[], total = games.length) {
  return { total, order: games.map(({ game }) => game.gameId), games, boards: [] };
}
