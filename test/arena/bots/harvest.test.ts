// Harvests in a real world: freighters fly to the nearest fields, no more than can empty them, and a planet builds a few.
import t from 'tap';
import { Harvests } from '../../../arena/bots/support/harvest.js';
import type { FieldsBody } from '../../../http/schemas/planning.js';
import { BotWorld } from '../support/bot-world.js';

t.test('freighters at home go to the nearest fields, and no more than can empty them', async (t) => {
  const world = await BotWorld.begin(t);
  const gus = await world.owner('gus', { transport: 300, scout: 5 }, { h2: 100_000 });
  const { fields } = await world.play.client.read<FieldsBody>(`/api/game/fields/${gus.planetId}`);
  const room = 750;
  const needed = fields.map(({ resources }) => {
    const { iron, silver, ember, h2 } = resources;
    return Math.ceil((iron + silver + ember + h2) / room);
  });
  const harvests = new Harvests();
  await world.wake(gus, (plan) => harvests.harvest(plan));
  const { fleets } = await world.state(gus);
  t.same(new Set(fleets.map(({ mission }) => mission)), new Set(['harvest']));
  t.same(
    fleets.slice(0, 2).map(({ targetPlanetId, ships }) => [targetPlanetId, ships]),
    [0, 1].map((place) => [fields[place]?.planetId, [{ type: 'transport', count: needed[place] }]]),
  );
  await world.wake(gus, (plan) => harvests.harvest(plan));
  t.equal((await world.state(gus)).fleets.length, fleets.length, 'nobody is left at home, or the fields are taken');
});

t.test('a planet builds freighters as long as something lies in its system', async (t) => {
  const world = await BotWorld.begin(t);
  const gus = await world.owner('gus', { transport: 1 }, { h2: 100_000 });
  const harvests = new Harvests();
  const stepsNow = async () => {
    let steps: unknown[] = [];
    await world.wake(gus, async (plan) => {
      await harvests.harvest(plan);
      steps = plan.state.planets.flatMap((planet) => harvests.steps(plan, planet));
    });
    return steps;
  };
  t.match(await stepsNow(), [{ action: 'build_ships', shipType: 'transport' }]);
  await world.equip(gus.planetId, { transport: 250 });
  t.same(await stepsNow(), [], 'there are enough');
});
