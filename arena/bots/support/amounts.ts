// Arithmetic with amounts of resources.
import type { Planet } from '../../bot.js';
import type { Amounts, Resource } from '../../galaxyd-client.js';

export const RESOURCES: readonly Resource[] = ['iron', 'silver', 'ember', 'h2', 'energy'];
/** What fleets can carry: all but energy. */
export const CARGO = ['iron', 'silver', 'ember', 'h2'] as const;

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

/**
 * What a unit of each resource is worth on a planet: how much of it is asked for, against what the planet has and makes in a day.
 *
 * @param wanted what the planet shall pay; resources that nothing asks for are worth nothing
 */
export const worthOn = (planet: Planet, wanted: readonly Amounts[]): Amounts => {
  const demand = sumOf(wanted);
  return amountsOf((resource) => demand[resource] / (planet[resource] + 24 * planet.production[resource] + 1));
};
