import { ActionIcon, Button, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { errorText } from '@/api/base';
import { type LogEntry, useLogsQuery } from '@/api/logs';
import { usePersonQuery } from '@/api/people';
import type { components } from '@/api/schema';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { toast } from '@/shared/ui/toast';
import { Highlight } from './Highlight';
import { NextIcon, PreviousIcon } from './icons';
import { LEVEL_LABELS, LevelMark } from './levels';
import { recordKey } from './liveLog';
import classes from './LogDetail.module.css';
import { type LogFilters, NO_FILTERS, toSearch } from './logFilters';
import { contextOf, fullTime, timeOf } from './logFormat';
import { RECORD_NAVIGATION } from './useLogKeys';
import { ifKnown } from '@/shared/ui/Loaded';

/** The time before and after a record that counts as its surroundings, in milliseconds. */
const AROUND = 30_000;

type ClaimedField = components['schemas']['ClaimedField'];

interface LogDetailProps {
  /** Empty if none is open. */
  id: string;
  /** The list it was opened from. */
  records: readonly LogEntry[];
  /** The search term. */
  wanted: string;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** A record in full, with links to related records. */
export function LogDetail({ id, records, wanted, onOpen, onClose }: LogDetailProps) {
  const at = records.findIndex(({ _id }) => _id === id);
  const listed = records[at];
  const [before, after] = [at > 0 ? records[at - 1] : undefined, at === -1 ? undefined : records[at + 1]];
  return (
    <Drawer
      opened={id !== ''}
      onClose={onClose}
      position="right"
      size="lg"
      title="Log record"
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{ backgroundOpacity: 0.35, color: '#10161a' }}
      attributes={{ content: { [RECORD_NAVIGATION]: true }, header: { role: 'presentation' } }}
      classNames={{
        content: classes.sheet ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        close: classes.close ?? '',
        body: classes.body ?? '',
      }}
    >
      <div className={classes.leaf}>
        <ActionIcon
          aria-label="Previous record"
          disabled={before === undefined}
          onClick={() => before && onOpen(before._id)}
        >
          <PreviousIcon />
        </ActionIcon>
        <ActionIcon aria-label="Next record" disabled={after === undefined} onClick={() => after && onOpen(after._id)}>
          <NextIcon />
        </ActionIcon>
        {at !== -1 && (
          <span>
            {at + 1} of the {records.length} in the list
          </span>
        )}
      </div>
      {listed !== undefined ? (
        <Record record={listed} wanted={wanted} />
      ) : (
        id !== '' && <RecordFromAfar key={id} id={id} wanted={wanted} />
      )}
    </Drawer>
  );
}

/** Loads a linked record that is not in the list. */
function RecordFromAfar({ id, wanted }: { id: string; wanted: string }) {
  const [chunk, index] = recordKey(id);
  // The first record before the next position is the record itself.
  const cursor = `${chunk}-${index + 1}`;
  const { data, error, refetch } = useLogsQuery({ limit: 1, sortOrder: 'desc', cursor });
  const [record] = data?.logs ?? [];
  if (record?._id === id) return <Record record={record} wanted={wanted} />;
  if (data !== undefined) return <p>This record is gone: it was cleared or has expired.</p>;
  if (error === undefined) return <p role="status">Loading the record...</p>;
  return <LoadFailure text={errorText(error, 'Failed to load the record')} onRetry={() => void refetch()} />;
}

function Record({ record, wanted }: { record: LogEntry; wanted: string }) {
  const { level, message, timestamp, service, platform, fileName, context, stack } = record;
  const { requestId, userId, sessionId, claimed } = record;
  const at = Date.parse(timestamp);
  // Anybody can write there what they like, also the ids of others.
  const claims = (field: ClaimedField) => claimed?.includes(field) && <small> claimed by the client</small>;
  const time = (offset: number) => new Date(at + offset).toISOString();
  return (
    <div className={classes.record}>
      <div>
        <p className={classes.level} data-level={level}>
          <LevelMark level={level} />
          {LEVEL_LABELS[level].one}
          <time dateTime={timestamp}>{timeOf(timestamp)}</time>
        </p>
        <p className={classes.message}>
          <Highlight text={message} wanted={wanted} />
        </p>
      </div>
      <dl className={classes.facts}>
        <Fact name="Time">
          {fullTime(timestamp)}
          <code>{timestamp}</code>
        </Fact>
        <Fact name="Service">{service}</Fact>
        <Fact name="Platform">
          {platform}
          {claims('platform')}
        </Fact>
        {fileName !== undefined && (
          <Fact name="File">
            <code>
              <Highlight text={fileName} wanted={wanted} />
            </code>
          </Fact>
        )}
        {requestId !== undefined && (
          <Fact name="Request">
            <code>{requestId}</code>
            {claims('requestId')}
            <All of={{ requestId, order: 'asc' }}>Everything of this request</All>
          </Fact>
        )}
        {userId !== undefined && (
          <Fact name="User">
            <Name userId={userId} />
            <All of={{ userId }}>Everything of this user</All>
          </Fact>
        )}
        {sessionId !== undefined && (
          <Fact name="Session">
            <code>{sessionId}</code>
            {claims('sessionId')}
            <All of={{ sessionId }}>Everything of this session</All>
          </Fact>
        )}
      </dl>
      {context !== undefined && context !== '' && (
        <section>
          <h3>Context</h3>
          <Context context={context} wanted={wanted} />
        </section>
      )}
      {stack !== undefined && stack !== '' && (
        <section>
          <h3>Stack</h3>
          <Scrolled label="Stack">
            <Highlight text={stack} wanted={wanted} />
          </Scrolled>
        </section>
      )}
      <div className={classes.actions}>
        <All of={{ since: time(-AROUND), until: time(AROUND), order: 'asc' }}>Around this time</All>
        <Button variant="default" onClick={() => void copy(JSON.stringify(record, null, 2))}>
          Copy as JSON
        </Button>
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Name({ userId }: { userId: string }) {
  const person = ifKnown(usePersonQuery(userId));
  return (
    <>
      {person !== undefined && <PersonLabel person={person} size={24} />}
      <code>{userId}</code>
    </>
  );
}

/** A link to the list with only the related records. */
function All({ of, children }: { of: Partial<LogFilters>; children: ReactNode }) {
  return <Link to={{ search: toSearch({ ...NO_FILTERS, ...of }) }}>{children}</Link>;
}

function Context({ context, wanted }: { context: string; wanted: string }) {
  const fields = contextOf(context);
  if (typeof fields === 'string') {
    return (
      <Scrolled label="Context">
        <Highlight text={fields} wanted={wanted} />
      </Scrolled>
    );
  }
  return (
    <dl className={classes.context}>
      {fields.map(({ name, value }) => (
        <Fact key={name} name={name}>
          <code>
            <Highlight text={value} wanted={wanted} />
          </code>
        </Fact>
      ))}
    </dl>
  );
}

/** Preformatted text that can be scrolled by keyboard. */
function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable element must be focusable to scroll by keyboard
    <pre className={classes.lines} role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success('Copied.');
  } catch {
    toast.error('Your browser does not allow this page to copy.');
  }
}
