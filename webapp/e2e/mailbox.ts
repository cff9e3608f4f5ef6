import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

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

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
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
