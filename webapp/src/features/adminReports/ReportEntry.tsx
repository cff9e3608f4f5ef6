import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Report } from '@/api/admin';
import { dateTime } from '@/shared/events/times';
import { ModerationMenu } from '@/shared/moderation/ModerationMenu';
import { KINDS } from '@/shared/moderation/kinds';
import { suspensionText } from '@/shared/moderation/subject';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { EngineEvidence } from '@/shared/engineUse/EngineEvidence';
import { nameOf, type PersonSummary } from '@/shared/people/personSummary';
import textLink from '@/shared/ui/textLink.module.css';
import { CloseReport, type Outcome } from './CloseReport';
import classes from './ReportsPage.module.css';

/** One report: who reports whom, for what, and what was there to see. */
export function ReportEntry({ report }: { report: Report }) {
  const { kind, text, reporter, subject, suspension, at, state, sameSubjectOpen } = report;
  const others = sameSubjectOpen - (state === 'open' ? 1 : 0);
  return (
    <li className={classes.report}>
      <div className={classes.head}>
        <h2>{KINDS[kind]}</h2>
        <time dateTime={at}>{dateTime(at)}</time>
      </div>
      <div className={classes.who}>
        <Somebody person={reporter} /> reports{' '}
        <span className={classes.subject}>
          <Somebody person={subject} />
          {subject !== undefined && <ModerationMenu subject={{ ...subject, suspension }} />}
        </span>
        {suspension !== undefined && <span className={classes.mark}>{suspensionText(suspension)}</span>}
      </div>
      {text !== '' && <blockquote className={classes.text}>{text}</blockquote>}
      <Evidence report={report} />
      {kind === 'engine' && subject !== undefined && <EngineEvidence userId={subject.userId} isBrief />}
      {others > 0 && (
        <p className={classes.others}>
          {others === 1 ? '1 other open report' : `${others} other open reports`} about the same person
        </p>
      )}
      {state === 'closed' ? <Closed report={report} /> : <Close report={report} />}
    </li>
  );
}

function Somebody({ person }: { person: (PersonSummary & { username: string }) | undefined }) {
  if (person === undefined) return <em>a deleted account</em>;
  return (
    <Link to={`/app/admin/users?q=${encodeURIComponent(person.username)}`} className={classes.person}>
      <PersonLabel person={person} />
    </Link>
  );
}

/** The names and the picture at the time of the report, and the game. */
function Evidence({ report: { evidence, gameId } }: { report: Report }) {
  const { username, displayName, picture } = evidence;
  return (
    <dl className={classes.evidence}>
      <div>
        <dt>Display name then</dt>
        <dd>{displayName}</dd>
      </div>
      <div>
        <dt>Username then</dt>
        <dd>{username}</dd>
      </div>
      <div>
        <dt>Picture then</dt>
        <dd>
          {picture === undefined ? 'None' : <img src={picture} alt={`What ${username} had`} width={64} height={64} />}
        </dd>
      </div>
      {gameId !== undefined && (
        <div>
          <dt>Game</dt>
          <dd>
            <Link to={`/app/game/${gameId}/replay`} className={textLink.link}>
              Look at the game
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Closed({ report: { outcome, note, closedBy, closedAt } }: { report: Report }) {
  const what = outcome === 'upheld' ? 'Upheld' : 'Dismissed';
  return (
    <p>
      <strong>{what}</strong>
      {closedBy !== undefined && ` by ${closedBy}`}
      {closedAt !== undefined && `, ${dateTime(closedAt)}`}
      {note !== undefined && `: ${note}`}
    </p>
  );
}

function Close({ report: { reportId, evidence } }: { report: Report }) {
  const [outcome, setOutcome] = useState<Outcome>('dismissed');
  const [isOpen, setOpen] = useState(false);
  const ask = (asked: Outcome) => {
    setOutcome(asked);
    setOpen(true);
  };
  const name = nameOf(evidence);
  return (
    <div className={classes.actions}>
      <Button variant="default" onClick={() => ask('dismissed')} aria-label={`Dismiss the report about ${name}…`}>
        Dismiss…
      </Button>
      <Button onClick={() => ask('upheld')} aria-label={`Uphold the report about ${name}…`}>
        Uphold…
      </Button>
      <CloseReport reportId={reportId} name={name} outcome={outcome} opened={isOpen} onDone={() => setOpen(false)} />
    </div>
  );
}
