// What players research: what the priorities of a strategy value, as much as fits into the time.
import t from 'tap';
import { type PlanStep, planOperation } from '../../../arena/bot.js';
import { type ResearchPriorities, researchSteps } from '../../../arena/bots/support/research.js';
import type { Resource } from '../../../arena/galaxyd-client.js';
import { BotWorld, type Owner } from '../support/bot-world.js';

const NOTHING: ResearchPriorities = { output: 0, colonies: 0, attack: 0, hit_points: 0, cargo: 0, sight: 0, drives: 0 };
const ALL: ResearchPriorities = { output: 1, colonies: 1, attack: 1, hit_points: 1, cargo: 1, sight: 1, drives: 1 };
const LONG = 1_000_000;

const typesOf = (steps: readonly PlanStep[]): string[] =>
  steps.map((step) => (step.action === 'research' ? step.researchType : step.action));

/** Raises a mine until its next level costs energy. The first levels cost none. */
async function askForEnergy(world: BotWorld, { planetId }: Owner): Promise<void> {
  const { resources, buildings } = world.catalog;
  const energy = resources.indexOf('energy');
  const mine = buildings.find(({ type }) => type === 'iron_mine');
  await world.raise(planetId, 'iron_mine', mine?.costs.findIndex((cost) => (cost[energy] ?? 0) > 0) ?? 0);
}

t.test('a strategy researches only what its priorities value, up to the highest level', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada');
  await askForEnergy(world, ada);
  const { catalog } = world;
  const kindOf = (research: (typeof catalog.research)[number]): string => {
    if (catalog.colonies?.research === research.type) return 'colonies';
    return research.effect?.kind ?? 'drives';
  };
  await world.wake(ada, (plan) => {
    t.same(researchSteps(plan, NOTHING, LONG, 50), []);
    for (const kind of Object.keys(NOTHING)) {
      const priorities = { ...NOTHING, [kind]: 1 };
      const wanted = catalog.research.filter((research) => kindOf(research) === kind);
      const steps = typesOf(researchSteps(plan, priorities, LONG, LONG));
      t.same(new Set(steps), new Set(wanted.map(({ type }) => type)), kind);
      for (const { type, maximumLevel } of wanted)
        t.equal(steps.filter((step) => step === type).length, maximumLevel, type);
      t.equal(researchSteps(plan, priorities, LONG, 3).length, 3);
    }
  });
});

t.test('more of what no next level costs is worth nothing', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada');
  const raising = (resource: Resource) =>
    world.catalog.research.flatMap((research) => {
      const { effect } = research;
      return effect?.kind === 'output' && effect.resources.includes(resource) ? [research.type] : [];
    });
  const researched = () =>
    world.wake(ada, (plan) => new Set(typesOf(researchSteps(plan, { ...NOTHING, output: 1 }, LONG, LONG))));
  const [iron, energy] = [raising('iron'), raising('energy')];
  const before = await researched();
  t.ok(iron.every((type) => before.has(type)) && !energy.some((type) => before.has(type)));
  await askForEnergy(world, ada);
  const after = await researched();
  t.ok(energy.length > 0 && energy.every((type) => after.has(type)));
});

t.test('a drive that is faster than all before comes before one that only saves h2', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada');
  const { drives } = world.catalog;
  const steps = await world.wake(ada, (plan) => typesOf(researchSteps(plan, { ...NOTHING, drives: 1 }, LONG, 50)));
  const known = drives.filter(({ research }) => research === null);
  const isFaster = (drive: (typeof drives)[number]): boolean =>
    Object.entries(drive.multipliers).some(([flight, multiplier]) =>
      known.every(({ multipliers }) => multiplier > (multipliers[flight] ?? 0)),
    );
  while (drives.some(isFaster)) {
    const next = drives.find(({ research }) => research === steps[known.length - 1]);
    if (next === undefined) throw new Error(`there is no drive for ${steps}`);
    t.ok(isFaster(next), next.type);
    known.push(next);
  }
  t.ok(known.length < drives.length, 'one drive is only thrifty');
});

t.test('the steps last for the hours that they are for, after what is under way', async (t) => {
  for (const [speed, hours] of [
    [1, 30],
    [10, 3],
  ] as const) {
    const world = await BotWorld.begin(t, speed);
    const ada = await world.owner('ada');
    for (const begun of [null, 'weapons'] as const) {
      if (begun !== null) {
        const { playerId } = ada;
        await world.play.client.command('/api/research/start', { playerId, researchType: begun });
      }
      await world.wake(ada, (plan) => {
        const steps = researchSteps(plan, ALL, hours, 50);
        t.ok(steps.length > 2);
        plan.commands.push(planOperation(ada.planetId, steps));
      });
      await world.play.advance(hours * 3_600 - 60);
      t.ok(
        (await world.state(ada)).research.some(({ isResearching }) => isResearching),
        'something is under way',
      );
      await world.play.advance(60);
      const left = await world.wake(ada, ({ port }) => port.plan(ada.planetId));
      t.same(left.steps, [], 'and all was begun');
      await world.play.advance(300_000);
    }
  }
});

t.test('more planets are worth less to those who have room', async (t) => {
  const world = await BotWorld.begin(t);
  const [roomy, full] = [await world.owner('roomy'), await world.owner('full')];
  await world.starter(full);
  await world.colony(full, full.planetId);
  const { colonies } = world.catalog;
  const turnOf = (owner: typeof roomy): Promise<number> =>
    world.wake(owner, (plan) => {
      const steps = researchSteps(plan, { ...NOTHING, output: 1, colonies: 1 }, LONG, LONG);
      return typesOf(steps).indexOf(colonies?.research ?? '');
    });
  t.ok((await turnOf(full)) < (await turnOf(roomy)));
});
