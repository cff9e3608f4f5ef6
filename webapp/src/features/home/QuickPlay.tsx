import { Link } from 'react-router';
import { useListOpponentsQuery } from '@/api/players';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { DEFAULT_BOARD_SIZE, useInvite } from '@/shared/invite/useInvite';
import { RecentPeople } from '@/shared/people/RecentPeople';
import { RECENT_PEOPLE_CAP } from '@/shared/recentPeople';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import { toast } from '@/shared/ui/toast';

/** Whom the user played last, with the results between them, one press from the next game. */
export function QuickPlay() {
  const { invite, isCreating } = useInvite();
  const isSignedIn = useAppSelector(selectUser) !== null;
  const opponents = useListOpponentsQuery(RECENT_PEOPLE_CAP, {
    skip: !isSignedIn,
    refetchOnMountOrArgChange: true,
  });
  useRealtimeEvent('gameEnd', () => void opponents.refetch());
  return (
    <Card title="Quick Play with Recent Friends">
      <RecentPeople
        empty={
          <Loaded of={opponents} loading="Looking for your opponents…" failure="Your opponents could not be loaded.">
            {() => <p>Nobody here yet. People you play with will appear here.</p>}
          </Loaded>
        }
        played={opponents.data ?? []}
        disabled={isCreating}
        onPlay={(opponent) =>
          void invite({ opponent, boardSize: DEFAULT_BOARD_SIZE }).then((failure) => {
            if (failure !== null) toast.error(failure);
          })
        }
      />
      <Link to="/app/practice/remote" className={buttons.button}>
        Invite somebody else
      </Link>
    </Card>
  );
}
