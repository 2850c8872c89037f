// Promised instants hold to the millisecond: unless the stock or the output of a resource that it needs has changed, a command that is
// refused until an instant is refused one millisecond before it and accepted at it, and every query names that instant until then.

import t from 'tap';
import type { WorldCommand } from '../../../engine/commands/table.js';
import type { PlanetKey } from '../../../engine/map/universe.js';
import { hourlyThousandths, stockThousandths } from '../../../engine/planets/stocks.js';
import { optionsOf } from '../../../engine/queries/options.js';
import { STOCK_UNITS_MAX } from '../../../engine/rules/limits.js';
import { type Amounts, RESOURCES } from '../../../engine/rules/resources.js';
import type { BuildingRule } from '../../../engine/rules/rule-set.js';
import { Rules } from '../../../engine/rules/rules.js';
import { STANDARD_2 } from '../../../engine/rules/standard-2.js';
import { packStep } from '../../../engine/terms/plan-step.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { ReadonlyPlanet } from '../../../engine/world/state.js';
import { buildingIndex, cargoList, grant, shipIndex, type Units } from '../../support/command-words.js';
import { planFaults } from '../../support/plan-oracle.js';
import { drawSeed } from '../../support/process/draws.js';
import { shortOrLong } from '../../support/process/lengths.js';
import fc from '../../support/properties.js';
import { type Choose, listedChoice } from '../../support/random-play.js';
import { firstPlanet, MINUTE_MS, WorldStory } from '../../support/world-story.js';

/** Rule sets that a world is switched between. Each leaves the output of some resources and the cost of some buildings as they were. */
const CHANGES: readonly Readonly<Record<string, Partial<BuildingRule>>>[] = [
  {},
  { silver_mine: { baseOutput: [0, 57, 0, 0, 0] } },
  { h2_extractor: { baseCost: [251, 120, 1, 0, 70], baseOutput: [0, 0, 0, 35, 0] } },
  { iron_mine: { baseOutput: [83, 0, 1, 0, 0] }, zentrale: { baseOutput: [30, 17, 0, 2, 9] } },
];
const RULE_SETS: readonly Rules[] = CHANGES.map((changes, index) => {
  const buildings = STANDARD_2.buildings.map((rule) => ({ ...rule, ...changes[rule.type] }));
  return new Rules({ ...STANDARD_2, name: 'changed', version: index + 1, buildings });
});

/** What the refusal of a command promised. */
interface Promised {
  readonly command: WorldCommand;
  /** Which option it is, if it is one. */
  readonly option: { readonly action: string; readonly type: number } | null;
  readonly cost: Amounts;
  readonly atMs: number;
}

class PromiseKeeper {
  readonly story: WorldStory;
  readonly #homeKey: PlanetKey;
  /** Promises that were kept to their instant, and entries of each kind that such a promise survived. */
  kept = 0;
  readonly survived = new Map<string, number>();
  #promised: Promised | null = null;

  constructor(speedThousandths: number, seed: number) {
    this.story = new WorldStory({ speedThousandths, seed, systemsPerGalaxy: 2, rules: (RULE_SETS[0] as Rules).text });
    const home = firstPlanet(this.story.human());
    // At the instant of its creation no stock has to be settled.
    for (const [building, level] of [
      ['shipyard', 1],
      ['ember_extractor', 2],
      ['h2_extractor', 1],
    ] as const)
      home.setLevel(buildingIndex(building), level);
    for (const ship of ['scout', 'transport'] as const) home.setShipCount(shipIndex(ship), 3);
    this.#homeKey = home.key;
  }

