// The tournament whose games a replay shows, read every few seconds: it may still run.
import type { ReadonlySignal } from '@preact/signals';
import { SLOW_PERIOD_MS } from '../limits.js';
import type { Shapes } from './api.js';
import { type Polled, usePolled } from './poll.js';

export type Tournament = Shapes['Tournament'];
export type TournamentGame = Shapes['TournamentGame'];

/** The tournament for a component. Only a replay of one answers. */
export function useTournament(): ReadonlySignal<Polled<Tournament>> {
  const path = '/api/tournament';
  return usePolled(path, (client, signal) => client.get(path, { signal }), SLOW_PERIOD_MS);
}
