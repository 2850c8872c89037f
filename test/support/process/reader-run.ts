// Servers that end in every way, one after the other, and readers of events that follow their world: killed, stopped, restored to an
// earlier seq, forked; over both transports and in both durability modes. After each life, what the readers have is compared with the log
// that the server left behind. A seed decides what happens.
import { setTimeout as delay } from 'node:timers/promises';
import { OPEN_WORLD_TOPIC } from '../../../engine/events/kinds.js';
import { parsePlayerId } from '../../../engine/terms/ids.js';
import { defaultTransport } from '../../../http/world-server.js';
import { decodeRecord, entriesOf, previousHashOf } from '../../../persistence/log/batch-record.js';
import type { Origin } from '../../../persistence/stores/origin.js';
import { EventOracle, type LineageBeginning, type LoggedEntry, type TrueEvent } from '../event-oracle.js';
import { Client, NoReply } from './client.js';
import { DeedLedger } from './deed-ledger.js';
import { Draws } from './draws.js';
import { eventPath } from './event-connections.js';
import {
  type FollowingEvent,
  FollowingReader,
  type ReaderFigures,
  type ReaderPlace,
  type Refusal,
} from './following-reader.js';
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
  /** Events of all receivers. */
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
  readonly #entries: (LoggedEntry | LineageBeginning)[] = [];
  /** Parallel to #entries: the seq that the world has there. */
  readonly #seqs: number[] = [];
  readonly #oracle = new EventOracle(this.#entries);
  #folder: string;
  #copies = 0;
  /** Bases of the lineages of the present world, oldest first. */
  readonly #bases: number[] = [];
  /** First seq that the present folder can be restored to. */
  #coveredFromSeq = 1;

  constructor(options: ReaderRunOptions) {
    const { seed, folder } = options;
    this.#options = options;
    this.#folder = folder;
    this.#draws = new Draws(seed);
    this.#readers = Array.from({ length: READERS }, (_, index) => {
      const receiver = index < 2 ? 'world' : `player-${index - 1}`;
      return new FollowingReader(receiver, new Draws(seed + 1 + index), this.#figures);
    });
  }

  get #base(): number {
    return this.#bases.at(-1) ?? 0;
  }

  get figures(): ReaderRunFigures {
    const recordedEvents = this.#oracle.receivers.reduce((sum, receiver) => sum + this.#oracle.of(receiver).length, 0);
    return { ...this.#figures, lives: this.#lives, entries: this.#entries.length, recordedEvents };
  }

  /** The endings of one round, in an order of its own. */
  round(): LifeEnding[] {
    return this.#draws.shuffled(
      LIFE_ENDINGS.flatMap((ending) => Array.from({ length: ENDINGS[ending] }, () => ending)),
    );
  }

  /** Each way in which a world goes on elsewhere or is killed, in an order of its own. */
  endings(): LifeEnding[] {
    return this.#draws.shuffled(['killed during a snapshot', 'restored', 'forked']);
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
    const transport = defaultTransport() === 'native' && this.#draws.oneIn(2) ? 'native' : 'javascript';
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
      const path = eventPath(reader.receiver);
      const { status, body } = await client.get<{ lastSeq: number }>(path);
      // The player may not exist yet.
      if (status !== 200) continue;
      const isDone = async (): Promise<boolean> => {
        if (reader.seq >= body.lastSeq) return true;
        // It may have them all under the seqs of an earlier world.
        const page = await client.get<{ events: unknown[] }>(`${path}?since=${reader.seq}&limit=1`);
        return page.status === 200 && page.body.events.length === 0;
      };
      while (!(await isDone()) && performance.now() < untilMs) await delay(1);
      if (await isDone()) continue;
      faults.push(`the reader of ${reader.receiver} stays at event ${reader.seq}, and there are ${body.lastSeq}`);
    }
    client.close();
    return faults;
  }

  /** Compares everything that has arrived with the log. */
  async #compare(): Promise<string[]> {
    await this.#readLog();
    const faults: string[] = [];
    for (const reader of this.#readers) {
      const events = this.#oracle.of(this.#receiverOf(reader));
      const { arrived, refusals } = reader.takeAll();
      const name = reader.receiver;
      for (const event of arrived) {
        const fault = this.#faultOf(event, events);
        if (fault !== null) faults.push(`${name} got ${event.text} as event ${event.seq}: ${fault}`);
      }
      for (const refusal of refusals)
        if (!this.#isRight(refusal, events)) faults.push(`${name} was refused: ${JSON.stringify(refusal)}`);
    }
    return faults;
  }

  /** What is wrong with an event that has arrived; null if it is the one that follows what the reader had. */
  #faultOf({ seq, text, after }: FollowingEvent, events: readonly TrueEvent[]): string | null {
    const index = seq - this.#base - 1;
    const event = events[index];
    const expected = event === undefined ? 'not in the log' : this.#oracle.text(event);
    if (text !== expected) return `it is ${expected}`;
    if (after.text === null) return after.seq === 0 && index > 0 ? 'events before it are missing' : null;
    const before = events[index - 1];
    if (before !== undefined && contentOf(this.#oracle.text(before)) === contentOf(after.text)) return null;
    return `the reader had ${after.text}, and between them is something else`;
  }

  /** Whether events have expired, or the reader has one that is not in the past of this world. */
  #isRight({ code, since, oldestSeq }: Refusal, events: readonly TrueEvent[]): boolean {
    // The reader has come before its player, who may exist by now.
    if (code === 'player_not_found') return since.text === null ? since.seq === 0 : this.#isAhead(since, events);
    if (code !== 'events_expired' || oldestSeq === null) return false;
    const oldest = oldestSeq - this.#base;
    if (oldest > events.length + 1) return false;
    if (since.text === null) return since.seq < oldestSeq - 1 || since.seq > this.#base + events.length;
    return this.#isAhead(since, events) || this.#placeOf(since.text, events) < oldest;
  }

  /** Whether a reader has an event of a past that this world does not have, even if the same has happened again in a later lineage. */
  #isAhead({ seq, text }: ReaderPlace, events: readonly TrueEvent[]): boolean {
    const event = events[this.#placeOf(text ?? '', events) - 1];
    const nextBase = this.#bases.find((base) => base > seq);
    return event === undefined || (nextBase !== undefined && event.entrySeq > nextBase);
  }

  /** Ordinal of an event with this content; 0 if there is none. */
  #placeOf(text: string, events: readonly TrueEvent[]): number {
    return events.findIndex((event) => contentOf(this.#oracle.text(event)) === contentOf(text)) + 1;
  }

  /** Adds the entries that the last server has written. */
  async #readLog(): Promise<void> {
    for (const { firstSeq, bytes } of (await keptLog(this.#folder)).records) {
      const record = decodeRecord(bytes, { firstSeq, previousHash: previousHashOf(bytes) });
      if (typeof record === 'string') throw new Error(`the record at seq ${firstSeq}: ${record}`);
      let seq = firstSeq;
      for (const [atMs, row] of entriesOf(record)) {
        const lastSeq = this.#seqs.at(-1) ?? 0;
        if (seq === lastSeq + 1) this.#add(seq, { atMs, row });
        if (seq > lastSeq + 1) throw new Error(`entry ${seq} follows entry ${lastSeq}`);
        seq += 1;
      }
    }
  }

  #add(seq: number, entry: LoggedEntry | LineageBeginning): void {
    this.#entries.push(entry);
    this.#seqs.push(seq);
  }

  #drawSeq(): number {
    const lastSeq = this.#seqs.at(-1) ?? 0;
    return this.#draws.between(Math.max(this.#coveredFromSeq, lastSeq - RESTORED_ENTRIES_MAX), lastSeq);
  }

  /** Makes another world of the present one. @returns its folder and its seq */
  async #copy(command: 'restore' | 'fork', ...flags: string[]): Promise<Copy> {
    this.#copies += 1;
    const folder = `${this.#options.folder}-${this.#copies}`;
    const args = [command, '--data', this.#folder, '--to', folder, '--json', ...flags];
    const { code, stdout, stderr } = await runGalaxyd(this.#options.owner, { args });
    if (code !== 0) throw new Error(`the ${command} ended with ${code}: ${stderr}`);
    const { seq, base } = JSON.parse(stdout) as Origin;
    return { folder, seq, base };
  }

  /** Continues with another world. Readers may have events that it does not have. */
  #moveTo({ folder, seq, base }: Copy): void {
    this.#folder = folder;
    this.#bases.push(base);
    this.#coveredFromSeq = base;
    const shared = this.#seqs.findLastIndex((each) => each <= seq) + 1;
    this.#entries.length = shared;
    this.#seqs.length = shared;
    this.#oracle.forgetBehind(seq);
    this.#add(base, { base });
  }

  #receiverOf({ receiver }: FollowingReader): number {
    return receiver === 'world' ? OPEN_WORLD_TOPIC : parsePlayerId(this.#oracle.world, receiver);
  }
}

/** A world that was made of another one. */
interface Copy {
  readonly folder: string;
  /** Last seq that both have. */
  readonly seq: number;
  readonly base: number;
}

/** An event without its seq, which is another one in a restored world. */
function contentOf(text: string): string {
  return text.replace(/"seq":\d+,/, '');
}

function faultsOfStop({ code, signal, stderr }: Ending): string[] {
  return code === 0 && stderr === '' ? [] : [`after SIGTERM it ended with ${code ?? signal}: ${stderr}`];
}
