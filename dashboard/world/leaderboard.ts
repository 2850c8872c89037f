// The leaderboard, read every few seconds. The first players get the colours of the palette, and all names are remembered.
import { effect, type ReadonlySignal } from '@preact/signals';
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
      }),
    [leaderboard],
  );
}
