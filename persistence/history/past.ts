// What a store holds of the past of a world: where it begins and ends, and the world as it was at any position in between. It
// changes nothing in the store, which may be in use by a server.
import type { Command } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { HISTORY_END_MAX_AGE_MS } from '../limits.js';
import type { ReadableLog } from '../log/log.js';
import { EntryCursor, type LogEntry, logEntries } from '../recovery/log-entries.js';
import { type RecoveryProgress, recover } from '../recovery/recovery.js';
import { RecoveryRefused, type ReplayEnd } from '../recovery/replay.js';
import { readSnapshot } from '../snapshots/snapshot-reader.js';
import type { WorldStore } from '../stores/world-store.js';
import { coverageOf } from '../upkeep/coverage.js';
import { JoinedSnapshots, type MadeSnapshots } from './made-snapshots.js';

/** A position in the history of a world. */
export interface Position {
  readonly seq: number;
  /** World time of the entry in milliseconds. */
  readonly atMs: number;
}

/** A world as it was, and what happened next. */
export interface PastWorld {
  readonly engine: Engine;
  /** Reads the entries after the engine's seq. The caller closes it. */
  readonly cursor: EntryCursor;
}

/** Whether a player of a world has an API key. */
export function haveKeys({ players }: ReadonlyWorld): boolean {
  for (const { keyHash } of players.values()) if (keyHash !== null) return true;
  return false;
}

/** Whether a command gives a player an API key. */
export function bringsKeys(command: Command): boolean {
  if ('keyHashes' in command) return command.keyHashes.length > 0;
  return 'keyHash' in command && command.keyHash !== null;
}

export class Past {
  readonly #store: WorldStore;
  readonly #snapshots: JoinedSnapshots;
  /** Read for the two ends. */
  readonly #log: ReadableLog;
  #first: Position;
  #last: Position;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  private constructor(store: WorldStore, snapshots: JoinedSnapshots, log: ReadableLog) {
    this.#store = store;
    this.#snapshots = snapshots;
    this.#log = log;
    this.#first = { seq: 0, atMs: 0 };
    this.#last = this.#first;
  }

  /**
   * @param made snapshots besides those of the store
   * @throws NoWorld, RecoveryRefused if nothing of the past can be read, LogUnreadable
   */
  static async open(store: WorldStore, made: MadeSnapshots): Promise<Past> {
    await store.requireWorld();
    const past = new Past(store, new JoinedSnapshots(store.snapshots, made), await store.openLog());
    try {
      await past.refresh();
      return past;
    } catch (error) {
      await past.close();
      throw error;
    }
  }

  /** The first position that is kept. */
  get first(): Position {
    return this.#first;
  }

  /** The last one that was there when refresh() last looked. */
  get last(): Position {
    return this.#last;
  }

  /** Looks where the past begins and ends now, at most once in HISTORY_END_MAX_AGE_MS. @throws as open() does */
  async refresh(): Promise<void> {
    if (performance.now() - this.#readAtMs < HISTORY_END_MAX_AGE_MS) return;
    this.#reading ??= this.#readEnds().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  /**
   * The world at a position, from the nearest snapshot before it and the log after that.
   *
   * @param target within the past
   * @param onProgress may throw, which ends it
   * @throws RecoveryRefused, LogUnreadable
   */
  async worldAt(target: ReplayEnd, onProgress?: RecoveryProgress): Promise<PastWorld> {
    const log = await this.#store.openLog();
    try {
      const { engine } = await recover(log, this.#snapshots, {
        until: target,
        eventBytesOf: (seq) => this.#snapshots.eventBytesOf(seq),
        onProgress,
      });
      if (target.seq !== undefined && engine.seq !== target.seq) {
        throw new RecoveryRefused(engine.seq + 1, `the history ends before seq ${target.seq}`);
      }
      const cursor = new EntryCursor(log, engine.seq);
      await cursor.fill();
      return { engine, cursor };
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** Whether a snapshot lies after a seq and not after a target: the way from there is shorter. */
  async isSnapshotNearer(afterSeq: number, { seq, atMs }: ReplayEnd): Promise<boolean> {
    const later = (await this.#snapshots.list()).find((each) => each > afterSeq);
    if (later === undefined || later > (seq ?? Number.POSITIVE_INFINITY)) return false;
    return atMs === undefined || (await this.#snapshots.manifest(later)).worldTimeMs <= atMs;
  }

  /**
   * Whether players of the world have API keys: at its first position, in its newest snapshot, or the first one that was created in
   * between. A world that got keys later only shows that when it is reached.
   *
   * @throws RecoveryRefused, SnapshotDamaged, LogUnreadable
   */
  async hasKeys(): Promise<boolean> {
    const { engine, cursor } = await this.worldAt({ seq: this.#first.seq });
    try {
      if (haveKeys(engine.world)) return true;
      while (await cursor.fill()) {
        const { command } = cursor.next as LogEntry;
        cursor.take();
        if (command.type === 'create_player' || command.type === 'create_players') {
          if (bringsKeys(command)) return true;
          break;
        }
      }
    } finally {
      await cursor.close();
    }
    const newest = (await this.#store.snapshots.list()).at(-1);
    if (newest === undefined || newest === this.#first.seq) return false;
    return haveKeys((await readSnapshot(this.#store.snapshots, newest)).engine.world);
  }

  /** Waits for a look at the two ends that has begun. */
  async close(): Promise<void> {
    await this.#reading?.catch(() => {});
    await this.#log.close();
  }

  async #readEnds(): Promise<void> {
    const { snapshots } = this.#store;
    const seqs = await snapshots.list();
    await this.#log.refresh();
    const coverage = await coverageOf(this.#log, snapshots, seqs);
    // The recovery reports why nothing can be read.
    if (coverage === null) await recover(this.#log, snapshots);
    const { firstSeq = 0, firstMs = 0, lastSeq, lastMs } = coverage ?? {};
    this.#first = { seq: firstSeq, atMs: firstMs };
    if (lastSeq !== undefined && lastMs !== undefined) this.#last = { seq: lastSeq, atMs: lastMs };
    else this.#last = (await this.#beforeNewest()) ?? this.#first;
    this.#readAtMs = performance.now();
  }

  /** The last entry before the newest record, which is incomplete. */
  async #beforeNewest(): Promise<Position | null> {
    const newest = await this.#log.last();
    let found: Position | null = null;
    try {
      for await (const { seq, atMs } of logEntries(this.#log, (newest?.firstSeq ?? 1) - 1)) found = { seq, atMs };
    } catch (error) {
      if (!(error instanceof RecoveryRefused)) throw error;
    }
    return found;
  }
}
