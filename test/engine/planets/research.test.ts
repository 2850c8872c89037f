// Research: one at a time, its levels, and the drives it unlocks.
import t from 'tap';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { launch, research, researchIndex } from '../../support/command-words.js';
import { firstPlanet, MINUTE_MS, openScene, SECOND_MS, WorldStory } from '../../support/world-story.js';

t.test('a research that does not exist yet is created at level 0 and then raised to level 1', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  story.does(research(human, 'drive_hyper'));
  t.equal(human.researchLevel(researchIndex('drive_hyper')), 0);
  story.advance(2 * MINUTE_MS - 1);
  t.equal(human.researchLevel(researchIndex('drive_hyper')), 0);
  t.not(human.research, null, 'isResearching until researchFinishAt');
  story.advance(1);
  t.equal(human.researchLevel(researchIndex('drive_hyper')), 1);
  t.equal(human.research, null);
  story.does(research(human, 'drive_hyper'));
  t.equal((human.research?.finishAtMs ?? 0) - story.nowMs, 480 * SECOND_MS, '(1+1)^2 x 120 s');
});

t.test('research costs nothing', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  const before = story.stocks(firstPlanet(human));
  story.does(research(human, 'drive_ion'));
  t.same(story.stocks(firstPlanet(human)), before);
});

t.test('one research at a time is a rule of each player', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  const bot = story.bot('bot-1');
  story.does(research(human, 'drive_ion'));
  story.does(research(bot, 'drive_ion'));
  for (const { type } of STANDARD_1.research)
    t.equal(story.refusal(research(human, type)).code, 'research_in_progress');
  story.advance(2 * MINUTE_MS);
  t.match([human.researchLevel(0), bot.researchLevel(0)], [1, 1]);
  story.does(research(human, 'drive_nexus'));
});

t.test('each of the four researches unlocks its drive, from the instant it is finished', async (t) => {
  const drives = { drive_ion: 'ion', drive_hyper: 'hyper', drive_nexus: 'nexus', drive_interdim: 'interdim' } as const;
  for (const [type, drive] of Object.entries(drives)) {
    const { story, human, home, bot } = openScene();
    const target = type === 'drive_interdim' ? otherGalaxy(story) : firstPlanet(bot);
    const scout = { by: human, from: home, to: target, ships: { scout: 1 }, mission: 'espionage' } as const;
    story.does(research(human, type as keyof typeof drives));
    story.advance(2 * MINUTE_MS - 1);
    const before = story.attempt(launch(scout));
    t.not(
      'drive' in before ? STANDARD_1.drives[before.drive]?.type : before.code,
      drive,
      `${drive} is not available before`,
    );
    story.advance(1);
    t.equal(STANDARD_1.drives[story.launch(scout).drive]?.type, drive, `${type} unlocks ${drive}`);
  }
});

/** A newcomer's planet in another galaxy: with one system per galaxy the first galaxy is soon full. */
function otherGalaxy(story: WorldStory) {
  const { universe } = story.world;
  for (let number = 2; ; number += 1) {
    const planet = firstPlanet(story.bot(`bot-${number}`));
    if (universe.positionOf(planet.key).galaxy > 1) return planet;
  }
}
