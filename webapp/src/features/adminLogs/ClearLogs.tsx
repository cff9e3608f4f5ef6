import { Button } from '@mantine/core';
import { useState } from 'react';
import { useClearLogsMutation, useLogStatsQuery } from '@/api/logs';
import { failureText } from '@/shared/account/failure';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { toast } from '@/shared/ui/toast';
import { ClearIcon } from './icons';
import { LEVELS } from './levels';
import { records } from './logFormat';
import { ifKnown } from '@/shared/ui/Loaded';

/** Deletes the whole log after a confirmation that says how much that is. */
export function ClearLogs({ onCleared }: { onCleared: () => void }) {
  const counted = useLogStatsQuery();
  const stats = ifKnown(counted);
  const [clear, { isLoading }] = useClearLogsMutation();
  const [isAsking, setAsking] = useState(false);
  const all = LEVELS.reduce((sum, level) => sum + (stats?.levelStats[level] ?? 0), 0);

  const ask = () => {
    void counted.refetch();
    setAsking(true);
  };
  const confirm = async () => {
    const { data, error } = await clear();
    setAsking(false);
    if (error !== undefined) return toast.error(failureText(error, 'Failed to clear the logs'));
    toast.success(`${records(data)} cleared.`);
    onCleared();
  };
  return (
    <>
      <Button variant="default" leftSection={<ClearIcon />} disabled={stats === undefined} onClick={ask}>
        Clear All
      </Button>
      <ConfirmDialog
        title="Clear All Logs"
        opened={isAsking}
        confirm="Clear All"
        keep="Keep Logs"
        isBusy={isLoading}
        onConfirm={() => void confirm()}
        onKeep={() => setAsking(false)}
      >
        <p>
          <strong>{records(all)}</strong> will be deleted, whatever is filtered here. This cannot be undone; the
          deletion itself is kept in the audit trail.
        </p>
      </ConfirmDialog>
    </>
  );
}
