import { Button } from '@mantine/core';
import { ShareIcon } from '@/shared/ui/icons';
import { toast } from '@/shared/ui/toast';

/** Shares a text where the device can, and copies it otherwise. */
export function ShareButton({ text }: { text: string }) {
  const share = async () => {
    if ('share' in navigator) {
      // Whoever closes the device's dialog wants nothing more.
      await navigator.share({ text }).catch(() => undefined);
      return;
    }
    await (navigator as Navigator).clipboard.writeText(text).then(
      () => toast.success('Copied to the clipboard.'),
      () => toast.error('Copying failed.'),
    );
  };
  return (
    <Button leftSection={<ShareIcon />} onClick={() => void share()}>
      Share
    </Button>
  );
}
