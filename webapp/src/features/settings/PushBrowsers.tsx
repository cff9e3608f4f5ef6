import { Button } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import {
  type NotificationSettings,
  type PushBrowser,
  useShowPushExampleMutation,
  useUnsubscribePushMutation,
} from '@/api/notifications';
import { failureText } from '@/shared/account/failure';
import { systemPermission } from '@/shared/alerts/systemNotification';
import { pushSupport } from '@/shared/push/browser';
import { obstacleText, type PushFailure, switchPushOff, switchPushOn } from '@/shared/push/pushHere';
import { useAppDispatch } from '@/shared/storeHooks';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';
import { timeText } from './timeText';
import { Toggle } from '@/shared/ui/Toggle';
import { useAccount } from './useAccount';

/** Notifications with every page closed: in this browser, and the others that show them. */
export function PushBrowsers({ settings: { pushKey, subscriptions } }: { settings: NotificationSettings }) {
  const [failure, setFailure] = useState<string | null>(null);
  const others = subscriptions.filter(({ isCurrent }) => !isCurrent);
  return (
    <Card title="When Morpion is closed">
      {pushKey === undefined ? (
        <p className={classes.soft}>This server does not send notifications to closed pages.</p>
      ) : (
        <ThisBrowser
          serverKey={pushKey}
          isSubscribed={subscriptions.some(({ isCurrent }) => isCurrent)}
          onFailure={setFailure}
        />
      )}
      {others.length > 0 && (
        <ul className={classes.list} aria-label="Other devices">
          {others.map((browser) => (
            <OtherBrowser key={browser.subscriptionId} browser={browser} onFailure={setFailure} />
          ))}
        </ul>
      )}
      <Failure text={failure} />
    </Card>
  );
}

interface ThisBrowserProps {
  serverKey: string;
  /** As the server knows it. */
  isSubscribed: boolean;
  onFailure: (text: string | null) => void;
}

function ThisBrowser({ serverKey, isSubscribed, onFailure }: ThisBrowserProps) {
  const { userId } = useAccount();
  const dispatch = useAppDispatch();
  const permission = useSyncExternalStore(onReturn, systemPermission);
  const [isBusy, setBusy] = useState(false);
  const support = pushSupport();
  const isBlocked = support !== 'supported' || permission === 'denied';
  const isOn = isSubscribed && !isBlocked && permission === 'granted';
  const switchTo = async (isWanted: boolean) => {
    onFailure(null);
    setBusy(true);
    const failed = await (isWanted ? switchPushOn(dispatch, userId, serverKey) : switchPushOff(dispatch));
    setBusy(false);
    if (failed !== null) onFailure(textOf(failed));
  };
  const description =
    support !== 'supported'
      ? obstacleText(support)
      : permission === 'denied'
        ? obstacleText('denied')
        : isOn
          ? 'Your device shows them, also with every page closed.'
          : 'Your browser will ask for permission.';
  return (
    <>
      <Toggle
        label="Notifications on this device"
        description={description}
        isOn={isOn}
        disabled={isBusy || isBlocked}
        onSwitch={(isWanted) => void switchTo(isWanted)}
      />
      {isOn && <Example onFailure={onFailure} />}
      <p className={classes.soft}>
        They arrive through your browser’s push service, which learns when you get one but not what it says. None are
        sent while a page of this site is open.
      </p>
    </>
  );
}

function Example({ onFailure }: { onFailure: (text: string | null) => void }) {
  const [show, { isLoading }] = useShowPushExampleMutation();
  const press = async () => {
    onFailure(null);
    const { error } = await show();
    if (error === undefined) toast.success('A test notification is on its way to this device.');
    else onFailure(failureText(error, 'Request failed'));
  };
  return (
    <div className={classes.actions}>
      <Button variant="default" loading={isLoading} onClick={() => void press()}>
        Send a test notification
      </Button>
    </div>
  );
}

function OtherBrowser({ browser, onFailure }: { browser: PushBrowser; onFailure: (text: string | null) => void }) {
  const [unsubscribe, { isLoading }] = useUnsubscribePushMutation();
  const end = async () => {
    onFailure(null);
    const { error } = await unsubscribe({ subscriptionId: browser.subscriptionId });
    if (error !== undefined) onFailure(failureText(error, 'Request failed'));
  };
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <strong>{browser.device}</strong>
        <span>Last used {timeText(browser.lastUsedAt)}</span>
      </div>
      <Button
        variant="default"
        loading={isLoading}
        aria-label={`No notifications on ${browser.device}, last used ${timeText(browser.lastUsedAt)}`}
        onClick={() => void end()}
      >
        Switch off
      </Button>
    </li>
  );
}

function textOf(failed: PushFailure): string {
  return 'obstacle' in failed ? obstacleText(failed.obstacle) : failureText(failed.error, 'Request failed');
}

/** The permission may have changed in the browser's settings, from which one comes back to the page. */
function onReturn(listener: () => void): () => void {
  window.addEventListener('focus', listener);
  return () => window.removeEventListener('focus', listener);
}
