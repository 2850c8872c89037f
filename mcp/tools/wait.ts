// The tool wait: returns once something of the player has changed or an instant has come, or after a bounded time.
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { instant } from '../inputs.js';
import { LOOK_EVERY_MS, WAIT_SECONDS_MAX } from '../limits.js';
import type { Session, Tool } from '../tool.js';

const input = z.strictObject({
  until: instant.optional().describe('World time to wait for; by default, when the next of your timers ends'),
  seconds: z.int().min(0).max(WAIT_SECONDS_MAX).default(WAIT_SECONDS_MAX).describe('Longest time to wait'),
});

export const wait: Tool<z.infer<typeof input>> = {
  name: 'wait',
  title: 'Wait',
  description:
    `Waits until \`until\`, until something of yours changes, or for \`seconds\` (at most ${WAIT_SECONDS_MAX}), and says which. World time ` +
    'passes like real time. If what you wait for is far away, do not call it again and again: end your turn and come back then.',
  input,
  isRead: true,
  async run(session, { until, seconds }, signal) {
    const endsAtMs = performance.now() + seconds * 1000;
    const first = await look(session, signal);
    const goal = until ?? first.nextTimerAt;
    for (let now = first; ; now = await look(session, signal)) {
      const remainingMs = goal === null ? Number.POSITIVE_INFINITY : Date.parse(goal) - Date.parse(now.worldTime);
      const leftMs = endsAtMs - performance.now();
      const outcome = outcomeOf(remainingMs <= 0, now.entityTag !== first.entityTag, leftMs <= 0);
      if (outcome !== null) return { text: `${outcome} It is ${now.worldTime}. ${timerText(now)}` };
      await delay(Math.min(LOOK_EVERY_MS, leftMs, remainingMs), undefined, { signal });
    }
  },
};

interface Sight {
  readonly worldTime: string;
  readonly nextTimerAt: string | null;
  /** Differs if more than time has changed. */
  readonly entityTag: string | null;
}

async function look({ galaxyd, playerId }: Session, signal: AbortSignal): Promise<Sight> {
  const path = '/api/game/state/{playerId}';
  const { body, worldTime, headers } = await galaxyd.get(path, { params: { path: { playerId } }, signal });
  return { worldTime, nextTimerAt: body.nextTimerAt, entityTag: headers.get('etag') };
}

function timerText({ nextTimerAt }: Sight): string {
  return nextTimerAt === null ? 'You have no timer running.' : `Your next timer ends at ${nextTimerAt}.`;
}

function outcomeOf(isReached: boolean, isChanged: boolean, isOver: boolean): string | null {
  if (isReached) return 'The time has come.';
  if (isChanged) return 'Something of yours has changed.';
  return isOver ? 'Nothing has changed yet.' : null;
}
