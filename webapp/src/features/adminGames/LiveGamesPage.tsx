import { Button, Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAdjudicateGameMutation, useListLiveGamesQuery } from '@/api/admin';
import type { components } from '@/api/schema';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { dateTime } from '@/shared/events/times';
import { watchPath } from '@/shared/live/liveNow';
import { ReasonForm, reasonError } from '@/shared/moderation/ReasonForm';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { CLOCK_TEXTS } from '@/shared/quickMatch/wish';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { Choice } from '@/shared/ui/Choice';
import { EmptyList } from '@/shared/ui/EmptyList';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { toast } from '@/shared/ui/toast';
import classes from './LiveGamesPage.module.css';

type Game = components['schemas']['Game'];

const PAGE = 25;
/** How often the list is loaded again, in milliseconds. */
const POLL_MS = 5_000;

/** Every game that is waiting or being played, also those that nobody else may watch. */
export default function LiveGamesPage() {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const games = useListLiveGamesQuery(
    { page, limit: PAGE },
    { pollingInterval: POLL_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  const [decided, setDecided] = useState<Game | null>(null);
  const [isOpen, setOpen] = useState(false);
  const decide = (game: Game) => {
    setDecided(game);
    setOpen(true);
  };
  return (
    <>
      <PageHeading title="Live Games">Every game that waits or is being played, also private ones.</PageHeading>
      <Loaded of={games} loading="Loading games..." failure="Failed to load games" keepsPage>
        {({ games: listed, pagination }) => (
          <>
            {listed.length === 0 ? (
              <EmptyList>
                <p role="status">No game is under way.</p>
              </EmptyList>
            ) : (
              <ul aria-label="Live games">
                {listed.map((game) => (
                  <Row key={game.gameId} game={game} onDecide={() => decide(game)} />
                ))}
              </ul>
            )}
            <Pager
              label="games"
              pagination={pagination}
              onPage={(next) => setParams(next === 1 ? {} : { page: String(next) })}
            />
          </>
        )}
      </Loaded>
      <Modal
        title="Adjudicate Game"
        opened={isOpen}
        onClose={() => setOpen(false)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {decided !== null && <AdjudicateForm key={decided.gameId} game={decided} onDone={() => setOpen(false)} />}
      </Modal>
    </>
  );
}

function Row({ game, onDecide }: { game: Game; onDecide: () => void }) {
  const userId = useAppSelector(selectUser)?.userId;
  const names = namesOf(game);
  return (
    <li className={classes.game}>
      <ul className={classes.players} aria-label="Players">
        {game.players.map((player) => (
          <li key={player.userId} data-turn={player.userId === game.currentTurn || undefined}>
            <PersonAvatar person={player} size={28} />
            {nameOf(player)}
            <BotBadge person={player} />
          </li>
        ))}
      </ul>
      <p className={classes.facts}>{factsText(game)}</p>
      <div className={classes.actions}>
        {game.status === 'active' && (
          <Link to={watchPath(game, userId)} className={buttons.button} aria-label={`Watch ${names}`}>
            Watch
          </Link>
        )}
        <Button variant="default" onClick={onDecide} aria-label={`Adjudicate ${names}`}>
          Adjudicate
        </Button>
      </div>
    </li>
  );
}

function namesOf(game: Game): string {
  return game.players.map(nameOf).join(' – ');
}

/** The board, what it is part of, how far it is, and since when. */
function factsText({ boardSize, gameType, level, clock, status, moveCount, drawCount, watchers, createdAt }: Game) {
  return [
    `${boardSize}×${boardSize}`,
    gameType === 'event' ? `event, level ${level}` : gameType === 'quick' ? 'quick match' : 'invitation',
    gameType === 'event' ? '' : CLOCK_TEXTS[clock].label,
    status === 'waiting' ? 'waiting' : `${moveCount ?? 0} moves`,
    drawCount > 0 ? `round ${drawCount + 1}` : '',
    watchers === undefined || watchers === 0 ? '' : `${watchers} watching`,
    `since ${dateTime(createdAt)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const VOID = 'void';

function AdjudicateForm({ game, onDone }: { game: Game; onDone: () => void }) {
  const { gameId, players } = game;
  const [adjudicate, { isLoading }] = useAdjudicateGameMutation();
  const form = useForm({ initialValues: { winner: VOID, reason: '' }, validate: { reason: reasonError } });
  const { submit, failure } = useFormSubmit(
    form,
    async ({ winner, reason }) => {
      const decision = winner === VOID ? {} : { winnerUserId: winner };
      const { error } = await adjudicate({ gameId, ...decision, reason: reason.trim() });
      if (error !== undefined) return error;
      toast.success('The game is decided.');
      onDone();
      return undefined;
    },
    { fieldErrors: 'instead' },
  );
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect={`The game of ${namesOf(game)} ends at once. This cannot be undone.`}
      readers="Shown to both players, and kept in the audit trail."
      confirm="Decide Game"
      isDanger
      isBusy={isLoading}
      onCancel={onDone}
    >
      <Choice
        legend="Who wins"
        value={form.values.winner}
        onChange={(winner) => form.setFieldValue('winner', winner)}
        options={[
          ...players.map((player) => ({ value: player.userId, label: nameOf(player) })),
          { value: VOID, label: 'Nobody', detail: 'The game is void.' },
        ]}
      />
    </ReasonForm>
  );
}
