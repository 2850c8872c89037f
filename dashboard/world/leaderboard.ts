// The leaderboard, read every few seconds. The first players get the colours of the palette, and all names are remembered.
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { numberOfPlayer, setLeaders } from '../colours.js';
import { SLOW_PERIOD_MS } from '../limits.js';
import type { Shapes } from './api.js';
import { rememberNames } from './names.js';
import { type Polled, usePolled } from './poll.js';

/** The leaderboard for a component. The page uses it as well, so it is always read. */
export function useLeaderboard(): ReadonlySignal<Polled<Shapes['Leaderboard']>> {
  return usePolled('leaderboard', (client, signal) => client.get('/api/leaderboard', { signal }), SLOW_PERIOD_MS);
}

/** Ranks of the players when the page first read the leaderboard; null before. */
export const firstRanks = signal<ReadonlyMap<string, number> | null>(null);

/** The course of the leaders' points over world time. */
export type LeaderboardCourses = Shapes['LeaderboardCourses'];

/** The courses for a component. */
export function useLeaderboardCourses(): ReadonlySignal<Polled<LeaderboardCourses>> {
  const path = '/api/leaderboard/history';
  return usePolled(path, (client, signal) => client.get(path, { signal }), SLOW_PERIOD_MS);
}

/** Keeps colours and names up to date. The page does it once. */
export function useLeaders(): void {
  const leaderboard = useLeaderboard();
  useEffect(
    () =>
      effect(() => {
        const { body } = leaderboard.value;
        if (body === null) return;
        setLeaders(body.players.map(({ id }) => numberOfPlayer(id)));
        rememberNames(body.players);
        if (firstRanks.peek() === null) firstRanks.value = new Map(body.players.map(({ id, rank }) => [id, rank]));
      }),
    [leaderboard],
  );
}
