import { Modal } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { type EngineScore, useListEngineScoresQuery } from '@/api/admin';
import { errorText } from '@/api/base';
import { EngineEvidence } from '@/shared/engineUse/EngineEvidence';
import { LEVELS, summary } from '@/shared/engineUse/scoreText';
import { PersonAvatar, PersonLabel } from '@/shared/people/PersonLabel';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import wholeRow from '@/shared/ui/wholeRow.module.css';
import classes from './EngineUsePage.module.css';

const PAGE = 25;

/** Whose moves in rated games are unusually good. */
export default function EngineUsePage() {
  return (
    <>
      <PageHeading title="Engine Use">
        Moves in rated games compared with the solver, most unusual first. A score is only a hint; no action follows
        automatically.
      </PageHeading>
      <Scores />
    </>
  );
}

function Scores() {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const chosenId = params.get('user');
  const { data, error, refetch } = useListEngineScoresQuery({ page, limit: PAGE }, { refetchOnMountOrArgChange: true });
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading scores...</p>
    ) : (
      <LoadFailure text={errorText(error, 'Failed to load scores')} onRetry={() => void refetch()} />
    );
  }
  const onPage = page === 1 ? {} : { page: String(page) };
  const chosen = data.scores.find(({ user }) => user.userId === chosenId);
  return (
    <>
      {data.scores.length === 0 ? (
        <EmptyList>
          <p role="status">
            No rated game was compared yet. They are compared in the background, soon after their end.
          </p>
        </EmptyList>
      ) : (
        <ul aria-label="Scores">
          {data.scores.map((score) => (
            <Row
              key={score.user.userId}
              score={score}
              onChoose={() => setParams({ ...onPage, user: score.user.userId }, { replace: true })}
            />
          ))}
        </ul>
      )}
      <Pager
        label="scores"
        pagination={data.pagination}
        onPage={(next) => setParams(next === 1 ? {} : { page: String(next) })}
      />
      <Modal
        title={chosen !== undefined && <PersonLabel person={chosen.user} />}
        opened={chosen !== undefined}
        onClose={() => setParams(onPage, { replace: true })}
        size="xl"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {chosen !== undefined && <EngineEvidence userId={chosen.user.userId} />}
      </Modal>
    </>
  );
}

function Row({ score, onChoose }: { score: EngineScore; onChoose: () => void }) {
  const { user, level, critical, expected, games } = score;
  return (
    <li className={classes.row}>
      <PersonAvatar person={user} />
      <div className={classes.about}>
        <button type="button" className={wholeRow.button} onClick={onChoose}>
          {user.username}
        </button>
        <span>{summary(score)}</span>
      </div>
      <span className={classes.figures}>
        {critical.found} of {critical.seen} found, {Math.round(expected)} usual;{' '}
        {games === 1 ? '1 game' : `${games} games`}
      </span>
      <span className={classes.level} data-level={level}>
        {LEVELS[level]}
        {level !== 'too-few' && ` ${score.score.toFixed(1)}`}
      </span>
    </li>
  );
}
