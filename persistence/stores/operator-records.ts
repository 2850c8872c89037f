// What operators leave beside a world: trails of lines, of which the newest are kept, and one document. They are no part of the world: no
// replay depends on them, and a world that is restored, forked or copied from it begins without them.
import { OPERATOR_LINES_MAX } from '../limits.js';

/** Each has a bound of its own, so that nobody fills one by filling another. */
export const TRAILS = ['actions', 'refusals'] as const;
export type Trail = (typeof TRAILS)[number];

/** The contract of every store; test/persistence/stores/world-store-contract.ts checks it. */
export interface OperatorRecords {
  /** Whether other processes change them, too. */
  readonly isShared: boolean;

  /**
   * Appends a line to a trail, and drops the oldest ones if there are too many. In a folder the end of the process loses nothing from the
   * moment it returns.
   *
   * @returns settles once it is on disk
   */
  append(trail: Trail, line: string): Promise<void>;

  /** The lines of a trail, the oldest first. One that was written halfway is left out. */
  lines(trail: Trail): Promise<readonly string[]>;

  /** Null if none was ever put. */
  document(): Promise<string | null>;

  /** Puts a document in the place of the one before, or fails and leaves that. Durable when it settles. */
  putDocument(text: string): Promise<void>;
}

/** Those of a world that is kept in memory. */
export class MemoryOperatorRecords implements OperatorRecords {
  readonly isShared = false;
  readonly #trails = new Map<Trail, string[]>();
  #document: string | null = null;

  async append(trail: Trail, line: string): Promise<void> {
    const lines = this.#trails.get(trail) ?? [];
    lines.push(line);
    if (lines.length > OPERATOR_LINES_MAX[trail]) lines.shift();
    this.#trails.set(trail, lines);
  }

  async lines(trail: Trail): Promise<readonly string[]> {
    return [...(this.#trails.get(trail) ?? [])];
  }

  async document(): Promise<string | null> {
    return this.#document;
  }

  async putDocument(text: string): Promise<void> {
    this.#document = text;
  }
}
