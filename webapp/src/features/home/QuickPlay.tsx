import { Link } from 'react-router';
import { log } from '@/shared/log';
import { DEFAULT_BOARD_SIZE, useInvite } from '@/shared/invite/useInvite';
import { RecentPeople } from '@/shared/people/RecentPeople';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';

export function QuickPlay() {
  const { invite, isCreating } = useInvite();
  return (
    <Card title="Quick Play with Recent Friends">
      <RecentPeople
        empty="Nobody here yet. People you play with appear here, one tap from the next game."
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
