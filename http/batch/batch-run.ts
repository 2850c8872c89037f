// The interface between the batch route and the runner of batches. A batch needs all routes, and routes need the game,
// so the game knows only this interface.
import type { Exchange } from '../exchange/exchange.js';
import type { Method } from '../methods.js';

export interface BatchRuns {
  /** Whether an operation may change the world, whatever its shape. */
  hasCommands(operations: readonly BatchOperation[]): boolean;
  begin(batch: Exchange, operations: readonly BatchOperation[], wantsBodies: boolean): BatchRun;
}

/** A batch in progress. All operations are priced before the first is checked, and all are checked before the first runs. */
export interface BatchRun {
  /** True once the costs of all operations are known. */
  readonly isPriced: boolean;
  /** Tokens that the operations priced so far take from the rate limit of the client. */
  readonly cost: number;
  /** True once the shape of all operations is checked. */
  readonly isChecked: boolean;
  /** True if no operation that was checked can change the world. */
  readonly isReadOnly: boolean;
  /** True once all operations have run. */
  readonly isDone: boolean;
  /** Finds the route of the next operation, and with it the cost. */
  priceNext(): void;
  /** Checks the next operation, by nothing but the request. */
  checkNext(): void;
  runNext(): void;
  /** JSON text. */
  reply(): string;
  /** The same with only statuses and the codes of problems. */
  minimalReply(): string;
}

export interface BatchOperation {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}
