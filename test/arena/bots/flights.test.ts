// Haulage in a real world: what a planet can spare goes to the smallest one, and warships gather.
import t, { type Test } from 'tap';
import { total } from '../../../arena/bots/support/amounts.js';
import { gather, haul } from '../../../arena/bots/support/flights.js';
import { BotWorld, type Counts, type Owner } from '../support/bot-world.js';

const FUEL = { h2: 10_000 };
const DAY = 86_400;

/** A player with a grown planet, a starter planet and a colony, which makes least. */
async function family(t: Test, ships: Counts, stocks: object = {}) {
  const world = await BotWorld.begin(t);
  const gus = await world.owner('gus', ships, { ...FUEL, ...stocks });
  await world.raise(gus.planetId, 'iron_mine', 6);
  const starter = await world.starter(gus);
  const colony = await world.colony(gus, gus.planetId);
  return { world, gus, home: gus.planetId, starter, colony };
}

const flightsOf = async (world: BotWorld, owner: Owner) =>
  new Map((await world.state(owner)).fleets.map((fleet) => [fleet.targetPlanetId, fleet]));

t.test('what a planet can spare flies to the smallest of the others that is not supplied yet', async (t) => {
  const stocks = { iron: 50_000, silver: 50_000 };
  const { world, gus, home, starter, colony } = await family(t, { transport: 8, scout: 5 }, stocks);
  const spares = new Map([[home, [2_000, 1_000, 500, 400, 900]]]);
  const supply = () => world.wake(gus, (plan) => haul(plan, spares));
  const before = await world.play.planet(colony);
  await supply();
  const fleet = (await flightsOf(world, gus)).get(colony);
  // There is no ember, some h2 stays for flights, and energy cannot be shipped.
  t.match(fleet, {
    mission: 'transport',
    originPlanetId: home,
    resources: { iron: 2_000, silver: 1_000, ember: 0 },
  });
  t.ok(Number(fleet?.resources.h2) < 400);
  t.same(fleet?.ships, [{ type: 'transport', count: 5 }], 'room for all of it, and no more');
  await supply();
  t.same([...(await flightsOf(world, gus)).keys()], [colony, starter]);
  await world.play.advance(DAY);
  t.ok((await world.play.planet(colony)).iron >= before.iron + 2_000, 'it has arrived');
});

t.test('cargo is limited by freighters and stock, and nothing flies to a planet that has grown as much', async (t) => {
  const { world, gus, home, starter, colony } = await family(t, { transport: 2 }, { iron: 5_000 });
  await world.equip(colony, { transport: 5 });
  const { iron } = await world.play.planet(colony);
  const much = [90_000, 90_000, 0, 0, 0];
  await world.wake(gus, (plan) => haul(plan, new Map([[colony, much]])));
  t.equal((await flightsOf(world, gus)).size, 0, `${iron} iron of a small planet stay there`);
  await world.wake(gus, (plan) =>
    haul(
      plan,
      new Map([
        [home, [0, 0, 0, 0, 0]],
        [starter, much],
      ]),
    ),
  );
  t.equal((await flightsOf(world, gus)).size, 0, 'nothing to spare, and no freighters');
  await world.wake(gus, (plan) => haul(plan, new Map([[home, much]])));
  const fleet = (await flightsOf(world, gus)).get(colony);
  const cargo = total(fleet?.resources ?? {});
  t.same(fleet?.ships, [{ type: 'transport', count: 2 }]);
  t.ok(cargo > 1_500 - 4 && cargo <= 1_500, `${cargo} units`);
});

t.test('warships gather where most of them are, with what can carry them', async (t) => {
  const { world, gus, home, starter, colony } = await family(t, { cruiser: 20, scout: 3 });
  await world.equip(starter, { transport: 1, fighter: 30, bomber: 8, scout: 4, colony_ship: 1 });
  await world.equip(colony, { fighter: 40 });
  await world.play.grant(starter, FUEL);
  await world.play.grant(colony, FUEL);
  await world.wake(gus, (plan) => gather(plan));
  const fleets = await flightsOf(world, gus);
  t.same([...fleets.keys()], [home]);
  t.match(fleets.get(home), { mission: 'deploy', originPlanetId: starter });
  t.same(
    new Map(fleets.get(home)?.ships.map(({ type, count }) => [type, count])),
    new Map(Object.entries({ fighter: 20, transport: 1, bomber: 8 })),
  );
});
