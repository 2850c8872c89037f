// Runs the operations of a batch in order, as if each had come alone: the same checks, the same handlers. All that they
// change stands in one record of the log, and they share one reply.
import { BatchPart } from './batch-part.js';
import type { Exchange } from './exchange.js';
import type { BatchOperation, BatchOutcome, BatchRuns } from './game.js';
import { BATCH_REPLY_LENGTH_MAX } from './limits.js';
import type { Operation } from './pipeline.js';
import { refuse } from './problems.js';
import { allowedMethods, type PathMatch, RouteIndex } from './route-index.js';

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

  /** @param wantsBodies false: statuses, and codes of problems, are all that is told (Prefer: return=minimal, RFC 7240) */
  run(batch: Exchange, operations: readonly BatchOperation[], wantsBodies: boolean): BatchOutcome {
    const parts: BatchPart[] = [];
    const results: string[] = [];
    let replyLength = 0;
    for (let index = 0; index < operations.length; index += 1) {
      const part = new BatchPart(batch, index);
      part.wantsBody = wantsBodies;
      if (replyLength > BATCH_REPLY_LENGTH_MAX)
        refuse(part, 'overloaded', { detail: 'The reply to the batch is too large.' });
      else this.#runOne(part, operations[index] as BatchOperation);
      const result = wantsBodies ? fullResult(part) : minimalResult(part);
      replyLength += result.length;
      results.push(result);
      parts.push(part);
    }
    return { reply: replyOf(results), minimalReply: () => replyOf(parts.map(minimalResult)) };
  }

  #runOne(part: BatchPart, { method, path, body }: BatchOperation): void {
    const end = path.indexOf('?');
    const plainPath = end === -1 ? path : path.slice(0, end);
    if (end !== -1) part.query = path.slice(end + 1);
    const matches = this.#plainPaths.get(plainPath) ?? this.#index.match(plainPath);
    const match = matches.find(({ endpoint }) => endpoint.method === method);
    if (match !== undefined) {
      part.parameters = match.parameters;
      match.endpoint.handleParsed(part, body);
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
