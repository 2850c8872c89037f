// What a bot that plays by plans does with other players, if it fights them only when it pays: it accepts peace with those it trusts, sells
// what the plans of its planets leave over, and buys what they lack.
import type { Catalog, Planet, PlanStep } from '../../bot.js';
import { spend, type Units } from './amounts.js';
import { GalaxyMap } from './galaxy-map.js';
import { buildingTables } from './growth.js';
import { Market } from './market.js';
import { balanceOf } from './needs.js';
import { Pacts } from './pacts.js';
import type { Plan } from './plan.js';
import type { Course, Prices } from './returns.js';
import { shipBill } from './steps.js';
import { Trust } from './trust.js';

export class Dealings {
  readonly #galaxyMap = new GalaxyMap();
  readonly #market = new Market();
  readonly #trust = new Trust();
  readonly #pacts = new Pacts();

  /** Learns what has happened since the last wake, and answers proposals. */
  async learn(plan: Plan): Promise<void> {
    const { port } = plan;
    this.#market.learn(port.playerId, port.events);
    await Promise.all([this.#trust.learn(port), this.#pacts.learn(port)]);
    const isWelcome = (playerId: string): boolean => this.#trust.trusts(port, playerId);
    await this.#pacts.negotiate(plan, this.#galaxyMap, { kinds: ['non_aggression'], isWelcome, proposes: false });
  }

  /** Whether a pact forbids attacks on another player. */
  isPartner({ port }: Plan, playerId: string): boolean {
    return this.#pacts.partners(port.playerId).includes(playerId);
  }

  prices(catalog: Catalog): Prices | undefined {
    return this.#market.prices(catalog);
  }

  /** @param renewed the new plans of planets; the others keep theirs */
  async trade(plan: Plan, renewed: ReadonlyMap<Planet, readonly PlanStep[]>): Promise<void> {
    const { port, state } = plan;
    if (port.catalog.market === undefined) return;
    const plans = await Promise.all(
      state.planets.map(async (planet) => renewed.get(planet) ?? (await port.plan(planet.id)).steps),
    );
    const balances = state.planets.map((planet, index) =>
      balanceOf(plan, planet, courseOf(plan, planet, plans[index] ?? [])),
    );
    await this.#market.trade(plan, balances, (playerId) => this.#trust.trusts(port, playerId));
  }
}

/** What the steps of a plan cost, and how long its levels take. */
function courseOf(plan: Plan, planet: Planet, steps: readonly PlanStep[]): Course {
  const { catalog } = plan.port;
  const tables = new Map(buildingTables(catalog).map(({ type, levels }) => [type, levels]));
  const reached = new Map(
    planet.buildings.map(({ type, level, constructionQueue }) => [type, level + constructionQueue.length]),
  );
  const bill = shipBill(plan, steps);
  let firstBill: Units = catalog.resources.map(() => 0);
  let hours = 0;
  for (const step of steps) {
    if (!('buildingType' in step)) continue;
    const level = reached.get(step.buildingType) ?? 0;
    const next = tables.get(step.buildingType)?.[level];
    if (next === undefined) continue;
    reached.set(step.buildingType, level + 1);
    spend(bill, next.cost, -1);
    if (hours === 0) firstBill = [...next.cost];
    hours += next.hours;
  }
  return { steps, bill, firstBill, hours };
}
