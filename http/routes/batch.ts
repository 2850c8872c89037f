// Many operations in one request (design: Batch).

import type { BatchRun } from '../batch/batch-run.js';
import { MINIMAL_HEADERS } from '../idempotency/idempotency.js';
import { BATCH_BODY_BYTES_MAX, WORK_SLICE_MS } from '../limits.js';
import { type Route, writeRoute } from '../pipeline/route.js';
import { BATCH_RESULTS } from '../schemas/examples.js';
import { BatchRequest } from '../schemas/requests.js';
import { BatchResults } from '../schemas/world.js';
import { batchActor } from './actors.js';

/** RFC 7240, section 4.2; other preferences may stand beside it. */
const PREFERS_MINIMAL = /(^|[,;]\s*)return\s*=\s*"?minimal"?\s*($|[,;])/i;

const runBatch = writeRoute({
  operationId: 'runBatch',
  path: '/api/batch',
  tag: 'batch',
  summary: 'Runs up to 1,000 operations in order, each as if it had come alone.',
  description:
    'Each operation has its own status and body in the reply; one that is refused does not stop the others. What they ' +
    'change is written to disk as one: after a crash all of it is there, or nothing. Who asks is told by the ' +
    "batch's own Authorization. Administration and batches themselves are not offered here. With `Prefer: return=minimal` " +
    '(RFC 7240) the reply holds statuses, and the codes of problems, alone.',
  access: 'public',
  isCommand: false,
  isReplySecret: true,
  actor: batchActor,
  body: {
    schema: BatchRequest,
    example: {
      operations: [
        {
          method: 'POST',
          path: '/api/building/upgrade',
          body: { planetId: 'planet-1-0-26', buildingType: 'iron_mine' },
        },
        { method: 'POST', path: '/api/research/start', body: { playerId: 'player-1', researchType: 'drive_ion' } },
      ],
    },
    bytesMax: BATCH_BODY_BYTES_MAX,
  },
  replies: [{ status: 200, description: 'What each operation came to.', schema: BatchResults, example: BATCH_RESULTS }],
  isHeavy: true,
  handle(game, exchange, { operations }) {
    const isMinimal = exchange.prefer !== '' && PREFERS_MINIMAL.test(exchange.prefer);
    const run = game.services.batches.begin(exchange, operations, !isMinimal);
    const answer = (): void => {
      if (isMinimal) exchange.extraHeaders = MINIMAL_HEADERS;
      else if (exchange.idempotencyKey !== null) exchange.minimalReply = () => run.minimalReply();
      game.replies.answerLatest(exchange, run.reply());
    };
    const runUnit = (): void =>
      game.sequencer.together(() => {
        while (!run.isDone) run.runNext();
      });
    if (exchange.idempotencyKey !== null) {
      while (!run.isChecked) run.checkNext();
      // Its reply is kept in one unit with what it changed. Of what changes nothing no reply is kept.
      if (!run.isReadOnly) {
        runUnit();
        answer();
        return;
      }
    }
    game.replies.answerInTurns(exchange, () => {
      if (!run.isChecked) inSlice(run, 'isChecked', 'checkNext');
      else if (!run.isDone && run.isReadOnly) inSlice(run, 'isDone', 'runNext');
      else if (!run.isDone) runUnit();
      else {
        answer();
        return true;
      }
      return false;
    });
  },
});

/** Does the next of a kind until all is done, or for about WORK_SLICE_MS. */
function inSlice(run: BatchRun, isOver: 'isChecked' | 'isDone', next: 'checkNext' | 'runNext'): void {
  const endMs = performance.now() + WORK_SLICE_MS;
  while (!run[isOver] && performance.now() < endMs) run[next]();
}

export const BATCH_ROUTES: readonly Route[] = [runBatch];
