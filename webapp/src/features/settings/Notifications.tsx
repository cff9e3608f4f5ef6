import { useNotificationSettingsQuery } from '@/api/notifications';
import { failureText } from '@/shared/account/failure';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Alerts } from './Alerts';
import { NotificationKinds } from './NotificationKinds';
import { PushBrowsers } from './PushBrowsers';
import classes from './Settings.module.css';

/** What one is told of, and where: docs/behaviour/notifications.md. */
export function Notifications() {
  const {
    data: settings,
    error,
    refetch,
  } = useNotificationSettingsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <>
      <NotificationKinds settings={settings}>
        {settings === undefined &&
          (error === undefined ? (
            <p role="status" className={classes.soft}>
              Loading…
            </p>
          ) : (
            <LoadFailure text={failureText(error, 'Request failed')} onRetry={() => void refetch()} />
          ))}
      </NotificationKinds>
      {settings !== undefined && <PushBrowsers settings={settings} />}
      <Alerts />
    </>
  );
}
