import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { Appliance, freePort, PROGRAM } from './appliance';

const STAND_IN = process.env.MORPION_STRIPE_BIN || join(dirname(PROGRAM), 'examples/stripe');
/** How long a start may take on a busy machine. */
const START_MS = 30_000;

/** The stand-in's records of customers and charges. */
interface Books {
  customers: { id: string; email: string }[];
  charges: { customer: string; amount: number }[];
}

/** A server that sells Pro, and the stand-in for Stripe. */
export class Shop {
  readonly appliance: Appliance;
  readonly #url: string;
  readonly #standIn: ChildProcess;

  private constructor(appliance: Appliance, url: string, standIn: ChildProcess) {
    this.appliance = appliance;
    this.#url = url;
    this.#standIn = standIn;
  }

  static async open(settings: Record<string, string> = {}): Promise<Shop> {
    const [ownPort, port] = await Promise.all([freePort(), freePort()]);
    const listen = `127.0.0.1:${ownPort}`;
    const webhook = `http://127.0.0.1:${port}/api/backend/stripe/webhook`;
    const standIn = spawn(STAND_IN, ['--listen', listen, '--webhook', webhook], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const failed = once(standIn, 'error').then(([error]) => Promise.reject(error as Error));
    const url = `http://${listen}`;
    await Promise.race([answers(url), failed]);
    const billing = {
      MORPION_BILLING__SECRET_KEY: 'sk_test_standin',
      MORPION_BILLING__PUBLISHABLE_KEY: 'pk_test_standin',
      MORPION_BILLING__WEBHOOK_SECRET: 'whsec_standin',
      MORPION_BILLING__API_BASE: url,
      // Nobody reads letters there.
      MORPION_BILLING__REQUIRE_VERIFIED_EMAIL: 'false',
    };
    const appliance = await Appliance.start({ ...billing, ...settings }, port);
    const shop = new Shop(appliance, url, standIn);
    await appliance.command('billing', 'sync');
    return shop;
  }

  /** The charges of a customer in cents, the oldest first. */
  async chargesOf(email: string): Promise<number[]> {
    const { customers, charges } = (await (await fetch(`${this.#url}/stand-in`)).json()) as Books;
    const own = customers.filter((customer) => customer.email === email).map(({ id }) => id);
    return charges.filter(({ customer }) => own.includes(customer)).map(({ amount }) => amount);
  }

  /** Advances the stand-in's clock, with all renewals in that time. */
  passDays(days: number): Promise<void> {
    return this.#tell('clock', { days: String(days) });
  }

  /** All stored cards are declined from now on, or accepted again. */
  refuseCards(refuse: boolean): Promise<void> {
    return this.#tell('cards', { refuse: String(refuse) });
  }

  async close(): Promise<void> {
    await this.appliance.remove();
    const ended = once(this.#standIn, 'exit');
    this.#standIn.kill('SIGTERM');
    await ended;
  }

  async #tell(what: string, fields: Record<string, string>): Promise<void> {
    const response = await fetch(`${this.#url}/stand-in/${what}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    if (!response.ok) throw new Error(`the stand-in answered ${response.status} to ${what}`);
  }
}

async function answers(url: string): Promise<void> {
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const isThere = await fetch(`${url}/stand-in`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${STAND_IN} did not answer within ${START_MS} ms`);
}
