import { useId, useState } from 'react';
import { installSteps, useInstallPrompt } from '@/shared/site/install';
import { PhoneIcon } from '@/shared/ui/publicIcons';
import classes from './StoreBadges.module.css';

/** Installs the site as an app: by the browser's prompt, or with instructions if there is none. */
export function InstallBadge() {
  const install = useInstallPrompt();
  const [isExplained, setExplained] = useState(false);
  const steps = useId();
  return (
    <>
      <button
        type="button"
        className={classes.store}
        onClick={install ?? (() => setExplained(!isExplained))}
        aria-expanded={install === null ? isExplained : undefined}
        aria-controls={isExplained ? steps : undefined}
      >
        <PhoneIcon />
        <span className={classes.words}>
          <span>Install the </span>
          <strong>Web app</strong>
        </span>
        <span className={classes.badge}>NEW</span>
      </button>
      {isExplained && (
        <p id={steps} className={classes.steps} role="status">
          {installSteps()}
        </p>
      )}
    </>
  );
}
