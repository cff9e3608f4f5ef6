import type { User } from '@/api/account';
import { type EntryRequirement, type Event, useEntryQuery, useSignUpStatusQuery } from '@/api/events';
import { type EntryLine, entryLines, ownText } from '@/shared/events/entry';
import { Card } from '@/shared/ui/Card';
import { ifKnown } from '@/shared/ui/Loaded';
import classes from './WhoCanEnter.module.css';

interface WhoCanEnterProps {
  event: Event;
  /** Null for a visitor. */
  user: User | null;
}

/** What the event asks of those who enter, and how the user stands to it; nothing where anybody may enter. */
export function WhoCanEnter({ event, user }: WhoCanEnterProps) {
  const lines = entryLines(event, user?.isBot);
  const isOver = event.eventState === 'ended' || event.eventState === 'cancelled';
  const mayAsk = lines.length > 0 && !isOver && user !== null && !user.isTempUser;
  const { eventId } = event;
  const part = ifKnown(useSignUpStatusQuery({ eventId, userId: user?.userId ?? '' }, { skip: !mayAsk }));
  // Who is in stays in.
  const isAsked = mayAsk && part?.isSignedUp === false;
  const answer = useEntryQuery(eventId, { skip: !isAsked, refetchOnMountOrArgChange: true });
  if (lines.length === 0) return null;
  const standing = isAsked ? (ifKnown(answer)?.conditions ?? []) : [];
  return (
    <Card title="Who can enter">
      <ul className={classes.conditions}>
        {lines.map((line) => (
          <Line
            key={line.condition}
            line={line}
            standing={standing.find(({ condition }) => condition === line.condition)}
          />
        ))}
      </ul>
    </Card>
  );
}

function Line({ line, standing }: { line: EntryLine; standing: EntryRequirement | undefined }) {
  return (
    <li data-met={standing?.isMet}>
      {line.text}
      {standing !== undefined && <span className={classes.own}>{ownText(standing)}</span>}
    </li>
  );
}
