// Who is near a planet, compared with all planets of the galaxy in the order of their distances.
import t from 'tap';
import { distanceBetween } from '../../../engine/map/universe.js';
import { neighboursOf } from '../../../engine/queries/neighbours.js';
import { colonize, create } from '../../support/command-words.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import { firstPlanet, WorldStory } from '../../support/world-story.js';

t.test('the nearest planets of others are found, however near or far they are', (t) => {
  const draws = new Draws(drawSeed(t));
  const story = new WorldStory({ systemsPerGalaxy: 12 });
  const { world } = story;
  const { universe } = world;
  const [ada, bob] = [story.does(create('ada', true)), story.does(create('bob', true))];
  const home = firstPlanet(ada);
  const from = universe.positionOf(home.key);
  for (let count = 0; count < 40; count += 1) {
    const system = universe.systemKey(1, draws.between(0, 11));
    const key = draws.pick(universe.planetKeys(system));
    if (!world.planets.has(key)) story.does(colonize(draws.oneIn(5) ? ada : bob, { key }));
    const others = [...world.planets.values()].filter(({ ownerNumber }) => ownerNumber === bob.number);
    const distances = others.map((planet) => distanceBetween(from, universe.positionOf(planet.key)));
    const nearest = neighboursOf(world, home, 3);
    t.same(
      nearest.map(({ distance }) => distance),
      distances.sort((one, other) => one - other).slice(0, 3),
    );
    t.ok(nearest.every(({ key, found }) => found.key === key && found.ownerNumber === bob.number));
  }
  t.end();
});
