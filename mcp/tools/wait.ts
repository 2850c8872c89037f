// The tool wait: returns once something has happened to the player or an instant has come, or after a bounded time. It reads events
// by long polls, so that it neither misses nor repeats one.
import { z } from 'zod';
import { eventText } from '../event-texts.js';
import type { Shapes } from '../galaxyd-client.js';
import { instant } from '../inputs.js';
import { EVENTS_SHOWN_MAX, HELD_SECONDS_MAX, SEQ_MAX, WAIT_SECONDS_MAX } from '../limits.js';
import { answerOf } from '../texts.js';
import type { Session, Tool } from '../tool.js';

const input = z.strictObject({
  until: instant.optional().describe('World time to wait for; by default, when the next of your timers ends'),
  seconds: z.int().min(0).max(WAIT_SECONDS_MAX).default(WAIT_SECONDS_MAX).describe('Longest time to wait'),
  since: z.int().min(0).max(SEQ_MAX).optional().describe('Number of the last event you know; by default, the newest'),
});

export const wait: Tool<z.infer<typeof input>> = {
  name: 'wait',
  title: 'Wait',
  description:
    `Waits until \`until\`, until something happens to you, or for \`seconds\` (at most ${WAIT_SECONDS_MAX}), and says which. It lists the ` +
    'events after the one numbered `since`: after a pause, these are what you have missed. World time passes like real time. If what you ' +
    'wait for is far away, do not call it again and again: end your turn and come back then.',
  input,
  isRead: true,
  async run(session, { until, seconds, since }, signal) {
    const endsAtMs = performance.now() + seconds * 1000;
    let { body: state, worldTime: now } = await readState(session, signal);
    const goal = until ?? state.nextTimerAt;
    const seq = since ?? state.lastEventSeq;
    for (;;) {
      const goalMs = goal === null ? Number.POSITIVE_INFINITY : Date.parse(goal) - Date.parse(now);
      const leftMs = Math.max(0, Math.min(endsAtMs - performance.now(), goalMs));
      const heldSeconds = Math.min(HELD_SECONDS_MAX, Math.ceil(leftMs / 1000));
      const { body: page, worldTime } = await readEvents(session, seq, heldSeconds, signal);
      now = worldTime;
      const isReached = goal !== null && goal <= now;
      const hasHappened = page.events.length > 0;
      if (!isReached && !hasHappened && performance.now() < endsAtMs) continue;
      // The timers are others now.
      if (isReached || hasHappened) ({ body: state, worldTime: now } = await readState(session, signal));
      const head = `${outcomeOf(isReached, hasHappened, seq)} It is ${now}. ${timerText(state.nextTimerAt)}`;
      return { text: answerOf([head, ...eventLines(page)], 'call wait with a higher since') };
    }
  },
};

async function readState({ galaxyd, playerId }: Session, signal: AbortSignal) {
  return await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } }, signal });
}

async function readEvents({ galaxyd, playerId }: Session, since: number, heldSeconds: number, signal: AbortSignal) {
  const params = { path: { playerId }, query: { since, wait: heldSeconds, limit: EVENTS_SHOWN_MAX } };
  return await galaxyd.get('/api/event/player/{playerId}', { params, signal });
}

function outcomeOf(isReached: boolean, hasHappened: boolean, seq: number): string {
  if (isReached) return 'The time has come.';
  return hasHappened ? 'Something has happened.' : `Nothing has happened since event ${seq}.`;
}

function timerText(nextTimerAt: string | null): string {
  return nextTimerAt === null ? 'You have no timer running.' : `Your next timer ends at ${nextTimerAt}.`;
}

function eventLines({ events, lastSeq }: Shapes['EventPage']): string[] {
  const left = lastSeq - (events.at(-1)?.seq ?? lastSeq);
  return [...events.map(eventText), ...(left === 0 ? [] : [`${left} more events: call wait with since.`])];
}
