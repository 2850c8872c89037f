// What a planet does with what its levels leave over: the warships that are most points in the time of its shipyard, as far as it can pay.
import t from 'tap';
import { leftoverShips } from '../../../arena/bots/support/leftovers.js';
import { BotWorld } from '../support/bot-world.js';

const HOURS = 3;

t.test('leftovers become the warships that a planet can pay for, and it wishes for the dearest', async (t) => {
  const world = await BotWorld.begin(t);
  const gus = await world.owner('gus', { scout: 1 });
  const shipsFor = (surplus: number[]) =>
    world.wake(gus, (plan) => {
      const [planet] = plan.state.planets;
      if (planet === undefined) throw new Error('there is no planet');
      return leftoverShips(plan, planet, surplus, HOURS);
    });
  // A shipyard of level 1 builds a cruiser in 240 seconds, and a bomber in 150.
  const cruisers = [{ action: 'build_ships', shipType: 'cruiser', count: 45 }];
  t.same(await shipsFor([1e6, 1e6, 1e6, 1e6, 1e6]), { built: cruisers, wished: cruisers });
  t.same(await shipsFor([9_000, 4_800, 300, 400, 400]), {
    built: [{ action: 'build_ships', shipType: 'cruiser', count: 10 }],
    wished: [{ action: 'build_ships', shipType: 'cruiser', count: 10 }],
  });
  const withoutH2 = await shipsFor([1e6, 1e6, 1_440, 0, 1e6]);
  t.same(withoutH2.built, [{ action: 'build_ships', shipType: 'bomber', count: 72 }], 'cruisers need h2');
  t.same(withoutH2.wished, cruisers, 'which it could buy');
  t.same(await shipsFor([-1, 1e6, 1e6, 1e6, 1e6]), { built: [], wished: [] }, 'what is missing is not left over');
});

t.test('a planet without a shipyard builds no ships', async (t) => {
  const world = await BotWorld.begin(t);
  const gus = await world.owner('gus');
  const ships = await world.wake(gus, (plan) => {
    const [planet] = plan.state.planets;
    if (planet === undefined) throw new Error('there is no planet');
    return leftoverShips(plan, planet, [1e6, 1e6, 1e6, 1e6, 1e6], HOURS);
  });
  t.same(ships, { built: [], wished: [] });
});
