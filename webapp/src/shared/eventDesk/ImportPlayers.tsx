import { Button, Modal } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';
import type { components } from '@/api/schema';
import { type Event, useImportPlayersMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import dialog from '@/shared/ui/dialog.module.css';
import { Failure } from '@/shared/ui/Failure';
import { Scrolled } from '@/shared/ui/Scrolled';
import { toast } from '@/shared/ui/toast';
import classes from './ImportPlayers.module.css';

type Line = components['schemas']['ImportedPlayer'];
type Status = components['schemas']['ImportStatus'];

const STATUSES: Record<Status, string> = {
  found: 'Will be signed up',
  added: 'Signed up',
  alreadyIn: 'Already in the event',
  repeated: 'On the list twice',
  notFound: 'Nobody has this username',
  refused: 'Cannot be signed up',
};

const PROBLEMS: readonly Status[] = ['notFound', 'refused'];

/** An admin signs up everybody on a list, after seeing who is found. */
export function ImportPlayers({ event: { eventId, eventState }, onAdded }: { event: Event; onAdded: () => void }) {
  const [csv, setCsv] = useState<string | null>(null);
  const [read, { data, error, isLoading, reset }] = useImportPlayersMutation();
  if (eventState === 'ended' || eventState === 'cancelled') return null;

  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // The same file can be chosen again after it was corrected.
    currentTarget.value = '';
    if (file === undefined) return;
    const text = await file.text();
    setCsv(text);
    await read({ eventId, csv: text, preview: true });
  };
  const close = () => {
    setCsv(null);
    reset();
  };
  const send = async () => {
    if (csv === null) return;
    const { data: answer } = await read({ eventId, csv });
    // Somebody on it is refused since it was looked at: the list says who.
    if (answer === undefined || !answer.complete) return;
    toast.success(answer.added === 1 ? '1 player signed up.' : `${answer.added} players signed up.`);
    close();
    onAdded();
  };
  const lines = data?.players ?? [];
  const count = lines.filter(({ status }) => status === 'found').length;
  return (
    <div className={classes.add}>
      <label className={classes.file}>
        <span>Add players from a list</span>
        <input type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(change) => void choose(change)} />
        <small>CSV with a username on each line. You can check who was found before anybody is signed up.</small>
      </label>
      <Modal
        title="Add players from a list"
        opened={csv !== null}
        onClose={close}
        closeButtonProps={{ 'aria-label': 'Close' }}
        size="lg"
      >
        <div className={dialog.body}>
          {isLoading && data === undefined && <p role="status">Reading the list…</p>}
          <Failure text={error === undefined ? null : failureText(error, 'Failed to read the list')} />
          {data !== undefined && (
            <>
              <p role="status">{summaryOf(lines, count)}</p>
              <Lines lines={lines} />
            </>
          )}
          <div className={dialog.actions}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={isLoading} disabled={data?.complete !== true || count === 0} onClick={() => void send()}>
              {count === 1 ? 'Sign up 1 player' : `Sign up ${count} players`}
            </Button>
          </div>
        </div>
      </Modal>
    </div>
  );
}

function summaryOf(lines: readonly Line[], count: number): string {
  const wrong = lines.filter(({ status }) => PROBLEMS.includes(status)).length;
  if (wrong > 0) {
    const those = wrong === 1 ? 'One line cannot' : `${wrong} lines cannot`;
    return `${those} be signed up, so nobody will be. Correct the list and choose it again.`;
  }
  return count === 0 ? 'Everybody on the list is already in the event.' : 'Everybody on the list was found.';
}

/** The lines; those that need a correction come first. */
function Lines({ lines }: { lines: readonly Line[] }) {
  const isProblem = ({ status }: Line) => PROBLEMS.includes(status);
  const sorted = [...lines.filter(isProblem), ...lines.filter((line) => !isProblem(line))];
  return (
    <Scrolled className={classes.lines} label="Players on the list">
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Player</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ line, username, displayName, status, reason }) => (
            <tr key={line} data-problem={PROBLEMS.includes(status)}>
              <td>{line}</td>
              <td>
                <b>{username === '' ? '(no name)' : username}</b>
                {displayName !== undefined && displayName !== username && <span> {displayName}</span>}
              </td>
              <td>{reason ?? STATUSES[status]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
