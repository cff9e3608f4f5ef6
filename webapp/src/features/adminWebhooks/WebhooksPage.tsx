import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import {
  type Webhook,
  type WebhookKind,
  useCreateWebhookMutation,
  useDeleteWebhookMutation,
  useListWebhooksQuery,
  useTestWebhookMutation,
} from '@/api/admin';
import { isProofDeclined } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { OneTimeSecret } from '@/shared/account/OneTimeSecret';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { dateTime } from '@/shared/events/times';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import dialog from '@/shared/ui/dialog.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { Failure } from '@/shared/ui/Failure';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { toast } from '@/shared/ui/toast';
import { Deliveries } from './Deliveries';
import classes from './WebhooksPage.module.css';

const KINDS: Record<WebhookKind, string> = {
  'event.published': 'An event is published',
  'event.started': 'An event starts',
  'event.concluded': 'The winners of an event are final',
  'report.opened': 'A player is reported',
  'backup.failed': 'Backups start to fail',
};

const ALL = Object.keys(KINDS) as WebhookKind[];

/** While the page is open: what waits is sent meanwhile. In milliseconds. */
const LOOK_EVERY_MS = 10_000;

/** Webhooks out: which servers are told of what happens here, and whether they take it. */
export default function WebhooksPage() {
  const webhooks = useListWebhooksQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: LOOK_EVERY_MS,
    skipPollingIfUnfocused: true,
  });
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <PageHeading title="Webhooks">
        Servers that are notified of what happens here. Private events are left out; reports carry ids only.
      </PageHeading>
      <Loaded of={webhooks} loading="Loading webhooks..." failure="Failed to load webhooks">
        {({ webhooks: listed, most, isSending }) => (
          <>
            <div className={classes.top}>
              <Button disabled={listed.length >= most} onClick={() => setMaking(true)}>
                Make a Webhook
              </Button>
              {listed.length >= most && <span>There are {most} webhooks, which is the maximum.</span>}
            </div>
            {!isSending && (
              <p className={classes.warning} role="status">
                This server is not sending any webhooks at the moment.
              </p>
            )}
            {listed.length === 0 ? (
              <EmptyList>
                <p role="status">There are no webhooks yet.</p>
              </EmptyList>
            ) : (
              <ul aria-label="Webhooks">
                {listed.map((webhook) => (
                  <Entry key={webhook.webhookId} webhook={webhook} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      <Modal
        title="Make a Webhook"
        opened={isMaking}
        onClose={() => setMaking(false)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <WebhookForm onDone={() => setMaking(false)} />
      </Modal>
    </>
  );
}

function stateText({ disabledReason, failingSince, deliveredAt }: Webhook): string {
  if (disabledReason !== undefined) return `Disabled: ${disabledReason}`;
  if (failingSince !== undefined) return `Failing since ${dateTime(failingSince)}`;
  return deliveredAt === undefined ? 'Nothing sent yet' : `Last delivered ${dateTime(deliveredAt)}`;
}

function Entry({ webhook }: { webhook: Webhook }) {
  const { webhookId, url, kinds, waiting, disabledReason, failingSince } = webhook;
  const { host } = new URL(url);
  const [test, { isLoading: isTesting }] = useTestWebhookMutation();
  const [remove, { isLoading }] = useDeleteWebhookMutation();
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const tryIt = async () => {
    const { error } = await test({ webhookId });
    if (error !== undefined) {
      toast.error(failureText(error, 'Failed to send a test'));
      return;
    }
    toast.success('A test is on its way.');
    setOpen(true);
  };
  const confirm = async () => {
    const { error } = await remove({ webhookId });
    setAsking(false);
    if (error === undefined) toast.success(`Nothing more will be sent to ${host}.`);
    else if (!isProofDeclined(error)) toast.error(failureText(error, 'Failed to delete the webhook'));
  };
  const isBroken = disabledReason !== undefined || failingSince !== undefined;
  return (
    <li className={classes.webhook}>
      <div className={classes.head}>
        <div className={classes.about}>
          <strong>{host}</strong>
          <span>{url}</span>
          <span>{kinds.map((kind) => KINDS[kind]).join(' · ')}</span>
          <span data-broken={isBroken || undefined}>
            {stateText(webhook)}
            {waiting > 0 && ` · ${waiting} waiting`}
          </span>
        </div>
        <div className={classes.actions}>
          <Button
            variant="default"
            loading={isTesting}
            disabled={disabledReason !== undefined}
            onClick={() => void tryIt()}
            aria-label={`Send a test to ${host}`}
          >
            Send a test
          </Button>
          <Button
            variant="default"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            aria-label={`Deliveries to ${host}`}
          >
            Deliveries
          </Button>
          <Button variant="danger" onClick={() => setAsking(true)} aria-label={`Delete the webhook at ${host}`}>
            Delete
          </Button>
        </div>
      </div>
      {isOpen && <Deliveries webhookId={webhookId} host={host} kinds={KINDS} />}
      <ConfirmDialog
        title="Delete Webhook"
        opened={isAsking}
        confirm="Delete Webhook"
        keep="Keep Webhook"
        isBusy={isLoading}
        onConfirm={() => void confirm()}
        onKeep={() => setAsking(false)}
      >
        <p>
          Nothing more will be sent to <strong>{host}</strong>, and the list of its deliveries is deleted. This cannot
          be undone; a new webhook has a different secret.
        </p>
      </ConfirmDialog>
    </li>
  );
}

function urlError(url: string): string | null {
  return URL.canParse(url.trim()) ? null : 'Please enter an address that begins with https://.';
}

function WebhookForm({ onDone }: { onDone: () => void }) {
  const [make, { isLoading }] = useCreateWebhookMutation();
  const [made, setMade] = useState<{ host: string; secret: string } | null>(null);
  const form = useForm({
    initialValues: { url: '', kinds: ALL.slice(0, 3) },
    validate: { url: urlError, kinds: (kinds) => (kinds.length === 0 ? 'Please choose at least one.' : null) },
  });
  const { submit, failure } = useFormSubmit(
    form,
    async ({ url, kinds }) => {
      const { data, error } = await make({ url: url.trim(), kinds });
      if (data === undefined) return error;
      setMade({ host: new URL(data.webhook.url).host, secret: data.secret });
      return undefined;
    },
    { fieldErrors: 'instead' },
  );
  if (made !== null) {
    return (
      <OneTimeSecret label={`Secret for ${made.host}`} value={made.secret} onDone={onDone}>
        The receiver uses it to check that a message is from this server.
      </OneTimeSecret>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Address"
        description="Where messages are sent: https://, on the public internet."
        type="url"
        required
        maxLength={1024}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label="Send a message when" required {...form.getInputProps('kinds')}>
        <div className={classes.choices}>
          {ALL.map((kind) => (
            <Checkbox key={kind} value={kind} label={KINDS[kind]} description={kind} />
          ))}
        </div>
      </Checkbox.Group>
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={isLoading}>
          Make Webhook
        </Button>
      </div>
    </form>
  );
}
