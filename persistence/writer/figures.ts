// What the writer counts for the metrics. It only counts.
import { performance } from 'node:perf_hooks';
import { COMMAND_TYPES, type WorldCommand } from '../../engine/commands/table.js';
import { REFUSALS, type RefusalCode } from '../../engine/terms/rejections.js';

/** Entries of a record. */
const ENTRY_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1_024, 4_096, 16_384];
/** Seconds of a write and its flush; one that takes longer than FLUSH_STALL_MS ends the process. */
const FLUSH_BOUNDS = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The size of the records, and how long each takes to become durable. */
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

/** A histogram with fixed bounds, and the sum of its values. Adding a value allocates nothing; the reader does the arithmetic. */
export class BucketCounts {
  /**
   * One count for each bound, one for values above all of them, then the sum of all values. Made with the first value: most of the
   * histograms of a server stay empty, and a process may hold many servers.
   */
  #numbers: Float64Array | null = null;

  /** @param bounds ascending upper bounds, inclusive */
  constructor(readonly bounds: readonly number[]) {}

  add(value: number): void {
    const { bounds } = this;
    this.#numbers ??= new Float64Array(bounds.length + 2);
    const numbers = this.#numbers;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    (numbers[index] as number) += 1;
    (numbers[bounds.length + 1] as number) += value;
  }

  /** The number of values up to each bound, in order; the last one counts all values. */
  cumulated(): number[] {
    let count = 0;
    return Array.from({ length: this.bounds.length + 1 }, (_, index) => {
      count += this.#numbers?.[index] ?? 0;
      return count;
    });
  }

  /** How many values there are. */
  get count(): number {
    return this.cumulated().at(-1) as number;
  }

  get sum(): number {
    return this.#numbers?.[this.bounds.length + 1] ?? 0;
  }
}

type CommandType = WorldCommand['type'];

/** The outcome of a command. */
export type CommandOutcome = 'accepted' | RefusalCode;

/** Accepted commands are at index 0. */
const OUTCOMES: readonly CommandOutcome[] = ['accepted', ...(Object.keys(REFUSALS) as RefusalCode[])];

/** How often each kind of command was accepted, or refused for each reason, since the process started. */
export class CommandCounts {
  /** A row for each type, a column for each outcome. */
  readonly #numbers = new Float64Array(COMMAND_TYPES.length * OUTCOMES.length);

  accept(type: CommandType): void {
    this.#add(type, 0);
  }

  refuse(type: CommandType, code: RefusalCode): void {
    this.#add(type, NUMBER_OF_OUTCOME.get(code) as number);
  }

  /** Visits the accepted count of every type, even if 0, and each refusal that has occurred. */
  visit(visitor: (type: CommandType, outcome: CommandOutcome, count: number) => void): void {
    COMMAND_TYPES.forEach((type, row) => {
      OUTCOMES.forEach((outcome, column) => {
        const count = this.#numbers[row * OUTCOMES.length + column] as number;
        if (column === 0 || count > 0) visitor(type, outcome, count);
      });
    });
  }

  #add(type: CommandType, column: number): void {
    const row = NUMBER_OF_TYPE.get(type) as number;
    (this.#numbers[row * OUTCOMES.length + column] as number) += 1;
  }
}

const NUMBER_OF_TYPE: ReadonlyMap<CommandType, number> = new Map(COMMAND_TYPES.map((type, row) => [type, row]));
const NUMBER_OF_OUTCOME: ReadonlyMap<CommandOutcome, number> = new Map(OUTCOMES.map((code, column) => [code, column]));
