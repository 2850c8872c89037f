// The interface between the batch route and the runner of batches. A batch needs all routes, and routes need the game,
// so the game knows only this interface.
import type { Exchange } from '../exchange/exchange.js';

export interface BatchRuns {
  begin(batch: Exchange, operations: readonly BatchOperation[], wantsBodies: boolean): BatchRun;
}

/** A batch in progress. All operations are checked before the first of them runs. */
export interface BatchRun {
  /** True once the shape of all operations is checked. */
  readonly isChecked: boolean;
  /** True if no operation that was checked can change the world. */
  readonly isReadOnly: boolean;
  /** True once all operations have run. */
  readonly isDone: boolean;
  /** Checks the next operation, by nothing but the request. */
  checkNext(): void;
  runNext(): void;
  /** JSON text. */
  reply(): string;
  /** The same with only statuses and the codes of problems. */
  minimalReply(): string;
}

export interface BatchOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}
