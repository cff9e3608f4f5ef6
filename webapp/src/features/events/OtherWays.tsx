import { Link } from 'react-router';
import { useHostingQuery } from '@/api/events';
import { useListSeriesQuery } from '@/api/series';
import { HOST_PATH } from '@/shared/events/host';
import { JOIN_PATH } from '@/shared/events/joinCode';
import { SERIES_LIST_PATH } from '@/shared/series/paths';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { ifKnown } from '@/shared/ui/Loaded';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './EventsPage.module.css';

/** To series, where there are any, and to private events: one hosts them, where members may, or enters them with a code. */
export function OtherWays() {
  const isSignedIn = useAppSelector(selectUser) !== null;
  const hosting = ifKnown(useHostingQuery(undefined, { skip: !isSignedIn }));
  const hasSeries = (ifKnown(useListSeriesQuery({ limit: 1 }))?.pagination.totalCount ?? 0) > 0;
  return (
    <div className={classes.ways}>
      {hasSeries && (
        <Link to={SERIES_LIST_PATH} className={textLink.link}>
          Series
        </Link>
      )}
      {hosting !== undefined && hosting.refusal !== 'off' && (
        <Link to={HOST_PATH} className={buttons.button}>
          Host an event
        </Link>
      )}
      <Link to={JOIN_PATH} className={textLink.link}>
        Have a join code?
      </Link>
    </div>
  );
}
