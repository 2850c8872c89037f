// Servers that end in every way, one after the other, and readers of events that follow their world: killed, stopped, restored to an
// earlier seq, forked; over both transports and in both durability modes. After each life, what the readers have is compared with the log
// that the server left behind. A seed decides what happens.
import { setTimeout as delay } from 'node:timers/promises';
import { OPEN_WORLD_TOPIC } from '../../../engine/events/receivers.js';
import { parsePlayerId, playerId } from '../../../engine/ids.js';
import { hasNativeBuild } from '../../../http/world-server.js';
import { decodeRecord, forEachEntry, previousHashOf } from '../../../persistence/log/batch-record.js';
import type { Origin } from '../../../persistence/stores/origin.js';
import { EventOracle, type LoggedEntry } from '../event-oracle.js';
import { Client, NoReply } from './client.js';
import { DeedLedger } from './deed-ledger.js';
import { Draws } from './draws.js';
import { eventPath } from './event-connections.js';
import { FollowingReader, type ReaderFigures, type Refusal } from './following-reader.js';
import { type Ending, GalaxydProcess, type Owner, runGalaxyd } from './galaxyd-process.js';
import { keptLog } from './replayed-log.js';
import { Swarm } from './swarm.js';

/** How the life of a server ends, and how often in one round. */
const ENDINGS = { killed: 6, 'killed during a snapshot': 2, stopped: 2, restored: 1, forked: 1 } as const;
export type LifeEnding = keyof typeof ENDINGS;
const LIFE_ENDINGS = Object.keys(ENDINGS) as LifeEnding[];

const BOTS = 6;
const READERS = 8;
const ADMIN_KEY = 'reader-run-key';
/** At this speed an upgrade takes milliseconds, so that timers fire all the time. */
const SPEED = '20000';
/** One in this many servers answers before the disk has a command. */
const RELAXED_ONE_IN = 4;
/** Entries by which a restored world is at most older. */
const RESTORED_ENTRIES_MAX = 60;
/** Time until a snapshot is in progress. */
const SNAPSHOT_MS = 300;
/** A reader that does not catch up in this time never will. */
const CATCH_UP_MS = 60_000;

export interface ReaderRunFigures extends ReaderFigures {
  readonly lives: Readonly<Record<string, number>>;
  readonly entries: number;
  /** Of all receivers. */
  readonly recordedEvents: number;
}

export interface ReaderRunOptions {
  readonly owner: Owner;
  readonly seed: number;
  /** The data folder; restored and forked worlds are created beside it, with its name as prefix. */
  readonly folder: string;
}

export class ReaderRun {
  readonly #options: ReaderRunOptions;
  readonly #draws: Draws;
  readonly #figures: ReaderFigures = { connections: 0, events: 0, expired: 0 };
  readonly #readers: readonly FollowingReader[];
  readonly #lives: Record<string, number> = {};
  readonly #entries: LoggedEntry[] = [];
  readonly #oracle = new EventOracle(this.#entries);
  #folder: string;
  #copies = 0;
  /** First seq that the present folder can be restored to. */
  #coveredFromSeq = 1;

