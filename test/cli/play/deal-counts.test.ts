// What a finished game says of pacts, trades and messages: who proposed, kept and broke what.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { NO_DEALS } from '../../../cli/play/deal-counts.js';
import { readFinishedWorld } from '../../../cli/play/finished-world.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { playerId } from '../../../engine/terms/ids.js';
import { NON_AGGRESSION, SHARED_SIGHT } from '../../../engine/terms/pacts.js';
import { EVERYBODY } from '../../../engine/world/message-table.js';
import type { Pact } from '../../../engine/world/pact-table.js';
import { gameCourse } from '../../../tools/league/game-course.js';
import { recordsOfStory, writeGoldenLog } from '../../persistence/recovery/golden-files.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { type Numbered, offer, take, withdraw } from '../../support/command-words.js';
import { DEALING } from '../../support/dealing-rules.js';
import { PACT_RULES } from '../../support/pact-rules.js';
import {
  DAY_MS,
  HOUR_MS,
  openScene,
  PLENTY,
  type Scene,
  SECOND_MS,
  type WorldStory,
} from '../../support/world-story.js';

const RULES = ruleSetText(DEALING);
const NOTICE_MS = PACT_RULES.noticeSeconds * SECOND_MS;

function open(): Scene {
  const scene = openScene({ rules: RULES });
  for (const planet of [scene.home, scene.foreign]) scene.story.grant(planet, PLENTY);
  return scene;
}

const proposed = (
  story: WorldStory,
  one: Numbered,
  other: Numbered,
  kind = NON_AGGRESSION,
  durationMs = DAY_MS,
): Pact =>
  story.does({ type: 'propose_pact', playerNumber: one.number, partnerNumber: other.number, kind, durationMs });
const answer = (story: WorldStory, type: 'accept_pact' | 'decline_pact' | 'cancel_pact', by: Numbered, pact: Pact) =>
  story.does({ type, playerNumber: by.number, pactNumber: pact.number });

const attack = ({ story, human, home, foreign }: Scene): void =>
  void story.launch({ by: human, from: home, to: foreign, ships: { transport: 1, fighter: 1 }, mission: 'attack' });

/** The deals of both players, as the log of the story says. */
async function dealsOf(t: Pick<Test, 'teardown'>, { story, human, bot }: Scene) {
  const folder = await temporaryFolder(t);
  await writeGoldenLog(join(folder, 'log'), recordsOfStory(story));
  const { players } = await readFinishedWorld(folder);
  return [human, bot].map(({ name }) => players.find((player) => player.name === name)?.deals);
}

t.test('a pact that ran to its end, or is in force at the end of the game, was honoured by both', async (t) => {
  const scene = open();
  const { story, human, bot } = scene;
  answer(story, 'accept_pact', human, proposed(story, bot, human, SHARED_SIGHT, 2 * HOUR_MS));
  answer(story, 'decline_pact', bot, proposed(story, human, bot));
  story.advance(2 * HOUR_MS);
  answer(story, 'accept_pact', bot, proposed(story, human, bot));
  proposed(story, human, bot, SHARED_SIGHT);
  t.same(await dealsOf(t, scene), [
    { ...NO_DEALS, pactsProposed: 3, pactsAccepted: 1, pactsHonoured: 2 },
    { ...NO_DEALS, pactsProposed: 1, pactsAccepted: 1, pactsHonoured: 2 },
  ]);
});

t.test('who cancels a pact breaks it, and its attacks count up to a day after the end', async (t) => {
  const scene = open();
  const { story, human, bot } = scene;
  attack(scene);
  const pact = proposed(story, human, bot, NON_AGGRESSION, 2 * DAY_MS);
  answer(story, 'accept_pact', bot, pact);
  attack(scene);
  answer(story, 'cancel_pact', human, pact);
  attack(scene);
  story.advance(NOTICE_MS);
  attack(scene);
  story.advance(DAY_MS);
  attack(scene);
  story.advance(SECOND_MS);
  attack(scene);
  t.same(await dealsOf(t, scene), [
    { ...NO_DEALS, pactsProposed: 1, pactsBroken: 1, attacksAfterBreaking: 3 },
    { ...NO_DEALS, pactsAccepted: 1 },
  ]);
});

t.test('whose pact was cancelled may attack', async (t) => {
  const scene = open();
  const { story, human, bot } = scene;
  const pact = proposed(story, human, bot);
  answer(story, 'accept_pact', bot, pact);
  answer(story, 'cancel_pact', bot, pact);
  story.advance(NOTICE_MS);
  attack(scene);
  t.same(await dealsOf(t, scene), [
    { ...NO_DEALS, pactsProposed: 1 },
    { ...NO_DEALS, pactsAccepted: 1, pactsBroken: 1 },
  ]);
});

t.test('offers count for their maker and their taker, and messages for their sender', async (t) => {
  const scene = open();
  const { story, human, bot, home, foreign } = scene;
  const terms = { by: human, from: home, give: { iron: 600 }, want: { silver: 400 }, h2Max: 500 } as const;
  story.does(take(bot, story.does(offer(terms)), foreign));
  story.does(withdraw(human, story.does(offer(terms))));
  story.does(offer({ ...terms, to: bot, lastsMs: HOUR_MS }));
  story.advance(HOUR_MS);
  story.does(offer(terms));
  for (const receiverNumber of [bot.number, EVERYBODY])
    story.does({ type: 'send_message', playerNumber: human.number, receiverNumber, text: 'a fair price' });
  t.same(await dealsOf(t, scene), [
    { ...NO_DEALS, offersMade: 4, offersSold: 1, offersExpired: 1, messagesSent: 2 },
    { ...NO_DEALS, offersTaken: 1 },
  ]);
});

t.test(
  'the course of a game has what each side received in trades, and nothing for an offer that nobody took',
  async (t) => {
    const scene = open();
    const { story, human, bot, home, foreign } = scene;
    const terms = { by: human, from: home, give: { iron: 120 }, want: { silver: 100 } };
    for (let trade = 0; trade < 2; trade += 1) story.does(take(bot, story.does(offer(terms)), foreign));
    story.does(offer(terms));
    const folder = await temporaryFolder(t);
    await writeGoldenLog(join(folder, 'log'), recordsOfStory(story));
    const { players } = await gameCourse(folder, 1);
    const tradedBy = ({ number }: Numbered): number | undefined =>
      players.find(({ playerId: id }) => id === playerId(story.world, number))?.traded;
    t.same([tradedBy(human), tradedBy(bot)], [200, 240]);
  },
);
