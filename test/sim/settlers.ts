// Players who settle: they build colony ships, fly them to free planets with a dowry, and give the first order the
// moment the ship has landed. The owner of that order's Idempotency-Key changes at the same moment.

import type { WorldCommand } from '../../engine/commands/table.js';
import { COLONIZE } from '../../engine/missions/names.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import type { ReadonlyFleet, ReadonlyPlanet, ReadonlyWorld } from '../../engine/state.js';
import { build, construct, grant, launch } from '../support/command-words.js';
import type { Draws } from '../support/process/draws.js';
import { PLENTY } from '../support/world-story.js';

/** The resources that a colony needs for its first building. */
const DOWRY = { iron: 200, silver: 100 };

/** The planet that sends out colony ships: the oldest. */
export function harbour(world: ReadonlyWorld): ReadonlyPlanet | undefined {
  return world.planets.values().next().value;
}

/** When the construction in a harbour is finished; undefined if there is none. */
export function harbourBusyUntilMs({ upgrade, orders }: ReadonlyPlanet): number | undefined {
  return upgrade?.finishAtMs ?? orders[0]?.finishAtMs;
}

/** The next command on the way to another colony. */
export function chooseSettling(world: ReadonlyWorld, origin: ReadonlyPlanet, draws: Draws): WorldCommand {
  if (draws.oneIn(4)) return grant(origin, PLENTY);
  if ((origin.ships[STANDARD_1_RULES.colonyShip] ?? 0) > 0) {
    const to = { key: freeNeighbour(world, origin, draws) };
    return launch({ by: origin.owner, from: origin, to, ships: { colony_ship: 1 }, mission: 'colonize', cargo: DOWRY });
  }
  return origin.levels[STANDARD_1_RULES.shipyard] === 0
    ? construct(origin, 'shipyard')
    : build(origin, 'colony_ship', 4);
}

/** The colony ship that lands next. */
export function nextSettler({ fleets }: ReadonlyWorld): ReadonlyFleet | undefined {
  const settlers = [...fleets.values()].filter(({ mission, isReturning }) => mission === COLONIZE && !isReturning);
  return settlers.sort((a, b) => a.arrivesAtMs - b.arrivesAtMs)[0];
}

/** The first order on a new colony, which its dowry pays. */
export function firstOrder({ targetKey }: ReadonlyFleet): WorldCommand {
  return construct({ key: targetKey }, 'fusion_plant');
}

/** Key of a planet without an owner in the same system; the planet's own key if there is none. */
export function freeNeighbour({ universe, planets }: ReadonlyWorld, { key }: ReadonlyPlanet, draws: Draws): number {
  const { galaxy, system } = universe.positionOf(key);
  const free = universe.planetKeys(universe.systemKey(galaxy, system)).filter((candidate) => !planets.has(candidate));
  return free.length === 0 ? key : draws.pick(free);
}
