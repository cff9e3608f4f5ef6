import { Link, useSearchParams } from 'react-router';
import { useLiveGamesQuery } from '@/api/game';
import { LiveGameCard } from '@/shared/live/LiveGameCard';
import type { LiveGame } from '@/shared/live/liveNow';
import { useLiveNow } from '@/shared/live/useLiveNow';
import { selectLoginStatus } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
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
  const list = useLiveNow(PAGE);
  if (list === null) {
    return (
      <>
        <Heading />
        <p role="status">Looking for games…</p>
      </>
    );
  }
  const totalCount = Math.min(list.total, MOST);
  const pagination = {
    currentPage: 1,
    limit: PAGE,
    totalCount,
    hasPrevPage: false,
    hasNextPage: totalCount > PAGE,
  };
  return (
    <>
      <Heading total={list.total} />
      <Games games={list.games} />
      <Pager label="Games" pagination={pagination} onPage={onPage} />
    </>
  );
}

function FurtherGames({ page, onPage }: PageProps & { page: number }) {
  const { data, isError, refetch } = useLiveGamesQuery(
    { page, limit: PAGE },
    { pollingInterval: POLL_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  return (
    <>
      <Heading {...(data === undefined ? {} : { total: data.total })} />
      {data !== undefined ? (
        <>
          <Games games={data.games} />
          <Pager label="Games" pagination={data.pagination} onPage={onPage} />
        </>
      ) : isError ? (
        <LoadFailure text="The games could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Looking for games…</p>
      )}
    </>
  );
}

function Heading({ total = 0 }: { total?: number }) {
  return (
    <PageHeading title="Live now">
      {total > 1 ? `${total} games to watch, the best rated first.` : 'Games to watch, the best rated first.'}
    </PageHeading>
  );
}

function Games({ games }: { games: readonly LiveGame[] }) {
  if (games.length === 0) {
    return (
      <EmptyList>
        <p>Nobody plays a rated game right now. Be the first: others may watch.</p>
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
