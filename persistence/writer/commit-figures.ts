// Metrics of writing to disk: the size of the records, and how long each takes to become durable.
import { performance } from 'node:perf_hooks';
import { BucketCounts } from './bucket-counts.js';

/** Entries of a record. */
const ENTRY_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1_024, 4_096, 16_384];
/** Seconds of a write and its flush; one that takes longer than FLUSH_STALL_MS ends the process. */
const FLUSH_BOUNDS = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export class CommitFigures {
  /** Entries of each durable record. */
  readonly batchEntries = new BucketCounts(ENTRY_BOUNDS);
  /** Seconds from the start of its write until it is known to be durable. */
  readonly flushSeconds = new BucketCounts(FLUSH_BOUNDS);
  #beganAtMs = 0;

  /** A write begins; the previous one has ended. */
  begin(): void {
    this.#beganAtMs = performance.now();
  }

  /** The write has succeeded. */
  end(entryCount: number): void {
    this.batchEntries.add(entryCount);
    this.flushSeconds.add((performance.now() - this.#beganAtMs) / 1_000);
  }
}
