// The address of the page: which route is shown, and how it changes. Only routes are in it, never a key.
import { signal } from '@preact/signals';
import { formatRoute, parseRoute, type ReplayedPlace, type Route, type Target } from './routes.js';

export const route = signal<Route>(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

/** Returns the link to a target. It keeps the position of a replay. */
export function linkTo(target: Target): string {
  const { at, game } = route.value;
  return formatRoute({ ...target, at, game });
}

/** Shows a target, as if its link had been followed. */
export function goTo(target: Target): void {
  location.hash = linkTo(target);
}

/**
 * Changes the present address without a new entry in the history, for example for filters and the position of a replay. That position
 * stays if the target names none.
 */
export function replaceRoute(target: Target & Partial<ReplayedPlace>): void {
  const { at, game } = route.peek();
  const next: Route = { at, game, ...target };
  history.replaceState(null, '', formatRoute(next));
  route.value = next;
}
