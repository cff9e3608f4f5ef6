import { ActionIcon, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { Link, useBlocker, useNavigate, useSearchParams } from 'react-router';
import { errorText } from '@/api/base';
import { useCancelGameMutation } from '@/api/game';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { Board, SoundSwitch } from '@/shared/board';
import { celebrate } from '@/shared/confetti';
import { TornDrawing } from '@/shared/illustrations';
import { nameOf } from '@/shared/people/personSummary';
import { ConfirmForfeit } from '@/shared/play/ConfirmForfeit';
import { addRecentPerson } from '@/shared/recentPeople';
import { selectUser } from '@/shared/session/sessionSlice';
import { CloseIcon } from '@/shared/ui/icons';
import { Splash } from '@/shared/ui/Splash';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { toast } from '@/shared/ui/toast';
import { useUnloadWarning } from '@/shared/ui/useUnloadWarning';
import { AwayPanel } from './AwayPanel';
import { ConfirmLeave, GameCancelled } from './Dialogs';
import { EndPanel } from './EndPanel';
import classes from './GamePage.module.css';
import { pathAfterForfeit, type LiveGame, outcome, shownBoard, shownTurn, turnText, closePath } from './liveGame';
import { MoveList } from './MoveList';
import { PlayerCard } from './PlayerCard';
import { useClaimedSeat } from './useClaimedSeat';
import { useLiveGame } from './useLiveGame';
import { usePostGameRedirect } from './usePostGameRedirect';
import { WaitingPanel } from './WaitingPanel';
import { cellText } from '@/shared/rules';
import { useAppSelector } from '@/shared/storeHooks';

export function LiveGamePage({ gameId }: { gameId: string }) {
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const seat = useClaimedSeat(gameId);
  const { game, play, forfeit, fail } = useLiveGame({
    gameId,
    userId,
    isWatching: query.get('watch') === 'true',
    isPaused: seat.isClaiming,
  });
  const { state } = game;
  const isPlayer = state?.players.some((player) => player.userId === userId) ?? false;
  const isUnderWay = isPlayer && state?.status === 'active' && game.cancelled === null;

  const [isForfeiting, setForfeiting] = useState(false);
  const [hasForfeited, setForfeited] = useState(false);
  const [cancelGame, cancelling] = useCancelGameMutation();
  const blocker = useBlocker(isUnderWay && !hasForfeited);

  // Whoever is here needs no invitation to it any more.
  useEffect(() => void notifications.hide(gameId), [gameId]);
  useEffect(() => {
    if (seat.failure !== null) fail(seat.failure);
  }, [seat.failure, fail]);

  // Whoever was invited remembers the person too; who invites did so when inviting.
  useRealtimeEvent('gameStarted', ({ gameState }) => {
    if (gameState.gameId !== gameId || gameState.initiatorUserId === userId) return;
    const opponent = gameState.players.find((player) => player.userId !== userId);
    if (opponent !== undefined && gameState.players.length === 2) addRecentPerson(opponent);
  });

  const redirect = usePostGameRedirect({ userId, game, isPlayer });
  useUnloadWarning(isUnderWay && state.gameType === 'event');

  const result = state === null ? null : outcome(state, userId);
  const hasWon = result?.kind === 'won';
  useEffect(() => {
    if (hasWon) void celebrate();
  }, [hasWon]);

  const confirmForfeit = async () => {
    setForfeiting(false);
    try {
      await forfeit();
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'Request failed');
      return;
    }
    setForfeited(true);
  };
  useEffect(() => {
    if (hasForfeited) void navigate(pathAfterForfeit(state));
  }, [hasForfeited, state, navigate]);

  const cancelInvitation = async () => {
    const { error } = await cancelGame({ gameId, userId });
    if (error !== undefined) toast.error(errorText(error, 'Request failed'));
  };

  const close = () => {
    if (isUnderWay) setForfeiting(true);
    else void navigate(closePath(state));
  };

  if (game.phase === 'error') return <FailedGame game={game} />;
  if (state === null) {
    return (
      <>
        <Splash>Connecting</Splash>
        <GameCancelled message={game.cancelled} onOk={() => void navigate('/app/home')} />
      </>
    );
  }

  const turn = shownTurn(game);
  const isOwnTurn = turn === userId;
  const lastMove = game.pending ?? state.moves.at(-1) ?? null;
  const deadline = state.turnDeadline === undefined ? null : state.turnDeadline - game.clockOffset;
  const [left = null, right = null] = seated(game, userId);
  const own = state.players.find((player) => player.userId === userId);
  const status = turnText(game, userId);

  return (
    <main className={classes.page}>
      <title>{`${isOwnTurn ? 'Your turn · ' : ''}Morpion`}</title>
      <div className={classes.top}>
        <ActionIcon onClick={close} aria-label={isUnderWay ? 'Forfeit and close' : 'Close'}>
          <CloseIcon />
        </ActionIcon>
        <h1>{own === undefined ? 'Watching a game' : `Game on ${state.boardSize}×${state.boardSize}`}</h1>
        <span className={classes.switches}>
          <SoundSwitch />
          <ThemeSwitch />
        </span>
      </div>
      <div className={classes.table}>
        <div className={classes.players}>
          {[left, right].map((player, seatNumber) => (
            <PlayerCard
              key={player?.userId ?? seatNumber}
              player={player}
              viewer={player?.userId === userId ? 'self' : isPlayer ? 'opponent' : 'spectator'}
              isOnMove={player !== null && player.userId === turn}
              deadline={deadline}
            />
          ))}
        </div>
        <div className={classes.board} data-size={state.boardSize}>
          <Board
            size={state.boardSize}
            cells={shownBoard(game, userId)}
            winningLine={state.winningLine ?? null}
            lastMove={lastMove}
            turn={own?.symbol ?? null}
            disabled={!isOwnTurn || game.pending !== null || state.status !== 'active'}
            onPlay={play}
            announcement={announcement(game, userId, status)}
            label={`Board of ${state.boardSize} by ${state.boardSize}`}
          />
        </div>
        <section className={classes.panel} aria-label="Game status">
          {result !== null ? (
            <EndPanel state={state} outcome={result} redirect={redirect} />
          ) : state.status === 'waiting' ? (
            <WaitingPanel
              state={state}
              userId={userId}
              isCancelling={cancelling.isLoading}
              onCancel={() => void cancelInvitation()}
            />
          ) : (
            <>
              <h2 key={status}>{game.drawNotice ?? status}</h2>
              {isPlayer && game.awayUntil !== null && (
                <AwayPanel gameId={gameId} until={game.awayUntil} canClaim={state.gameType === 'invite'} />
              )}
              {isUnderWay && game.awayUntil === null && (
                <div className={classes.actions}>
                  <Button variant="danger" onClick={() => setForfeiting(true)}>
                    Forfeit game
                  </Button>
                </div>
              )}
            </>
          )}
        </section>
      </div>
      <MoveList state={state} />
      <ConfirmForfeit
        opened={isForfeiting && isUnderWay}
        onForfeit={() => void confirmForfeit()}
        onCancel={() => setForfeiting(false)}
      />
      <ConfirmLeave
        opened={blocker.state === 'blocked'}
        onLeave={() => blocker.proceed?.()}
        onStay={() => blocker.reset?.()}
      />
      <GameCancelled message={game.cancelled} onOk={() => void navigate(pathAfterForfeit(state), { replace: true })} />
    </main>
  );
}

