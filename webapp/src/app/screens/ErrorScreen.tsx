import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { TornDrawing } from '@/shared/illustrations';
import { log } from '@/shared/log';
import { isFailedLoad, mayReload, reloadPage, versionOfServer } from '@/shared/newerVersion';
import { randomId } from '@/shared/randomId';
import buttons from '@/shared/ui/buttons.module.css';
import { Notice } from '@/shared/ui/Notice';
import { Splash } from '@/shared/ui/Splash';

/**
 * Shown when rendering failed or a page could not be loaded. If the server has a newer version than this tab, that is why: the
 * tab is loaded anew, once, at the address where its user wanted to go.
 */
export function ErrorScreen() {
  const error = useRouteError();
  return isFailedLoad(error) ? <NotLoaded error={error} /> : <Failed error={error} />;
}

/** A page's script is gone, or there is no connection. Loaded anew without one, the tab would lose the app. */
function NotLoaded({ error }: { error: unknown }) {
  const [isChecking, setChecking] = useState(true);
  const [isAway, setAway] = useState(true);
  useEffect(() => {
    if (!isChecking) return;
    log.note('A page cannot be loaded', error);
    void versionOfServer().then((version) => {
      if (version !== 'unreachable' && mayReload()) {
        void reloadPage();
        return;
      }
      setAway(version === 'unreachable');
      setChecking(false);
    });
  }, [isChecking, error]);
  if (isChecking) return <Splash />;
  if (!isAway) return <Failed error={error} />;
  return (
    <Notice drawing={<TornDrawing />} title="This page could not be loaded">
      <p>The server cannot be reached right now. Please check your connection.</p>
      <button type="button" className={buttons.primary} onClick={() => setChecking(true)}>
        Try again
      </button>
    </Notice>
  );
}

function Failed({ error }: { error: unknown }) {
  // In the format of the server's request ids, so that the log can be searched for it.
  const [reference] = useState(randomId);
  useEffect(() => {
    log.crash('Unexpected application error', error, reference);
    // What a newer server answers may be more than an old tab can show.
    void versionOfServer().then((version) => {
      if (version === 'newer' && mayReload()) void reloadPage();
    });
  }, [error, reference]);
  return (
    <Notice drawing={<TornDrawing />} title="Unexpected Application Error!">
      <p>Your games are safe on the server. Loading the page again usually helps.</p>
      <button type="button" className={buttons.primary} onClick={() => void reloadPage()}>
        Load again
      </button>
      <p>
        If it does not, please tell the operator of this server: <strong>Reference {reference}</strong>
      </p>
    </Notice>
  );
}