  /** A switch of rules makes views of planets anew. */
  get home(): ReadonlyPlanet {
    return this.story.world.planets.get(this.#homeKey) as ReadonlyPlanet;
  }

  /** Lets time pass one deadline at a time, and stops one millisecond before the promised instant and at it. */
  advance(byMs: number): void {
    const untilMs = this.story.nowMs + byMs;
    while (this.story.nowMs < untilMs) {
      const dueMs = this.#promised?.atMs ?? Number.POSITIVE_INFINITY;
      const stops = [this.story.engine.nextDeadlineMs(), dueMs - 1, dueMs, untilMs];
      const nextMs = Math.min(...stops.filter((atMs) => atMs > this.story.nowMs));
      this.#passes('time', nextMs, () => this.story.advanceTo(nextMs));
      this.#keep();
    }
  }

  /** Does something at once, whether it is accepted or not. */
  attempt(command: WorldCommand): void {
    this.story.advance(0);
    this.#passes(command.type, this.story.nowMs, () => void this.story.attempt(command));
  }

  /** Asks for something of which nothing is promised yet. */
  ask(command: WorldCommand, option: Promised['option'], cost: Amounts): void {
    if (this.#promised !== null) return;
    this.attempt(command);
    const outcome = this.story.attempt(command);
    const atMs = isRefusal(outcome) ? outcome.facts.affordableAtMs : null;
    if (typeof atMs === 'number') this.#promised = { command, option, cost, atMs };
  }

  /** Drops what is promised if what happens changes a resource that it needs; else everything must still name the same instant. */
  #passes(what: string, atMs: number, happens: () => void): void {
    const before = this.#view(atMs);
    const firstEvent = this.story.events.length;
    happens();
    const faults = planFaults(this.story.engine);
    if (faults.length > 0) throw new Error(faults.join(', '));
    if (this.#promised === null) return;
    if (before !== this.#view(atMs)) {
      this.#promised = null;
      return;
    }
    const kinds = this.story.events.slice(firstEvent).map(({ kind }) => kind);
    for (const kind of [what, ...kinds]) this.survived.set(kind, (this.survived.get(kind) ?? 0) + 1);
    this.#compare(this.#promised);
  }

  /** Stocks and outputs of the resources that the promised command needs, and its cost. */
  #view(atMs: number): string {
    const { home, story } = this;
    const { cost, option } = this.#promised ?? { cost: [], option: null };
    const needs = RESOURCES.flatMap((_, resource) =>
      (cost[resource] ?? 0) === 0
        ? []
        : [stockThousandths(story.world, home, resource, atMs), hourlyThousandths(story.world, home, resource)],
    );
    const { rules } = story.world;
    return JSON.stringify([
      needs,
      option !== null && option.action !== 'build_ships'
        ? rules.buildingCost(option.type, home.levelOf(option.type) + 1)
        : [],
    ]);
  }

  #compare({ command, option, cost, atMs }: Promised): void {
    const { story, home } = this;
    if (option !== null) {
      const shown = optionsOf(story.world, home).find(
        ({ action, type }) => action === option.action && type === option.type,
      );
      const shownMs = shown?.affordableFromMs;
      if (shown !== undefined && String(shown.cost) === String(cost) && shownMs !== atMs)
        throw new Error(`an option is affordable at ${shownMs} instead of ${atMs}`);
    }
    if (story.nowMs >= atMs) return;
    const outcome = story.attempt(command);
    if (!isRefusal(outcome)) throw new Error(`${command.type} is accepted ${atMs - story.nowMs} ms too early`);
    if (outcome.code === 'insufficient_resources' && outcome.facts.affordableAtMs !== atMs)
      throw new Error(`the refusal says ${outcome.facts.affordableAtMs} instead of ${atMs}`);
  }

  /** At the promised instant the command is accepted, unless something else than stocks is in its way. */
  #keep(): void {
    const { story } = this;
    if (this.#promised === null || story.nowMs < this.#promised.atMs) return;
    const { command, atMs } = this.#promised;
    if (story.nowMs > atMs) throw new Error(`${atMs} was passed by`);
    const outcome = story.attempt(command);
    if (isRefusal(outcome) && outcome.code === 'insufficient_resources')
      throw new Error(`${command.type} is refused at ${atMs} until ${outcome.facts.affordableAtMs}`);
    if (!isRefusal(outcome)) this.kept += 1;
    this.#promised = null;
  }
}

