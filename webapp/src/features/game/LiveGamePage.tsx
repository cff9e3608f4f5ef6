import { ActionIcon, Button } from '@mantine/core';
import { Link } from 'react-router';
import type { GameState } from '@/realtime/protocol';
import { Board, SoundSwitch } from '@/shared/board';
import { TornDrawing } from '@/shared/illustrations';
import { nameOf } from '@/shared/people/personSummary';
import { ConfirmForfeit } from '@/shared/play/ConfirmForfeit';
import { CloseIcon } from '@/shared/ui/icons';
import { Splash } from '@/shared/ui/Splash';
import textLink from '@/shared/ui/textLink.module.css';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { AwayPanel } from './AwayPanel';
import { Deciders } from './Deciders';
import { ConfirmLeave, GameCancelled } from './Dialogs';
import { EndPanel } from './EndPanel';
import classes from './GamePage.module.css';
import { type LiveGame, outcome, shownBoard, shownTurn, turnText } from './liveGame';
import { MoveList } from './MoveList';
import { PlayerCard } from './PlayerCard';
import { REACTIONS } from './reactions/reactions';
import { Reactions } from './reactions/Reactions';
import { type LiveGamePageState, useLiveGamePage } from './useLiveGamePage';
import { WaitingPanel } from './WaitingPanel';
import { Watchers } from './Watchers';
import { cellText } from '@/shared/rules';

/** A game that is played or watched. */
export function LiveGamePage({ gameId }: { gameId: string }) {
  const page = useLiveGamePage(gameId);
  const { userId, game, play, isUnderWay, close, forfeiting, blocker, leaveCancelledGame } = page;
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

  const isOwnTurn = shownTurn(game) === userId;
  const own = state.players.find((player) => player.userId === userId);
  return (
    <main className={classes.page}>
      <title>{`${isOwnTurn ? (page.isSending ? 'Sending… · ' : 'Your turn · ') : ''}Morpion`}</title>
      <div className={classes.top}>
        <ActionIcon onClick={close} aria-label={isUnderWay ? 'Forfeit and close' : 'Close'}>
          <CloseIcon />
        </ActionIcon>
        <div className={classes.title}>
          <h1>{own === undefined ? 'Watching a game' : `Game on ${state.boardSize}×${state.boardSize}`}</h1>
          <Watchers count={game.watchers} />
        </div>
        <span className={classes.switches}>
          <SoundSwitch />
          <ThemeSwitch />
        </span>
      </div>
      <div className={classes.table}>
        <Players page={page} state={state} />
        <div className={classes.board} data-size={state.boardSize}>
          <Board
            size={state.boardSize}
            cells={shownBoard(game, userId)}
            winningLine={state.winningLine ?? null}
            lastMove={game.pending ?? state.moves.at(-1) ?? null}
            unconfirmed={page.isSending ? game.pending : null}
            turn={own?.symbol ?? null}
            disabled={!isOwnTurn || game.pending !== null || state.status !== 'active'}
            onPlay={play}
            announcement={announcement(page)}
            label={`Board of ${state.boardSize} by ${state.boardSize}`}
          />
        </div>
        <StatusPanel gameId={gameId} page={page} state={state} />
      </div>
      <MoveList state={state} />
      <p role="status" className="visually-hidden">
        {reactionsText(page, state)}
      </p>
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

interface PartProps {
  page: LiveGamePageState;
  state: GameState;
}

function Players({ page: { userId, game, isPlayer, isConnected, reactions }, state }: PartProps) {
  const turn = shownTurn(game);
  const deadline = state.turnDeadline === undefined ? null : state.turnDeadline - game.clockOffset;
  return (
    <div className={classes.players}>
      {seated(state, userId).map((player, seatNumber) => (
        <PlayerCard
          key={player?.userId ?? seatNumber}
          player={player}
          gameId={state.gameId}
          viewer={player?.userId === userId ? 'self' : isPlayer ? 'opponent' : 'spectator'}
          isOnMove={player !== null && player.userId === turn}
          isConnected={player?.userId === userId ? isConnected : (player?.connected ?? false)}
          deadline={deadline}
          timeLeftMs={player?.timeLeftMs ?? null}
          ratingChange={state.ratingChanges?.find(({ userId: rated }) => rated === player?.userId)}
          reaction={reactions.find((shown) => shown.userId === player?.userId)}
        />
      ))}
    </div>
  );
}

const SENDING = 'Sending…';
const SENDING_TEXT = 'Your move has not arrived yet. It is sent again until it does.';

/** Whose turn it is, what the game waits for, or how it ended. */
function StatusPanel({ gameId, page, state }: PartProps & { gameId: string }) {
  const { userId, game, isPlayer, isUnderWay, isSending, result, redirect, forfeiting, invitation } = page;
  const status = isSending ? SENDING : turnText(game, userId);
  const isOpponentAway = isUnderWay && state.players.some((player) => player.userId !== userId && !player.connected);
  return (
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
          <h2 key={status}>{status}</h2>
          {isSending && <p className={classes.away}>{SENDING_TEXT}</p>}
          {!isSending && game.drawNotice !== null && <p className={classes.notice}>{game.drawNotice}</p>}
          {state.gameType === 'event' && <Deciders state={state} clockOffset={game.clockOffset} userId={userId} />}
          {isPlayer && isOpponentAway && (
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
      {(state.status === 'active' || state.status === 'completed') && <Reactions gameId={gameId} isPlayer={isPlayer} />}
    </section>
  );
}

function FailedGame({ game }: { game: LiveGame }) {
  return (
    <main className={classes.failed}>
      <title>Game · Morpion</title>
      <TornDrawing className={classes.failedDrawing} />
      <h1>{game.error?.status}</h1>
      <p role="alert">{game.error?.text}</p>
      <Button component={Link} to="/app/play">
        Find an opponent
      </Button>
      <Button component={Link} to="/app/practice/remote" variant="default">
        Invite a friend
      </Button>
      <Link to="/app/home" className={textLink.link}>
        Back to Home
      </Link>
    </main>
  );
}

/** The user on the left, or X for spectators; an open seat is null. */
function seated({ players }: GameState, userId: string) {
  const first = players.find((player) => player.userId === userId) ?? players.find(({ symbol }) => symbol === 'X');
  const second = players.find((player) => player !== first);
  return [first ?? null, second ?? null];
}

/** For screen readers: how others react. */
function reactionsText({ userId, reactions }: LiveGamePageState, { players }: GameState): string {
  const texts = reactions.map((shown) => {
    const by = players.find((player) => player.userId === shown.userId);
    return by === undefined || by.userId === userId ? '' : `${nameOf(by)}: ${REACTIONS[shown.reaction]}.`;
  });
  return texts.filter((text) => text !== '').join(' ');
}

/** For screen readers: the last move and what comes next. */
function announcement({ game, userId, isSending }: LiveGamePageState): string {
  const { state, drawNotice } = game;
  if (state === null) return '';
  const end = outcome(state, userId);
  const last = state.moves.at(-1);
  const by = state.players.find(({ symbol }) => symbol === last?.symbol);
  const who = by?.userId === userId ? 'You' : by && nameOf(by);
  const move = last === undefined ? '' : `${who} played ${last.symbol} at ${cellText([last.row, last.col])}. `;
  if (end !== null) return `${move}${end.title} ${end.detail}`;
  if (state.status !== 'active') return '';
  if (isSending) return `${SENDING} ${SENDING_TEXT}`;
  return `${drawNotice === null ? move : `${drawNotice} `}${turnText(game, userId)}`;
}
