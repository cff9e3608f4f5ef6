import { Button, Modal } from '@mantine/core';
import { Link } from 'react-router';
import { FreeEvents } from '@/shared/plan/FreeEvents';
import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import classes from '@/shared/ui/dialog.module.css';

/** The server's code at the limit: docs/behaviour/events.md#free-plan. */
export const FREE_PLAN_LIMIT = "You've hit the free plan limit!";

interface UpgradeDialogProps {
  /** The server's message; null while the dialog is closed. */
  text: string | null;
  onClose: () => void;
}

/** Says that joining requires Pro, with a link to the purchase if the server sells it. */
export function UpgradeDialog({ text, onClose }: UpgradeDialogProps) {
  const { isForSale, from, freeEvents } = usePlanSummary(text === null);
  return (
    <Modal title={text} opened={text !== null} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        <p>
          {freeEvents === undefined
            ? 'The free plan lets you join some events each month. '
            : `The free plan lets you join ${freeEvents} ${freeEvents === 1 ? 'event' : 'events'} each month. `}
          {isForSale
            ? `With Pro there is no limit${from === undefined ? '' : `, ${from}`}.`
            : 'With Pro there is no limit; the operator of this server can give it to you.'}
        </p>
        <FreeEvents />
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            {isForSale ? 'Not now' : 'Close'}
          </Button>
          {isForSale && (
            <Button component={Link} to="/app/pro" data-autofocus>
              Upgrade to Pro
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
