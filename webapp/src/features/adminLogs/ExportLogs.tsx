import { Button } from '@mantine/core';
import { type LogFilter, useExportLogsMutation } from '@/api/logs';
import { failureText } from '@/shared/account/failure';
import { toast } from '@/shared/ui/toast';
import { SaveIcon } from './icons';

/** Saves the matching records as NDJSON, oldest first. */
export function ExportLogs({ filter }: { filter: () => LogFilter }) {
  const [load, { isLoading }] = useExportLogsMutation();
  const save = async () => {
    const { data, error } = await load(filter());
    if (error !== undefined) return toast.error(failureText(error, 'Failed to export the logs'));
    const address = URL.createObjectURL(new Blob([data], { type: 'application/x-ndjson' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `morpion-logs-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.ndjson`;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Button variant="default" leftSection={<SaveIcon />} loading={isLoading} onClick={() => void save()}>
      Export
    </Button>
  );
}
