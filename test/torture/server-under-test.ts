// The real server that is tortured, a child process with a frozen world: its start, its checks at the end, and its
// memory.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { StateHash, StatusBody } from '../../http/schemas/world.js';
import { Client, NoReply } from '../support/process/client.js';
import { GalaxydProcess, type Owner } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, serveArgs } from '../support/process/operator.js';
import type { Address } from './delivery.js';
import { FROZEN_WORLD_FLAGS, type FrozenWorld, freeze } from './frozen-world.js';
import { type AuthKind, TRANSPORTS, type TransportName } from './transports.js';

export interface ServerPlan {
  readonly owner: Owner;
  /** Folder of its data. */
  readonly folder: string;
  readonly transport: TransportName;
  readonly auth: AuthKind;
}

export class ServerUnderTest {
  readonly url: string;
  readonly world: FrozenWorld;
  readonly #galaxyd: GalaxydProcess;
  readonly #frozenState: string;
  #hasEnded = false;

  private constructor(galaxyd: GalaxydProcess, world: FrozenWorld, frozenState: string) {
    this.#galaxyd = galaxyd;
    this.url = galaxyd.url;
    this.world = world;
    this.#frozenState = frozenState;
    void galaxyd.ended.then(() => {
      this.#hasEnded = true;
    });
  }

  /** @throws Error if it serves over another transport than requested */
  static async start({ owner, folder, transport, auth }: ServerPlan): Promise<ServerUnderTest> {
    const { args, env } = TRANSPORTS[transport];
    const open = ['--development', 'on', '--rate-limits', 'off', '--allowed-hosts', '*'];
    const flags = [...FROZEN_WORLD_FLAGS, '--auth', auth, ...open, '--admin-key', ADMIN_KEY, ...args];
    const galaxyd = await GalaxydProcess.start(owner, { args: serveArgs(folder, ...flags), env });
    const client = new Client(galaxyd.url);
    const { body } = await client.get<StatusBody>('/api/status');
    client.close();
    if (body.http !== transport) throw new Error(`it serves over ${body.http}, but ${transport} was requested`);
    const world = await freeze(galaxyd.url, auth);
    return new ServerUnderTest(galaxyd, world, await stateOf(galaxyd.url));
  }

  get address(): Address {
    const { hostname, port } = new URL(this.url);
    return { host: hostname, port: Number(port) };
  }

  /** True once the process has ended without a request to stop. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Checks whether it answers; if not, waits for its end. @returns false if it has ended */
  async isAlive(): Promise<boolean> {
    const client = new Client(this.url);
    try {
      await client.get('/healthz');
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      await Promise.race([this.#galaxyd.ended, delay(END_WAIT_MS)]);
    } finally {
      client.close();
    }
    return !this.#hasEnded;
  }

  /** Bytes of memory that belong to it alone; null if the system does not report it. */
  async memoryBytes(): Promise<number | null> {
    const status = await readFile(`/proc/${this.#galaxyd.pid}/status`, 'utf8').catch(() => '');
    const kibibytes = /^RssAnon:\s*(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  }

  /** Stops it and checks how it ends. @returns the faults, a sentence each */
  async finish(): Promise<string[]> {
    const faults: string[] = [];
    if (await this.isAlive()) {
      const state = await stateOf(this.url);
      if (state !== this.#frozenState) faults.push(`the state was ${this.#frozenState} and is ${state}`);
      this.#galaxyd.signal('SIGTERM');
    }
    const { code, signal, stdout, stderr } = await this.#galaxyd.ending();
    if (code !== 0) faults.push(`the server ended with ${code ?? signal}`);
    if (stderr !== '') faults.push(`the server wrote to standard error: ${stderr.slice(0, SHOWN_LENGTH)}`);
    if (stdout.includes('internal_error')) faults.push('the server logged a failed request');
    return faults;
  }
}

/** A process that dies needs some time to disappear. */
const END_WAIT_MS = 10_000;
const SHOWN_LENGTH = 4_000;

/** Seq and hash of the whole state. */
async function stateOf(url: string): Promise<string> {
  const client = new Client(url, ADMIN_KEY);
  try {
    const { body } = await client.get<Static<typeof StateHash>>('/api/admin/state-hash');
    return `${body.hash} at seq ${body.seq}`;
  } finally {
    client.close();
  }
}
