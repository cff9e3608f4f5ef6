import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { GameState } from '@/realtime/protocol';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { type Alert, raiseAlert, withdrawAlert } from '@/shared/alerts/alert';
import { openedPath } from '@/shared/alerts/openedPath';
import { playCall } from '@/shared/board/sound';
import { COME_WITHIN_MS } from '@/shared/events/comeWithin';
import { gamePath } from '@/shared/events/postGameRedirect';
import { newsPath, newsText, reminderText } from '@/shared/events/reminderText';
import { nameOf } from '@/shared/people/personSummary';
import { cellText } from '@/shared/rules';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/** Vibration pattern, in milliseconds. */
const VIBRATION = [220, 120, 220];

/** Raises the alerts of a signed-in user, anywhere in the app: the one place that decides which frame calls for one. */
export default function PageAlerts() {
  const navigate = useNavigate();
  const userId = useAppSelector(selectUser)?.userId;

  const open = (path: string) => void navigate(path);
  /** An alert about a game, of which each has one at a time. */
  const raise = (gameId: string, alert: Omit<Alert, 'id' | 'to'>) =>
    raiseAlert({ ...alert, id: gameId, to: gamePath(gameId) }, open);
  const raiseTurn = ({ gameId, status, currentTurn }: GameState, body: string) => {
    if (status === 'active' && currentTurn === userId) raise(gameId, { kind: 'turn', title: 'Your turn', body });
  };

  useRealtimeEvent('playerFound', ({ gameId, opponent }) => {
    playCall();
    if ('vibrate' in navigator) navigator.vibrate(VIBRATION);
    const title = `You play ${nameOf(opponent)}!`;
    raise(gameId, { kind: 'paired', title, body: 'Your game is about to begin.', forMs: COME_WITHIN_MS });
  });

  useRealtimeEvent('gameInvitation', ({ game: { gameId, boardSize }, from }) => {
    const body = `A game on ${boardSize}×${boardSize}.`;
    raise(gameId, { kind: 'invitation', title: `${nameOf(from)} invites you`, body });
  });

  useRealtimeEvent('gameCancelled', ({ gameId, reason, userId: by, message }) => {
    withdrawAlert(gameId);
    if (reason === 'declined' && by !== userId) raise(gameId, { kind: 'answer', title: message, body: '' });
  });

  useRealtimeEvent('gameStarted', ({ gameId, gameState }) => {
    const { gameType, initiatorUserId, players, currentTurn } = gameState;
    const opponent = players.find((player) => player.userId !== userId);
    const body = currentTurn === userId ? 'It is your turn.' : 'They begin.';
    if (gameType === 'invite' && initiatorUserId === userId && opponent !== undefined) {
      raise(gameId, { kind: 'answer', title: `${nameOf(opponent)} plays`, body });
    } else {
      raiseTurn(gameState, 'The game begins.');
    }
  });

  useRealtimeEvent('moveUpdate', ({ gameId, nextTurn, row, col }) => {
    if (nextTurn === userId) {
      raise(gameId, { kind: 'turn', title: 'Your turn', body: `They played ${cellText([row, col])}.` });
    } else {
      withdrawAlert(gameId);
    }
  });
  // What was missed while the connection was lost.
  useRealtimeEvent('gameJoined', ({ gameState }) => gameState && raiseTurn(gameState, 'They have played.'));
  useRealtimeEvent('gameDraw', ({ newGameState }) => newGameState && raiseTurn(newGameState, 'A new round begins.'));
  useRealtimeEvent('eventReminder', ({ eventId, title, ...reminder }) => {
    const to = `/app/events/view/${eventId}`;
    raiseAlert({ kind: 'event', id: eventId, title, body: reminderText(reminder), to }, open);
  });

  useRealtimeEvent('eventNews', ({ eventId, title, ...news }) => {
    const to = newsPath(eventId, news.news);
    const kind = news.news === 'invited' ? 'invitation' : 'event';
    raiseAlert({ kind, id: eventId, title, body: newsText(news), to }, open);
  });

  useRealtimeEvent('gameEnd', ({ gameId }) => withdrawAlert(gameId));

  // A notification that the service worker showed was pressed.
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const opened = ({ data }: MessageEvent) => {
      const path = openedPath(data);
      if (path !== null) void navigate(path);
    };
    navigator.serviceWorker.addEventListener('message', opened);
    return () => navigator.serviceWorker.removeEventListener('message', opened);
  }, [navigate]);
  return null;
}
