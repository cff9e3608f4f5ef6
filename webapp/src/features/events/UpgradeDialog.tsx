import { Button, Modal } from '@mantine/core';
import { Link } from 'react-router';
import classes from './UpgradeDialog.module.css';

/** Events and gameplay, section 8. */
export const FREE_PLAN_LIMIT = "You've hit the free plan limit!";

interface UpgradeDialogProps {
  /** What the server said; null while the dialog is closed. */
  text: string | null;
  onClose: () => void;
}

/** Joining needs Pro. */
export function UpgradeDialog({ text, onClose }: UpgradeDialogProps) {
  return (
    <Modal title={text} opened={text !== null} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        <p>The free plan lets you join a few tournaments each month. With Pro there is no limit, from $3.99/month.</p>
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button component={Link} to="/app/pro" data-autofocus>
            Upgrade to Pro
          </Button>
        </div>
      </div>
    </Modal>
  );
}
