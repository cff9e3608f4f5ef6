import { useGamesByUserQuery } from '@/api/game';
import { FirstSteps } from '@/shared/firstSteps/FirstSteps';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { ACTIVE, waitsFor } from './activeGames';
import { HOME_CARDS } from './cards';
import classes from './HomePage.module.css';

/** Before the login check its document shows the part that is the same for every user (scripts/publicPages.ts). */
export default function HomePage() {
  const user = useAppSelector(selectUser);
  const userId = user?.userId ?? '';
  // The card of these games keeps them up to date.
  const own = ifKnown(useGamesByUserQuery({ userId, status: ACTIVE }, { skip: userId === '' }));
  const waiting = (own?.games ?? []).filter((game) => waitsFor(game, userId)).length;
  return (
    <>
      <PageHeading title={user === null ? 'Welcome!' : `Welcome, ${user.displayName || user.username || 'player'}!`}>
        {user === null ? 'Loading…' : waitingText(waiting)}
      </PageHeading>
      {user?.isAdmin === true && (
        <div className={classes.steps}>
          <FirstSteps untilFirstEvent />
        </div>
      )}
      <div className={classes.cards}>
        {HOME_CARDS.map((HomeCard, at) => (
          <HomeCard key={at} />
        ))}
      </div>
    </>
  );
}

function waitingText(waiting: number): string {
  if (waiting === 0) return 'Whose turn is it today?';
  return waiting === 1 ? 'One game waits for you.' : `${waiting} games wait for you.`;
}