  constructor(options: ReaderRunOptions) {
    const { seed, folder } = options;
    this.#options = options;
    this.#folder = folder;
    this.#draws = new Draws(seed);
    this.#readers = Array.from({ length: READERS }, (_, index) => {
      const receiver = index < 2 ? 'world' : playerId(index - 1);
      return new FollowingReader(receiver, new Draws(seed + 1 + index), this.#figures);
    });
  }

  get figures(): ReaderRunFigures {
    const recordedEvents = this.#oracle.receivers.reduce((sum, receiver) => sum + this.#oracle.of(receiver).length, 0);
    return { ...this.#figures, lives: this.#lives, entries: this.#entries.length, recordedEvents };
  }

  /** The endings of one round, in an order of its own. */
  round(): LifeEnding[] {
    return this.#shuffled(LIFE_ENDINGS.flatMap((ending) => Array.from({ length: ENDINGS[ending] }, () => ending)));
  }

  /** Each way in which a world goes on elsewhere or is killed, in an order of its own. */
  endings(): LifeEnding[] {
    return this.#shuffled(['killed during a snapshot', 'restored', 'forked']);
  }

  /**
   * Lets a server live, with players and readers.
   *
   * @returns the faults, a sentence each
   * @throws Error if the check could not be made, for example because the server does not start
   */
  async live(ending: LifeEnding): Promise<readonly string[]> {
    this.#lives[ending] = (this.#lives[ending] ?? 0) + 1;
    const galaxyd = await this.#serve();
    const swarm = new Swarm(new DeedLedger(), new Draws(this.#draws.below(1_000_000)), BOTS, ADMIN_KEY);
    swarm.begin(galaxyd.url);
    for (const reader of this.#readers) reader.begin(galaxyd.url);
    await swarm.acknowledged(this.#draws.between(5, 50));
    const faults: string[] = [];
    const copy = ending === 'forked' ? await this.#copy('fork') : null;
    if (ending === 'stopped') {
      swarm.end();
      await swarm.settled();
      faults.push(...(await this.#catchUp(galaxyd.url)));
      faults.push(...faultsOfStop(await galaxyd.stop()));
    } else {
      if (ending === 'killed during a snapshot') await this.#beginSnapshot(galaxyd.url);
      await galaxyd.kill();
      await swarm.settled();
    }
    for (const reader of this.#readers) await reader.end();
    faults.push(...(await this.#compare()));
    if (copy !== null) this.#moveTo(copy);
    if (ending === 'restored') this.#moveTo(await this.#copy('restore', '--until-seq', String(this.#drawSeq())));
    return faults;
  }

  async #serve(): Promise<GalaxydProcess> {
    const transport = hasNativeBuild && this.#draws.oneIn(2) ? 'native' : 'javascript';
    const durability = this.#draws.oneIn(RELAXED_ONE_IN) ? 'relaxed' : 'durable';
    const world = ['--data', this.#folder, '--keep-history', '--min-free-mib', '0', '--admin-key', ADMIN_KEY];
    // A restored world has the speed of its past.
    const args = ['serve', '--port', '0', ...world, '--transport', transport, '--durability', durability];
    return await GalaxydProcess.start(this.#options.owner, { args: [...args, '--speed', SPEED] });
  }

  async #beginSnapshot(url: string): Promise<void> {
    const client = new Client(url, ADMIN_KEY);
    void client
      .post('/api/admin/snapshot', {})
      .catch((error: unknown) => {
        if (!(error instanceof NoReply)) throw error;
      })
      .finally(() => client.close());
    await delay(this.#draws.below(SNAPSHOT_MS));
  }

  /** Waits until every reader has what was durable at the beginning of the wait. */
  async #catchUp(url: string): Promise<string[]> {
    const client = new Client(url);
    const untilMs = performance.now() + CATCH_UP_MS;
    const faults: string[] = [];
    for (const reader of this.#readers) reader.catchUp();
    for (const reader of this.#readers) {
      const { status, body } = await client.get<{ lastSeq: number }>(eventPath(reader.receiver));
      // The player may not exist yet.
      if (status !== 200) continue;
      while (reader.seq < body.lastSeq && performance.now() < untilMs) await delay(1);
      if (reader.seq >= body.lastSeq) continue;
      faults.push(`the reader of ${reader.receiver} stays at event ${reader.seq}, and there are ${body.lastSeq}`);
    }
    client.close();
    return faults;
  }

  /** Compares everything that has arrived with the log. */
  async #compare(): Promise<string[]> {
    const before = new Map(this.#oracle.receivers.map((receiver) => [receiver, this.#oracle.of(receiver).length]));
    await this.#readLog();
    const faults: string[] = [];
    for (const reader of this.#readers) {
      const receiver = receiverOf(reader);
      const events = this.#oracle.of(receiver);
      const { arrived, refusals, faults: disorder } = reader.takeAll();
      faults.push(...disorder);
      for (const { seq, text } of arrived) {
        const event = events[seq - 1];
        const expected = event === undefined ? 'not in the log' : this.#oracle.text(event);
        if (text !== expected) faults.push(`${reader.receiver} got ${text} as event ${seq}, it is ${expected}`);
      }
      for (const refusal of refusals) {
        const isRight = isRightRefusal(refusal, before.get(receiver) ?? 0, events.length);
        if (!isRight) faults.push(`${reader.receiver} was refused: ${JSON.stringify(refusal)}`);
      }
    }
    return faults;
  }

  /** Adds the entries that the last server has written. */
  async #readLog(): Promise<void> {
    for (const { firstSeq, bytes } of (await keptLog(this.#folder)).records) {
      const record = decodeRecord(bytes, { firstSeq, previousHash: previousHashOf(bytes) });
      if (typeof record === 'string') throw new Error(`the record at seq ${firstSeq}: ${record}`);
      let seq = firstSeq;
      forEachEntry(record, (atMs, row) => {
        if (seq === this.#entries.length + 1) this.#entries.push({ atMs, row });
        if (seq > this.#entries.length) throw new Error(`entry ${seq} follows entry ${this.#entries.length}`);
        seq += 1;
      });
    }
  }

  #drawSeq(): number {
    const lastSeq = this.#entries.length;
    return this.#draws.between(Math.max(this.#coveredFromSeq, lastSeq - RESTORED_ENTRIES_MAX), lastSeq);
  }

  /** Makes another world of the present one. @returns its folder and its seq */
  async #copy(command: 'restore' | 'fork', ...flags: string[]): Promise<{ folder: string; seq: number }> {
    this.#copies += 1;
    const folder = `${this.#options.folder}-${this.#copies}`;
    const args = [command, '--data', this.#folder, '--to', folder, '--json', ...flags];
    const { code, stdout, stderr } = await runGalaxyd(this.#options.owner, { args });
    if (code !== 0) throw new Error(`the ${command} ended with ${code}: ${stderr}`);
    return { folder, seq: (JSON.parse(stdout) as Origin).seq };
  }

  /** From here on another world is the world. Readers may have events that it does not have. */
  #moveTo({ folder, seq }: { readonly folder: string; readonly seq: number }): void {
    this.#folder = folder;
    this.#coveredFromSeq = seq;
    this.#entries.length = seq;
    this.#oracle.forgetBehind(seq);
  }

  #shuffled<T>(left: T[]): T[] {
    const order: T[] = [];
    while (left.length > 0) order.push(...left.splice(this.#draws.below(left.length), 1));
    return order;
  }
}

function receiverOf({ receiver }: FollowingReader): number {
  return receiver === 'world' ? OPEN_WORLD_TOPIC : parsePlayerId(receiver);
}

/**
 * @param before how many events the receiver had when the server started
 * @param after how many it had when the server ended
 */
function isRightRefusal({ code, since, oldestSeq }: Refusal, before: number, after: number): boolean {
  if (code === 'player_not_found') return before === 0;
  if (code !== 'events_expired' || oldestSeq === null) return false;
  // Ahead of a restored world, or behind what is kept.
  return since > before || (since < oldestSeq - 1 && oldestSeq <= after + 1);
}

function faultsOfStop({ code, signal, stderr }: Ending): string[] {
  return code === 0 && stderr === '' ? [] : [`after SIGTERM it ended with ${code ?? signal}: ${stderr}`];
}
