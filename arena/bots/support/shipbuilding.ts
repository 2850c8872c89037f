// Which ships a planet builds besides colony ships, as steps of its plan: it spends a share of its production, and perhaps what its
// buildings leave over.
import type { Planet, PlanStep } from '../../bot.js';
import { spend, timesIn, unitsTotal } from './amounts.js';
import type { BuildOrder } from './build-order.js';
import { levelOf, lowest, type Ship } from './building.js';
import { unitsOf } from './growth.js';
import type { Plan } from './plan.js';

/** Orders into which the ships of a plan are divided, so that the first ships are delivered early. */
const BATCHES = 4;
const SHIPS_PER_STEP_MAX = 5_000;

/** How much a bot spends on ships, and on which. */
export interface ShipPriorities {
  /** Share of production that is spent on ships. */
  readonly shipShare: number;
  /** Whether ships are built with what buildings leave over. */
  readonly armsLeftovers: boolean;
  /** Weights of the expenses for ships, by their purpose. */
  readonly mix: { readonly warships: number; readonly freighters: number; readonly scouts: number };
}

export function shipSteps(
  plan: Plan,
  priorities: ShipPriorities,
  planet: Planet,
  buildOrder: BuildOrder,
  window: number,
  stepsMax: number,
): PlanStep[] {
  const { catalog } = plan.port;
  const level = levelOf(planet, plan.roles.shipyard);
  const fleet = fleetOf(plan, priorities);
  if (level === 0 || fleet.length === 0) return [];
  // The share for ships is not part of the build order. What is left over may be spent, too.
  const leftover = priorities.armsLeftovers ? buildOrder.spare : [];
  const budget = catalog.resources.map(
    (_, resource) =>
      Math.max(0, leftover[resource] ?? 0) +
      (priorities.shipShare * (buildOrder.after.production[resource] ?? 0) * window) / (1 - priorities.shipShare),
  );
  const seconds = (window * 3_600 * catalog.speed) / BATCHES / 0.9 ** (level - 1);
  const owned = new Map(fleet.map(({ ship }) => [ship.type, unitsOwned(plan, ship)]));
  // Types that the planet cannot pay for in all this time are left out.
  const able = fleet.filter(({ ship }) => timesIn(budget, unitsOf(catalog, ship.cost), null) > 0);
  const steps: PlanStep[] = [];
  const left = catalog.resources.map(() => 0);
  for (let batch = 0; batch < Math.min(BATCHES, stepsMax); batch += 1) {
    spend(left, budget, -1 / BATCHES);
    // The type of which there is least, compared with its part.
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

/** Units of resources in all ships of a type, on planets and in fleets. */
function unitsOwned({ port, state }: Plan, { type, cost }: Ship): number {
  const standing = state.planets.flatMap(({ planetShips }) => planetShips.filter(({ shipType }) => shipType === type));
  const flying = state.fleets.flatMap(({ ships }) => ships.filter((each) => each.type === type));
  return unitsTotal(unitsOf(port.catalog, cost)) * [...standing, ...flying].reduce((sum, { count }) => sum + count, 0);
}

/** The types that a bot builds, and the share of the expenses for each. */
function fleetOf({ port: { catalog }, roles }: Plan, { mix }: ShipPriorities): { ship: Ship; part: number }[] {
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

/** The share of each resource in the expenses for ships. */
export function unitsOfFleet(plan: Plan, priorities: ShipPriorities): number[] {
  const { catalog } = plan.port;
  const parts = catalog.resources.map(() => 0);
  for (const { ship, part } of fleetOf(plan, priorities)) {
    const cost = unitsOf(catalog, ship.cost);
    for (const [index, units] of cost.entries()) parts[index] = (parts[index] ?? 0) + (part * units) / unitsTotal(cost);
  }
  return parts;
}
