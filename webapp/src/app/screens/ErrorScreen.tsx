import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { TornDrawing } from '@/shared/illustrations';
import { log } from '@/shared/log';
import { randomId } from '@/shared/randomId';
import buttons from '@/shared/ui/buttons.module.css';
import { Notice } from '@/shared/ui/Notice';

/** What is left when the program itself failed. */
export function ErrorScreen() {
  const error = useRouteError();
  // As the server's own request ids are, so that the log is searched for it alike.
  const [reference] = useState(randomId);
  useEffect(() => log.crash('Unexpected application error', error, reference), [error, reference]);
  return (
    <Notice drawing={<TornDrawing />} title="Unexpected Application Error!">
      <p>Your games are safe on the server. Loading the page again usually helps.</p>
      <button type="button" className={buttons.primary} onClick={() => window.location.reload()}>
        Load again
      </button>
      <p>
        If it does not, tell whoever runs this server: <strong>Reference {reference}</strong>
      </p>
    </Notice>
  );
}
