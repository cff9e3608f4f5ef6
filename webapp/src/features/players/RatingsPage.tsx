import { Tabs } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { errorText } from '@/api/base';
import { useRatingListQuery } from '@/api/ratings';
import type { components } from '@/api/schema';
import { PersonLink } from '@/shared/people/PersonLink';
import { RatingText } from '@/shared/people/RatingText';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { BotList } from './BotList';
import { FindPlayer } from './FindPlayer';
import classes from './RatingsPage.module.css';

type List = components['schemas']['RatingListAnswer'];

/** Players per page. */
const PAGE = 50;

/** The people whose rating is certain enough, the best first, and the bots. */
export default function RatingsPage() {
  const [params, setParams] = useSearchParams();
  const list = params.get('list') === 'bots' ? 'bots' : 'people';
  return (
    <>
      <PageHeading title="Rating list">
        Rated quick matches and event games count. Players with enough recent games for a reliable rating are listed; a{' '}
        <b>?</b> marks a provisional rating.
      </PageHeading>
      <FindPlayer />
      <Tabs value={list} onChange={(next) => setParams(next === 'bots' ? { list: next } : {})}>
        <Tabs.List>
          <Tabs.Tab value="people">People</Tabs.Tab>
          <Tabs.Tab value="bots">Bots</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="people" className={classes.panel}>
          {list === 'people' && <People />}
        </Tabs.Panel>
        <Tabs.Panel value="bots" className={classes.panel}>
          {list === 'bots' && <BotList />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function People() {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const { currentData, error, refetch } = useRatingListQuery(
    { page, limit: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const show = (next: number) => setParams(next === 1 ? {} : { page: String(next) });
  // The list may have fewer pages now than when the link was made.
  const isBeyond = page > 1 && currentData?.players.length === 0;
  useEffect(() => {
    if (isBeyond) setParams({}, { replace: true });
  }, [isBeyond, setParams]);

  if (currentData !== undefined) return <Ratings list={currentData} onPage={show} />;
  if (error === undefined) return <p role="status">Loading the ratings…</p>;
  return <LoadFailure text={errorText(error, 'The ratings could not be loaded.')} onRetry={() => void refetch()} />;
}

function Ratings({ list, onPage }: { list: List; onPage: (page: number) => void }) {
  const viewer = useAppSelector(selectUser);
  const userId = viewer?.userId;
  const { players, own, pagination } = list;
  return (
    <>
      {own !== undefined && viewer?.isBot !== true && <Own own={own} pagination={pagination} onPage={onPage} />}
      {players.length === 0 ? (
        <EmptyList>
          <p>Nobody is ranked yet. About a dozen rated games are enough.</p>
          {viewer?.isTempUser ? (
            <>
              <p>Rated games need an account.</p>
              <Link to="/register" className={buttons.primary}>
                Create an account
              </Link>
            </>
          ) : (
            <Link to="/app/play" className={buttons.primary}>
              Play a rated game
            </Link>
          )}
        </EmptyList>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">
                <abbr title="Place">#</abbr>
              </th>
              <th scope="col">Player</th>
              <th scope="col">Rating</th>
              <th scope="col">Games</th>
            </tr>
          </thead>
          <tbody>
            {players.map(({ rank, rating, ...player }) => (
              <tr key={player.userId} data-own={player.userId === userId}>
                <td>{rank}</td>
                <th scope="row">
                  <PersonLink person={player} />
                  {player.userId === userId && <small>You</small>}
                </th>
                <td>
                  <RatingText rating={rating} />
                </td>
                <td>{rating.games.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager label="the rating list" pagination={pagination} onPage={onPage} />
    </>
  );
}

interface OwnProps {
  own: NonNullable<List['own']>;
  pagination: List['pagination'];
  onPage: (page: number) => void;
}

/** The user's own place, also when it is on another page. */
function Own({ own: { rank, rating }, pagination, onPage }: OwnProps) {
  if (rank === undefined) {
    return (
      <p className={classes.own}>
        <span>
          You: <RatingText rating={rating} />.{' '}
          {rating.games === 0
            ? 'You have not played a rated game yet.'
            : 'Play a few more rated games to appear in the list.'}
        </span>
        <Link to="/app/play">Play a rated game</Link>
      </p>
    );
  }
  const page = Math.ceil(rank / pagination.limit);
  return (
    <p className={classes.own}>
      <span>
        Your place: <b>{rank}</b> of {pagination.totalCount}, with <RatingText rating={rating} />
      </span>
      {page !== pagination.currentPage && (
        <button type="button" className={classes.jump} onClick={() => onPage(page)}>
          Go to your place
        </button>
      )}
    </p>
  );
}
