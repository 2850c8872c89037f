// The story of a game: pacts, words and trades in plain sentences.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ruleSetText } from '../../engine/rules/rule-set.js';
import { NON_AGGRESSION, SHARED_SIGHT } from '../../engine/terms/pacts.js';
import { EVERYBODY } from '../../engine/world/message-table.js';
import type { Pact } from '../../engine/world/pact-table.js';
import { gameStory } from '../../tools/league/game-story.js';
import { recordsOfStory, writeGoldenLog } from '../persistence/recovery/golden-files.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { type Numbered, offer, take } from '../support/command-words.js';
import { DEALING } from '../support/dealing-rules.js';
import { MESSAGES } from '../support/spoken-rules.js';
import { DAY_MS, HOUR_MS, openScene, PLENTY, type Scene, type WorldStory } from '../support/world-story.js';

/** A day in which the words of one player are more than a story tells. */
const PERIODS_OF_WORDS = 4;

function open(): Scene {
  const scene = openScene({ rules: ruleSetText(DEALING) });
  for (const planet of [scene.home, scene.foreign]) scene.story.grant(planet, PLENTY);
  const { settings } = scene.story.world;
  scene.story.advanceTo(settings.startMs + 2 * DAY_MS);
  return scene;
}

const proposed = (story: WorldStory, one: Numbered, other: Numbered, kind: number, durationMs: number): Pact =>
  story.does({ type: 'propose_pact', playerNumber: one.number, partnerNumber: other.number, kind, durationMs });
const answer = (story: WorldStory, type: 'accept_pact' | 'decline_pact' | 'cancel_pact', by: Numbered, pact: Pact) =>
  story.does({ type, playerNumber: by.number, pactNumber: pact.number });
const say = (story: WorldStory, one: Numbered, other: number, text: string) =>
  story.does({ type: 'send_message', playerNumber: one.number, receiverNumber: other, text });

/** The chapter of a day. */
async function dayOf(t: Pick<Test, 'teardown'>, { story }: Scene, day: number): Promise<readonly string[]> {
  const folder = await temporaryFolder(t);
  await writeGoldenLog(join(folder, 'log'), recordsOfStory(story));
  const chapters = (await gameStory(folder)).split('\n## ');
  return chapters.find((chapter) => chapter.startsWith(`Day ${day}\n`))?.split('\n') ?? [];
}

t.test('a story tells what was agreed, and what became of it', async (t) => {
  const scene = open();
  const { story, human, bot } = scene;
  const [ada, other] = [human.name, bot.name];
  answer(story, 'decline_pact', bot, proposed(story, human, bot, SHARED_SIGHT, HOUR_MS));
  answer(story, 'cancel_pact', human, proposed(story, human, bot, SHARED_SIGHT, HOUR_MS));
  proposed(story, human, bot, SHARED_SIGHT, HOUR_MS);
  const pact = proposed(story, bot, human, NON_AGGRESSION, DAY_MS);
  answer(story, 'accept_pact', human, pact);
  story.advance(2 * HOUR_MS);
  answer(story, 'accept_pact', bot, proposed(story, human, bot, SHARED_SIGHT, HOUR_MS));
  story.advance(HOUR_MS);
  answer(story, 'cancel_pact', human, pact);
  story.advance(HOUR_MS);
  const chapter = await dayOf(t, scene, 3);
  t.same(
    chapter.filter((line) => /^- \d/.test(line)),
    [
      `- 00:00 ${ada} proposes to ${other} a pact of shared-sight for 1 hour.`,
      `- 00:00 ${other} declines the pact of shared-sight.`,
      `- 00:00 ${ada} proposes to ${other} a pact of shared-sight for 1 hour.`,
      `- 00:00 ${ada} no longer offers ${other} the pact of shared-sight.`,
      `- 00:00 ${ada} proposes to ${other} a pact of shared-sight for 1 hour.`,
      `- 00:00 ${other} proposes to ${ada} a pact of non-aggression for 1 day.`,
      `- 00:00 ${ada} accepts: the pact of non-aggression holds until day 4 at 00:00.`,
      `- 02:00 ${other} has not answered ${ada}, and the proposal of a pact of shared-sight expires.`,
      `- 02:00 ${ada} proposes to ${other} a pact of shared-sight for 1 hour.`,
      `- 02:00 ${other} accepts: the pact of shared-sight holds until day 3 at 03:00.`,
      `- 03:00 The pact of shared-sight of ${ada} and ${other} has run to its end.`,
      `- 03:00 ${ada} cancels the pact of non-aggression with ${other}, which ends on day 3 at 04:00.`,
      `- 04:00 The pact of non-aggression of ${other} and ${ada} is over.`,
    ],
  );
});

t.test('a story quotes what was written, and nothing in it is markup', async (t) => {
  const scene = open();
  const { story, human, bot } = scene;
  say(story, human, bot.number, '`**[peace](x)** "| <b>');
  say(story, bot, EVERYBODY, 'hello all');
  const chapter = await dayOf(t, scene, 3);
  const words = chapter.filter((line) => line.includes(' writes to '));
  t.same(words, [
    `- 00:00 ${human.name} writes to ${bot.name}: \`"\\u0060**[peace](x)** \\"\\u007c \\u003cb\\u003e"\``,
    `- 00:00 ${bot.name} writes to everybody: \`"hello all"\``,
  ]);
});

t.test('words do not push a pact out of its day', async (t) => {
  const scene = open();
  const { story, human, bot } = scene;
  for (let period = 0; period < PERIODS_OF_WORDS; period += 1) {
    for (let sent = 0; sent < MESSAGES.sentToOneMax; sent += 1) {
      say(story, human, bot.number, `${period}/${sent}`);
      say(story, bot, human.number, `${period}/${sent}`);
    }
    story.advance(MESSAGES.periodSeconds * 1000);
  }
  proposed(story, human, bot, NON_AGGRESSION, DAY_MS);
  const lines = (await dayOf(t, scene, 3)).filter((line) => line.startsWith('- '));
  const words = 2 * PERIODS_OF_WORDS * MESSAGES.sentToOneMax;
  t.match(lines.at(-2), /proposes to .* a pact/);
  t.equal(lines.at(-1), `- And ${words - 14} more.`);
});

t.test('trades of two players are told together', async (t) => {
  const scene = open();
  const { story, human, bot, home, foreign } = scene;
  const buy = (iron: number): void =>
    void story.does(
      take(
        bot,
        story.does(offer({ by: human, from: home, give: { iron }, want: { silver: (2 * iron) / 3 } })),
        foreign,
      ),
    );
  buy(600);
  t.match(await dayOf(t, scene, 3), [
    /^Day 3/,
    '',
    `- ${bot.name} takes an offer of ${human.name}: 600 iron for 400 silver.`,
  ]);
  buy(300);
  t.match(await dayOf(t, scene, 3), [
    /^Day 3/,
    '',
    `- ${bot.name} takes 2 offers of ${human.name}, the last one 300 iron for 200 silver.`,
  ]);
});
