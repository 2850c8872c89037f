// Where newcomers land: the lowest-numbered galaxy with room, spread over its systems, the same on every run, until the
// universe is full.
import t from 'tap';
import type { Position } from '../../../engine/map/universe.js';
import type { Player } from '../../../engine/world/player-table.js';
import { colonize, create, secondStarter } from '../../support/command-words.js';
import { firstPlanet, replay, WorldStory } from '../../support/world-story.js';

const GALAXIES = 100;
const bulk = (count: number) =>
  ({ type: 'create_players', count, namePrefix: 'bot', keyHashes: [], namePrefixKey: 'bot' }) as const;

function landings(story: WorldStory, players: readonly Player[]): Position[] {
  return players.map((player) => story.world.universe.positionOf(firstPlanet(player).key));
}

function settle(story: WorldStory, count: number): Position[] {
  return landings(story, story.does(bulk(count)).players);
}

t.test('newcomers land in higher-numbered galaxies as the world fills', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 3 });
  const galaxies = settle(story, 500).map(({ galaxy }) => galaxy);
  t.equal(galaxies[0], 1);
  t.same(
    galaxies,
    [...galaxies].sort((a, b) => a - b),
    'no newcomer is sent back to a lower galaxy',
  );
  t.ok((galaxies.at(-1) ?? 0) > 20);
});

t.test('a galaxy is full when a quarter of the planets of each system is given away', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 5 });
  const { universe } = story.world;
  const positions = settle(story, 200);
  for (let galaxy = 1; galaxy < 5; galaxy += 1) {
    for (let system = 0; system < 5; system += 1) {
      const starters = positions.filter((position) => position.galaxy === galaxy && position.system === system);
      const planets = universe.planetKeys(universe.systemKey(galaxy, system)).length;
      t.equal(starters.length, Math.floor(planets / 4), `${planets} planets in system ${system} of galaxy ${galaxy}`);
    }
  }
});

t.test('newcomers are spread over the systems of their galaxy', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 40 });
  const systems = settle(story, 80).map(({ system }) => system);
  t.equal(new Set(systems.slice(0, 40)).size, 40, 'each system gets its first before any gets its second');
  t.equal(new Set(systems.slice(40)).size, 40);
  for (let index = 1; index < systems.length; index += 1) {
    const apart = Math.abs((systems[index] ?? 0) - (systems[index - 1] ?? 0));
    if (apart < 5) t.fail(`two newcomers in a row land ${apart} systems apart`);
  }
});

t.test('every system is used, whatever the number of systems in a galaxy', async (t) => {
  for (const systemsPerGalaxy of [1, 2, 3, 4, 7, 13, 34, 55, 89]) {
    const story = new WorldStory({ systemsPerGalaxy });
    const systems = settle(story, systemsPerGalaxy).map(({ system }) => system);
    t.equal(new Set(systems).size, systemsPerGalaxy, `${systemsPerGalaxy} systems`);
  }
});

t.test('one by one and in bulk, the same newcomers land on the same planets', async (t) => {
  const oneByOne = new WorldStory({ systemsPerGalaxy: 3 });
  const players = [...Array(60).keys()].map((index) => oneByOne.bot(`bot-${index + 1}`));
  t.same(landings(oneByOne, players), settle(new WorldStory({ systemsPerGalaxy: 3 }), 60));
});

t.test('another seed gives other planets', async (t) => {
  const positions = [1, 2].map((seed) => settle(new WorldStory({ seed }), 20));
  t.notSame(positions[0], positions[1]);
});

t.test('a second starter planet is placed like that of a newcomer', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  const second = story.does(secondStarter(human));
  const expected = settle(new WorldStory(), 2)[1];
  t.same(story.world.universe.positionOf(second.key), expected);
});

t.test('colonized planets are not given away', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 1 });
  const human = story.human();
  const { universe } = story.world;
  for (const key of universe.planetKeys(0)) story.attempt(colonize(human, { key }));
  t.equal(universe.positionOf(firstPlanet(story.bot('bot')).key).galaxy, 2, 'the first galaxy has no planet left');
});

t.test('every planet of the universe can be given away, and then the universe is full', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 1 });
  const human = story.human();
  const free = colonizeLast(story, human);
  const { players } = story.does(bulk(free + 10));
  t.equal(players.length, free, 'a bulk that does not fit creates as many as fit');
  t.equal(story.world.planets.size, free + 2);
  t.equal(story.refusal({ ...bulk(1), namePrefix: 'late', namePrefixKey: 'late' }).code, 'universe_full');
  t.equal(story.refusal(bulk(free + 1)).code, 'universe_full', 'one of them is still to be created');
  t.equal(story.does(bulk(free)).players.length, free, 'those that exist already need no planet');
});

t.test('in a full universe newcomers are refused, and asking changes nothing', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 1 });
  const human = story.human();
  // Exactly as many as fit: no request has failed yet.
  story.does(bulk(colonizeLast(story, human)));
  t.equal(story.refusal(create('late', true)).code, 'universe_full');
  t.equal(story.refusal(secondStarter(human)).code, 'universe_full');
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
});

/** Takes a planet of the last galaxy, where newcomers come last. @returns how many planets are left in the universe */
function colonizeLast(story: WorldStory, player: Player): number {
  const { universe, planets } = story.world;
  const [last = -1] = universe.planetKeys(universe.systemKey(GALAXIES, 0));
  story.does(colonize(player, { key: last }));
  let left = -planets.size;
  for (let galaxy = 1; galaxy <= GALAXIES; galaxy += 1) left += universe.planetCount(universe.systemKey(galaxy, 0));
  return left;
}
