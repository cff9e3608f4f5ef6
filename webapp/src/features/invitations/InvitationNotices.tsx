import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useNavigate } from 'react-router';
import { api } from '@/api/base';
import { useCancelGameMutation } from '@/api/game';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { CLOCK_TEXTS } from '@/shared/quickMatch/wish';
import { selectUser } from '@/shared/session/sessionSlice';
import classes from './InvitationNotices.module.css';
import { ACCEPT_BUTTON, ACCEPT_KEY, useAcceptKey } from './useAcceptKey';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { failureText } from '@/shared/account/failure';
import { toast } from '@/shared/ui/toast';

// Not part of the pages before an invitation arrives.
const PersonMenu = lazyPart(async () => ({ default: (await import('@/shared/people/PersonMenu')).PersonMenu }));

/** How long the notice of an invitation is shown. */
export const INVITATION_MS = 10_000;

/** Shows each invitation for 10 s with a link to the game, which is also listed on Home. */
export function InvitationNotices() {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const [cancel] = useCancelGameMutation();
  useAcceptKey();

  useRealtimeEvent('gameInvitation', ({ game, from }) => {
    dispatch(api.util.invalidateTags(['Games']));
    const accept = () => {
      notifications.hide(game.gameId);
      void navigate(`/app/game/${game.gameId}`);
    };
    const decline = async () => {
      notifications.hide(game.gameId);
      const { error } = await cancel({ gameId: game.gameId, userId });
      if (error !== undefined) toast.error(`The invitation was not declined. ${failureText(error, 'Request failed')}`);
    };
    notifications.show({
      id: game.gameId,
      title: `${nameOf(from)} invites you to a game`,
      message: (
        <div className={classes.offer}>
          <p className={classes.about}>
            <PersonAvatar person={from} size={32} />
            <BotBadge person={from} />
            <span className={classes.board}>
              {game.boardSize}×{game.boardSize} board
              {game.clock !== 'none' && ` · ${CLOCK_TEXTS[game.clock].label}`}
            </span>
            <Suspense fallback={null}>
              <PersonMenu person={from} onChosen={() => notifications.hide(game.gameId)} />
            </Suspense>
          </p>
          <Button variant="default" onClick={() => void decline()}>
            Decline
          </Button>
          <Button onClick={accept} {...{ [ACCEPT_BUTTON]: true }} aria-keyshortcuts={ACCEPT_KEY}>
            Accept
            <kbd className={classes.key}>{ACCEPT_KEY}</kbd>
          </Button>
        </div>
      ),
      autoClose: INVITATION_MS,
      color: 'var(--accent)',
      role: 'alert',
    });
  });

  // An invitation that was withdrawn is no longer offered.
  useRealtimeEvent('gameCancelled', ({ gameId }) => notifications.hide(gameId));
  return null;
}
