// What the log of a finished game says of its players.
import { join } from 'node:path';
import t from 'tap';
import { readFinishedWorld } from '../../../cli/play/finished-world.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { EVERYBODY } from '../../../engine/world/message-table.js';
import { recordsOfStory, writeGoldenLog } from '../../persistence/recovery/golden-files.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { total } from '../../support/exact-formulas.js';
import { SPOKEN_RULES } from '../../support/spoken-rules.js';
import { openScene, WorldStory } from '../../support/world-story.js';

t.test('a finished game tells what each player got besides the output of its planets', async (t) => {
  const rules = ruleSetText({
    ...STANDARD_1,
    name: 'fields',
    fields: { asteroids: [9_000, 3_000, 0, 3_000, 0], wreckPercent: 0 },
  });
  const { story, human, bot, home, foreign } = openScene({ rules });
  story.equip(home, { transport: 10, fighter: 100 });
  story.grant(home, { h2: 100_000 });
  const { universe } = story.world;
  const { galaxy, system } = universe.positionOf(home.key);
  const asteroids = { key: universe.asteroidsKey(universe.systemKey(galaxy, system)) };
  const own = story.colony(human, home);
  const cargo = { iron: 500, silver: 20 };
  const ships = { transport: 1 };
  for (const to of [foreign, own]) {
    const delivery = story.launch({ by: human, from: home, to, ships, mission: 'transport', cargo });
    story.advanceTo(delivery.returnsAtMs ?? 0);
  }
  const harvest = story.launch({ by: human, from: home, to: asteroids, ships, mission: 'harvest' });
  story.advanceTo(harvest.arrivesAtMs);
  const harvested = total(harvest.cargo);
  const raid = story.launch({
    by: human,
    from: home,
    to: foreign,
    ships: { transport: 2, fighter: 20 },
    mission: 'attack',
  });
  story.advanceTo(raid.arrivesAtMs);
  const looted = total(raid.cargo);
  t.ok(harvested > 0 && looted > 0);
  const folder = await temporaryFolder(t);
  await writeGoldenLog(join(folder, 'log'), recordsOfStory(story));
  const { players, stateHash } = await readFinishedWorld(folder);
  t.equal(stateHash, story.engine.stateHash());
  const income = new Map(players.map((player) => [player.name, player.income]));
  t.same(income.get(human.name), { deliveredUnits: 0, lootUnits: looted, harvestedUnits: harvested });
  t.same(income.get(bot.name), { deliveredUnits: 520, lootUnits: 0, harvestedUnits: 0 }, 'only what others bring');
});

t.test('a finished game tells what its players said to whom', async (t) => {
  const story = new WorldStory({ rules: SPOKEN_RULES.text });
  const [ada, bob] = [story.bot('ada'), story.bot('bob')];
  const at = new Date(story.nowMs).toISOString();
  for (const [receiverNumber, text] of [
    [bob.number, 'peace?'],
    [EVERYBODY, 'hello all'],
  ] as const)
    story.does({ type: 'send_message', playerNumber: ada.number, receiverNumber, text });
  story.does({ type: 'block_player', playerNumber: bob.number, blockedNumber: ada.number, isBlocked: true });
  const folder = await temporaryFolder(t);
  await writeGoldenLog(join(folder, 'log'), recordsOfStory(story));
  const { messages, players, foreignCommands } = await readFinishedWorld(folder);
  t.same(messages, [
    { id: 'message-1', at, sender: 'ada', receiver: 'bob', text: 'peace?' },
    { id: 'message-2', at, sender: 'ada', receiver: null, text: 'hello all' },
  ]);
  t.same(
    players.map(({ acceptedCommands }) => acceptedCommands),
    [2, 1],
    'they count as commands',
  );
  t.same(foreignCommands, []);
});
