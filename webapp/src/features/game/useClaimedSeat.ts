import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorText } from '@/api/base';
import { useClaimSeatMutation } from '@/api/game';
import { JOIN_FAILED } from './liveGame';

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
      if (error !== undefined) setFailure(errorText(error, JOIN_FAILED));
      // The token has been used and should not stay in the URL.
      else setQuery({}, { replace: true });
    });
  }, [gameId, inviteToken, claimSeat, setQuery]);

  return { isClaiming: inviteToken !== null, failure };
}
