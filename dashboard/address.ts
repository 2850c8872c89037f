// The address of the page: which route is shown, and how it changes. Only routes are in it, never a key.
import { signal } from '@preact/signals';
import { formatRoute, type Kept, parseRoute, type Route, type Target } from './routes.js';

export const route = signal<Route>(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

/** Returns the link to a target. It keeps the position of a replay and the player who is followed, unless the target names others. */
export function linkTo(target: Target & Partial<Kept>): string {
  const { at, game, player } = route.value;
  return formatRoute({ at, game, player, ...target });
}

/** Shows a target, as if its link had been followed. */
export function goTo(target: Target & Partial<Kept>): void {
  location.hash = linkTo(target);
}

/** Changes the present address without a new entry in the history, for example for filters. It keeps what links keep. */
export function replaceRoute(target: Target & Partial<Kept>): void {
  const { at, game, player } = route.peek();
  const next: Route = { at, game, player, ...target };
  history.replaceState(null, '', formatRoute(next));
  route.value = next;
}

/** Follows a player, or nobody. */
export function follow(player: string | null): void {
  replaceRoute({ ...route.peek(), player });
}
