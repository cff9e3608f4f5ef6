import { useEffect, useState } from 'react';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './NewVersion.module.css';
import { watchForNewVersion } from './versions';

/** Tells a tab that was open when the server got a new version, and lets its person choose when to take it. */
export function NewVersion() {
  const [take, setTake] = useState<(() => void) | null>(null);
  useEffect(() => watchForNewVersion((takeIt) => setTake(() => takeIt)), []);
  return (
    // Stands there empty, so that screen readers hear what comes into it.
    <div role="status">
      {take !== null && (
        <div className={classes.notice}>
          <p>A new version of Morpion is ready.</p>
          <div className={classes.actions}>
            <button type="button" className={buttons.button} onClick={() => setTake(null)}>
              Later
            </button>
            <button type="button" className={buttons.primary} onClick={take}>
              Reload
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
