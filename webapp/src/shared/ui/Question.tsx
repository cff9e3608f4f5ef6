import type { ReactNode } from 'react';
import { Dialog } from './Dialog';
import classes from './Question.module.css';

interface QuestionProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What is asked. */
  children: ReactNode;
  /** The buttons that answer it. */
  answers: ReactNode;
}

/** Asks something in a dialog whose code comes after the page. */
export function Question({ title, opened, onClose, children, answers }: QuestionProps) {
  return (
    <Dialog title={title} opened={opened} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        {children}
        <div className={classes.actions}>{answers}</div>
      </div>
    </Dialog>
  );
}
