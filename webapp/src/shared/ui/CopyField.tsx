import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from './CopyField.module.css';
import { LinkIcon } from './icons';

interface CopyFieldProps {
  label: string;
  value: string;
  /** The button, where there are several. */
  copy?: string;
  /** Another field beside it is the main one. */
  isSecond?: boolean;
}

/** Something to be sent on, with a button that copies it. */
export function CopyField({ label, value, copy: action = 'Copy', isSecond = false }: CopyFieldProps) {
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
      <Button variant={isSecond ? 'default' : 'filled'} leftSection={<LinkIcon />} onClick={() => void copy()}>
        {isCopied ? 'Copied' : action}
      </Button>
    </div>
  );
}
