/** Why a game ended, in words: for its page, its replay and lists. The console and the server's messages say the same. */

import type { components } from '@/api/schema';

export type EndReason = components['schemas']['EndReason'];

interface End {
  reason?: EndReason | undefined;
  /** The reason that an admin gave. */
  decision?: string | undefined;
  /** Of the last round. */
  boardSize: number;
}

export function inARow(boardSize: number): string {
  return `${boardSize === 3 ? 'Three' : 'Four'} in a row`;
}

/** In a list, after who won; '' for a line. */
const SHORT: Record<EndReason, string> = {
  line: '',
  forfeit: 'by forfeit',
  timeout: 'on time',
  noShow: 'did not come',
  disconnect: 'disconnected',
  time: 'by less time used',
  adjudicated: 'decided by the organisers',
  void: 'counts for nobody',
  declined: 'declined',
  removed: 'removed',
};

export function shortReason({ reason }: { reason?: EndReason | undefined }): string {
  return reason === undefined ? '' : SHORT[reason];
}

function decided({ decision }: End): string {
  return decision === undefined ? 'Decided by the organisers.' : `Decided by the organisers: ${decision}`;
}

/** A sentence for everybody; '' if there is nothing to say. */
export function reasonSentence(end: End, loser: string): string {
  switch (end.reason) {
    case 'line':
      return `${inARow(end.boardSize)}.`;
    case 'forfeit':
      return `${loser} forfeited.`;
    case 'timeout':
      return `${loser} ran out of time.`;
    case 'noShow':
      return `${loser} did not come.`;
    case 'declined':
      return `${loser} declined the game.`;
    case 'removed':
      return `${loser} was removed.`;
    case 'disconnect':
      return `${loser} was away for too long.`;
    case 'time':
      return 'Decided for whoever used less time.';
    case 'adjudicated':
      return decided(end);
    case 'void':
      return 'It counts for nobody.';
    case undefined:
      return '';
  }
}

/** A sentence for one of the two players of a decided game. */
export function ownReasonSentence(end: End, hasWon: boolean, opponent: string): string {
  switch (end.reason) {
    case 'forfeit':
      return hasWon ? 'Opponent forfeited. You win!' : 'You forfeited. Opponent wins!';
    case 'timeout':
    case 'noShow':
    case 'declined':
    case 'removed':
    case 'disconnect':
      return hasWon ? reasonSentence(end, opponent) : LOST[end.reason];
    case 'time':
      return hasWon ? 'You used less time.' : `${opponent} used less time.`;
    case 'adjudicated':
      return decided(end);
    case 'line':
    case 'void':
    case undefined:
      return hasWon ? 'Congratulations!' : 'Better luck next time!';
  }
}

const LOST = {
  timeout: 'You ran out of time.',
  noShow: 'You did not come in time.',
  declined: 'You declined the game.',
  removed: 'You were removed.',
  disconnect: 'You were away for too long.',
};
