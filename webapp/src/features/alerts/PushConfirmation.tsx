import { useEffect } from 'react';
import { log } from '@/shared/log';
import { pushSupport } from '@/shared/push/browser';
import { confirmPush } from '@/shared/push/pushHere';
import { messageType, SUBSCRIPTION_CHANGED } from '@/shared/push/workerMessages';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** After the start, and after the service worker was registered, in milliseconds. */
const CONFIRM_AFTER_MS = 8_000;

/** Keeps a subscription of this browser alive. */
export default function PushConfirmation() {
  const userId = useAppSelector(selectUser)?.userId;
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
  return null;
}
