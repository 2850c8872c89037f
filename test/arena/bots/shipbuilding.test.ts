// Shipbuilding in a real world: planets spend a share of their production and what is left over, by the mix of a strategy, in the
// available time.
import t, { type Test } from 'tap';
import { type Catalog, type PlanStep, planOperation } from '../../../arena/bot.js';
import { spend, type Units, unitsTotal } from '../../../arena/bots/support/amounts.js';
import { buildOrderOf } from '../../../arena/bots/support/build-order.js';
import { GROWTH, type Strategy } from '../../../arena/bots/support/campaign.js';
import { growingOf, shareOf, unitsOf } from '../../../arena/bots/support/growth.js';
import type { Plan } from '../../../arena/bots/support/plan.js';
import { shipSteps, unitsOfFleet } from '../../../arena/bots/support/shipbuilding.js';
import { SHIPS_PER_ORDER_MAX } from '../../../engine/rules/limits.js';
import { BotWorld, type Counts, type Owner } from '../support/bot-world.js';

const NONE: Strategy = {
  ...GROWTH,
  shipShare: 0,
  armsLeftovers: false,
  mix: { warships: 0, freighters: 0, scouts: 0 },
};
const ALL: Strategy['mix'] = { warships: 3, freighters: 2, scouts: 1 };
const FREIGHTERS: Strategy['mix'] = { warships: 0, freighters: 1, scouts: 0 };
const SCOUTS: Strategy['mix'] = { warships: 0, freighters: 0, scouts: 1 };
const WARSHIPS: Strategy['mix'] = { warships: 1, freighters: 0, scouts: 0 };
const MUCH = { iron: 400_000, silver: 400_000, ember: 400_000, h2: 400_000, energy: 400_000 };
const STEPS_MAX = 50;

interface Order {
  readonly hours: number;
  readonly stepsMax?: number;
}

/** The ships that the first planet of a player builds, if it builds nothing else, and what they may cost. */
function shipsOf(plan: Plan, strategy: Strategy, { hours, stepsMax = STEPS_MAX }: Order) {
  const { catalog, now } = plan.port;
  const [planet] = plan.state.planets;
  if (planet === undefined) throw new Error('a player without planets');
  const [none, nothing] = [catalog.buildings.map(() => 0), catalog.resources.map(() => 0)];
  const priorities = { weights: none, outputHours: 1, wanted: nothing, shares: none };
  const growing = shareOf(growingOf(catalog, now, planet, plan.stock(planet)), 1 - strategy.shipShare);
  const buildOrder = buildOrderOf(catalog, growing, { priorities, hours, stepsMax: 0 });
  const steps = shipSteps(plan, strategy, planet, buildOrder, hours, stepsMax);
  const share = catalog.resources.map((resource) => planet.production[resource] * hours * strategy.shipShare);
  return { planet, steps, counts: countsOf(steps), share, spare: buildOrder.spare };
}

/** Ships by type, of steps that are all orders of ships. */
function countsOf(steps: readonly PlanStep[]): Counts {
  const counts: Record<string, number> = {};
  for (const step of steps) {
    if (step.action !== 'build_ships') throw new Error(`a step is to ${step.action}`);
    counts[step.shipType] = (counts[step.shipType] ?? 0) + step.count;
  }
  return counts;
}

const ruleOf = ({ ships }: Catalog, type: string): Catalog['ships'][number] => {
  const rule = ships.find((ship) => ship.type === type);
  if (rule === undefined) throw new Error(`there is no ${type}`);
  return rule;
};

function costOf(catalog: Catalog, counts: Counts): Units {
  const units = catalog.resources.map(() => 0);
  for (const [type, count] of Object.entries(counts))
    spend(units, unitsOf(catalog, ruleOf(catalog, type).cost), -count);
  return units;
}

/** Asserts that the budget covers all ships, and no further ship of any type. */
function isSpent(t: Test, catalog: Catalog, budget: Units, counts: Counts): void {
  const spent = costOf(catalog, counts);
  const left = budget.map((units, index) => units - (spent[index] ?? 0));
  t.ok(Math.min(...left) > -1e-6, `${left} of ${budget} are left`);
  for (const type of Object.keys(counts)) {
    const cost = costOf(catalog, { [type]: 1 });
    t.ok(
      left.some((units, index) => units < (cost[index] ?? 0)),
      `and not enough for another ${type}`,
    );
  }
}

/** Ships on the first planet of a player. */
const standing = async (world: BotWorld, owner: Owner): Promise<Counts> =>
  Object.fromEntries((await world.play.planet(owner.planetId)).planetShips.map((ship) => [ship.shipType, ship.count]));

