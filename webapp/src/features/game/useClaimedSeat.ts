import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { useClaimSeatMutation } from '@/api/game';
import { JOIN_FAILED } from './liveGame';

/** Why the seat cannot be had, and what to do, by the server's codes. */
const REFUSALS: Record<string, string> = {
  'seat-taken': 'Somebody else has already taken the seat. Ask for a new link, or start a game of your own.',
  'not-found': 'This invitation has expired, or was withdrawn. Ask for a new link, or start a game of your own.',
  'game-over': 'This game is already over. Ask for a new link, or start a game of your own.',
  'own-game': 'This is your own invite link. Send it to the person you want to play.',
};

function refusalText(error: unknown): string {
  const code = isApiError(error) ? (error.code ?? '') : '';
  return (Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined) ?? errorText(error, JOIN_FAILED);
}

/** Takes the open seat that an invite link (`?invite=…`) offers, once, before the game is joined. */
export function useClaimedSeat(gameId: string): { isClaiming: boolean; failure: string | null } {
  const [query, setQuery] = useSearchParams();
  const [claimSeat] = useClaimSeatMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const inviteToken = query.get('invite');
  const claimed = useRef<string | null>(null);

  useEffect(() => {
    if (inviteToken === null || claimed.current === inviteToken) return;
    claimed.current = inviteToken;
    void claimSeat({ gameId, inviteToken }).then(({ error }) => {
      if (error !== undefined) setFailure(refusalText(error));
      // The token has been used and should not stay in the URL.
      else setQuery({}, { replace: true });
    });
  }, [gameId, inviteToken, claimSeat, setQuery]);

  return { isClaiming: inviteToken !== null, failure };
}
