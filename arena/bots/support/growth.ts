// Costs and outputs of buildings by level, from the catalogue, and a planet that grows by them. Between two changes a stock is a linear
// function of time, so everything is computed in closed form.
import type { Catalog, Planet } from '../../bot.js';
import type { Amounts } from '../../galaxyd-client.js';
import { spend, type Units, unitsTotal } from './amounts.js';
import { hoursBetween, type Stock } from './plan.js';

/** A level of a building. */
export interface Level {
  readonly cost: readonly number[];
  /** Sum of its cost over all resources. */
  readonly points: number;
  /** Additional output per hour, compared with the level below and without the effects of research. */
  readonly gain: readonly number[];
  /** World hours to build it. */
  readonly hours: number;
}

export interface BuildingTable {
  readonly type: string;
  /** The first one is level 1. */
  readonly levels: readonly Level[];
  readonly isProducing: boolean;
}

/** The state of a planet in a forecast. */
export interface GrowingPlanet {
  readonly stock: Units;
  readonly production: Units;
  readonly levels: number[];
  /** Factor by which research multiplies the output of the catalogue, by resource. */
  readonly factors: readonly number[];
  /** The upgrade in progress: position of the building and hours until its end. Null without one. */
  readonly upgrade: { readonly building: number; readonly hours: number } | null;
}

const tablesOf = new WeakMap<Catalog, readonly BuildingTable[]>();

/** The buildings of a catalogue. Computed once per catalogue. */
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

/** The current state of a planet. */
export function growingOf(catalog: Catalog, now: string, planet: Planet, stock: Stock): GrowingPlanet {
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

export const copyOf = ({ stock, production, levels, factors, upgrade }: GrowingPlanet): GrowingPlanet => ({
  stock: [...stock],
  production: [...production],
  levels: [...levels],
  factors,
  upgrade,
});

/** The planet with only a share of its stock and production. */
export function shareOf(growing: GrowingPlanet, share: number): GrowingPlanet {
  if (share === 1) return growing;
  const part = (units: readonly number[]): Units => units.map((each) => each * share);
  const { stock, production, factors } = growing;
  return { ...growing, stock: part(stock), production: part(production), factors: part(factors) };
}

/** Lets time pass in which nothing is completed. */
export const pass = ({ stock, production }: Pick<GrowingPlanet, 'stock' | 'production'>, hours: number): void =>
  spend(stock, production, -hours);

/** A building reaches its next level. */
export function complete({ levels, production, factors }: GrowingPlanet, building: number, { gain }: Level): void {
  levels[building] = (levels[building] ?? 0) + 1;
  for (let resource = 0; resource < gain.length; resource += 1) {
    production[resource] =
      (production[resource] as number) + (gain[resource] as number) * (factors[resource] as number);
  }
}
