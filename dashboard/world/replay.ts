// The replay as this page knows it: where it stands, what happened when, and how it is moved. All pages that look at a replay share
// its position.
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { replaceRoute, route } from '../address.js';
import { REPLAY_PERIOD_MS, TIMELINE_PERIOD_MS } from '../limits.js';
import { api, type Failure, failureOf, type Shapes } from './api.js';
import { forgetWorld } from './documents.js';
import { type Polled, readNow, usePolled } from './poll.js';
import { readAgain } from './status.js';
import { noteWorldTime } from './world-clock.js';

export type Position = Shapes['ReplayPosition'];
export type Timeline = Shapes['Timeline'];
type Movement = Shapes['ReplayRequest'];

const POSITION = 'replay';

/** Where the replay stands, as it was last answered; null before the first answer. */
export const position = signal<Position | null>(null);

/** Whether a movement has not ended. */
export const isMoving = signal(false);

/** Whether it shows a game of a tournament. */
export const isOfTournament = computed(() => typeof position.value?.game === 'number');

/** Why the last movement failed; null if it did not. */
export const movementFailure = signal<Failure | null>(null);

let movements = 0;

/** Follows the replay while the scrubber is shown, and keeps the clock of the page at its time. */
export function useReplay(): Timeline | null {
  const polled = usePolled(POSITION, (client, ended) => client.get('/api/replay', { signal: ended }), REPLAY_PERIOD_MS);
  const timeline = usePolled(
    'replay-timeline',
    (client, ended) => client.get('/api/replay/timeline', { signal: ended }),
    TIMELINE_PERIOD_MS,
  );
  useEffect(() => followPosition(polled), [polled]);
  useEffect(moveToAddress, []);
  return timeline.value.body;
}

/** Moves the replay. A newer movement makes the answer of an older one pointless. @returns whether it was moved */
export async function moveReplay(movement: Movement): Promise<boolean> {
  movements += 1;
  const number = movements;
  isMoving.value = true;
  try {
    const { body } = await api.peek().post('/api/replay', { body: movement });
    if (number !== movements) return false;
    const before = position.peek();
    movementFailure.value = null;
    take(body);
    replaceRoute({ ...route.peek(), at: body.isPlaying ? null : body.seq, game: body.game });
    // What is shown belongs to another instant now.
    if (!('isPlaying' in movement) && before?.seq !== body.seq) readAgain();
    return true;
  } catch (error) {
    if (number === movements) movementFailure.value = failureOf(error);
    return false;
  } finally {
    if (number === movements) isMoving.value = false;
    readNow(POSITION);
  }
}

export function togglePlaying(): void {
  const isPlaying = position.peek()?.isPlaying;
  if (isPlaying !== undefined) void moveReplay({ isPlaying: !isPlaying });
}

function followPosition(polled: ReadonlySignal<Polled<Position>>): () => void {
  const latest = computed(() => polled.value.body);
  return effect(() => {
    const { value } = latest;
    if (value !== null && !isMoving.peek()) untracked(() => take(value));
  });
}

function take(latest: Position): void {
  const before = position.peek();
  position.value = latest;
  if (before !== null && before.game !== latest.game) forgetWorld();
  noteWorldTime(Date.parse(latest.worldTime), latest.isPlaying ? latest.speed : 0);
}

/** A link to a position moves the replay there. */
function moveToAddress(): void {
  const { at, game } = route.peek();
  if (game !== null) void moveReplay(at === null ? { game } : { game, atSeq: at });
  else if (at !== null) void moveReplay({ seq: at });
}
