// What planets cost and make, level by level, as the catalogue says it, and a planet that grows by it. Everything is counted in
// closed form: between two changes a stock is a straight line.
import type { Catalog, Planet } from '../../bot.js';
import type { Amounts } from '../../galaxyd-client.js';
import { hoursBetween, type Stock } from './plan.js';
import { spend, type Units, unitsTotal } from './units.js';

/** A level of a building. */
export interface Level {
  readonly cost: readonly number[];
  /** Units of all resources in its cost. */
  readonly points: number;
  /** What it produces more in an hour than the level below, without the effects of research. */
  readonly gain: readonly number[];
  /** World hours that it takes. */
  readonly hours: number;
}

export interface BuildingTable {
  readonly type: string;
  /** From level 1. */
  readonly levels: readonly Level[];
  readonly isProducing: boolean;
}

/** A planet that grows. */
export interface Growing {
  readonly stock: Units;
  readonly production: Units;
  readonly levels: number[];
  /** What research adds to the output of the catalogue, by resource: 1 is nothing. */
  readonly factors: readonly number[];
  /** The upgrade under way: the position of the building, and the hours until it ends. Null if there is none. */
  readonly upgrade: { readonly building: number; readonly hours: number } | null;
}

const tablesOf = new WeakMap<Catalog, readonly BuildingTable[]>();

/** The buildings of a catalogue; the same ones each time. */
export function buildingTables(catalog: Catalog): readonly BuildingTable[] {
  const known = tablesOf.get(catalog) ?? catalog.buildings.map((building) => tableOf(catalog, building));
  tablesOf.set(catalog, known);
  return known;
}

function tableOf(
  { speed }: Catalog,
  { type, costs, outputsPerHour, seconds }: Catalog['buildings'][number],
): BuildingTable {
  const levels = costs.map((cost, index) => {
    const before = outputsPerHour[index - 1];
    const gain = (outputsPerHour[index] ?? []).map((units, resource) => (units - (before?.[resource] ?? 0)) * speed);
    return { cost, points: unitsTotal(cost), gain, hours: (seconds[index] ?? 0) / 3_600 / speed };
  });
  return { type, levels, isProducing: unitsTotal(levels[0]?.gain ?? []) > 0 };
}

export const unitsOf = ({ resources }: Catalog, amounts: Amounts): Units =>
  resources.map((resource) => amounts[resource]);

/** A planet as it is now. */
export function growingOf(catalog: Catalog, now: string, planet: Planet, stock: Stock): Growing {
  const tables = buildingTables(catalog);
  const production = unitsOf(catalog, planet.production);
  const levels = tables.map(({ type }) => planet.buildings.find((building) => building.type === type)?.level ?? 0);
  const base = production.map(() => 0);
  for (const [index, level] of levels.entries()) {
    for (const { gain } of tables[index]?.levels.slice(0, level) ?? []) spend(base, gain, -1);
  }
  const under = planet.buildings.find(({ constructionQueue }) => constructionQueue.length > 0);
  const [entry] = under?.constructionQueue ?? [];
  const building = catalog.buildings.findIndex(({ type }) => type === under?.type);
  return {
    stock: unitsOf(catalog, stock),
    production,
    levels,
    factors: production.map((made, resource) => ((base[resource] ?? 0) > 0 ? made / (base[resource] as number) : 1)),
    upgrade: entry === undefined ? null : { building, hours: Math.max(0, hoursBetween(now, entry.upgradeFinishAt)) },
  };
}

export const copyOf = ({ stock, production, levels, factors, upgrade }: Growing): Growing => ({
  stock: [...stock],
  production: [...production],
  levels: [...levels],
  factors,
  upgrade,
});

/** A planet of which a share is for other things. */
export function shareOf(growing: Growing, share: number): Growing {
  if (share === 1) return growing;
  const part = (units: readonly number[]): Units => units.map((each) => each * share);
  const { stock, production, factors } = growing;
  return { ...growing, stock: part(stock), production: part(production), factors: part(factors) };
}

/** Lets hours pass in which nothing changes. */
export const pass = ({ stock, production }: Growing, hours: number): void => spend(stock, production, -hours);

/** A building reaches its next level. */
export function complete({ levels, production, factors }: Growing, building: number, { gain }: Level): void {
  levels[building] = (levels[building] ?? 0) + 1;
  for (let resource = 0; resource < gain.length; resource += 1) {
    production[resource] =
      (production[resource] as number) + (gain[resource] as number) * (factors[resource] as number);
  }
}
