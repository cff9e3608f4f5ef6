import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export const PROGRAM =
  process.env.MORPION_BIN ||
  join(process.env.CARGO_TARGET_DIR ?? join(homedir(), '.cache/morpion/target'), 'debug/morpion');
/** How long a start may take on a busy machine. */
const START_MS = 30_000;

/** A real server with its own data folder. Tests can kill it and start it again at the same address. */
export class Appliance {
  readonly url: string;
  readonly #listen: string;
  readonly #dataDir: string;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;

  private constructor(port: number, dataDir: string, settings: Record<string, string>) {
    this.#listen = `127.0.0.1:${port}`;
    this.url = `http://${this.#listen}`;
    this.#dataDir = dataDir;
    this.#settings = settings;
  }

  /** Starts one with the given environment variables; they override the defaults for tests. */
  static async start(settings: Record<string, string> = {}, port?: number): Promise<Appliance> {
    const dataDir = await mkdtemp(join(tmpdir(), 'morpion-e2e-'));
    const appliance = new Appliance(port ?? (await freePort()), dataDir, settings);
    await appliance.run();
    return appliance;
  }

  async run(): Promise<void> {
    const program = spawn(PROGRAM, ['serve', '--listen', this.#listen, '--data-dir', this.#dataDir], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, MORPION_LOG__LEVEL: 'warn', MORPION_LIMITS__INVITES_PER_MINUTE: '200', ...this.#settings },
    });
    this.#process = program;
    const failed = once(program, 'error').then(([error]) => Promise.reject(error as Error));
    await Promise.race([this.#answers(), failed]);
  }

  /** The folder with all data of the server. */
  get dataDir(): string {
    return this.#dataDir;
  }

  /** Runs `morpion ARGUMENTS` against this server, as its operator would; returns what it prints. */
  async command(...args: string[]): Promise<string> {
    const place = { MORPION_SERVER__LISTEN: this.#listen, MORPION_DATA_DIR: this.#dataDir };
    const env = { ...process.env, ...this.#settings, ...place };
    const program = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
    const [printed, [code]] = await Promise.all([
      text(program.stdout),
      once(program, 'exit') as Promise<[number | null]>,
    ]);
    if (code !== 0) throw new Error(`morpion ${args.join(' ')} ended with ${String(code)}`);
    return printed;
  }

  /** Kills the process without a warning, as a power cut would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async remove(): Promise<void> {
    await this.#end('SIGTERM');
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const program = this.#process;
    this.#process = undefined;
    if (program === undefined || program.exitCode !== null) return;
    const ended = once(program, 'exit');
    program.kill(signal);
    await ended;
  }

  async #answers(): Promise<void> {
    const until = Date.now() + START_MS;
    while (Date.now() < until) {
      if (this.#process?.exitCode != null) throw new Error(`${PROGRAM} ended with ${this.#process.exitCode}`);
      const isReady = await fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${PROGRAM} did not answer within ${START_MS} ms`);
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
