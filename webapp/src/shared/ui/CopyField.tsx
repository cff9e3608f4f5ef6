import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from './CopyField.module.css';
import { LinkIcon } from './icons';

/** Something that is shown once, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      // It is selected by a press and can be copied by hand.
      () => setCopied(false),
    );
  return (
    <div className={classes.field}>
      <TextInput
        label={label}
        value={value}
        readOnly
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button leftSection={<LinkIcon />} onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
