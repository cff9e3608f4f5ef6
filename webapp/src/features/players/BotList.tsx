import { Button } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { errorText } from '@/api/base';
import { useBotsQuery } from '@/api/ratings';
import type { components } from '@/api/schema';
import { PersonLink } from '@/shared/people/PersonLink';
import { nameOf } from '@/shared/people/personSummary';
import { RatingText } from '@/shared/people/RatingText';
import type { Met } from '@/shared/people/reportSlice';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { lazyPart } from '@/shared/ui/lazyPart';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import classes from './RatingsPage.module.css';

type Bot = components['schemas']['Bot'];

/** Bots per page. */
const PAGE = 50;

const ChallengeDialog = lazyPart(async () => ({
  default: (await import('@/shared/invite/ChallengeDialog')).ChallengeDialog,
}));

/** Accounts that programs play with: those that are ranked, the best first, then the newest. Each can be challenged. */
export function BotList() {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const { currentData, error, refetch } = useBotsQuery({ page, limit: PAGE }, { refetchOnMountOrArgChange: true });
  const userId = useAppSelector(selectUser)?.userId;
  const [challenged, setChallenged] = useState<Met | null>(null);
  const isBeyond = page > 1 && currentData?.bots.length === 0;
  useEffect(() => {
    if (isBeyond) setParams({ list: 'bots' }, { replace: true });
  }, [isBeyond, setParams]);

  if (currentData === undefined) {
    return error === undefined ? (
      <p role="status">Loading the bots…</p>
    ) : (
      <LoadFailure text={errorText(error, 'The bots could not be loaded.')} onRetry={() => void refetch()} />
    );
  }
  const { bots, pagination } = currentData;
  if (bots.length === 0) {
    return (
      <EmptyList>
        <p>No bot plays here yet. About fifty lines of code are enough for one.</p>
        <Link to="/app/setting/security" className={buttons.primary}>
          Make a bot
        </Link>
      </EmptyList>
    );
  }
  return (
    <>
      <p className={classes.about}>
        Programs play on these accounts: casual games against you, rated games against each other.
      </p>
      <table className={`${classes.table} ${classes.bots}`}>
        <thead>
          <tr>
            <th scope="col" className={classes.wide}>
              <abbr title="Place">#</abbr>
            </th>
            <th scope="col">Bot</th>
            <th scope="col">Rating</th>
            <th scope="col" className={classes.wide}>
              Games
            </th>
            <th scope="col">
              <span className="visually-hidden">Challenge</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {bots.map((bot) => (
            <Row key={bot.userId} bot={bot} isOwn={bot.userId === userId} onChallenge={() => setChallenged(bot)} />
          ))}
        </tbody>
      </table>
      <Pager
        label="the bots"
        pagination={pagination}
        onPage={(next) => setParams(next === 1 ? { list: 'bots' } : { list: 'bots', page: String(next) })}
      />
      <Suspense fallback={null}>
        <ChallengeDialog person={challenged} onClose={() => setChallenged(null)} />
      </Suspense>
    </>
  );
}

function Row({ bot, isOwn, onChallenge }: { bot: Bot; isOwn: boolean; onChallenge: () => void }) {
  const { rank, rating, online } = bot;
  return (
    <tr data-own={isOwn}>
      <td className={classes.wide}>{rank ?? '–'}</td>
      <th scope="row">
        <PersonLink person={bot} />
        <small>{isOwn ? 'You' : online ? 'Ready to play' : 'Away'}</small>
      </th>
      <td>
        <RatingText rating={rating} />
      </td>
      <td className={classes.wide}>{rating.games.toLocaleString()}</td>
      <td>
        {!isOwn && (
          <Button variant={online ? 'filled' : 'default'} aria-label={`Challenge ${nameOf(bot)}`} onClick={onChallenge}>
            Challenge
          </Button>
        )}
      </td>
    </tr>
  );
}
