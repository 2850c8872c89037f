// Many operations in one request (design: Batch).

import type { RequestTrace } from '../exchange/exchange.js';
import type { GamePorts } from '../game/game-ports.js';
import { BATCH_BODY_BYTES_MAX, WORK_SLICE_MS } from '../limits.js';
import { BatchRun, hasCommands } from '../pipeline/batch.js';
import type { Operation } from '../pipeline/operation.js';
import { type HandledRoute, writeRoute } from '../pipeline/route.js';
import type { Gate } from '../replica/gate.js';
import { BatchRequest } from '../schemas/requests.js';
import { BatchResults } from '../schemas/world.js';
import type { Gatekeeper } from '../server/receiver.js';
import type { RouteIndex } from '../server/route-index.js';
import { batchActor } from './route-parts.js';

interface BatchPorts extends GamePorts {
  readonly admission: Gatekeeper;
  /** Those that a batch may hold. */
  readonly batchable: RouteIndex<Operation>;
  readonly gate: Pick<Gate, 'takesCommand'>;
  /** Null where requests are not traced. */
  readonly trace: RequestTrace | null;
}

const runBatch = writeRoute({
  operationId: 'runBatch',
  path: '/api/batch',
  tag: 'batch',
  summary: 'Runs up to 1,000 operations in order, each as if it had been sent alone.',
  description:
    'The reply holds a status and a body for each operation; a refused operation does not stop the others. All ' +
    'changes are written to disk as one: after a crash, either all of them are present or none. The Authorization ' +
    'header of the batch applies to all operations. Administration and nested batches are not available. With ' +
    '`Prefer: return=minimal` (RFC 7240) it holds the minimal replies of commands that have one, and otherwise only statuses and ' +
    'the codes of problems.',
  access: 'public',
  isCommand: false,
  hasCommands: ({ batchable }: BatchPorts, { operations }) => hasCommands(batchable, operations),
  isReplySecret: true,
  minimal: BatchResults,
  actor: batchActor,
  body: {
    schema: BatchRequest,
    bytesMax: BATCH_BODY_BYTES_MAX,
  },
  replies: [{ status: 200, description: 'The result of each operation.', schema: BatchResults }],
  errors: ['not_leader'],
  isHeavy: true,
  handle({ admission, batchable, gate, replies, trace }: BatchPorts, exchange, { operations }) {
    const run = new BatchRun(exchange, operations, batchable, trace);
    const answer = (): void => {
      if (exchange.idempotencyKey !== null) exchange.statusesReply = () => run.statusesReply();
      if (exchange.isMinimal) replies.answerMinimal(exchange, run.reply());
      else replies.answerLatest(exchange, run.reply());
    };
    // All of it is in one record of the log: it is at one instant, as any request or slice of one.
    const runAll = (): void => {
      while (!run.isDone) run.runNext();
    };
    const isPaid = (): boolean => admission.admits(exchange, Math.max(0, run.cost - exchange.paid));
    if (exchange.idempotencyKey !== null) {
      while (!run.isPriced) run.priceNext();
      if (!isPaid()) return;
      while (!run.isChecked) run.checkNext();
      // The reply is kept in one unit with the changes. If nothing changes, no reply is kept.
      if (!run.isReadOnly) {
        runAll();
        answer();
        return;
      }
    }
    replies.answerInTurns(exchange, () => {
      const endMs = performance.now() + WORK_SLICE_MS;
      if (!run.isPriced) {
        inSlice(run, 'isPriced', 'priceNext', endMs);
        if (!run.isPriced) return false;
        if (!isPaid()) return true;
      }
      if (!run.isChecked) inSlice(run, 'isChecked', 'checkNext', endMs);
      else if (!run.isDone && run.isReadOnly) inSlice(run, 'isDone', 'runNext', endMs);
      // The world may have another leader than at the first slice.
      else if (!run.isDone && !gate.takesCommand(exchange)) return true;
      else if (!run.isDone) runAll();
      else {
        answer();
        return true;
      }
      return false;
    });
  },
});

/** Runs steps of one kind until all are done, or until the end of the slice. */
function inSlice(
  run: BatchRun,
  isOver: 'isPriced' | 'isChecked' | 'isDone',
  next: 'priceNext' | 'checkNext' | 'runNext',
  endMs: number,
): void {
  while (!run[isOver] && performance.now() < endMs) run[next]();
}

export const BATCH_ROUTES: readonly HandledRoute<BatchPorts>[] = [runBatch];
