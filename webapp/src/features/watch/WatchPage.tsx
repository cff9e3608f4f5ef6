import { Link, useSearchParams } from 'react-router';
import { useLiveGamesQuery } from '@/api/game';
import { LiveGameCard } from '@/shared/live/LiveGameCard';
import type { LiveGame, LiveList } from '@/shared/live/liveNow';
import { useLiveNowRead } from '@/shared/live/useLiveNow';
import { selectLoginStatus, selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { SignInToWatch } from './SignInToWatch';
import classes from './WatchPage.module.css';

/** Games of a page: as many as the first one follows. */
const PAGE = 12;
/** As many games as the server lists: docs/behaviour/watching.md#live-now. */
const MOST = 100;
/** Only the best games are followed; those of further pages are asked for again, in milliseconds. */
const POLL_MS = 4_000;

const TEXTS = { loading: 'Looking for games…', failure: 'The games could not be loaded.' };

/** Live now: docs/behaviour/watching.md#live-now. */
export default function WatchPage() {
  const isVisitor = useAppSelector(selectLoginStatus) === 'notLogin';
  const [query, setQuery] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1);
  const onPage = (to: number) => setQuery(to === 1 ? {} : { page: String(to) });
  if (isVisitor) {
    return (
      <>
        <Heading />
        <SignInToWatch />
      </>
    );
  }
  return page === 1 ? <BestGames onPage={onPage} /> : <FurtherGames page={page} onPage={onPage} />;
}

interface PageProps {
  onPage: (page: number) => void;
}

function BestGames({ onPage }: PageProps) {
  const live = useLiveNowRead(PAGE);
  const paginationOf = ({ total }: LiveList) => {
    const totalCount = Math.min(total, MOST);
    return { currentPage: 1, limit: PAGE, totalCount, hasPrevPage: false, hasNextPage: totalCount > PAGE };
  };
  return (
    <>
      <Heading total={live.data?.total} />
      <Loaded of={live} {...TEXTS}>
        {(list) => (
          <>
            <Games games={list.games} />
            <Pager label="Games" pagination={paginationOf(list)} onPage={onPage} />
          </>
        )}
      </Loaded>
    </>
  );
}

function FurtherGames({ page, onPage }: PageProps & { page: number }) {
  const answer = useLiveGamesQuery(
    { page, limit: PAGE },
    { pollingInterval: POLL_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  return (
    <>
      <Heading total={answer.data?.total} />
      <Loaded of={answer} {...TEXTS}>
        {({ games, pagination }) => (
          <>
            <Games games={games} />
            <Pager label="Games" pagination={pagination} onPage={onPage} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Heading({ total = 0 }: { total?: number | undefined }) {
  return (
    <PageHeading title="Live now">
      {total > 1 ? `${total} games to watch, the best rated first.` : 'Games to watch, the best rated first.'}
    </PageHeading>
  );
}

function Games({ games }: { games: readonly LiveGame[] }) {
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  if (games.length === 0) {
    return (
      <EmptyList>
        <p>Nobody is playing a rated game right now.{!isGuest && ' Start one, and others can watch you.'}</p>
        <Link to="/app/play" className={buttons.primary}>
          Find an opponent
        </Link>
      </EmptyList>
    );
  }
  return (
    <ul className={classes.games} aria-label="Games">
      {games.map((live) => (
        <li key={live.game.gameId}>
          <LiveGameCard live={live} />
        </li>
      ))}
    </ul>
  );
}
