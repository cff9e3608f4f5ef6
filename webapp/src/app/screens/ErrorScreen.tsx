import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { TornDrawing } from '@/shared/illustrations';
import { log } from '@/shared/log';
import { randomId } from '@/shared/randomId';
import buttons from '@/shared/ui/buttons.module.css';
import { Notice } from '@/shared/ui/Notice';

/** Shown when rendering failed. */
export function ErrorScreen() {
  const error = useRouteError();
  // In the format of the server's request ids, so that the log can be searched for it.
  const [reference] = useState(randomId);
  useEffect(() => log.crash('Unexpected application error', error, reference), [error, reference]);
  return (
    <Notice drawing={<TornDrawing />} title="Unexpected Application Error!">
      <p>Your games are safe on the server. Loading the page again usually helps.</p>
      <button type="button" className={buttons.primary} onClick={() => window.location.reload()}>
        Load again
      </button>
      <p>
        If it does not, please tell the operator of this server: <strong>Reference {reference}</strong>
      </p>
    </Notice>
  );
}
