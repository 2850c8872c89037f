// What players do next. Some do anything that makes sense. Some settle: they build colony ships, fly them to free planets with a
// dowry, and give the first order the moment the ship has landed, when the owner of its Idempotency-Key changes, too. And some plan
// for planets that have next to nothing: each step waits until production covers it. What they deal in is in deals.ts.

import type { WorldCommand } from '../../engine/commands/table.js';
import { stockUnits } from '../../engine/planets/stocks.js';
import { fieldsNear } from '../../engine/queries/fields-near.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { COLONIZE } from '../../engine/terms/missions.js';
import type { WholeStep } from '../../engine/terms/plan-step.js';
import type { ReadonlyFleet, ReadonlyPlanet, ReadonlyWorld } from '../../engine/world/state.js';
import { build, colonize, construct, grant, launch, recall, shipIndex } from '../support/command-words.js';
import { putPlan } from '../support/planned-rules.js';
import type { Draws } from '../support/process/draws.js';
import { chooseCommand } from '../support/random-play.js';
import { NOBODY, PLENTY } from '../support/world-story.js';

/** Worlds are kept small, so that a step is cheap: newcomers appear only in worlds below this size. */
const PLAYERS_FROM = 3;
const PLAYERS_UNTIL = 6;
const TRIES_MAX = 20;

/**
 * A move that makes sense in the world as it is, and keeps it small.
 *
 * @param name a name that no player has
 */
export function chooseMove(world: ReadonlyWorld, draws: Draws, name: string): WorldCommand {
  if (world.playerCount < PLAYERS_FROM || (world.playerCount < PLAYERS_UNTIL && draws.oneIn(20))) {
    return { type: 'create_player', name, isBot: true, keyHash: null, nameKey: name };
  }
  if (draws.oneIn(8)) return grant(draws.pick([...world.planets.values()]), PLENTY);
  const harvest = draws.oneIn(6) ? harvestOf(world) : undefined;
  if (harvest !== undefined) return harvest;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const command = chooseCommand(world, (bound) => draws.below(bound));
    if (command.type !== 'create_player' && command.type !== 'create_players') return command;
  }
  return recall(NOBODY, NOBODY);
}

/** A flight of a transport to what lies nearest in space; undefined if no planet has one, or nothing lies there. */
function harvestOf(world: ReadonlyWorld): WorldCommand | undefined {
  const origin = [...world.planets.values()].find(({ ships }) => (ships[shipIndex('transport')] ?? 0) > 0);
  const [field] = origin === undefined ? [] : fieldsNear(world, origin.key, 1);
  if (origin === undefined || field === undefined) return undefined;
  return launch({ by: origin.owner, from: origin, to: field, ships: { transport: 1 }, mission: 'harvest' });
}

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

const IRON = RESOURCES.indexOf('iron');
/** A planet with less iron than this is poor. */
const POOR_UNITS = 1_000;

/** Some plans skip what takes longer to pay than this. */
const LONGER_THAN_MS = 600_000;

/** When each lane that waits for stock can pay, in no order. */
export function planDeadlines({ planets, plans }: ReadonlyWorld): number[] {
  const deadlines = [...planets.values()].flatMap(({ row }) => plans.get(row)?.deadlinesMs ?? []);
  return deadlines.filter((deadlineMs) => deadlineMs > 0);
}

/** Hands a plan to a poor planet that has none; if there is no such planet, somebody takes one. */
export function choosePlanning(world: ReadonlyWorld, draws: Draws): WorldCommand {
  const planets = [...world.planets.values()];
  const poor = planets.filter(
    (planet) => isIdle(world, planet) && stockUnits(world, planet, IRON, world.nowMs) < POOR_UNITS,
  );
  if (poor.length === 0) {
    const origin = draws.pick(planets);
    return colonize(origin.owner, { key: freeNeighbour(world, origin, draws) });
  }
  const planet = draws.pick(poor);
  // Each building at most once: what has been constructed cannot be constructed again.
  const types = world.rules.buildings.map((_, buildingType) => buildingType).filter(() => draws.oneIn(2));
  const steps = types.map((buildingType): WholeStep => {
    return { action: planet.levelOf(buildingType) === 0 ? 'construct' : 'upgrade', buildingType };
  });
  const isSkipping = draws.oneIn(2);
  return putPlan(planet, steps, isSkipping, isSkipping && draws.oneIn(2) ? LONGER_THAN_MS : null);
}

const isIdle = ({ plans }: ReadonlyWorld, { row, upgrade }: ReadonlyPlanet): boolean =>
  plans.get(row) === undefined && upgrade === null;
