import { Button } from '@mantine/core';
import { useLazyGetCalendarAuthUrlQuery } from '@/api/account';
import { log } from '@/shared/log';
import { Card } from '@/shared/ui/Card';
import classes from './Settings.module.css';

interface CalendarProps {
  /** Whose calendar, for example `Google`. */
  provider: string;
  /** Loads another site; tests watch it. */
  leaveTo?: (address: string) => void;
}

/** Lets events that one signs up for appear in one's calendar. */
export function Calendar({ provider, leaveTo = (address) => window.location.assign(address) }: CalendarProps) {
  const [load, { isFetching }] = useLazyGetCalendarAuthUrlQuery();
  const connect = async () => {
    const { data, error } = await load();
    // Only logged (account and platform, section 8).
    if (data === undefined) log.warn('Fetching the calendar address failed', error);
    else leaveTo(data.authUrl);
  };
  return (
    <Card title="Calendar">
      <p>
        Connect your {provider} calendar: events you sign up for are put into it, and taken out when you unregister.
      </p>
      <div className={classes.actions}>
        <Button variant="default" loading={isFetching} onClick={() => void connect()}>
          Connect calendar
        </Button>
      </div>
    </Card>
  );
}
