import { Modal, Switch } from '@mantine/core';
import classes from './KeysDialog.module.css';

const KEYS = [
  ['/', 'Search'],
  ['j', 'Next record'],
  ['k', 'Previous record'],
  ['Enter', 'Open the record'],
  ['Esc', 'Close the record, or follow again'],
  ['l', 'Live, or in pages'],
  ['p', 'Pause and resume while live'],
  ['r', 'Refresh'],
  ['?', 'These keys'],
] as const;

interface KeysDialogProps {
  opened: boolean;
  onClose: () => void;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** The keyboard shortcuts and a switch that turns them off (for voice control, for example). */
export function KeysDialog({ opened, onClose, isOn, onSwitch }: KeysDialogProps) {
  return (
    <Modal title="Keys" opened={opened} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      <dl className={classes.keys}>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Single keys"
        size="md"
        color="var(--success)"
        checked={isOn}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
    </Modal>
  );
}
