import { useEffect, useState } from 'react';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './NewVersion.module.css';
import { watchForNewVersion } from './versions';

/** Tells the user of an open tab that a new version is available, and lets them choose when to load it. */
export function NewVersion() {
  const [take, setTake] = useState<(() => void) | null>(null);
  useEffect(() => watchForNewVersion((takeIt) => setTake(() => takeIt)), []);
  return (
    // Rendered empty, so that screen readers announce later content.
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
