// Players: the one human, bots by name, bots in bulk, the second starter planet and the development-mode colony.
import t from 'tap';
import { existingPlayer } from '../../../engine/players/players.js';
import { PLANETS_PER_PLAYER_MAX } from '../../../engine/rules/limits.js';
import { buildingIndex, colonize, create, secondStarter, unitList } from '../../support/command-words.js';
import { firstPlanet, NOBODY, NOWHERE, openScene, replay, WorldStory } from '../../support/world-story.js';

const bulk = (count: number, namePrefix: string, keyHashes: readonly string[] = []) =>
  ({ type: 'create_players', count, namePrefix, keyHashes, namePrefixKey: namePrefix }) as const;

t.test('there is one human: it is created once, and later requests find it whatever the name', async (t) => {
  const story = new WorldStory();
  t.equal(existingPlayer(story.world, create('Ada', false))?.number, undefined);
  const human = story.human('Ada');
  t.match(human, { name: 'Ada', isBot: false, number: 1 });
  t.equal(existingPlayer(story.world, create('Ada', false))?.number, human.number);
  t.equal(existingPlayer(story.world, create('Grace', false))?.number, human.number);
  t.throws(() => story.attempt(create('Grace', false)), /already exists/, 'a second human can never be logged');
});

t.test('bots are found by name, each name once', async (t) => {
  const story = new WorldStory();
  const bot = story.bot('Bob');
  t.match(bot, { name: 'Bob', isBot: true });
  t.equal(existingPlayer(story.world, create('Bob', true))?.number, bot.number);
  t.equal(existingPlayer(story.world, create('bob', true))?.number, undefined, 'names are compared exactly');
  t.equal(existingPlayer(story.world, create('Bob', false))?.number, undefined, 'a bot is not the human');
  t.match(
    story.refusal(create('Bob', false)),
    { code: 'name_taken', facts: { owner: { id: 'player-1', name: 'Bob', isBot: true } } },
    'and cannot have its name',
  );
  t.equal(existingPlayer(story.world, create('Bob', true))?.number, bot.number);
  t.throws(() => story.attempt(create('Bob', true)), /already exists/);
});

t.test('names are compared by the keys that come with them, and by nothing else', async (t) => {
  const story = new WorldStory();
  const bulk = { type: 'create_players', count: 3, namePrefix: 'b', keyHashes: [], namePrefixKey: 'key' } as const;
  const { number } = story.does({ ...create('one', true), nameKey: 'key-2' });
  for (const isBot of [true, false]) {
    const refusal = story.refusal({ ...create('two', isBot), nameKey: 'key-2' });
    t.match(refusal, { code: 'name_taken', facts: { reason: /looks like that of player-1/, owner: { name: 'one' } } });
  }
  t.equal(story.refusal(bulk).code, 'name_taken', 'nobody is created in bulk if one of the names is taken');
  t.equal(story.world.playerCount, 1);
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
  story.does({ type: 'retire_players', playerNumbers: [number] });
  t.equal(story.does(bulk).players.length, 3, 'the name of a retired player is free');
});

t.test('a new player has a starter planet with its buildings and stocks', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  t.equal(human.planets.length, 1);
  const home = firstPlanet(human);
  const starters = ['zentrale', 'iron_mine', 'silver_mine', 'fusion_plant'] as const;
  t.same(
    home.levels,
    home.levels.map((_, type) => (starters.some((name) => buildingIndex(name) === type) ? 1 : 0)),
  );
  t.same(story.stocks(home), unitList({ iron: 500, silver: 250, ember: 0, h2: 100, energy: 100 }));
  t.same(human.researchLevels, [0, 0, 0, 0]);
  t.same([human.fleets, human.reports, human.research], [[], [], null]);
  t.equal(human.points, 150 + 75 + 72 + 105, 'points are what its four buildings cost');
});

t.test('the hash of an API key is kept with its player', async (t) => {
  const story = new WorldStory();
  const player = story.does({ ...create('Bob', true), keyHash: 'abc' });
  t.equal(player.keyHash, 'abc');
  const { players } = story.does(bulk(2, 'swarm', ['one', 'two']));
  t.same(
    players.map(({ keyHash }) => keyHash),
    ['one', 'two'],
  );
});

t.test('bots in bulk are numbered, and those that exist already are left as they are', async (t) => {
  const story = new WorldStory();
  const existing = story.bot('swarm-2');
  const { players, created } = story.does(bulk(4, 'swarm'));
  t.same(
    players.map(({ name }) => name),
    ['swarm-1', 'swarm-2', 'swarm-3', 'swarm-4'],
  );
  t.same(created, [true, false, true, true]);
  t.equal(players[1]?.number, existing.number);
  t.ok(players.every(({ isBot, planets }) => isBot && planets.length === 1));
  t.equal(story.world.playerCount, 4);
  t.same(story.does(bulk(4, 'swarm')).created, [false, false, false, false]);
  t.equal(story.world.playerCount, 4);
});

t.test('a player gets a second starter planet, and a third is refused', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  const second = story.does(secondStarter(human));
  t.equal(human.planets.length, 2);
  t.equal(human.planets[1]?.key, second.key);
  t.not(second.key, firstPlanet(human).key);
  t.same(second.levels, firstPlanet(human).levels);
  t.same(story.stocks(second), unitList({ iron: 500, silver: 250, h2: 100, energy: 100 }));
  t.equal(story.refusal(secondStarter(human)).code, 'starter_limit_reached');
  t.equal(story.refusal(secondStarter(NOBODY)).code, 'player_not_found');
});

t.test('colonies do not count as starter planets', async (t) => {
  const { story, human, home } = openScene();
  story.colony(human, home);
  story.does(secondStarter(human));
  t.equal(human.planets.length, 3);
});

t.test('in development mode an unoccupied planet is colonized without a fleet', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  const free = story.freeNeighbour(firstPlanet(human));
  const colony = story.does(colonize(human, free));
  t.equal(colony.key, free.key);
  t.equal(colony.owner.number, human.number);
  t.equal(story.world.planets.get(free.key)?.changedSeq, colony.changedSeq);
  t.same(
    colony.levels.filter((level) => level > 0),
    [1],
    'it has only its zentrale',
  );
  t.equal(colony.levels[buildingIndex('zentrale')], 1);
  t.same(story.stocks(colony), [0, 0, 0, 0, 0]);
});

t.test('colonizing is refused: a missing planet comes before an occupied one', async (t) => {
  const { story, human, bot, home, foreign, free } = openScene();
  t.equal(story.refusal(colonize(NOBODY, NOWHERE)).code, 'player_not_found');
  t.equal(story.refusal(colonize(human, NOWHERE)).code, 'planet_not_found');
  t.equal(story.refusal(colonize(human, foreign)).code, 'planet_occupied');
  t.equal(story.refusal(colonize(human, home)).code, 'planet_occupied', "also on the player's own planet");
  const freeKeys = [...Array(40).keys()].flatMap((system) => story.world.universe.planetKeys(100 + system));
  for (const key of freeKeys.slice(0, PLANETS_PER_PLAYER_MAX - 2)) story.does(colonize(bot, { key }));
  t.equal(bot.planets.length, PLANETS_PER_PLAYER_MAX);
  t.equal(story.refusal(colonize(bot, free)).code, 'limit_reached');
  t.equal(story.refusal(colonize(bot, foreign)).code, 'planet_occupied', 'the conflict of the planet comes first');
  t.equal(story.refusal(secondStarter(bot)).code, 'limit_reached', 'the limit holds for starter planets too');
});