function FailedGame({ game }: { game: LiveGame }) {
  return (
    <main className={classes.failed}>
      <TornDrawing className={classes.failedDrawing} />
      <h1>{game.error?.status}</h1>
      <p role="alert">{game.error?.text}</p>
      <Button component={Link} to="/app/home">
        Back to Home
      </Button>
    </main>
  );
}

/** Oneself on the left, or X for those who watch; an open seat is null. */
function seated({ state }: LiveGame, userId: string) {
  const players = state?.players ?? [];
  const first = players.find((player) => player.userId === userId) ?? players.find(({ symbol }) => symbol === 'X');
  const second = players.find((player) => player !== first);
  return [first ?? null, second ?? null];
}

/** For screen readers: the last move and what comes next. */
function announcement({ state, drawNotice }: LiveGame, userId: string, status: string): string {
  if (state === null) return '';
  const end = outcome(state, userId);
  const last = state.moves.at(-1);
  const by = state.players.find(({ symbol }) => symbol === last?.symbol);
  const who = by?.userId === userId ? 'You' : by && nameOf(by);
  const move = last === undefined ? '' : `${who} played ${last.symbol} at ${cellText([last.row, last.col])}. `;
  if (end !== null) return `${move}${end.title} ${end.detail}`;
  if (state.status !== 'active') return '';
  return drawNotice ?? `${move}${status}`;
}
