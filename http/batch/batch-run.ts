// What the batch route asks for. A batch needs all routes, and routes need the game: the game knows only that one can be run.
import type { Exchange } from '../exchange/exchange.js';

export interface BatchRuns {
  begin(batch: Exchange, operations: readonly BatchOperation[], wantsBodies: boolean): BatchRun;
}

/** A batch of which some operations are checked, or have run. All are checked before the first of them runs. */
export interface BatchRun {
  /** True once the shape of all operations is checked. */
  readonly isChecked: boolean;
  /** True if no operation that was checked can change the world. */
  readonly isReadOnly: boolean;
  /** True once all operations have run. */
  readonly isDone: boolean;
  /** Looks at nothing but the request. */
  checkNext(): void;
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
