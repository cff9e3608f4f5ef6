import { useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { RealtimeError } from '@/realtime/connection';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { useNow } from '@/shared/events/countdown';
import { gamePath } from '@/shared/events/postGameRedirect';
import {
  opponentFound,
  searchEnded,
  searchStopped,
  selectQuickMatch,
  statusReceived,
} from '@/shared/quickMatch/quickMatchSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { elapsedText } from './elapsed';
import classes from './QuickMatchSearch.module.css';

const FAILED = 'The search for an opponent failed. Please try again.';

/** A stop without an answer for so long has the connection probed, and is sent again. */
const STOP_CHECK_MS = 1_000;
const STOP_TIMEOUT_MS = 4_000;

/** Looks for an opponent as long as one is wanted, and opens the game that was found; on other pages it is a small bar. */
export default function QuickMatchSearch() {
  const { wish, isStopping, since, found } = useAppSelector(selectQuickMatch);
  const { pathname } = useLocation();
  useSearch();
  useStop();
  useFoundGame();
  const isElsewhere = pathname !== '/app/play' && !pathname.startsWith('/app/game/');
  if (!isElsewhere || (wish === null && found === null)) return null;
  return (
    <div className={classes.bar} role="status">
      {found === null ? (
        <>
          <Link to="/app/play" className={classes.text}>
            {isStopping ? 'Stopping the search…' : 'Looking for an opponent'} <Elapsed since={since} />
          </Link>
          {!isStopping && <Stop />}
        </>
      ) : (
        <span className={classes.text}>Opponent found</span>
      )}
    </div>
  );
}

/** Asks the server for an opponent, and again after each reconnection. */
function useSearch(): void {
  const dispatch = useAppDispatch();
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const { wish, isStopping } = useAppSelector(selectQuickMatch);

  useEffect(() => {
    if (wish === null || isStopping || !isConnected) return;
    let isWanted = true;
    const ask = () => {
      connection.request('quickMatchJoin', wish).catch((error: unknown) => {
        const code = error instanceof RealtimeError ? error.code : '';
        // It is asked again with the next connection.
        if (!isWanted || code === 'disconnected') return;
        if (code === 'timeout') ask();
        else dispatch(searchEnded({ text: messageOf(error), code }));
      });
    };
    ask();
    return () => {
      isWanted = false;
    };
  }, [connection, dispatch, isConnected, isStopping, wish]);

  useRealtimeEvent('quickMatchStatus', (status) => dispatch(statusReceived({ ...status, now: Date.now() })));
  useRealtimeEvent('quickMatchEnded', ({ message }) => {
    if (wish !== null) dispatch(searchEnded(isStopping ? null : { text: message }));
  });
}

/** Tells the server that nobody is looked for any more, until it has confirmed that: otherwise it would go on. */
function useStop(): void {
  const dispatch = useAppDispatch();
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const { isStopping } = useAppSelector(selectQuickMatch);

  useEffect(() => {
    if (!isStopping || !isConnected) return;
    let isCurrent = true;
    const ask = () => {
      connection.request('quickMatchLeave', {}, STOP_TIMEOUT_MS).then(
        () => isCurrent && dispatch(searchEnded(null)),
        (error: unknown) => {
          const code = error instanceof RealtimeError ? error.code : '';
          // It is sent again with the next connection.
          if (!isCurrent || code === 'disconnected') return;
          if (code === 'timeout') ask();
          else dispatch(searchEnded({ text: messageOf(error), code }));
        },
      );
    };
    ask();
    const check = setTimeout(() => connection.check(), STOP_CHECK_MS);
    return () => {
      isCurrent = false;
      clearTimeout(check);
    };
  }, [connection, dispatch, isConnected, isStopping]);
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : FAILED;
}

/** Opens the game that was found, or that the player is in already. */
function useFoundGame(): void {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { wish, found } = useAppSelector(selectQuickMatch);

  useRealtimeEvent('playerFound', ({ gameId, opponent, quickMatch, redirectInMs }) => {
    if (quickMatch === undefined) return;
    dispatch(opponentFound({ gameId, opponent, quickMatch }));
    setTimeout(() => void navigate(gamePath(gameId)), redirectInMs);
  });
  useRealtimeEvent('redirectToGame', ({ gameId, redirectInMs }) => {
    if (wish === null) return;
    setTimeout(() => {
      dispatch(searchEnded(null));
      void navigate(gamePath(gameId));
    }, redirectInMs);
  });

  // The page of the game is open, or the player went elsewhere after it.
  const { pathname } = useLocation();
  useEffect(() => {
    if (found !== null && pathname === gamePath(found.gameId)) dispatch(searchEnded(null));
  }, [dispatch, found, pathname]);
}

function Elapsed({ since }: { since: number | null }) {
  const now = useNow();
  return <b className={classes.elapsed}>{since === null ? '' : elapsedText(now - since)}</b>;
}

/** Outside the layouts, which have Mantine's components. */
function Stop() {
  const dispatch = useAppDispatch();
  return (
    <button type="button" className={buttons.button} onClick={() => dispatch(searchStopped())}>
      Stop
    </button>
  );
}
