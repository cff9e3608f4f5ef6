import { ActionIcon } from '@mantine/core';
import { BackIcon } from '@/shared/ui/icons';
import classes from './Membership.module.css';

interface StepHeadingProps {
  back?: { label: string; go: () => void };
  children: string;
}

/** The heading of a step, with a link back to the previous one. */
export function StepHeading({ back, children }: StepHeadingProps) {
  return (
    <div className={classes.heading}>
      {back && (
        <ActionIcon onClick={back.go} aria-label={back.label}>
          <BackIcon />
        </ActionIcon>
      )}
      <h2 id="step" tabIndex={-1}>
        {children}
      </h2>
    </div>
  );
}