t.test('a share of what a planet makes is spent on ships, and no more', async (t) => {
  for (const speed of [1, 10]) {
    const world = await BotWorld.begin(t, speed);
    const ada = await world.owner('ada');
    for (const [building, level] of [
      ['iron_mine', 12],
      ['silver_mine', 10],
      ['shipyard', 9],
    ] as const)
      await world.raise(ada.planetId, building, level);
    const before = await standing(world, ada);
    const ordered: Record<string, number> = {};
    for (const [shipShare, hours] of [
      [0.1, 30],
      [0.4, 20],
    ] as const) {
      await world.wake(ada, (plan) => {
        const { planet, steps, counts, share } = shipsOf(plan, { ...NONE, shipShare, mix: FREIGHTERS }, { hours });
        t.same(Object.keys(counts), ['transport'], 'what holds most for its cost');
        isSpent(t, world.catalog, share, counts);
        t.ok(steps.length > 1, 'the first are not delivered with the last');
        plan.commands.push(planOperation(planet.id, steps));
        ordered['transport'] = (ordered['transport'] ?? 0) + (counts['transport'] ?? 0);
      });
      await world.play.advance(hours * 3_600);
    }
    t.same(await standing(world, ada), { ...before, ...ordered }, 'all are delivered');
  }
});

t.test('a shipyard that has more to build with than time is busy all the time', async (t) => {
  for (const [speed, level, hours] of [
    [1, 1, 6],
    [1, 8, 3],
    [10, 4, 2],
  ] as const) {
    const world = await BotWorld.begin(t, speed);
    const ada = await world.owner('ada', {}, MUCH);
    await world.raise(ada.planetId, 'shipyard', level);
    const { steps, counts } = await world.wake(ada, (plan) => {
      const order = shipsOf(plan, { ...NONE, armsLeftovers: true, mix: FREIGHTERS }, { hours });
      plan.commands.push(planOperation(ada.planetId, order.steps));
      return order;
    });
    const { baseSeconds } = ruleOf(world.catalog, 'transport');
    const secondsEach = (baseSeconds * 0.9 ** (level - 1)) / speed;
    const secondsIdle = Math.ceil(secondsEach * steps.length);
    await world.play.advance(hours * 3_600 - secondsIdle);
    t.equal((await world.play.planet(ada.planetId)).shipyardQueue.length, 1, 'the last are under way');
    await world.play.advance(secondsIdle);
    t.same(await standing(world, ada), counts, 'all are delivered');
  }
});

t.test('what is left over becomes ships only if a strategy wants it', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada', {}, MUCH);
  const { catalog } = world;
  await world.raise(ada.planetId, 'shipyard', 20);
  await world.wake(ada, (plan) => {
    const hours = 48;
    const arming: Strategy = { ...NONE, armsLeftovers: true, mix: FREIGHTERS };
    const { counts, spare } = shipsOf(plan, arming, { hours });
    isSpent(t, catalog, spare, counts);
    t.same(shipsOf(plan, { ...arming, armsLeftovers: false }, { hours }).steps, []);
    t.same(shipsOf(plan, { ...arming, mix: NONE.mix }, { hours }).steps, [], 'no type is wanted');
    t.equal(shipsOf(plan, arming, { hours, stepsMax: 1 }).steps.length, 1);
    t.same(shipsOf(plan, arming, { hours, stepsMax: 0 }).steps, []);
  });
});

t.test('it takes a shipyard', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada', {}, MUCH);
  const order = () =>
    world.wake(ada, (plan) => shipsOf(plan, { ...NONE, armsLeftovers: true, mix: ALL }, { hours: 6 }));
  t.same((await order()).steps, []);
  await world.raise(ada.planetId, 'shipyard', 1);
  t.ok((await order()).steps.length > 0);
});

t.test('who makes little saves for its next ship', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada');
  await world.raise(ada.planetId, 'shipyard', 1);
  await world.wake(ada, (plan) => {
    const [planet] = plan.state.planets;
    const { iron, silver } = planet?.production ?? { iron: 0, silver: 0 };
    const ship = ruleOf(world.catalog, 'scout');
    const hoursEach = Math.max(ship.cost.iron / iron, ship.cost.silver / silver);
    const saving: Strategy = { ...NONE, shipShare: 0.5, mix: SCOUTS };
    t.same(shipsOf(plan, saving, { hours: 1.9 * hoursEach }).steps, []);
    t.same(shipsOf(plan, saving, { hours: 2.1 * hoursEach }).counts, { scout: 1 });
    t.same(shipsOf(plan, saving, { hours: 6.1 * hoursEach }).counts, { scout: 3 });
  });
});

