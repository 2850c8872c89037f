// Runs the operations of a batch in order, as if each had come alone: the same checks, the same handlers. All that they
// change stands in one record of the log, and they share one reply.
import { BatchPart } from './batch-part.js';
import type { BatchOperation, BatchRun, BatchRuns } from './batch-run.js';
import type { Exchange } from './exchange.js';
import { BATCH_REPLY_LENGTH_MAX, SHAPE_ERRORS_SHOWN_MAX } from './limits.js';
import type { Operation } from './pipeline.js';
import { refuse } from './problems.js';
import { allowedMethods, type PathMatch, RouteIndex } from './route-index.js';
import { ShapeErrorBudget } from './shape-error-budget.js';

export class BatchRunner implements BatchRuns {
  readonly #index: RouteIndex<Operation>;
  /** Paths without parameters, which swarms send over and over. */
  readonly #plainPaths = new Map<string, PathMatch<Operation>[]>();

  /** @param operations what a batch may hold */
  constructor(operations: readonly Operation[]) {
    this.#index = new RouteIndex(operations);
    for (const { path } of operations) {
      if (!path.includes(':')) this.#plainPaths.set(path, this.#index.match(path));
    }
  }

  /**
   * @param wantsBodies false: statuses, and codes of problems, are all that is told (Prefer: return=minimal, RFC 7240)
   */
  begin(batch: Exchange, operations: readonly BatchOperation[], wantsBodies: boolean): BatchRun {
    return new Run(batch, operations, wantsBodies, this);
  }

  /** What the path of an operation leads to, and its query. */
  find({ path }: BatchOperation): { readonly matches: PathMatch<Operation>[]; readonly query: string } {
    const end = path.indexOf('?');
    const plainPath = end === -1 ? path : path.slice(0, end);
    const matches = this.#plainPaths.get(plainPath) ?? this.#index.match(plainPath);
    return { matches, query: end === -1 ? '' : path.slice(end + 1) };
  }
}

class Run implements BatchRun {
  readonly #parts: BatchPart[] = [];
  readonly #results: string[] = [];
  readonly #shapeErrors = new ShapeErrorBudget(SHAPE_ERRORS_SHOWN_MAX);
  #replyLength = 0;

  constructor(
    private readonly batch: Exchange,
    private readonly operations: readonly BatchOperation[],
    private readonly wantsBodies: boolean,
    private readonly runner: BatchRunner,
  ) {}

  get isReadOnly(): boolean {
    return this.operations.every((operation) => {
      if (operation.method === 'GET') return true;
      const { matches } = this.runner.find(operation);
      return matches.every(({ endpoint }) => endpoint.method === 'GET' || !endpoint.route.isCommand);
    });
  }

  get isDone(): boolean {
    return this.#parts.length === this.operations.length;
  }

  runNext(): void {
    const index = this.#parts.length;
    const part = new BatchPart(this.batch, index, this.#shapeErrors);
    part.wantsBody = this.wantsBodies;
    if (this.#replyLength > BATCH_REPLY_LENGTH_MAX)
      refuse(part, 'overloaded', { detail: 'The reply to the batch is too large.' });
    else this.#runOne(part, this.operations[index] as BatchOperation);
    const result = this.wantsBodies ? fullResult(part) : minimalResult(part);
    this.#replyLength += result.length;
    this.#results.push(result);
    this.#parts.push(part);
  }

  reply(): string {
    return replyOf(this.#results);
  }

  minimalReply(): string {
    return replyOf(this.#parts.map(minimalResult));
  }

  #runOne(part: BatchPart, operation: BatchOperation): void {
    const { matches, query } = this.runner.find(operation);
    const match = matches.find(({ endpoint }) => endpoint.method === operation.method);
    if (match !== undefined) {
      part.query = query;
      part.parameters = match.parameters;
      match.endpoint.handleParsed(part, operation.body);
    } else if (matches.length === 0) refuse(part, 'route_not_found');
    else refuse(part, 'method_not_allowed', { allow: allowedMethods(matches) });
  }
}

function replyOf(results: readonly string[]): string {
  return `{"results":[${results.join(',')}]}`;
}

function fullResult({ status, reply }: BatchPart): string {
  return `{"status":${status},"body":${reply}}`;
}

function minimalResult({ status, problemCode }: BatchPart): string {
  return problemCode === '' ? `{"status":${status}}` : `{"status":${status},"code":"${problemCode}"}`;
}
