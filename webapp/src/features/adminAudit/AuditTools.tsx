import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLazyExportAuditQuery, useLazyVerifyAuditQuery } from '@/api/admin';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { saveFile } from '@/shared/saveFile';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './AuditPage.module.css';

/** Checks the hash chain of the whole trail, and saves it as a file. */
export function AuditTools() {
  const [verify, verifying] = useLazyVerifyAuditQuery();
  const [isSaving, setSaving] = useState(false);
  const [load] = useLazyExportAuditQuery();
  const check = verifying.isFetching ? undefined : verifying.currentData;
  const save = async () => {
    setSaving(true);
    const parts: string[] = [];
    let after: number | undefined;
    do {
      const { data, error } = await load(after === undefined ? {} : { after });
      if (data === undefined) {
        setSaving(false);
        return toast.error(failureText(error, 'Failed to export the audit trail'));
      }
      parts.push(data.ndjson);
      after = data.next;
    } while (after !== undefined);
    setSaving(false);
    const day = new Date().toISOString().slice(0, 10);
    return saveFile(`morpion-audit-${day}.ndjson`, parts.join(''), 'application/x-ndjson');
  };
  return (
    <>
      <div className={classes.tools}>
        <Button variant="default" loading={verifying.isFetching} onClick={() => void verify()}>
          Verify
        </Button>
        <Button variant="default" loading={isSaving} onClick={() => void save()}>
          Export
        </Button>
      </div>
      {verifying.isError && !verifying.isFetching && (
        <Failure text={failureText(verifying.error, 'Failed to verify the audit trail')} />
      )}
      {check !== undefined &&
        (check.brokenAt === undefined ? (
          <p role="status">{inOrder(check)}</p>
        ) : (
          <Failure
            text={`Entry ${check.brokenAt} is not as it was written: ${check.problem ?? 'its hash is another one'}`}
          />
        ))}
    </>
  );
}

function inOrder({ entries, from, until }: { entries: number; from?: string; until?: string }): string {
  const span = from === undefined || until === undefined ? '' : `, from ${dateTime(from)} to ${dateTime(until)}`;
  return `The chain is in order: ${entries === 1 ? '1 entry' : `${entries} entries`}${span}.`;
}
