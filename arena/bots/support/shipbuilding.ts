// What ships a planet builds besides colony ships, as steps of its plan: with a share of what it makes, and with what its buildings
// leave over.
import type { Planet, PlanStep } from '../../bot.js';
import { unitsOf } from './growth.js';
import type { Plan } from './plan.js';
import type { Schedule } from './schedule.js';
import type { Strategy } from './strategy.js';
import { unitsTotal } from './units.js';
import { levelOf, type Ship } from './works.js';

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
  const batches = Math.min(BATCHES, Math.floor(stepsMax / fleet.length));
  const secondsPerBatch = (window * 3_600 * catalog.speed) / batches / 0.9 ** (level - 1);
  const steps = fleet.flatMap(({ ship, part }): PlanStep[] => {
    const cost = unitsOf(catalog, ship.cost);
    const affordable = Math.min(
      ...cost.map((units, index) => (units === 0 ? 1e9 : ((budget[index] ?? 0) * part) / units)),
    );
    const count = Math.floor(Math.min(affordable / batches, (secondsPerBatch * part) / ship.baseSeconds));
    return count < 1
      ? []
      : [{ action: 'build_ships', shipType: ship.type, count: Math.min(count, SHIPS_PER_STEP_MAX) }];
  });
  return Array.from({ length: batches }, () => steps).flat();
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
