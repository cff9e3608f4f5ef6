import { selectUser } from '@/shared/session/sessionSlice';
import { PageHeading } from '@/shared/ui/PageHeading';
import { ActiveGames } from './ActiveGames';
import classes from './HomePage.module.css';
import { NextEvents } from './NextEvents';
import { QuickPlay } from './QuickPlay';
import { RecentGames } from './RecentGames';
import { useAppSelector } from '@/shared/storeHooks';

/** Before the login check its document shows the part that is the same for every user (scripts/publicPages.ts). */
export default function HomePage() {
  const user = useAppSelector(selectUser);
  return (
    <>
      <PageHeading title={user === null ? 'Welcome!' : `Welcome, ${user.displayName || user.username || 'player'}!`}>
        {user === null ? 'Loading…' : 'Whose turn is it today?'}
      </PageHeading>
      <div className={classes.cards}>
        <ActiveGames />
        <QuickPlay />
        <NextEvents />
        <RecentGames />
      </div>
    </>
  );
}
