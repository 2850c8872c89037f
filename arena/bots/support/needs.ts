// What planets have over and what they lack, once they have built what they plan.
import type { Catalog, Planet } from '../../bot.js';
import type { Amounts, Shapes } from '../../galaxyd-client.js';
import { amountsOf } from './amounts.js';
import type { Plan } from './plan.js';
import type { Course } from './returns.js';

/** A resource that can be shipped. */
export type Traded = Shapes['Lot']['resource'];
export const TRADED: readonly Traded[] = ['iron', 'silver', 'ember', 'h2'];

/** H2 for the way of goods that a planet keeps. */
const FUEL = 100;
/** How much more or less than on the market a resource can be worth to a planet. */
const URGENCY_MIN = 0.4;
const URGENCY_MAX = 1.8;

export interface Balance {
  readonly planet: Planet;
  /** Units that are over; negative if the planet lacks them. */
  readonly over: Record<Traded, number>;
  /** Units that must stay on the planet. */
  readonly kept: Amounts;
  /** The worth of all that it plans. */
  readonly worth: number;
}

/** The worth of amounts on the market. */
export const marketValue = ({ market }: Catalog, amounts: Partial<Amounts>): number =>
  TRADED.reduce((sum, resource) => sum + (amounts[resource] ?? 0) * (market?.values[resource] ?? 0), 0);

/** How a planet stands if it could change each resource into any other at the values of the market, until it has paid for a course of levels. */
export function balanceOf(plan: Plan, planet: Planet, { bill, firstBill, hours }: Course): Balance {
  const { catalog } = plan.port;
  const { production } = planet;
  const stock = plan.stock(planet);
  const named = (units: readonly number[]): Amounts =>
    amountsOf((resource) => units[catalog.resources.indexOf(resource)] ?? 0);
  const [needed, first] = [named(bill), named(firstBill)];
  const worth = marketValue(catalog, needed);
  const payableIn = Math.max(
    hours,
    (worth - marketValue(catalog, stock)) / Math.max(1, marketValue(catalog, production)),
    (needed.energy - stock.energy) / Math.max(1, production.energy),
  );
  const over = amountsOf((resource) => stock[resource] + production[resource] * payableIn - needed[resource]);
  const { iron, silver, ember, h2 } = over;
  return { planet, over: { iron, silver, ember, h2: h2 - FUEL }, kept: { ...first, h2: first.h2 + FUEL }, worth };
}

/** What a planet could give away now of a resource. */
export const spareOf = (plan: Plan, { planet, kept }: Balance, resource: Traded): number =>
  Math.max(0, Math.floor(plan.stock(planet)[resource] - kept[resource]));

/** How much a resource is worth to a planet, compared with the market: more if it lacks it, less if much is over. @param change units that come */
export function urgencyOf(catalog: Catalog, { over, worth }: Balance, resource: Traded, change = 0): number {
  const excess = marketValue(catalog, { [resource]: over[resource] + change }) / Math.max(1, worth);
  return Math.min(URGENCY_MAX, Math.max(URGENCY_MIN, 1 - excess));
}
