// One driver for a whole world with a manual clock: one request after the other, so that the log equals the script. It
// can lose its server during any request, start it again, and continue without repeating or skipping a command.
import type { Static } from 'typebox';
import type { BulkPlayersBody, ClockPositionBody, StateHash, StatusBody } from '../../../http/schemas/world.js';
import { Client, NoReply, type Reply } from './client.js';
import type { Deed } from './deeds.js';
import type { GalaxydProcess } from './galaxyd-process.js';

/** Attempts at one request; each but the last lost its server. */
const ATTEMPTS_MAX = 3;

/** The path that advances the clock. */
export const ADVANCE_PATH = '/api/admin/clock/advance';

export interface SequentialPlayerOptions {
  /** Starts the server, for the first time or again, on the same data folder. */
  readonly start: () => Promise<GalaxydProcess>;
  readonly adminKey: string;
  /** Called at each write. @returns milliseconds from sending it after which the server is killed; null lets it live */
  readonly killAfterMs: (path: string) => number | null;
}

/** The outcomes of the requests during which the server was killed. */
export interface KillTally {
  /** Answered before the server died. */
  answered: number;
  /** Not answered, and found in the world. */
  kept: number;
  /** Not answered, and not in the world. */
  lost: number;
}

export class SequentialPlayer {
  readonly tally: KillTally = { answered: 0, kept: 0, lost: 0 };
  readonly #options: SequentialPlayerOptions;
  #galaxyd: GalaxydProcess;
  #client: Client;
  /** Seq of the last entry that is known to exist. */
  #seq = 1;

  private constructor(options: SequentialPlayerOptions, galaxyd: GalaxydProcess) {
    this.#options = options;
    this.#galaxyd = galaxyd;
    this.#client = new Client(galaxyd.url, options.adminKey);
  }

  static async begin(options: SequentialPlayerOptions): Promise<SequentialPlayer> {
    return new SequentialPlayer(options, await options.start());
  }

  /**
   * Sends a command until its fate is known. An accepted command is one entry of the log, a refused one makes no entry, and
   * nothing else happens while the clock stands still, so the seq shows whether a lost request took effect.
   *
   * @returns whether it was accepted
   * @throws Error if the seq is neither
   */
  async command({ path, body, request }: Deed): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const { reply, seqAfterDeath } = await this.#write(path, body);
      if (reply !== null) {
        if (reply.status >= 500) throw new Error(`${request} is answered with ${reply.status}`);
        const isAccepted = reply.status < 300;
        if (isAccepted) this.#seq += 1;
        this.#expectSeq(seqAfterDeath, [this.#seq]);
        return isAccepted;
      }
      this.#expectSeq(seqAfterDeath, [this.#seq, this.#seq + 1]);
      const isKept = seqAfterDeath !== this.#seq;
      this.tally[isKept ? 'kept' : 'lost'] += 1;
      if (isKept) {
        this.#seq += 1;
        return true;
      }
    }
    throw new Error(`${request} lost its server ${ATTEMPTS_MAX} times`);
  }

  /** Advances the world's clock to a time, once, whatever happens to the server meanwhile. */
  async advanceTo(worldMs: number): Promise<void> {
    const to = new Date(worldMs).toISOString();
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const { reply, seqAfterDeath } = await this.#write<ClockPositionBody>(ADVANCE_PATH, { to });
      if (reply !== null) {
        if (reply.status !== 200) throw new Error(`advancing to ${to} is answered with ${reply.status}`);
        if (reply.body.seq <= this.#seq) throw new Error(`time has passed without an entry at seq ${reply.body.seq}`);
        this.#seq = reply.body.seq;
        this.#expectSeq(seqAfterDeath, [this.#seq]);
        return;
      }
      const { worldTime, seq } = await this.status();
      const isKept = worldTime === to;
      this.tally[isKept ? 'kept' : 'lost'] += 1;
      if (!isKept) this.#expectSeq(seq, [this.#seq]);
      this.#seq = seq;
      if (isKept) return;
    }
    throw new Error(`advancing to ${to} lost its server ${ATTEMPTS_MAX} times`);
  }

  /** Many bots at once; a server that dies meanwhile ends the run. */
  async createBots(count: number, namePrefix: string): Promise<BulkPlayersBody['players']> {
    const reply = await this.#client.post<BulkPlayersBody>('/api/admin/players', { count, namePrefix });
    if (reply.status !== 201 && reply.status !== 200) throw new Error(`bulk creation is answered with ${reply.status}`);
    this.#seq += 1;
    return reply.body.players;
  }

  async read<T>(path: string): Promise<T> {
    const { status, body } = await this.#client.get<T>(path);
    if (status !== 200) throw new Error(`${path} is answered with ${status}`);
    return body;
  }

  status(): Promise<StatusBody> {
    return this.read('/api/status');
  }

  /** Ends the server in order. @returns the last state hash that it reported */
  async finish(): Promise<Static<typeof StateHash>> {
    const told = await this.read<Static<typeof StateHash>>('/api/admin/state-hash');
    this.#expectSeq(told.seq, [this.#seq]);
    this.#client.close();
    const { code } = await this.#galaxyd.stop();
    if (code !== 0) throw new Error(`the server ended with ${code}`);
    return told;
  }

  /** Sends a write, with its kill. @returns the reply, and the seq of the next server if this one died */
  async #write<T>(path: string, body: unknown): Promise<{ reply: Reply<T> | null; seqAfterDeath: number | null }> {
    const killAfterMs = this.#options.killAfterMs(path);
    const answer = this.#client.post<T>(path, body);
    if (killAfterMs === null) return { reply: await answer, seqAfterDeath: null };
    const [outcome] = await Promise.allSettled([answer, this.#killAfter(killAfterMs)]);
    const seqAfterDeath = await this.#startAgain();
    if (outcome.status === 'fulfilled') {
      this.tally.answered += 1;
      return { reply: outcome.value, seqAfterDeath };
    }
    if (!(outcome.reason instanceof NoReply)) throw outcome.reason;
    return { reply: null, seqAfterDeath };
  }

  async #killAfter(delayMs: number): Promise<void> {
    // A turn of the event loop at least, so that the request has left.
    await new Promise((resolve) => (delayMs === 0 ? setImmediate(resolve) : setTimeout(resolve, delayMs)));
    await this.#galaxyd.kill();
  }

  async #startAgain(): Promise<number> {
    this.#client.close();
    this.#galaxyd = await this.#options.start();
    this.#client = new Client(this.#galaxyd.url, this.#options.adminKey);
    return (await this.status()).seq;
  }

  #expectSeq(seq: number | null, possible: readonly number[]): void {
    if (seq === null || possible.includes(seq)) return;
    throw new Error(`the world is at seq ${seq}, but ${possible.join(' or ')} was acknowledged`);
  }
}
