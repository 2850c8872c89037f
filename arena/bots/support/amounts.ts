// Arithmetic with amounts of resources: by name, and as plain numbers in the order of the resources of the catalogue. Forecasts and
// build orders need very many of them, so they use plain numbers.
import type { Planet } from '../../bot.js';
import type { Amounts, Resource } from '../../galaxyd-client.js';

export const RESOURCES: readonly Resource[] = ['iron', 'silver', 'ember', 'h2', 'energy'];

/** One amount for each resource. */
export const amountsOf = (amountOf: (resource: Resource) => number): Amounts => ({
  iron: amountOf('iron'),
  silver: amountOf('silver'),
  ember: amountOf('ember'),
  h2: amountOf('h2'),
  energy: amountOf('energy'),
});

export const NOTHING: Amounts = amountsOf(() => 0);

export const sumOf = (amounts: readonly Amounts[]): Amounts =>
  amountsOf((resource) => amounts.reduce((sum, each) => sum + each[resource], 0));

export const plus = (one: Amounts, other: Amounts): Amounts => amountsOf((resource) => one[resource] + other[resource]);

export const minus = (one: Amounts, other: Amounts): Amounts =>
  amountsOf((resource) => one[resource] - other[resource]);

export const multiplied = (amounts: Amounts, factor: number): Amounts =>
  amountsOf((resource) => amounts[resource] * factor);

export const total = (amounts: Partial<Amounts>): number =>
  RESOURCES.reduce((sum, resource) => sum + (amounts[resource] ?? 0), 0);

export const covers = (stock: Amounts, cost: Partial<Amounts>): boolean =>
  RESOURCES.every((resource) => stock[resource] >= (cost[resource] ?? 0));

/** How many times a stock covers a cost; Infinity if nothing is needed. */
export const times = (stock: Amounts, cost: Amounts): number =>
  Math.min(
    ...RESOURCES.filter((resource) => cost[resource] > 0).map((resource) =>
      Math.max(0, Math.floor(stock[resource] / cost[resource])),
    ),
  );

/** The sum of amounts, each multiplied by the worth of a unit. */
export const weighed = (amounts: Amounts, worth: Amounts): number =>
  RESOURCES.reduce((sum, resource) => sum + amounts[resource] * worth[resource], 0);

/** Share of the demand for a resource that counts as supply, so that a missing resource has a finite worth. */
const DEMAND_SHARE = 0.1;

/**
 * The worth of a unit of each resource on a planet: the demand for it against what the planet has and makes in a day.
 *
 * @param wanted costs that the planet is to pay. A resource that none of them needs is worth nothing
 */
export const worthOn = (planet: Planet, wanted: readonly Amounts[]): Amounts => {
  const demand = sumOf(wanted);
  return amountsOf((resource) => {
    const supply = planet[resource] + 24 * planet.production[resource];
    return demand[resource] / (supply + DEMAND_SHARE * demand[resource] + 1);
  });
};

/** Units of each resource. */
export type Units = number[];

export const unitsTotal = (units: readonly number[]): number => units.reduce((total, each) => total + each, 0);

/** Subtracts a cost from a stock, count times. A negative count adds it. */
export function spend(stock: Units, cost: readonly number[], count: number): void {
  for (let resource = 0; resource < cost.length; resource += 1) {
    stock[resource] = (stock[resource] as number) - (cost[resource] as number) * count;
  }
}

/** How many times a stock covers a cost. @param kept units that must be left */
export function timesIn(stock: Units, cost: readonly number[], kept: readonly number[] | null): number {
  let count = Number.POSITIVE_INFINITY;
  for (let resource = 0; resource < cost.length; resource += 1) {
    const units = cost[resource] as number;
    if (units > 0) count = Math.min(count, Math.floor(((stock[resource] as number) - (kept?.[resource] ?? 0)) / units));
  }
  return Math.max(0, count);
}

/** Hours until stock and production cover a cost; Infinity if they never do. */
export function hoursUntil(stock: Units, production: Units, cost: readonly number[]): number {
  let hours = 0;
  for (let resource = 0; resource < cost.length; resource += 1) {
    const missing = (cost[resource] as number) - (stock[resource] as number);
    if (missing > 0) hours = Math.max(hours, missing / (production[resource] as number));
  }
  return hours;
}

export function weigh(units: readonly number[], worth: readonly number[]): number {
  let weight = 0;
  for (let resource = 0; resource < units.length; resource += 1) {
    weight += (units[resource] as number) * (worth[resource] as number);
  }
  return weight;
}
