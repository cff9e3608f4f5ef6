import { Button } from '@mantine/core';
import type { PropsWithChildren } from 'react';
import { CopyField } from '@/shared/ui/CopyField';
import dialog from '@/shared/ui/dialog.module.css';

interface OneTimeSecretProps {
  /** What it is, for example `Token My bot`. */
  label: string;
  value: string;
  onDone: () => void;
}

/** A secret that was just made and is not shown again, in place of the form that made it; `children` say what it is for. */
export function OneTimeSecret({ label, value, onDone, children }: PropsWithChildren<OneTimeSecretProps>) {
  return (
    <div className={dialog.body}>
      <p>{children} It is not shown again.</p>
      <CopyField label={label} value={value} />
      <div className={dialog.actions}>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
