// A fleet as the map shows it: one way, from one planet to another, as a row of numbers. Its position between them is linear in world
// time.

import type { PlanetKey, Universe } from '../../engine/map/universe.js';
import type { ReadonlyFleet, ReadonlyWorld } from '../../engine/world/state.js';

type LegWorld = Pick<ReadonlyWorld, 'universe' | 'lineages'>;

/** @returns JSON; the fields are in the order of the schema `MapLeg` */
export function legText({ universe, lineages }: LegWorld, fleet: ReadonlyFleet): string {
  const { number, owner, mission, originKey, targetKey, isReturning } = fleet;
  const head = `[${number},${lineages.idNumberOf(owner.number)},${mission}`;
  const origin = placeText(universe, originKey);
  const target = placeText(universe, targetKey);
  if (!isReturning || fleet.returnsAtMs === null)
    return `${head},0,${origin},${target},${fleet.launchedAtMs},${fleet.arrivesAtMs}]`;
  // A fleet that was recalled turns round where it is: as if it had left the target that much earlier.
  return `${head},1,${target},${origin},${fleet.returnsAtMs - fleet.flightMs},${fleet.returnsAtMs}]`;
}

/** Galaxy, system and slot, without brackets. */
export function placeText(universe: Universe, key: PlanetKey): string {
  const { galaxy, system, slot } = universe.positionOf(key);
  return `${galaxy},${system},${slot}`;
}
