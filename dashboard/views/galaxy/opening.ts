// Where the page begins if its address names nothing: in the galaxy where everybody lives, if it is only one. Otherwise the map of the
// universe shows the settled galaxies.
import { effect } from '@preact/signals';
import { replaceRoute, route } from '../../address.js';
import { galaxies } from '../../world/map-state.js';

/** The page calls it once, when it starts. */
export function openWherePlayersAre(): void {
  if (location.hash !== '') return;
  const opened = route.peek();
  const end = effect(() => {
    const [galaxy, other] = galaxies.value.keys();
    const isLeft = route.value !== opened;
    if (galaxy === undefined && !isLeft) return;
    queueMicrotask(() => end());
    if (galaxy !== undefined && other === undefined && !isLeft) replaceRoute({ view: 'galaxy', galaxy });
  });
}
