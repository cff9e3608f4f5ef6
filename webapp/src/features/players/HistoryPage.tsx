import { useEffect } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { type PlayerProfile, useHistoryQuery, usePlayerProfileQuery } from '@/api/players';
import { SignInHint } from '@/shared/events/SignInHint';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { HistoryFilterBar } from './HistoryFilterBar';
import { filterOf, gamesPath, type HistoryFilters, isFiltered, useHistoryFilters } from './historyFilters';
import { NoPlayer } from './NoPlayer';
import { PlayedGames } from './PlayedGames';
import { count } from './texts';

/** Games per page. */
const PAGE = 20;

/** All games of a player, with filters. */
export default function HistoryPage() {
  const { username = '' } = useParams();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { currentData: player, error, refetch } = usePlayerProfileQuery(username);
  const present = player?.username;
  const query = params.toString();
  useEffect(() => {
    if (present === undefined || present === username) return;
    void navigate(`${gamesPath(present)}${query === '' ? '' : `?${query}`}`, { replace: true });
  }, [present, username, query, navigate]);

  if (isApiError(error) && error.status === 404) return <NoPlayer username={username} />;
  const title = player === undefined ? `Games of @${username}` : `Games of ${player.displayName || player.username}`;
  return (
    <>
      <PageHeading
        title={title}
        back={{ to: `/app/players/${encodeURIComponent(username)}`, label: 'Back to the player' }}
      />
      {player !== undefined ? (
        <History player={player} />
      ) : error === undefined ? (
        <p role="status">Loading games…</p>
      ) : isApiError(error) && error.code === 'members-only' ? (
        <SignInHint>{`@${username} shows this to members only.`}</SignInHint>
      ) : (
        <LoadFailure text={errorText(error, 'The games could not be loaded.')} onRetry={() => void refetch()} />
      )}
    </>
  );
}

function History({ player }: { player: PlayerProfile }) {
  const { filters, setFilters } = useHistoryFilters();
  const hasOpponent = filters.opponent !== '';
  const opponent = usePlayerProfileQuery(filters.opponent, { skip: !hasOpponent });
  const opponentId = hasOpponent ? opponent.currentData?.userId : undefined;
  const isUnknown = hasOpponent && isApiError(opponent.error) && opponent.error.status === 404;
  return (
    <>
      <HistoryFilterBar
        filters={filters}
        setFilters={setFilters}
        opponentError={isUnknown ? `@${filters.opponent} has no page.` : null}
      />
      {hasOpponent && opponentId === undefined ? (
        opponent.error === undefined ? (
          <p role="status">Loading games…</p>
        ) : (
          !isUnknown && (
            <LoadFailure
              text={errorText(opponent.error, 'The games could not be loaded.')}
              onRetry={() => void opponent.refetch()}
            />
          )
        )
      ) : (
        <Games player={player} filters={filters} setFilters={setFilters} opponentId={opponentId} />
      )}
    </>
  );
}

interface GamesProps {
  player: PlayerProfile;
  filters: HistoryFilters;
  setFilters: (change: Partial<HistoryFilters>) => void;
  opponentId: string | undefined;
}

function Games({ player, filters, setFilters, opponentId }: GamesProps) {
  const { currentData, error, refetch } = useHistoryQuery(
    { userId: player.userId, page: filters.page, limit: PAGE, filter: filterOf(filters, opponentId) },
    { refetchOnMountOrArgChange: true },
  );
  // The list may have fewer pages now than when the link was made.
  const isBeyond = filters.page > 1 && currentData?.games.length === 0;
  useEffect(() => {
    if (isBeyond) setFilters({ page: 1 });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each page beyond the last
  }, [isBeyond]);

  if (currentData === undefined) {
    return error === undefined ? (
      <p role="status">Loading games…</p>
    ) : (
      <LoadFailure text={errorText(error, 'The games could not be loaded.')} onRetry={() => void refetch()} />
    );
  }
  const { games, pagination } = currentData;
  if (games.length === 0) {
    return <EmptyList>{isFiltered(filters) ? <p>No games match these filters.</p> : <p>No games yet.</p>}</EmptyList>;
  }
  return (
    <>
      <p role="status">{count(pagination.totalCount, 'game', 'games')}</p>
      <PlayedGames games={games} label="Games" />
      <Pager label="games" pagination={pagination} onPage={(page) => setFilters({ page })} />
    </>
  );
}