t.test('who cannot pay for a type does not wait for it', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada');
  await world.raise(ada.planetId, 'shipyard', 1);
  const { ships } = world.catalog;
  const order = () =>
    world.wake(ada, (plan) => shipsOf(plan, { ...NONE, shipShare: 0.5, mix: WARSHIPS }, { hours: 300 }));
  const without = await order();
  const plain = ships.filter(({ attack, cost }) => attack > 0 && cost.ember === 0);
  t.same(new Set(Object.keys(without.counts)), new Set(plain.map(({ type }) => type)), 'there is no ember');
  isSpent(t, world.catalog, without.share, without.counts);
  await world.raise(ada.planetId, 'ember_extractor', 1);
  const armed = ships.filter(({ attack }) => attack > 0);
  t.same(new Set(Object.keys((await order()).counts)), new Set(armed.map(({ type }) => type)));
});

t.test('a plan with very many ships is accepted', async (t) => {
  const world = await BotWorld.begin(t, 1_000);
  const ada = await world.owner('ada');
  for (const building of ['iron_mine', 'silver_mine', 'shipyard']) await world.raise(ada.planetId, building, 10);
  await world.wake(ada, (plan) => {
    const { steps, counts } = shipsOf(plan, { ...NONE, shipShare: 0.5, mix: SCOUTS }, { hours: 100 });
    t.ok((counts['scout'] ?? 0) > SHIPS_PER_ORDER_MAX, 'there is enough for more');
    plan.commands.push(planOperation(ada.planetId, steps));
  });
});

t.test('the units in all ships of a player keep to the parts of a mix', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada');
  const { catalog, play } = world;
  await world.raise(ada.planetId, 'shipyard', 20);
  const strategy: Strategy = { ...NONE, armsLeftovers: true, mix: ALL };
  const hours = 12;
  let largest = 0;
  for (let day = 0; day < 8; day += 1) {
    await play.grant(ada.planetId, MUCH);
    await world.wake(ada, (plan) => {
      const { steps } = shipsOf(plan, strategy, { hours });
      for (const step of steps) largest = Math.max(largest, unitsTotal(costOf(catalog, countsOf([step]))));
      plan.commands.push(planOperation(ada.planetId, steps));
    });
    await play.advance(hours * 3_600);
  }
  const built = await standing(world, ada);
  const spent = costOf(catalog, built);
  const all = unitsTotal(spent);
  const armed = catalog.ships.filter(({ attack }) => attack > 0).map(({ type }) => type);
  const parts = {
    transport: 2 / 6,
    scout: 1 / 6,
    ...Object.fromEntries(armed.map((type) => [type, 3 / 6 / armed.length])),
  };
  t.same(new Set(Object.keys(built)), new Set(Object.keys(parts)));
  for (const [type, part] of Object.entries(parts)) {
    const units = unitsTotal(costOf(catalog, { [type]: built[type] ?? 0 }));
    t.ok(Math.abs(units - part * all) <= largest, `${units} units in ${type}, of ${all}`);
  }
  const shares = await world.wake(ada, (plan) => unitsOfFleet(plan, strategy));
  t.ok(Math.abs(unitsTotal(shares) - 1) < 1e-9);
  for (const [index, share] of shares.entries())
    t.ok(Math.abs((spent[index] ?? 0) - share * all) <= largest, `${catalog.resources[index]}: ${share}`);
});

t.test('ships that fly count as those that stand', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada', { transport: 30, scout: 300 }, MUCH);
  const { play } = world;
  const { playerId, planetId: originPlanetId } = ada;
  const targetPlanetId = await world.colony(ada, originPlanetId);
  const mix = { warships: 0, freighters: 1, scouts: 1 };
  const first = async () => {
    const { steps } = await world.wake(ada, (plan) =>
      shipsOf(plan, { ...NONE, armsLeftovers: true, mix }, { hours: 6 }),
    );
    return Object.keys(countsOf(steps.slice(0, 1)));
  };
  t.same(await first(), ['transport'], 'there are more units in scouts');
  await play.launch({
    playerId,
    originPlanetId,
    targetPlanetId,
    mission: 'deploy',
    ships: [{ type: 'scout', count: 300 }],
  });
  t.same(await first(), ['transport'], 'and they still are');
});