function ask(keeper: PromiseKeeper, choose: Choose): void {
  const { home, story } = keeper;
  const { rules } = story.world;
  const { key: planetKey } = home;
  if (choose(2) === 0) {
    const shipType = choose(rules.ships.length);
    const count = 1 + choose(3) * choose(12);
    const option = count === 1 ? { action: 'build_ships', type: shipType } : null;
    keeper.ask({ type: 'build_ships', planetKey, shipType, count }, option, rules.shipCost(shipType, count));
    return;
  }
  const type = choose(rules.buildings.length);
  const level = home.levelOf(type);
  const action = level === 0 ? 'construct' : 'upgrade';
  const command = { type: `${action}_building`, planetKey, buildingType: type } as const;
  keeper.ask(command, { action, type }, rules.buildingCost(type, level + 1));
}

/** Something that may change the stocks of some resources. */
function move({ home, story: { world } }: PromiseKeeper, choose: Choose): WorldCommand {
  const { key: planetKey, ownerNumber: playerNumber, upgrade } = home;
  const { rules } = world;
  const keys = [...world.universe.planetKeys(world.universe.systemKey(1, 0))];
  const buildingType = choose(rules.buildings.length);
  const researchType = choose(rules.research.length);
  const grants: readonly Units[] = [{ ember: 1 + choose(500) }, { h2: 1 + choose(500) }, { energy: 1 + choose(500) }];
  const moves: readonly WorldCommand[] = [
    { type: home.levelOf(buildingType) === 0 ? 'construct_building' : 'upgrade_building', planetKey, buildingType },
    { type: 'start_research', playerNumber, researchType },
    grant(home, grants[choose(grants.length)] as Units),
    grant(home, { iron: choose(2) * choose(300), silver: choose(300) }),
    // What is full is settled.
    grant(home, { ember: STOCK_UNITS_MAX }),
    {
      type: 'launch_fleet',
      playerNumber,
      originKey: planetKey,
      targetKey: keys[choose(keys.length)] as number,
      ships: rules.ships.map(({ type }) => Number(type === 'transport')),
      mission: 0,
      cargo: cargoList({ h2: choose(3) }),
      drive: null,
    },
    { type: 'switch_rules', rules: (RULE_SETS[choose(RULE_SETS.length)] as Rules).text },
    { type: 'set_speed', speedThousandths: [1000, 370, 7_777, 60_000][choose(4)] as number },
    { type: 'cancel_building', planetKey, queueNumber: upgrade?.queueNumber ?? 0 },
    {
      type: 'put_plan',
      planetKey,
      isSkipping: false,
      longerThanMs: null,
      launches: [],
      steps: [packStep({ action: 'research', researchType }), packStep({ action: 'upgrade', buildingType })],
    },
  ];
  return moves[choose(moves.length)] as WorldCommand;
}

const moves = fc.array(fc.array(fc.nat(1_000_000), { minLength: 11, maxLength: 11 }), { maxLength: 120, size: 'max' });
const speed = fc.constantFrom(1000, 370, 7_777, 60_000);

t.test('whatever does not change a resource leaves the instants at which it covers a cost as they were', async (t) => {
  let kept = 0;
  const survived = new Map<string, number>();
  fc.assert(
    fc.property(speed, fc.nat(1000), moves, (speedThousandths, seed, moves) => {
      const keeper = new PromiseKeeper(speedThousandths, seed);
      for (const numbers of moves) {
        const choose = listedChoice(numbers);
        if (choose(2) === 0) keeper.attempt(move(keeper, choose));
        ask(keeper, choose);
        if (choose(3) === 0) keeper.attempt(move(keeper, choose));
        keeper.advance(1 + Math.floor((choose(90 * MINUTE_MS) * 1000) / speedThousandths));
      }
      kept += keeper.kept;
      for (const [kind, times] of keeper.survived) survived.set(kind, (survived.get(kind) ?? 0) + times);
    }),
    { numRuns: shortOrLong(40, 1_000), seed: drawSeed(t) },
  );
  t.comment(`${kept} kept`, [...survived].map(([kind, times]) => `${kind} ${times}`).join(', '));
  t.ok(kept > 20, `${kept} promises were kept`);
  for (const kind of [
    'building_completed',
    'research_completed',
    'resources_granted',
    'fleet_returned',
    'switch_rules',
  ])
    t.ok((survived.get(kind) ?? 0) > 0, `${survived.get(kind)} times a promise outlived ${kind}`);
});
