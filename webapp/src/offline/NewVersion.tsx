import { useEffect, useState } from 'react';
import { onMissingPart, reloadPage } from '@/shared/newerVersion';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './NewVersion.module.css';
import { watchForNewVersion } from './versions';

interface Offer {
  text: string;
  take: () => void;
}

/**
 * Tells the user of an open tab that a new version is available, or that a part of the page could not be loaded, and lets them
 * choose when to load it.
 */
export function NewVersion() {
  const [offer, setOffer] = useState<Offer | null>(null);
  useEffect(() => watchForNewVersion((take) => setOffer({ text: 'A new version of Morpion is ready.', take })), []);
  useEffect(
    () =>
      onMissingPart(() =>
        setOffer((now) => now ?? { text: 'A part of this page could not be loaded.', take: () => void reloadPage() }),
      ),
    [],
  );
  return (
    // Rendered empty, so that screen readers announce later content.
    <div role="status">
      {offer !== null && (
        <div className={classes.notice}>
          <p>{offer.text}</p>
          <div className={classes.actions}>
            <button type="button" className={buttons.button} onClick={() => setOffer(null)}>
              Later
            </button>
            <button type="button" className={buttons.primary} onClick={offer.take}>
              Reload
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
