// Runs the operations of a batch in order, as if each had been sent alone: with the same checks and the same handlers.
// All their changes are in one record of the log, and they share one reply.
import { Exchange, type Method, type ReplyStream, type RequestTrace, ShapeErrorBudget } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { BATCH_REPLY_LENGTH_MAX, SHAPE_ERRORS_SHOWN_MAX, UNROUTED_COST } from '../limits.js';
import { allowedMethods, type Found, type RouteIndex } from '../server/route-index.js';
import type { Operation } from './operation.js';

/** Whether an operation of a batch may change the world, whatever its shape. @param index of those that a batch may hold */
export function hasCommands(index: RouteIndex<Operation>, operations: readonly BatchOperation[]): boolean {
  return operations.some(({ method, path }) => index.find(method, path).match?.endpoint.isCommand);
}

/** An operation whose shape is checked. */
interface Checked {
  readonly part: BatchPart;
  /** Null if it is already refused. */
  readonly operation: Operation | null;
  readonly body: unknown;
}

/** A batch in progress. All operations are priced before the first is checked, and all are checked before the first runs. */
export class BatchRun {
  readonly #found: Found<Operation>[] = [];
  readonly #checked: Checked[] = [];
  readonly #results: string[] = [];
  readonly #shapeErrors = new ShapeErrorBudget(SHAPE_ERRORS_SHOWN_MAX);
  #cost = 0;
  #isReadOnly = true;
  #replyLength = 0;

  /** The results are short if the batch prefers that: a body only of commands that have a short one, and the codes of problems. */
  constructor(
    private readonly batch: Exchange,
    private readonly operations: readonly BatchOperation[],
    private readonly index: RouteIndex<Operation>,
    private readonly trace: RequestTrace | null,
  ) {}

  /** True once the costs of all operations are known. */
  get isPriced(): boolean {
    return this.#found.length === this.operations.length;
  }

  /** Tokens that the operations priced so far take from the rate limit of the client. */
  get cost(): number {
    return this.#cost;
  }

  /** True once the shape of all operations is checked. */
  get isChecked(): boolean {
    return this.#checked.length === this.operations.length;
  }

  /** True if no operation that was checked can change the world. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** True once all operations have run. */
  get isDone(): boolean {
    return this.#results.length === this.operations.length;
  }

  /** Finds the route of the next operation, and with it the cost. */
  priceNext(): void {
    const asked = this.operations[this.#found.length] as BatchOperation;
    const found = this.index.find(asked.method, asked.path);
    this.#found.push(found);
    // An operation that is free by itself costs as much as any other one in a batch.
    this.#cost += Math.max(found.match?.endpoint.cost ?? UNROUTED_COST, 1);
  }

  /** Checks the next operation, by the request alone. */
  checkNext(): void {
    const index = this.#checked.length;
    const part = new BatchPart(this.batch, index, this.#shapeErrors);
    part.isMinimal = this.batch.isMinimal;
    part.wantsBody = !part.isMinimal;
    this.#checked.push(this.#check(part, this.operations[index] as BatchOperation));
  }

  runNext(): void {
    const { part, operation, body } = this.#checked[this.#results.length] as Checked;
    if (operation !== null) {
      if (this.#replyLength > BATCH_REPLY_LENGTH_MAX)
        sendProblem(part, 'overloaded', { detail: 'The reply to the batch is too large.' });
      else operation.runChecked(part, body);
    }
    const result = !part.isMinimal || part.isAnsweredBriefly ? fullResult(part) : statusResult(part);
    this.#replyLength += result.length;
    this.#results.push(result);
  }

  /** JSON text. */
  reply(): string {
    return replyOf(this.#results);
  }

  /** The same with only statuses and the codes of problems. */
  statusesReply(): string {
    return replyOf(this.#checked.map(({ part }) => statusResult(part)));
  }

  #check(part: BatchPart, asked: BatchOperation): Checked {
    const { matches, match, query } = this.#found[this.#checked.length] as Found<Operation>;
    if (match === undefined) {
      this.trace?.begin(part, asked.method, asked.path, asked.body);
      if (matches.length === 0) sendProblem(part, 'route_not_found');
      else sendProblem(part, 'method_not_allowed', { headers: ['allow', allowedMethods(matches)] });
      return { part, operation: null, body: undefined };
    }
    const operation = match.endpoint;
    if (operation.isCommand) this.#isReadOnly = false;
    part.query = query;
    part.parameters = match.parameters;
    part.ifMatch = asked.ifMatch ?? '';
    const body = operation.check(part, asked.body);
    return part.isDone ? { part, operation: null, body: undefined } : { part, operation, body };
  }
}

function replyOf(results: readonly string[]): string {
  return `{"results":[${results.join(',')}]}`;
}

function fullResult({ status, reply }: BatchPart): string {
  return `{"status":${status},"body":${reply}}`;
}

function statusResult({ status, problemCode }: BatchPart): string {
  return problemCode === '' ? `{"status":${status}}` : `{"status":${status},"code":"${problemCode}"}`;
}

export interface BatchOperation {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

/**
 * One operation of a batch. Its handler sees it as any other exchange. Its reply is not sent: the batch collects it, and waits for the
 * disk once for all of its parts.
 */
export class BatchPart extends Exchange {
  override readonly isPart = true;

  /** @param batch the request that the operation came in
   *  @param index position of the operation, from 0
   */
  constructor(
    private readonly batch: Exchange,
    private readonly index: number,
    override readonly shapeErrors: ShapeErrorBudget,
  ) {
    super();
    this.authorization = batch.authorization;
    this.keyHash = batch.keyHash;
    this.forwardedFor = batch.forwardedFor;
  }

  /** The request id of the batch and the position in it. */
  override get requestId(): string {
    return `${this.batch.requestId}.${this.index}`;
  }

  override get peerAddress(): string {
    return this.batch.peerAddress;
  }

  override countCommand(): void {
    this.batch.countCommand();
  }

  override stream(): ReplyStream {
    throw new Error('an operation of a batch cannot be streamed');
  }

  override send(): void {
    this.isDone = true;
    this.tellAnswered(this.status);
  }

  override sendWhenDurable(): void {
    this.isDone = true;
    this.tellAnswered(this.status);
    // The bytes belong to a cache that the next operation may overwrite.
    if (typeof this.reply !== 'string') this.reply = Buffer.from(this.reply).toString();
  }
}
