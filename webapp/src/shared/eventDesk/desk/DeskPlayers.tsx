import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Event, type StageStanding, useGetStandingsQuery } from '@/api/events';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { pointsText } from '@/shared/stages/match';
import { stageRead } from '@/shared/stages/stageRead';
import { Card } from '@/shared/ui/Card';
import { SearchIcon } from '@/shared/ui/icons';
import { Loaded } from '@/shared/ui/Loaded';
import { folded } from '@/shared/visible';
import { PresenceMark } from '../PresenceMark';
import { ActOnPlayer, type PlayerAct } from './ActOnPlayer';
import classes from './Desk.module.css';
import { MAX_ROWS } from './maxRows';

/** From so many players on there is a search. */
const SEARCHED_FROM = 10;

/** The players in the order of the table; each can be withdrawn, disqualified and reinstated. */
export function DeskPlayers({ event }: { event: Event }) {
  const standings = useGetStandingsQuery({ eventId: event.eventId }, stageRead(event.eventState));
  return (
    <Card title="Players">
      <Loaded of={standings} loading="Loading the table..." failure="Failed to load the table">
        {({ standings: rows }) =>
          rows.length === 0 ? <p>The table begins with the first round.</p> : <Players event={event} rows={rows} />
        }
      </Loaded>
    </Card>
  );
}

function Players({ event, rows }: { event: Event; rows: readonly StageStanding[] }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<{ player: StageStanding; act: PlayerAct } | null>(null);
  const wanted = folded(text.trim());
  const found = rows.filter(({ username, displayName }) =>
    [username, displayName].some((each) => folded(each).includes(wanted)),
  );
  return (
    <>
      {rows.length >= SEARCHED_FROM && (
        <TextInput
          aria-label="Search players"
          placeholder="Search name"
          type="search"
          leftSection={<SearchIcon />}
          leftSectionWidth={44}
          value={text}
          onChange={(change) => setText(change.currentTarget.value)}
        />
      )}
      {found.length === 0 && <p role="status">No player fits this search.</p>}
      <ol className={classes.table} aria-label="Players in the order of the table">
        {found.slice(0, MAX_ROWS).map((row) => (
          <PlayerRow key={row.userId} event={event} row={row} onAsk={(act) => setAsked({ player: row, act })} />
        ))}
      </ol>
      {found.length > MAX_ROWS && (
        <p className={classes.note}>
          The first {MAX_ROWS} of {found.length} are shown: search for the others.
        </p>
      )}
      <ActOnPlayer event={event} asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}

interface PlayerRowProps {
  event: Event;
  row: StageStanding;
  onAsk: (act: PlayerAct) => void;
}

function PlayerRow({ event, row, onAsk }: PlayerRowProps) {
  const { rank, points, withdrawn, disqualified } = row;
  return (
    <li className={classes.row}>
      <span className={classes.rank}>{rank}</span>
      <span className={classes.who}>
        <PersonLabel person={row} />
        <PresenceMark userId={row.userId} />
      </span>
      <span className={classes.points}>
        {withdrawn && <b>{disqualified ? 'Disqualified' : 'Withdrawn'} · </b>}
        {pointsText(points)} {event.format === 'knockout' ? 'won' : points === 1 ? 'point' : 'points'}
      </span>
      <span className={classes.acts}>
        {actsOn(event, row).map((act) => (
          <Button
            key={act}
            variant="default"
            size="compact-md"
            onClick={() => onAsk(act)}
            aria-label={`${act} ${nameOf(row)}`}
          >
            {act}…
          </Button>
        ))}
      </span>
    </li>
  );
}

/** Once the event has ended, and until the winners are final, only who may be one of them can be changed. */
function actsOn({ eventState, concluded }: Event, { withdrawn, disqualified }: StageStanding): PlayerAct[] {
  if (concluded) return [];
  if (disqualified) return ['Reinstate'];
  const others: PlayerAct[] = eventState === 'started' ? [withdrawn ? 'Reinstate' : 'Withdraw'] : [];
  return [...others, 'Disqualify'];
}
