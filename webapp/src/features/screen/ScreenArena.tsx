import { type Event, useLeaderboardQuery, useSpectatableGamesQuery } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { formatName } from '@/shared/stages/formats';
import { Loaded } from '@/shared/ui/Loaded';
import { ScreenClock, ScreenFact } from './ScreenClock';
import { ScreenHead } from './ScreenHead';
import { ScreenList } from './ScreenList';
import classes from './ScreenList.module.css';
import page from './ScreenPage.module.css';
import { PLACES, ScreenPlaces } from './ScreenPlaces';
import { usePages } from './usePages';

/** The projector is told of results at once, and of new games by asking, in milliseconds. */
const POLL_MS = 8_000;

/** An arena: its leaderboard and the games under way. */
export function ScreenArena({ event }: { event: Event }) {
  const { eventId, title, format, eventState, participantCount } = event;
  const options = { pollingInterval: eventState === 'started' ? POLL_MS : 0, refetchOnMountOrArgChange: true };
  const answer = useLeaderboardQuery({ eventId, page: 1, limit: PLACES }, options);
  const people = `${participantCount} ${participantCount === 1 ? 'player' : 'players'}`;
  return (
    <>
      <ScreenHead title={title} about={`${formatName(format)} · ${people}`} clock={<Clock event={event} />} />
      <div className={page.columns}>
        <Loaded of={answer} loading="Loading leaderboard..." failure="Failed to load leaderboard">
          {({ players }) => (
            <ScreenPlaces
              title="Leaderboard"
              places={players.map((player, at) => ({
                ...player,
                rank: player.rank ?? at + 1,
                value: `Level ${player.level}`,
                isOut: player.isEliminated,
              }))}
            />
          )}
        </Loaded>
        {eventState === 'started' && <Games eventId={eventId} />}
      </div>
    </>
  );
}

function Games({ eventId }: { eventId: string }) {
  const answer = useSpectatableGamesQuery(eventId, { pollingInterval: POLL_MS, refetchOnMountOrArgChange: true });
  return (
    <Loaded of={answer} loading="Looking for games…" failure="The games could not be loaded.">
      {({ games }) => <GameList games={games} />}
    </Loaded>
  );
}

function GameList({ games }: { games: readonly Game[] }) {
  const { shown, page, pages } = usePages(games, PLACES);
  return (
    <ScreenList title="Live games" page={pages === 1 ? undefined : `Page ${page} of ${pages}`}>
      {games.length === 0 ? (
        <p className={classes.none}>Nobody is playing right now.</p>
      ) : (
        <ul className={classes.matches}>
          {shown.map(({ gameId, players: [first, second], boardSize }) => (
            <li key={gameId} data-state="live">
              <span>{`${boardSize}×${boardSize}`}</span>
              <span>{first !== undefined && <PersonLabel person={first} size={40} />}</span>
              <b>–</b>
              <span>{second !== undefined && <PersonLabel person={second} size={40} />}</span>
            </li>
          ))}
        </ul>
      )}
    </ScreenList>
  );
}

function Clock({ event: { eventState, endTime, concluded, winners } }: { event: Event }) {
  const [winner] = winners;
  if (eventState === 'started') {
    if (endTime === undefined) return <ScreenFact label="" value="Live" />;
    return <ScreenClock label="Ends in" until={endTime} over="Ending…" />;
  }
  if (!concluded) return <ScreenFact label="The event has ended" value="Results to come" />;
  return <ScreenFact label="Winner" value={winner === undefined ? 'Nobody' : nameOf(winner)} />;
}
