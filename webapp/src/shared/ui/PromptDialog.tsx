import type { ReactNode } from 'react';
import { Dialog } from './Dialog';
import classes from './dialog.module.css';

interface PromptDialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** The question. */
  children: ReactNode;
  /** The buttons. */
  actions: ReactNode;
}

/** A dialog with a question, whose code is loaded after the page. */
export function PromptDialog({ title, opened, onClose, children, actions }: PromptDialogProps) {
  return (
    <Dialog title={title} opened={opened} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        {children}
        <div className={classes.actions}>{actions}</div>
      </div>
    </Dialog>
  );
}
