import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail comes within this time, or not at all. */
const MAIL_MS = 15_000;

/** An SMTP server that keeps what it is sent. */
export class Mailbox {
  readonly #letters: { to: string; text: string }[] = [];
  readonly #server = new SMTPServer({
    authOptional: true,
    // Who asks is known, and a machine without a network waits long for an answer.
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

  /** The code in the latest letter to the address that has this subject; waits for the letter. */
  async code(to: string, subject: string): Promise<string> {
    const until = Date.now() + MAIL_MS;
    while (Date.now() < until) {
      const letter = this.#letters.findLast((each) => each.to === to && each.text.includes(`Subject: ${subject}`));
      // It stands on a line of its own in the plain text.
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
