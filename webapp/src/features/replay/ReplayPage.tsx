import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { isApiError, mayRetry } from '@/api/base';
import { useReplayQuery, useShareGameMutation } from '@/api/game';
import { EngineClient } from '@/engine';
import { failureText } from '@/shared/account/failure';
import { LostDrawing, TornDrawing } from '@/shared/illustrations';
import { selectUser } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { Notice } from '@/shared/ui/Notice';
import { Splash } from '@/shared/ui/Splash';
import { type GameRecord, recordOf } from '@/shared/replay/record';
import { practiceRecord } from './practiceRecord';
import { ReplayView } from './ReplayView';
import type { Share } from './ShareDialog';
import { useAppSelector } from '@/shared/storeHooks';

interface ReplayPageProps {
  createEngine?: () => EngineClient;
}

/**
 * The replay of a finished game: by id for games the user may see, by token for shared games, and by a code for games
 * that no server keeps: of practice, and pasted ones.
 */
export default function ReplayPage({ createEngine = () => new EngineClient() }: ReplayPageProps) {
  const { gameId, shareToken, code } = useParams();
  if (code !== undefined) return <PracticeReplay code={code} createEngine={createEngine} />;
  const of = gameId === undefined ? { shareToken: shareToken ?? '' } : { gameId };
  return <ServerReplay key={gameId ?? shareToken} of={of} createEngine={createEngine} />;
}

function PracticeReplay({ code, createEngine }: { code: string; createEngine: () => EngineClient }) {
  const [query] = useSearchParams();
  const isVisitor = useAppSelector(selectUser) === null;
  const level = query.get('ai');
  const state: unknown = useLocation().state;
  const pasted = typeof state === 'string' ? state : undefined;
  const record = useMemo(() => practiceRecord(code, level, pasted), [code, level, pasted]);
  if (record === null) return <NoGame>This link does not contain a game.</NoGame>;
  const back = isVisitor
    ? HOMEPAGE
    : pasted === undefined
      ? { to: `/app/practice/${level === null ? 'local' : 'ai'}`, label: 'Back to practice' }
      : { to: '/app/practice/open', label: 'Open another game' };
  return (
    <Replay key={code} record={record} back={back} share={{ link: window.location.href }} createEngine={createEngine} />
  );
}

type Source = { gameId: string } | { shareToken: string };

function ServerReplay({ of, createEngine }: { of: Source; createEngine: () => EngineClient }) {
  const user = useAppSelector(selectUser);
  const { data, error, isLoading, refetch } = useReplayQuery(of);
  const [shareGame] = useShareGameMutation();
  const replay = data?.replay;
  const record = useMemo(() => data && recordOf(data), [data]);
  if (isLoading) return <Splash>Loading the game…</Splash>;
  if (replay === undefined) return <Failed error={error} of={of} onRetry={() => void refetch()} />;
  if (!record) return <NoGame>This game cannot be shown.</NoGame>;

  const make = async () => {
    const { shareToken } = await shareGame({ gameId: replay.gameId }).unwrap();
    return `${window.location.origin}/replay/${shareToken}`;
  };
  const isPlayer = user !== null && record.userIds.includes(user.userId);
  const share: Share | null = 'shareToken' in of ? { link: window.location.href } : isPlayer ? { make } : null;
  const back = user === null ? HOMEPAGE : { to: '/app/home', label: 'Back to Home' };
  return <Replay record={record} back={back} share={share} createEngine={createEngine} />;
}

interface ReplayProps {
  record: GameRecord;
  back: { to: string; label: string };
  share: Share | null;
  createEngine: () => EngineClient;
}

function Replay({ record, back, share, createEngine }: ReplayProps) {
  const [first, ...more] = record.rounds;
  if (first === undefined) {
    return (
      <Notice drawing={<TornDrawing />} title={record.title}>
        <p>{record.detail} No move was played.</p>
        <Link to={back.to} className={buttons.primary}>
          {back.label}
        </Link>
      </Notice>
    );
  }
  return <ReplayView record={record} rounds={[first, ...more]} back={back} share={share} createEngine={createEngine} />;
}

const HOMEPAGE = { to: '/', label: 'Back to Homepage' };

function Failed({ error, of, onRetry }: { error: unknown; of: Source; onRetry: () => void }) {
  const status = isApiError(error) ? error.status : 0;
  if (status === 404 || status === 422)
    return <NoGame>This game does not exist, or you are not allowed to see it.</NoGame>;
  return (
    <Notice drawing={<TornDrawing />} title="The game could not be loaded">
      <p role="alert">{failureText(error, 'Request failed')}</p>
      {status === 409 && 'gameId' in of ? (
        <Link to={`/app/game/${of.gameId}`} className={buttons.primary}>
          Open the game
        </Link>
      ) : mayRetry(error) ? (
        <Button onClick={onRetry}>Try again</Button>
      ) : (
        <Link to={HOMEPAGE.to} className={buttons.primary}>
          {HOMEPAGE.label}
        </Link>
      )}
    </Notice>
  );
}

function NoGame({ children }: { children: string }) {
  return (
    <Notice drawing={<LostDrawing />} title="No game to replay">
      <p>{children}</p>
      <Link to="/" className={buttons.primary}>
        Back to Homepage
      </Link>
    </Notice>
  );
}
