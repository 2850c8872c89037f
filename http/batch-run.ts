// What the batch route asks for. A batch needs all routes, and routes need the game: the game knows only that one can be run.
import type { Exchange } from './exchange.js';

export interface BatchRuns {
  begin(batch: Exchange, operations: readonly BatchOperation[], wantsBodies: boolean): BatchRun;
}

/** A batch of which some operations have run. */
export interface BatchRun {
  /** True if no operation can change the world. */
  readonly isReadOnly: boolean;
  /** True once all operations have run. */
  readonly isDone: boolean;
  runNext(): void;
  /** JSON text. */
  reply(): string;
  /** The same with statuses, and codes of problems, alone. */
  minimalReply(): string;
}

export interface BatchOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}
