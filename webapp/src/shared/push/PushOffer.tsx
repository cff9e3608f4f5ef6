import { useState } from 'react';
import { useNotificationSettingsQuery } from '@/api/notifications';
import { failureText } from '@/shared/account/failure';
import { systemPermission } from '@/shared/alerts/systemNotification';
import { selectUser } from '@/shared/session/sessionSlice';
import { readStored, STORAGE_KEYS, writeStored } from '@/shared/storage';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { ifKnown } from '@/shared/ui/Loaded';
import { pushSupport } from './browser';
import { obstacleText, switchPushOn } from './pushHere';
import classes from './PushOffer.module.css';

/** What somebody now waits for. */
type PushOccasion = 'answer' | 'event';

const TEXTS: Record<PushOccasion, string> = {
  answer: 'Do you want a notification on this device when they answer, even with the page closed?',
  event: 'Do you want a notification on this device when the event begins, even with the page closed?',
};

/**
 * Offers notifications where it makes sense: somebody was invited, or an event was signed up for. It stands below what it
 * is about, goes with it, and was the last one in this browser once it is answered.
 */
export default function PushOffer({ occasion }: { occasion: PushOccasion }) {
  const userId = useAppSelector(selectUser)?.userId;
  const [isPossible] = useState(
    () =>
      pushSupport() === 'supported' && systemPermission() === 'default' && readStored(STORAGE_KEYS.pushOffer) === null,
  );
  return userId !== undefined && isPossible ? <Offer userId={userId} occasion={occasion} /> : null;
}

function Offer({ userId, occasion }: { userId: string; occasion: PushOccasion }) {
  const dispatch = useAppDispatch();
  const settings = ifKnown(useNotificationSettingsQuery());
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const serverKey = settings?.pushKey;
  if (serverKey === undefined || isOver) return null;
  const end = () => {
    writeStored(STORAGE_KEYS.pushOffer, true);
    setOver(true);
  };
  const accept = async () => {
    setBusy(true);
    const failed = await switchPushOn(dispatch, userId, serverKey);
    setBusy(false);
    if (failed === null) end();
    else setAnswer('obstacle' in failed ? obstacleText(failed.obstacle) : failureText(failed.error, 'Request failed'));
  };
  return (
    <section className={classes.offer} aria-label="Notifications">
      <p role="status">{answer ?? TEXTS[occasion]}</p>
      <div className={classes.actions}>
        <button type="button" className={buttons.button} onClick={end}>
          {answer === null ? 'No, thanks' : 'Close'}
        </button>
        {answer === null && (
          <button type="button" className={buttons.primary} disabled={isBusy} onClick={() => void accept()}>
            Yes, notify me
          </button>
        )}
      </div>
    </section>
  );
}
