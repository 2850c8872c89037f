// The state of the world and of the connection to it: /api/status, read every few seconds, faster while the server does not
// answer.
import { computed, effect, signal } from '@preact/signals';
import { OFFLINE_AFTER_MS, OUTAGE_STATUS_PERIOD_MS, STATUS_PERIOD_MS } from '../limits.js';
import { api, type Failure, failureOf, hasKey, type Shapes } from './api.js';
import { noteViewerTime, noteWorldTime } from './world-clock.js';

/** `locked`: nothing can be read without a key. `paused`: by the operator, so world time stands. */
export type ConnectionState = 'connecting' | 'live' | 'paused' | 'reconnecting' | 'offline' | 'replay' | 'locked';

/** The last status that the server has sent; null before the first. */
export const status = signal<Shapes['Status'] | null>(null);

/** How often the server was back after an outage, or was restarted: what was read before may be old. */
export const returns = signal(0);

/** Why the last read failed; null if it did not. */
export const statusFailure = signal<Failure | null>(null);

/** Time of the viewer's clock at which the server last answered; null before. */
export const answeredAtMs = signal<number | null>(null);

const failingSinceMs = signal<number | null>(null);
const isOffline = signal(false);

/** Whether there is anything that a key could show. */
export const needsKey = computed(() => status.value?.auth === 'key' || statusFailure.value?.kind === 'key');

/** Whether to ask for what may need a key: before the first status nothing is known about keys, and without one there is no use. */
export const canRead = computed(() => status.value !== null && (hasKey.value || !needsKey.value));

export const isReplay = computed(() => status.value?.isReplay === true);

export const connection = computed<ConnectionState>(() => {
  if (isOffline.value) return 'offline';
  if (statusFailure.value?.kind === 'key') return 'locked';
  if (failingSinceMs.value !== null) return status.value === null ? 'connecting' : 'reconnecting';
  if (status.value === null) return 'connecting';
  if (isReplay.value) return 'replay';
  return status.value.pausedAt === null ? 'live' : 'paused';
});

/** Makes everything be read again, for example because a replay has jumped. */
export function readAgain(): void {
  returns.value += 1;
}

/** Begins to read. The page calls it once, when it starts. */
export function watchStatus(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading = new AbortController();
  const again = (): void => {
    clearTimeout(timer);
    reading.abort();
    reading = new AbortController();
    const { signal: ended } = reading;
    void readOnce(ended).then(() => {
      if (ended.aborted) return;
      timer = setTimeout(again, failingSinceMs.peek() === null ? STATUS_PERIOD_MS : OUTAGE_STATUS_PERIOD_MS);
    });
  };
  effect(() => {
    api.value;
    again();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) again();
  });
  addEventListener('online', again);
}

async function readOnce(ended: AbortSignal): Promise<void> {
  try {
    const { body, worldTime } = await api.peek().get('/api/status', { signal: ended });
    if (ended.aborted) return;
    answered(body, worldTime);
  } catch (error) {
    if (ended.aborted) return;
    const failure = failureOf(error);
    statusFailure.value = failure;
    if (failure.kind !== 'offline') {
      failingSinceMs.value = null;
      isOffline.value = false;
      return;
    }
    failingSinceMs.value ??= performance.now();
    isOffline.value = performance.now() - failingSinceMs.value >= OFFLINE_AFTER_MS;
  }
}

function answered(body: Shapes['Status'], worldTime: string): void {
  const before = status.peek();
  const isRestarted = before !== null && body.uptimeSeconds < before.uptimeSeconds;
  const wasFailing = failingSinceMs.peek() !== null && before !== null;
  status.value = body;
  statusFailure.value = null;
  failingSinceMs.value = null;
  isOffline.value = false;
  answeredAtMs.value = Date.now();
  const worldMs = Date.parse(worldTime);
  noteWorldTime(worldMs, rateOf(body));
  noteViewerTime(rateOf(body) === 1 ? worldMs : null, Date.now());
  if (isRestarted || wasFailing) readAgain();
}

/**
 * World time per real time. A world of any speed has the time of its server's clock: the speed shortens what takes time. That of a
 * replay is its own, which the scrubber knows.
 */
function rateOf({ clock, pausedAt, isReplay: isPast }: Shapes['Status']): number | undefined {
  if (isPast) return undefined;
  return clock === 'real' && pausedAt === null ? 1 : 0;
}
