// Writes a story to a store as its server would have: records of a few entries, and snapshots at chosen seqs.
import { RULES_VERSION } from '../../engine/rules/shipped.js';
import { Batch, NO_PREVIOUS_HASH, recordHash } from '../../persistence/log/batch-record.js';
import type { CommandLog } from '../../persistence/log/log.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import { takeSnapshot } from '../../persistence/upkeep/snapshot-taking.js';
import type { LogEntry } from './world-story.js';

export interface WrittenHistory {
  readonly store: WorldStore;
  /** Seqs at which a snapshot is taken, ascending. */
  readonly snapshotSeqs?: readonly number[];
  /** Entries of a record, at most. */
  readonly recordEntries?: number;
}

/** The writer of a story, which holds the store until it is closed. */
export class HistoryWriter {
  #hash: Uint8Array = NO_PREVIOUS_HASH;
  #lastSeq = 0;

  private constructor(
    private readonly options: WrittenHistory,
    readonly log: CommandLog,
    readonly epoch: number,
    readonly close: () => Promise<void>,
  ) {}

  static async open(options: WrittenHistory): Promise<HistoryWriter> {
    const { log, release } = await options.store.open();
    const close = async (): Promise<void> => {
      await log.close();
      await release();
    };
    return new HistoryWriter(options, log, await log.acquire(), close);
  }

  /** Writes the entries of a story that are not written yet. */
  async write(entries: readonly LogEntry[]): Promise<void> {
    const { recordEntries = 7, snapshotSeqs = [], store } = this.options;
    while (this.#lastSeq < entries.length) {
      const batch = new Batch(this.#lastSeq + 1);
      const stopSeq = snapshotSeqs.find((seq) => seq > this.#lastSeq) ?? entries.length;
      const endSeq = Math.min(this.#lastSeq + recordEntries, stopSeq, entries.length);
      for (const { atMs, row } of entries.slice(this.#lastSeq, endSeq)) batch.tryAdd(atMs, row);
      const bytes = batch.encode(RULES_VERSION, this.#hash);
      await this.log.append({ epoch: this.epoch, expectedSeq: this.#lastSeq, lastSeq: endSeq, bytes });
      this.#hash = recordHash(bytes);
      this.#lastSeq = endSeq;
      if (!snapshotSeqs.includes(endSeq)) continue;
      await this.log.cut(this.epoch, endSeq + 1);
      await takeSnapshot(store, { seq: endSeq });
    }
  }
}
