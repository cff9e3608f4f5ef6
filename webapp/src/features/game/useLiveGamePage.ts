import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useBlocker, useNavigate, useSearchParams } from 'react-router';
import { errorText } from '@/api/base';
import { useCancelGameMutation } from '@/api/game';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { celebrate } from '@/shared/confetti';
import { addRecentPerson } from '@/shared/recentPeople';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { toast } from '@/shared/ui/toast';
import { useUnloadWarning } from '@/shared/ui/useUnloadWarning';
import { closePath, outcome, pathAfterForfeit } from './liveGame';
import { useReactions } from './reactions/useReactions';
import { useClaimedSeat } from './useClaimedSeat';
import { useLiveGame } from './useLiveGame';
import { usePostGameRedirect } from './usePostGameRedirect';

export type LiveGamePageState = ReturnType<typeof useLiveGamePage>;

/** State and actions of the page of a live game: what is shown of it is in LiveGamePage.tsx. */
export function useLiveGamePage(gameId: string) {
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const seat = useClaimedSeat(gameId);
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const { game, isSending, play, forfeit, fail } = useLiveGame({
    gameId,
    userId,
    isWatching: query.get('watch') === 'true',
    isPaused: seat.isClaiming,
  });
  const { state } = game;
  const isPlayer = state?.players.some((player) => player.userId === userId) ?? false;
  const isUnderWay = isPlayer && state?.status === 'active' && game.cancelled === null;

  const { hasForfeited, forfeiting } = useForfeit(forfeit);
  const [cancelGame, cancelling] = useCancelGameMutation();
  const blocker = useBlocker(isUnderWay && !hasForfeited);

  // The invitation's notice is not needed on the page itself.
  useEffect(() => void notifications.hide(gameId), [gameId]);
  useEffect(() => {
    if (seat.failure !== null) fail(seat.failure);
  }, [seat.failure, fail]);

  // Adds the inviter to the invitee's recent people; the inviter did so when inviting.
  useRealtimeEvent('gameStarted', ({ gameState }) => {
    if (gameState.gameId !== gameId || gameState.initiatorUserId === userId) return;
    const opponent = gameState.players.find((player) => player.userId !== userId);
    if (opponent !== undefined && gameState.players.length === 2) addRecentPerson(opponent);
  });

  const reactions = useReactions(gameId, userId);
  const redirect = usePostGameRedirect({ userId, game, isPlayer });
  useUnloadWarning(isUnderWay && state.gameType !== 'invite');

  const result = state === null ? null : outcome(state, userId);
  const hasWon = result?.kind === 'won';
  useEffect(() => {
    if (hasWon) void celebrate();
  }, [hasWon]);

  useEffect(() => {
    if (hasForfeited) void navigate(pathAfterForfeit(state));
  }, [hasForfeited, state, navigate]);

  const cancelInvitation = async () => {
    const { error } = await cancelGame({ gameId, userId });
    if (error !== undefined) toast.error(errorText(error, 'Request failed'));
  };

  const close = () => {
    if (isUnderWay) forfeiting.open();
    else void navigate(closePath(state, isPlayer));
  };

  return {
    userId,
    game,
    isConnected,
    isSending,
    play,
    isPlayer,
    isUnderWay,
    result,
    redirect,
    reactions,
    close,
    forfeiting,
    invitation: { cancel: cancelInvitation, isCancelling: cancelling.isLoading },
    blocker,
    leaveCancelledGame: () =>
      void navigate(state === null ? '/app/home' : pathAfterForfeit(state), { replace: state !== null }),
  };
}

/** Forfeits the game after a question. */
function useForfeit(forfeit: () => Promise<unknown>) {
  const [isOpen, setOpen] = useState(false);
  const [hasForfeited, setForfeited] = useState(false);
  const confirm = async () => {
    setOpen(false);
    try {
      await forfeit();
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'Request failed');
      return;
    }
    setForfeited(true);
  };
  return { hasForfeited, forfeiting: { isOpen, open: () => setOpen(true), cancel: () => setOpen(false), confirm } };
}
