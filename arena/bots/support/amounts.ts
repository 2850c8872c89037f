// Arithmetic with amounts of resources.
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

/** How often a stock covers a cost; Infinity for a cost of nothing. */
export const times = (stock: Amounts, cost: Amounts): number =>
  Math.min(
    ...RESOURCES.filter((resource) => cost[resource] > 0).map((resource) =>
      Math.max(0, Math.floor(stock[resource] / cost[resource])),
    ),
  );

/** Amounts weighed by what a unit of each resource is worth. */
export const weighed = (amounts: Amounts, worth: Amounts): number =>
  RESOURCES.reduce((sum, resource) => sum + amounts[resource] * worth[resource], 0);

/** Share of what is asked for of a resource that counts as if it were there, so that a missing resource has a finite worth. */
const DEMAND_SHARE = 0.1;

/**
 * What a unit of each resource is worth on a planet: how much of it is asked for, against what the planet has and makes in a day.
 *
 * @param wanted costs that the planet is to pay; resources that none of them needs are worth nothing
 */
export const worthOn = (planet: Planet, wanted: readonly Amounts[]): Amounts => {
  const demand = sumOf(wanted);
  return amountsOf((resource) => {
    const supply = planet[resource] + 24 * planet.production[resource];
    return demand[resource] / (supply + DEMAND_SHARE * demand[resource] + 1);
  });
};
