import { Button } from '@mantine/core';
import {
  type Backup,
  type Overview,
  useCreateBackupMutation,
  useListBackupsQuery,
  useVerifyBackupMutation,
} from '@/api/admin';
import { isProofDeclined } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { Failure } from '@/shared/ui/Failure';
import { Loaded } from '@/shared/ui/Loaded';
import { toast } from '@/shared/ui/toast';
import classes from './ServerPage.module.css';
import { ageText, bytesText } from './serverFormat';

interface BackupsProps {
  status: Overview['backup'];
  /** The server's time. */
  now: string;
}

/** How old the latest backup is, what there is, and whether it is good. */
export function Backups({ status, now }: BackupsProps) {
  const { place, last, runningSince, logUntil, failure, failingSince } = status;
  const [create, { isLoading }] = useCreateBackupMutation();
  if (place === undefined) {
    return (
      <p>
        This server makes no backups. Set <code>backup.to</code> to a folder on another disk, or to S3.
      </p>
    );
  }
  const begin = async () => {
    const { error } = await create();
    if (error === undefined) toast.success('A backup has begun.');
    else if (!isProofDeclined(error)) toast.error(failureText(error, 'Failed to begin a backup'));
  };
  const since = failingSince === undefined ? '' : ` since ${dateTime(failingSince)}`;
  return (
    <>
      <Failure text={failure === undefined ? null : `Backups fail${since}: ${failure}`} />
      <dl className={classes.facts}>
        <dt>Place</dt>
        <dd>{place}</dd>
        <dt>Latest</dt>
        <dd>{last === undefined ? 'None yet' : `${ageText(last.at, now)} ago`}</dd>
        {logUntil !== undefined && (
          <>
            <dt>Stored until</dt>
            <dd>{dateTime(logUntil)}</dd>
          </>
        )}
      </dl>
      <Verification status={status} />
      <div>
        <Button loading={isLoading || runningSince !== undefined} onClick={() => void begin()}>
          Back Up Now
        </Button>
      </div>
      <List latest={last?.backupId} isVerifying={isUnderWay(status)} />
    </>
  );
}

function isUnderWay({ verification }: Overview['backup']): boolean {
  return verification !== undefined && verification.finishedAt === undefined;
}

function Verification({ status }: { status: Overview['backup'] }) {
  const { verification } = status;
  if (verification === undefined) return null;
  const { backupId, finishedAt, problems, failure } = verification;
  if (failure !== undefined) return <Failure text={`${backupId} could not be verified: ${failure}`} />;
  if (problems.length > 0) return <Failure text={`${backupId} is not good: ${problems.join('; ')}`} />;
  return (
    <p role="status">
      {finishedAt === undefined
        ? `${backupId} is being restored and checked…`
        : `${backupId} was restored and is good (${dateTime(finishedAt)}).`}
    </p>
  );
}

function List({ latest, isVerifying }: { latest: string | undefined; isVerifying: boolean }) {
  const backups = useListBackupsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Loaded of={backups} loading="Loading backups..." failure="Failed to load the list of backups">
      {({ backups: made, unreadable }) => (
        <>
          {unreadable.map(({ backupId, reason }) => (
            <Failure key={backupId} text={`${backupId} cannot be read: ${reason}`} />
          ))}
          {made.length === 0 ? null : (
            <ul className={classes.backups} aria-label="Backups">
              {made.toReversed().map((backup) => (
                <Row
                  key={backup.backupId}
                  backup={backup}
                  isLatest={backup.backupId === latest}
                  isVerifying={isVerifying}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  );
}

function Row({ backup, isLatest, isVerifying }: { backup: Backup; isLatest: boolean; isVerifying: boolean }) {
  const { backupId, at, bytes, newBytes, version } = backup;
  const [verify, { isLoading }] = useVerifyBackupMutation();
  const begin = async () => {
    const { error } = await verify(backupId);
    if (error === undefined) toast.success('It is being restored into a temporary folder and checked there.');
    else if (!isProofDeclined(error)) toast.error(failureText(error, 'Failed to verify the backup'));
  };
  return (
    <li>
      <div>
        <strong>{dateTime(at)}</strong>
        <span>
          {bytesText(bytes)}, {bytesText(newBytes)} new · version {version}
          {isLatest && ' · the latest'}
        </span>
      </div>
      <Button
        variant="default"
        loading={isLoading}
        disabled={isVerifying}
        onClick={() => void begin()}
        aria-label={`Verify the backup of ${dateTime(at)}`}
      >
        Verify
      </Button>
    </li>
  );
}
