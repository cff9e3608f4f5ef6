import { Button } from '@mantine/core';
import { useState } from 'react';
import { type WebhookDelivery, type WebhookKind, useListDeliveriesQuery, useResendDeliveryMutation } from '@/api/admin';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { Loaded } from '@/shared/ui/Loaded';
import { Pager } from '@/shared/ui/Pager';
import { toast } from '@/shared/ui/toast';
import classes from './WebhooksPage.module.css';

const PAGE = 20;

/** Deliveries are looked at again while they are shown, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

interface DeliveriesProps {
  webhookId: string;
  host: string;
  kinds: Record<WebhookKind, string>;
}

/** What a webhook was told, and what became of it, the newest first. */
export function Deliveries({ webhookId, host, kinds }: DeliveriesProps) {
  const [page, setPage] = useState(1);
  const deliveries = useListDeliveriesQuery(
    { webhookId, page, limit: PAGE },
    { refetchOnMountOrArgChange: true, pollingInterval: LOOK_EVERY_MS, skipPollingIfUnfocused: true },
  );
  return (
    <Loaded of={deliveries} loading="Loading deliveries..." failure="Failed to load deliveries">
      {({ deliveries: listed, pagination }) =>
        listed.length === 0 ? (
          <p className={classes.soft} role="status">
            Nothing sent yet. Finished deliveries are kept for a week.
          </p>
        ) : (
          <>
            <ul className={classes.deliveries} aria-label={`Deliveries to ${host}`}>
              {listed.map((delivery) => (
                <Row key={delivery.messageId} webhookId={webhookId} delivery={delivery} kinds={kinds} />
              ))}
            </ul>
            <Pager label="deliveries" pagination={pagination} onPage={setPage} />
          </>
        )
      }
    </Loaded>
  );
}

const STATES: Record<WebhookDelivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  discarded: 'Discarded',
};

function progress({ state, attempts, lastAt, nextAt }: WebhookDelivery): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (state === 'waiting') {
    const next = nextAt === undefined ? '' : ` · next ${dateTime(nextAt)}`;
    return attempts === 0 ? 'sending now' : `${tries}${next}`;
  }
  return lastAt === undefined ? tries : `${tries} · last ${dateTime(lastAt)}`;
}

interface RowProps {
  webhookId: string;
  delivery: WebhookDelivery;
  kinds: Record<string, string>;
}

function Row({ webhookId, delivery, kinds }: RowProps) {
  const { messageId, kind, happenedAt, state, failure, answer } = delivery;
  const [resend, { isLoading }] = useResendDeliveryMutation();
  const what = kinds[kind] ?? 'A test';
  const send = async () => {
    const { error } = await resend({ webhookId, messageId });
    if (error === undefined) toast.success('It will be sent again.');
    else toast.error(failureText(error, 'Failed to send it again'));
  };
  return (
    <li className={classes.delivery}>
      <div className={classes.about}>
        <strong>{what}</strong>
        <span>
          <time dateTime={happenedAt}>{dateTime(happenedAt)}</time> · {STATES[state]}, {progress(delivery)}
        </span>
        {failure !== undefined && (
          <span data-broken>
            {failure}
            {answer !== undefined && <q className={classes.answer}>{answer}</q>}
          </span>
        )}
      </div>
      {state !== 'waiting' && (
        <Button
          variant="default"
          size="compact-sm"
          loading={isLoading}
          onClick={() => void send()}
          aria-label={`Send again: ${what}, ${dateTime(happenedAt)}`}
        >
          Send again
        </Button>
      )}
    </li>
  );
}
