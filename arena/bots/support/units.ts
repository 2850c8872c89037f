// Amounts of resources as plain numbers, in the order of the resources of the catalogue: forecasts and schedules count in them,
// because they make very many.

/** Units of each resource. */
export type Units = number[];

export const unitsTotal = (units: readonly number[]): number => units.reduce((total, each) => total + each, 0);

/** Takes a cost from a stock some times; a negative count adds it. */
export function spend(stock: Units, cost: readonly number[], count: number): void {
  for (let resource = 0; resource < cost.length; resource += 1) {
    stock[resource] = (stock[resource] as number) - (cost[resource] as number) * count;
  }
}

/** How often a stock covers a cost, if something is kept of it. */
export function timesIn(stock: Units, cost: readonly number[], kept: readonly number[] | null): number {
  let count = Number.POSITIVE_INFINITY;
  for (let resource = 0; resource < cost.length; resource += 1) {
    const units = cost[resource] as number;
    if (units > 0) count = Math.min(count, Math.floor(((stock[resource] as number) - (kept?.[resource] ?? 0)) / units));
  }
  return Math.max(0, count);
}

/** Hours until production has paid for a cost; Infinity if it never does. */
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
