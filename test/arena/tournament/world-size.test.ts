// A tournament's worlds follow the number of players of a game: everybody has neighbours near.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { ENTRANTS_MAX } from '../../../arena/limits.js';
import { RESULT_FILE } from '../../../arena/tournament/folder.js';
import { NAMED_SETTINGS, SETTING_NAMES } from '../../../arena/tournament/named-settings.js';
import type { Tournament } from '../../../arena/tournament/result.js';
import { systemsForPlayers } from '../../../arena/tournament/world-size.js';
import { neighboursOf } from '../../../engine/queries/neighbours.js';
import { SYSTEMS_PER_GALAXY_MAX } from '../../../engine/rules/limits.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { secondStarter } from '../../support/command-words.js';
import { galaxyd } from '../../support/process/operator.js';
import { WorldStory } from '../../support/world-story.js';

/** A flight over five systems and less: a transport with the first drive takes 20,000 s. */
const NEAR = 200;

t.test('every player has a neighbour near, whatever the seed and the number of players', async (t) => {
  for (const players of [2, 3, 4, 8, 16, ENTRANTS_MAX]) {
    const systemsPerGalaxy = systemsForPlayers(players);
    t.ok(systemsPerGalaxy <= SYSTEMS_PER_GALAXY_MAX);
    for (const seed of [1, 2, 3]) {
      const story = new WorldStory({ seed, systemsPerGalaxy, rules: STANDARD_2_RULES.text });
      const bots = Array.from({ length: players }, (_, index) => story.bot(`bot-${index}`));
      for (const bot of bots) story.does(secondStarter(bot));
      const { universe } = story.world;
      for (const bot of bots) {
        t.ok(bot.planets.every(({ key }) => universe.positionOf(key).galaxy === 1));
        const near = bot.planets.flatMap((planet) => neighboursOf(story.world, planet, 1));
        const distance = Math.min(...near.map((neighbour) => neighbour.distance));
        t.ok(distance <= NEAR, `${players} players, seed ${seed}: ${distance}`);
      }
    }
  }
});

t.test('named settings have worlds of that size', async (t) => {
  for (const name of SETTING_NAMES) {
    const { playersPerGame, systemsPerGalaxy } = NAMED_SETTINGS[name];
    t.equal(systemsPerGalaxy, systemsForPlayers(playersPerGame), name);
  }
});

t.test('a tournament takes the size from the players of a game, unless it is given', async (t) => {
  const entrants = ['--entrants', 'idler,idler,idler', '--days', '0.01', '--seeds', '1'];
  for (const [flags, expected] of [
    [[], 9],
    [['--players-per-game', '1'], 3],
    [['--systems-per-galaxy', '7'], 7],
  ] as const) {
    const out = join(await temporaryFolder(t), 'cup');
    t.match(await galaxyd(t, 'tournament', ...entrants, '--out', out, ...flags), { code: 0 });
    const { settings } = JSON.parse(await readFile(join(out, RESULT_FILE), 'utf8')) as Tournament;
    t.equal(settings.systemsPerGalaxy, expected);
  }
});
