// A small world that contains everything once: every table has rows, every kind of report is filed, every timer is
// pending. The golden files are made from it, so a change here changes them.
import type { CommandNamed } from '../../engine/commands/table.js';
import { WORLD_SCOPE } from '../../engine/world/kept-replies.js';
import { build, construct, keep, recall, research, upgrade } from './command-words.js';
import { firstPlanet, MINUTE_MS, openScene, type Scene, type StorySettings } from './world-story.js';

/** Players who join it later. */
export const NEWCOMERS: CommandNamed<'create_players'> = {
  type: 'create_players',
  count: 3,
  namePrefix: 'newcomer',
  keyHashes: ['key-1', 'key-2', 'key-3'],
  namePrefixKey: 'newcomer',
};

export function fullScene(settings?: StorySettings): Scene {
  const scene = openScene(settings);
  const { story, human, bot, home, foreign } = scene;
  story.equip(foreign, { fighter: 2 });
  const words = { by: human, from: home, to: foreign } as const;
  story.launch({ ...words, ships: { scout: 1 }, mission: 'espionage' });
  story.launch({ ...words, ships: { transport: 2, fighter: 9 }, mission: 'attack', cargo: { iron: 900 } });
  story.advance(2 * MINUTE_MS);
  story.does(
    recall(human, story.launch({ ...words, to: firstPlanet(bot), ships: { scout: 1 }, mission: 'espionage' })),
  );
  story.launch({
    ...words,
    to: scene.free,
    ships: { colony_ship: 1 },
    mission: 'colonize',
    cargo: { iron: 1, silver: 2, ember: 3, h2: 4 },
  });
  story.does(upgrade(home, 'iron_mine'));
  story.does(construct(foreign, 'anti_spy'));
  story.does(build(home, 'fighter', 3));
  story.does(build(home, 'fighter', 1));
  story.does(research(human, 'drive_ion'));
  story.does(keep(human, 'key-1', '{"success":true}'));
  story.does(keep({ number: WORLD_SCOPE }, 'key-1', '{"results":[]}'));
  return scene;
}
