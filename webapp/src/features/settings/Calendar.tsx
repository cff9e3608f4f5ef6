import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  useDisconnectCalendarMutation,
  useGetCalendarStatusQuery,
  useLazyGetCalendarAuthUrlQuery,
} from '@/api/account';
import { failureText } from '@/shared/account/failure';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';
import { Loaded } from '@/shared/ui/Loaded';

interface CalendarProps {
  /** The calendar's provider, for example `Google`. */
  provider: string;
  /** Opens another site; tests replace it. */
  leaveTo?: (address: string) => void;
}

/** Connects the user's calendar, so that events they sign up for appear in it. */
export function Calendar({ provider, leaveTo = (address) => window.location.assign(address) }: CalendarProps) {
  const status = useGetCalendarStatusQuery(undefined, { refetchOnMountOrArgChange: true });
  const [load, { isFetching }] = useLazyGetCalendarAuthUrlQuery();
  const [disconnect, disconnecting] = useDisconnectCalendarMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const connect = async () => {
    setFailure(null);
    const { data, error } = await load();
    if (data === undefined) setFailure(failureText(error, 'Request failed'));
    else leaveTo(data.authUrl);
  };
  const end = async () => {
    setFailure(null);
    const { error } = await disconnect();
    if (error === undefined) toast.success('Your calendar is disconnected.');
    else setFailure(failureText(error, 'Request failed'));
  };
  return (
    <Card title="Calendar">
      <Loaded of={status} loading="Loading…" failure="Request failed">
        {({ connected }) =>
          connected ? (
            <>
              <p>
                Your {provider} calendar is <strong>connected</strong>: events you sign up for are added to it, and
                removed when you unregister.
              </p>
              <Failure text={failure} />
              <div className={classes.actions}>
                <Button variant="default" loading={disconnecting.isLoading} onClick={() => void end()}>
                  Disconnect calendar
                </Button>
              </div>
            </>
          ) : (
            <>
              <p>
                Your {provider} calendar is not connected. Once connected, events you sign up for are added to it, and
                removed when you unregister.
              </p>
              <Failure text={failure} />
              <div className={classes.actions}>
                <Button variant="default" loading={isFetching} onClick={() => void connect()}>
                  Connect calendar
                </Button>
              </div>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
