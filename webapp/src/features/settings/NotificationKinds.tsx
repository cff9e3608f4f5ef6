import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import {
  type MailSettings,
  type NotificationSettings,
  type PushSettings,
  useUpdateNotificationSettingsMutation,
} from '@/api/notifications';
import { failureText } from '@/shared/account/failure';
import { type AlertKind, switchAlert, useAlertSettings } from '@/shared/alerts/settings';
import { counted } from '@/shared/counted';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import classes from './Notifications.module.css';
import { useAccount } from './useAccount';

type Changes = Parameters<ReturnType<typeof useUpdateNotificationSettingsMutation>[0]>[0];

interface Kind {
  label: string;
  page?: AlertKind;
  push?: keyof PushSettings;
  mail?: keyof MailSettings;
}

const KINDS: readonly Kind[] = [
  { label: 'It is my turn', page: 'turn', push: 'turn' },
  { label: 'Somebody invites me', page: 'invitation', push: 'invitation' },
  { label: 'My invitation is answered', page: 'answer', push: 'answer' },
  { label: 'I am paired in an event, or for its next round', page: 'paired', push: 'paired' },
  { label: 'An event I signed up for starts or changes', page: 'event', push: 'event', mail: 'event' },
  { label: 'A payment, or the end of Pro', mail: 'payment' },
];

interface NotificationKindsProps {
  /** Absent until they are loaded: what the browser keeps needs no server. */
  settings: NotificationSettings | undefined;
  children?: ReactNode;
}

/** Of each kind: on a page in the background, as a push with the page closed, by letter. */
export function NotificationKinds({ settings, children }: NotificationKindsProps) {
  const [update] = useUpdateNotificationSettingsMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const change = async (changes: Changes) => {
    setFailure(null);
    const { error } = await update(changes);
    if (error !== undefined) setFailure(failureText(error, 'Request failed'));
  };
  return (
    <Card title="What we notify you about">
      <div className={classes.kinds}>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Page</th>
              {settings?.pushKey !== undefined && <th scope="col">Push</th>}
              {settings !== undefined && <th scope="col">Email</th>}
            </tr>
          </thead>
          <tbody>
            {KINDS.filter(({ page }) => settings !== undefined || page !== undefined).map((kind) => (
              <KindRow key={kind.label} kind={kind} settings={settings} onChange={(changes) => void change(changes)} />
            ))}
          </tbody>
        </table>
      </div>
      {children}
      <Failure text={failure} />
      <Places settings={settings} />
    </Card>
  );
}

interface KindRowProps {
  kind: Kind;
  settings: NotificationSettings | undefined;
  onChange: (changes: Changes) => void;
}

function KindRow({ kind, settings, onChange }: KindRowProps) {
  const onPage = useAlertSettings();
  const { isTempUser, emailVerified } = useAccount();
  const { label, page, push: pushed, mail: written } = kind;
  const isUnverified = written === 'event' && !emailVerified;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        {page !== undefined && (
          <Box label={`${label}: on the page`} isOn={onPage[page]} onSwitch={(isOn) => switchAlert(page, isOn)} />
        )}
      </td>
      {settings?.pushKey !== undefined && (
        <td>
          {pushed !== undefined && (
            <Box
              label={`${label}: by push`}
              isOn={settings.push[pushed]}
              onSwitch={(isOn) => onChange({ push: { ...settings.push, [pushed]: isOn } })}
            />
          )}
        </td>
      )}
      {settings !== undefined && (
        <td>
          {written !== undefined && !isTempUser && (
            <Box
              label={`${label}: by email`}
              isOn={settings.mail[written] && !isUnverified}
              disabled={isUnverified}
              onSwitch={(isOn) => onChange({ mail: { ...settings.mail, [written]: isOn } })}
            />
          )}
        </td>
      )}
    </tr>
  );
}

interface BoxProps {
  label: string;
  isOn: boolean;
  disabled?: boolean;
  onSwitch: (isOn: boolean) => void;
}

function Box({ label, isOn, disabled = false, onSwitch }: BoxProps) {
  return (
    <Checkbox
      aria-label={label}
      checked={isOn}
      disabled={disabled}
      onChange={(event) => onSwitch(event.currentTarget.checked)}
      classNames={{ body: classes.box ?? '' }}
    />
  );
}

/** What the columns mean. */
function Places({ settings }: { settings: NotificationSettings | undefined }) {
  const { isTempUser, emailVerified } = useAccount();
  return (
    <ul className={classes.where}>
      <li>
        <strong>Page</strong>: while it is open in the background. Kept on this device.
      </li>
      {settings?.pushKey !== undefined && (
        <li>
          <strong>Push</strong>: on the devices below, with every page closed.
        </li>
      )}
      {settings !== undefined && !isTempUser && (
        <li>
          <strong>Email</strong>: {letterText(settings.letterMinutes)}
          {!emailVerified && (
            <>
              {' '}
              <Link to="/app/setting/security">Confirm your email</Link> to get emails about events.
            </>
          )}
        </li>
      )}
    </ul>
  );
}

function letterText(minutes: number): string {
  const time =
    minutes % 1_440 === 0
      ? counted(minutes / 1_440, 'day')
      : minutes % 60 === 0
        ? counted(minutes / 60, 'hour')
        : counted(minutes, 'minute');
  return `by email, for an event ${time} before it starts, and when it changes. Each has a link that ends them. Emails about the security of your account always arrive.`;
}
