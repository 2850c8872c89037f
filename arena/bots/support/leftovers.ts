// What a planet does with what its levels leave over: it builds the warships that turn most of it into points in the time of its shipyard.
import type { Planet, PlanStep } from '../../bot.js';
import { timesIn, type Units, unitsTotal, weigh } from './amounts.js';
import { levelOf, lowest, type Ship } from './building.js';
import { unitsOf } from './growth.js';
import { hoursBetween, type Plan } from './plan.js';

const SHIPS_PER_STEP_MAX = 5_000;

interface LeftoverShips {
  /** What the planet can pay for. */
  readonly built: PlanStep[];
  /** What it would build if it had the same worth in the right resources. */
  readonly wished: PlanStep[];
}

const NONE: LeftoverShips = { built: [], wished: [] };

/** @param surplus units that are left over; negative if they are missing. @param hours for which the shipyard shall be busy, at speed 1 */
export function leftoverShips(plan: Plan, planet: Planet, surplus: Units, hours: number): LeftoverShips {
  const { catalog, now } = plan.port;
  const level = levelOf(planet, plan.roles.shipyard);
  const queued = planet.shipyardQueue.at(-1)?.buildFinishAt ?? now;
  const seconds = (hours - hoursBetween(now, queued) * catalog.speed) * 3_600;
  if (level === 0 || seconds <= 0) return NONE;
  const current = plan.inProduction(planet);
  const warships = catalog.ships.filter(({ attack, type }) => attack > 0 && (current ?? type) === type);
  const inTime = ({ baseSeconds }: Ship): number =>
    Math.min(SHIPS_PER_STEP_MAX, Math.floor(seconds / (baseSeconds * 0.9 ** (level - 1))));
  const payable = (ship: Ship): number => Math.min(inTime(ship), timesIn(surplus, unitsOf(catalog, ship.cost), null));
  const units = ({ cost }: Ship): number => unitsTotal(unitsOf(catalog, cost));
  const best = lowest(warships, (ship) =>
    payable(ship) === 0 ? Number.POSITIVE_INFINITY : -payable(ship) * units(ship),
  );
  if (best === undefined) return NONE;
  const dearest = lowest(warships, (ship) => -inTime(ship) * units(ship)) ?? best;
  const values = unitsOf(catalog, {
    energy: 0,
    ...(catalog.market?.values ?? { iron: 0, silver: 0, ember: 0, h2: 0 }),
  });
  const worth = weigh(unitsOf(catalog, dearest.cost), values);
  const affordable = worth === 0 ? 0 : Math.floor(weigh(surplus, values) / worth);
  return { built: stepsFor(best, payable(best)), wished: stepsFor(dearest, Math.min(inTime(dearest), affordable)) };
}

const stepsFor = ({ type }: Ship, count: number): PlanStep[] =>
  count > 0 ? [{ action: 'build_ships', shipType: type, count }] : [];
