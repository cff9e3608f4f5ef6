import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { TornDrawing } from '@/shared/illustrations';
import { log } from '@/shared/log';
import buttons from '@/shared/ui/buttons.module.css';
import { Notice } from '@/shared/ui/Notice';

/** What is left when the program itself failed. */
export function ErrorScreen() {
  const error = useRouteError();
  useEffect(() => log.warn('Unexpected application error', error), [error]);
  return (
    <Notice drawing={<TornDrawing />} title="Unexpected Application Error!">
      <p>Your games are safe on the server. Loading the page again usually helps.</p>
      <button type="button" className={buttons.primary} onClick={() => window.location.reload()}>
        Load again
      </button>
    </Notice>
  );
}
