import { ActionIcon, Button } from '@mantine/core';
import { Link } from 'react-router';
import { Board, SoundSwitch } from '@/shared/board';
import { TornDrawing } from '@/shared/illustrations';
import { nameOf } from '@/shared/people/personSummary';
import { ConfirmForfeit } from '@/shared/play/ConfirmForfeit';
import { CloseIcon } from '@/shared/ui/icons';
import { Splash } from '@/shared/ui/Splash';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { AwayPanel } from './AwayPanel';
import { ConfirmLeave, GameCancelled } from './Dialogs';
import { EndPanel } from './EndPanel';
import classes from './GamePage.module.css';
import { type LiveGame, outcome, shownBoard, shownTurn, turnText } from './liveGame';
import { MoveList } from './MoveList';
import { PlayerCard } from './PlayerCard';
import { useLiveGamePage } from './useLiveGamePage';
import { WaitingPanel } from './WaitingPanel';
import { cellText } from '@/shared/rules';

export function LiveGamePage({ gameId }: { gameId: string }) {
  const {
    userId,
    game,
    play,
    isPlayer,
    isUnderWay,
    result,
    redirect,
    close,
    forfeiting,
    invitation,
    blocker,
    leaveCancelledGame,
  } = useLiveGamePage(gameId);
  const { state } = game;
  if (game.phase === 'error') return <FailedGame game={game} />;
  if (state === null) {
    return (
      <>
        <Splash>Connecting</Splash>
        <GameCancelled message={game.cancelled} onOk={leaveCancelledGame} />
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
              isCancelling={invitation.isCancelling}
              onCancel={() => void invitation.cancel()}
            />
          ) : (
            <>
              <h2 key={status}>{game.drawNotice ?? status}</h2>
              {isPlayer && game.awayUntil !== null && (
                <AwayPanel gameId={gameId} until={game.awayUntil} canClaim={state.gameType === 'invite'} />
              )}
              {isUnderWay && game.awayUntil === null && (
                <div className={classes.actions}>
                  <Button variant="danger" onClick={forfeiting.open}>
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
        opened={forfeiting.isOpen && isUnderWay}
        onForfeit={() => void forfeiting.confirm()}
        onCancel={forfeiting.cancel}
      />
      <ConfirmLeave
        opened={blocker.state === 'blocked'}
        onLeave={() => blocker.proceed?.()}
        onStay={() => blocker.reset?.()}
      />
      <GameCancelled message={game.cancelled} onOk={leaveCancelledGame} />
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

/** The user on the left, or X for spectators; an open seat is null. */
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
