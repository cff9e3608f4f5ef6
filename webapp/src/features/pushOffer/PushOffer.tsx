import { useEffect, useState } from 'react';
import { useNotificationSettingsQuery } from '@/api/notifications';
import { systemPermission } from '@/shared/alerts/systemNotification';
import { failureText } from '@/shared/account/failure';
import { pushSupport } from '@/shared/push/browser';
import { endPushOffer, type PushOccasion, usePushOccasion } from '@/shared/push/offer';
import { confirmPush, obstacleText, switchPushOn } from '@/shared/push/pushHere';
import { messageType, SUBSCRIPTION_CHANGED } from '@/shared/push/workerMessages';
import { log } from '@/shared/log';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './PushOffer.module.css';
import { ifKnown } from '@/shared/ui/Loaded';

/** After the start, and after the service worker was registered, in milliseconds. */
const CONFIRM_AFTER_MS = 8_000;

const TEXTS: Record<PushOccasion, string> = {
  answer: 'Shall this device tell you when they answer, also with the page closed?',
  event: 'Shall this device tell you when the event begins, also with the page closed?',
};

/** Keeps a subscription of this browser alive, and offers one when it first makes sense. */
export default function PushOffer() {
  const userId = useAppSelector(selectUser)?.userId;
  const occasion = usePushOccasion();
  // What came of a yes is shown until it was read, whatever the browser's permission is by then.
  const [wasAccepted, setAccepted] = useState(false);
  useConfirmation(userId);
  const isPossible = pushSupport() === 'supported' && (wasAccepted || systemPermission() === 'default');
  if (userId === undefined || occasion === null || !isPossible) return null;
  return <Offer userId={userId} occasion={occasion} onAccept={() => setAccepted(true)} />;
}

interface OfferProps {
  userId: string;
  occasion: PushOccasion;
  onAccept: () => void;
}

function Offer({ userId, occasion, onAccept }: OfferProps) {
  const dispatch = useAppDispatch();
  const settings = ifKnown(useNotificationSettingsQuery());
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<string | null>(null);
  const serverKey = settings?.pushKey;
  if (serverKey === undefined) return null;
  const accept = async () => {
    setBusy(true);
    onAccept();
    const failed = await switchPushOn(dispatch, userId, serverKey);
    setBusy(false);
    if (failed === null) endPushOffer();
    else setAnswer('obstacle' in failed ? obstacleText(failed.obstacle) : failureText(failed.error, 'Request failed'));
  };
  return (
    <section className={classes.offer} aria-label="Notifications">
      <p role="status">{answer ?? TEXTS[occasion]}</p>
      <div className={classes.actions}>
        <button type="button" className={buttons.button} onClick={endPushOffer}>
          {answer === null ? 'No, thanks' : 'Close'}
        </button>
        {answer === null && (
          <button type="button" className={buttons.primary} disabled={isBusy} onClick={() => void accept()}>
            Yes, tell me
          </button>
        )}
      </div>
    </section>
  );
}

function useConfirmation(userId: string | undefined): void {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (userId === undefined || pushSupport() !== 'supported') return;
    const confirm = () =>
      void confirmPush(dispatch, userId).catch((error: unknown) => log.note('Notifications not confirmed', error));
    const changed = ({ data }: MessageEvent) => {
      if (messageType(data) === SUBSCRIPTION_CHANGED) confirm();
    };
    const timer = setTimeout(confirm, CONFIRM_AFTER_MS);
    navigator.serviceWorker.addEventListener('message', changed);
    return () => {
      clearTimeout(timer);
      navigator.serviceWorker.removeEventListener('message', changed);
    };
  }, [dispatch, userId]);
}
