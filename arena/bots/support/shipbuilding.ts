// What ships a planet builds besides colony ships, as steps of its plan: with a share of what it makes, and with what its buildings
// leave over.
import type { Planet, PlanStep } from '../../bot.js';
import { unitsOf } from './growth.js';
import type { Plan } from './plan.js';
import type { Schedule } from './schedule.js';
import type { Strategy } from './strategy.js';
import { spend, timesIn, unitsTotal } from './units.js';
import { levelOf, lowest, type Ship } from './works.js';

/** Orders that a day of ships is divided into, so that the first are not delivered with the last. */
const BATCHES = 4;
const SHIPS_PER_STEP_MAX = 5_000;

export function shipSteps(
  plan: Plan,
  strategy: Strategy,
  planet: Planet,
  schedule: Schedule,
  window: number,
  stepsMax: number,
): PlanStep[] {
  const { catalog } = plan.hand;
  const level = levelOf(planet, plan.roles.shipyard);
  const fleet = fleetOf(plan, strategy);
  if (level === 0 || fleet.length === 0) return [];
  // The share was not scheduled; what is left over at the end is there, too.
  const leftover = strategy.armsLeftovers ? schedule.spare : [];
  const budget = catalog.resources.map(
    (_, resource) =>
      Math.max(0, leftover[resource] ?? 0) +
      (strategy.shipShare * (schedule.after.production[resource] ?? 0) * window) / (1 - strategy.shipShare),
  );
  const seconds = (window * 3_600 * catalog.speed) / BATCHES / 0.9 ** (level - 1);
  const owned = new Map(fleet.map(({ ship }) => [ship.type, unitsOwned(plan, ship)]));
  // Who cannot pay for a type in all this time does not wait for it.
  const able = fleet.filter(({ ship }) => timesIn(budget, unitsOf(catalog, ship.cost), null) > 0);
  const steps: PlanStep[] = [];
  const left = catalog.resources.map(() => 0);
  for (let batch = 0; batch < Math.min(BATCHES, stepsMax); batch += 1) {
    spend(left, budget, -1 / BATCHES);
    // What there is least of, against its part.
    const next = lowest(able, ({ ship, part }) => (owned.get(ship.type) ?? 0) / part);
    if (next === undefined) break;
    const cost = unitsOf(catalog, next.ship.cost);
    const count = Math.min(timesIn(left, cost, null), Math.floor(seconds / next.ship.baseSeconds), SHIPS_PER_STEP_MAX);
    if (count < 1) continue;
    spend(left, cost, count);
    owned.set(next.ship.type, (owned.get(next.ship.type) ?? 0) + count * unitsTotal(cost));
    steps.push({ action: 'build_ships', shipType: next.ship.type, count });
  }
  return steps;
}

/** Units of resources in the ships of a type that stand on planets or fly. */
function unitsOwned({ hand, state }: Plan, { type, cost }: Ship): number {
  const standing = state.planets.flatMap(({ planetShips }) => planetShips.filter(({ shipType }) => shipType === type));
  const flying = state.fleets.flatMap(({ ships }) => ships.filter((each) => each.type === type));
  return unitsTotal(unitsOf(hand.catalog, cost)) * [...standing, ...flying].reduce((sum, { count }) => sum + count, 0);
}

/** The types that a strategy builds, and the part of the expenses on each. */
function fleetOf({ hand: { catalog }, roles }: Plan, { mix }: Strategy): { ship: Ship; part: number }[] {
  const costOf = ({ cost }: Ship): number => unitsTotal(unitsOf(catalog, cost));
  const warships = catalog.ships.filter(({ attack }) => attack > 0);
  const freighter = catalog.ships
    .filter(({ cargo, type }) => cargo > 0 && type !== roles.colonyShip)
    .sort((one, other) => costOf(one) / one.cargo - costOf(other) / other.cargo)[0];
  const scout = catalog.ships.find(({ type }) => type === roles.scout);
  const all = mix.warships + mix.freighters + mix.scouts;
  return [
    ...warships.map((ship) => ({ ship, part: mix.warships / warships.length / all })),
    ...(freighter === undefined ? [] : [{ ship: freighter, part: mix.freighters / all }]),
    ...(scout === undefined ? [] : [{ ship: scout, part: mix.scouts / all }]),
  ].filter(({ part }) => part > 0);
}

/** What a unit that is spent on ships is made of: a part for each resource. */
export function unitsOfFleet(plan: Plan, strategy: Strategy): number[] {
  const { catalog } = plan.hand;
  const parts = catalog.resources.map(() => 0);
  for (const { ship, part } of fleetOf(plan, strategy)) {
    const cost = unitsOf(catalog, ship.cost);
    for (const [index, units] of cost.entries()) parts[index] = (parts[index] ?? 0) + (part * units) / unitsTotal(cost);
  }
  return parts;
}
