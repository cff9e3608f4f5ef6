import { Link } from 'react-router';
import { useListOpponentsQuery } from '@/api/players';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { log } from '@/shared/log';
import { DEFAULT_BOARD_SIZE, useInvite } from '@/shared/invite/useInvite';
import { RecentPeople } from '@/shared/people/RecentPeople';
import { RECENT_PEOPLE_CAP } from '@/shared/recentPeople';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';

/** Whom the user played last, with the results between them, one press from the next game. */
export function QuickPlay() {
  const { invite, isCreating } = useInvite();
  const isSignedIn = useAppSelector(selectUser) !== null;
  const { data, refetch } = useListOpponentsQuery(RECENT_PEOPLE_CAP, {
    skip: !isSignedIn,
    refetchOnMountOrArgChange: true,
  });
  useRealtimeEvent('gameEnd', () => void refetch());
  return (
    <Card title="Quick Play with Recent Friends">
      <RecentPeople
        empty="Nobody here yet. People you play with appear here, one tap from the next game."
        played={data ?? []}
        disabled={isCreating}
        onPlay={(opponent) =>
          void invite({ opponent, boardSize: DEFAULT_BOARD_SIZE }).then((failure) => {
            // On Home a failure is only logged: docs/behaviour/webapp.md#failures.
            if (failure !== null) log.note(failure);
          })
        }
      />
      <Link to="/app/practice/remote" className={buttons.button}>
        Invite somebody else
      </Link>
    </Card>
  );
}
