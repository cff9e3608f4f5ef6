import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page, WorkerFixture } from '@playwright/test';
import { SMTPServer } from 'smtp-server';
import { expect } from './fixtures';

/** How long to wait for a mail, in milliseconds. */
const MAIL_MS = 15_000;

/** An SMTP server that stores the mails it receives. */
export class Mailbox {
  readonly #letters: { to: string; text: string }[] = [];
  readonly #server = new SMTPServer({
    authOptional: true,
    // Without a network the lookup would take long, and the client is known.
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        for (const { address } of envelope.rcptTo) this.#letters.push({ to: address, text });
        done();
      });
    },
  });

  static async open(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    mailbox.#server.listen(0, '127.0.0.1');
    await once(mailbox.#server.server, 'listening');
    return mailbox;
  }

  /** What makes an appliance send its mails here. */
  get settings(): Record<string, string> {
    return {
      MORPION_MAIL__HOST: '127.0.0.1',
      MORPION_MAIL__PORT: String((this.#server.server.address() as AddressInfo).port),
      MORPION_MAIL__SECURITY: 'none',
    };
  }

  /** Waits for a mail with this subject to the address, and returns the code in the latest one. */
  async code(to: string, subject: string): Promise<string> {
    const until = Date.now() + MAIL_MS;
    while (Date.now() < until) {
      const letter = this.#letters.findLast((each) => each.to === to && each.text.includes(`Subject: ${subject}`));
      // In the plain text the code has a line of its own.
      const code = /^ +(\d{6})\r?$/m.exec(letter?.text ?? '')?.[1];
      if (code !== undefined) return code;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`no letter '${subject}' came to ${to}`);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** A mail server for the tests of one worker. */
export const workersMailbox: [WorkerFixture<Mailbox, object>, { scope: 'worker' }] = [
  // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
  async ({}, use) => {
    const mailbox = await Mailbox.open();
    await use(mailbox);
    await mailbox.close();
  },
  { scope: 'worker' },
];

/** Verifies the email on the page that is open, with a code other than the one sent after registering. */
export async function verifyEmail(page: Page, email: string, mailbox: Mailbox): Promise<void> {
  const subject = 'Confirm your email for Morpion';
  const first = await mailbox.code(email, subject);
  await page.getByRole('button', { name: 'Send code' }).click();
  const field = page.getByLabel('Verification code');
  await expect(field).toBeVisible();
  await expect.poll(() => mailbox.code(email, subject), { timeout: 15_000 }).not.toBe(first);
  await field.fill(await mailbox.code(email, subject));
  await page.getByRole('button', { name: 'Verify email' }).click();
}
