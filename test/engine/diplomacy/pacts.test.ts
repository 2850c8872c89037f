// Pacts: proposals, answers, notice, what they forbid and share, their limits, and that a restored world goes on with them.

import t from 'tap';
import { truceUntilMs } from '../../../engine/diplomacy/pacts.js';
import { causerOf } from '../../../engine/events/kinds.js';
import { launchWarning } from '../../../engine/fleets/launching.js';
import { knownPlanets } from '../../../engine/queries/known-planets.js';
import { ROW_KINDS, type Row } from '../../../engine/rows/row.js';
import { PACT_PROPOSALS_RECEIVED_MAX } from '../../../engine/rules/limits.js';
import { LINEAGE_GAP_MIN } from '../../../engine/rules/record-limits.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { ATTACK, TRANSPORT } from '../../../engine/terms/missions.js';
import { NON_AGGRESSION, SHARED_SIGHT } from '../../../engine/terms/pacts.js';
import type { Pact } from '../../../engine/world/pact-table.js';
import { launch, type Numbered } from '../../support/command-words.js';
import { PACT_RULES, WITH_PACTS } from '../../support/pact-rules.js';
import fc from '../../support/properties.js';
import { MESSAGES } from '../../support/spoken-rules.js';
import {
  DAY_MS,
  firstPlanet,
  HOUR_MS,
  loadRows,
  openScene,
  replay,
  type Scene,
  SECOND_MS,
  WorldStory,
} from '../../support/world-story.js';

const RULES = ruleSetText(WITH_PACTS);
const NOTICE_MS = PACT_RULES.noticeSeconds * SECOND_MS;

const propose = (one: Numbered, other: Numbered, kind = NON_AGGRESSION, durationMs = DAY_MS) =>
  ({ type: 'propose_pact', playerNumber: one.number, partnerNumber: other.number, kind, durationMs }) as const;
const on = (type: 'accept_pact' | 'decline_pact' | 'cancel_pact', by: Numbered, pact: Numbered) =>
  ({ type, playerNumber: by.number, pactNumber: pact.number }) as const;

/** A pact of the human and the bot. */
function agreed(
  { story, human, bot }: Pick<Scene, 'story' | 'human' | 'bot'>,
  kind = NON_AGGRESSION,
  durationMs = DAY_MS,
): Pact {
  const pact = story.does(propose(human, bot, kind, durationMs));
  return story.does(on('accept_pact', bot, pact));
}

/** The last events, as kind, receiver, and why a pact ended. */
function told({ events }: WorldStory, count: number) {
  return events
    .slice(-count)
    .map((event) => [
      event.kind,
      event.playerNumber,
      ...('reason' in event ? [event.reason] : []),
      ...('change' in event ? [event.change] : []),
    ]);
}

t.test('a proposal is answered, and the pact lasts as long as was proposed', async (t) => {
  const { story, human, bot } = openScene({ rules: RULES });
  const pact = story.does(propose(human, bot));
  t.match(pact, {
    isInForce: false,
    sinceMs: story.nowMs,
    endsAtMs: story.nowMs + PACT_RULES.proposalSeconds * SECOND_MS,
  });
  t.same(told(story, 2), [
    ['pact_proposed', human.number],
    ['pact_proposed', bot.number],
  ]);
  t.equal(truceUntilMs(story.world, human.number, bot.number, story.nowMs), 0, 'not yet');
  story.advance(HOUR_MS);
  story.does(on('accept_pact', bot, pact));
  t.match(pact, { isInForce: true, sinceMs: story.nowMs, endsAtMs: story.nowMs + DAY_MS });
  t.same(told(story, 3), [
    ['pact_began', human.number],
    ['pact_began', bot.number],
    ['pact', bot.number, 'began'],
  ]);
  t.equal(truceUntilMs(story.world, human.number, bot.number, story.nowMs), pact.endsAtMs);
  t.equal(truceUntilMs(story.world, bot.number, human.number, pact.endsAtMs - 1), pact.endsAtMs, 'for both');
  t.equal(truceUntilMs(story.world, bot.number, human.number, pact.endsAtMs), 0);
  story.advanceTo(pact.endsAtMs);
  t.equal(story.world.pacts.size, 0);
  t.same(told(story, 3), [
    ['pact_ended', human.number, 'over'],
    ['pact_ended', bot.number, 'over'],
    ['pact', human.number, 'ended'],
  ]);
});

t.test('a proposal can be declined, withdrawn, or expire; nobody else hears of it', async (t) => {
  const { story, human, bot } = openScene({ rules: RULES });
  for (const [ending, end] of [
    ['declined', (pact: Pact) => void story.does(on('decline_pact', bot, pact))],
    ['withdrawn', (pact: Pact) => void story.does(on('cancel_pact', human, pact))],
    ['expired', (pact: Pact) => story.advanceTo(pact.endsAtMs)],
  ] as const) {
    end(story.does(propose(human, bot)));
    t.same(told(story, 2), [
      ['pact_ended', human.number, ending],
      ['pact_ended', bot.number, ending],
    ]);
    t.equal(story.world.pacts.size, 0);
  }
  t.notOk(story.events.some(({ kind }) => kind === 'pact'));
  t.equal(story.world.timers.nextDeadlineMs, Number.POSITIVE_INFINITY, 'no timer is left');
});

t.test('attacks turn round until the notice is over', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot, home, foreign } = scene;
  const pact = agreed(scene);
  const words = { by: human, from: home, to: foreign, ships: { fighter: 5, transport: 1 }, mission: 'attack' } as const;
  t.match(launchWarning(story.world, launchOf(scene, ATTACK), story.nowMs + HOUR_MS), {
    code: 'target_in_pact',
    untilMs: pact.endsAtMs,
  });
  t.equal(launchWarning(story.world, launchOf(scene, TRANSPORT), story.nowMs + HOUR_MS), null);
  const early = story.launch(words);
  story.advanceTo(early.arrivesAtMs);
  t.match(story.events.at(-1), { kind: 'attack_turned_away', defenderNumber: bot.number, untilMs: pact.endsAtMs });
  story.does(on('cancel_pact', human, pact));
  t.match(pact, { cancelledByNumber: human.number, endsAtMs: story.nowMs + NOTICE_MS });
  t.same(told(story, 3), [
    ['pact_cancelled', human.number],
    ['pact_cancelled', bot.number],
    ['pact', human.number, 'cancelled'],
  ]);
  t.equal(story.refusal(on('cancel_pact', bot, pact)).code, 'pact_ending');
  t.equal(launchWarning(story.world, launchOf(scene, ATTACK), pact.endsAtMs), null, 'it would arrive after the notice');
  story.advanceTo(pact.endsAtMs);
  t.same(told(story, 3)[2], ['pact', human.number, 'ended']);
  const late = story.launch(words);
  story.advanceTo(late.arrivesAtMs);
  t.ok(story.events.some(({ kind, atMs }) => kind === 'battle' && atMs === late.arrivesAtMs));
});

t.test('an attack that lands in the instant in which the pact ends is fought, whichever timer is older', async (t) => {
  for (const isPactOlder of [true, false]) {
    const scene = openScene({ rules: ruleSetText({ ...WITH_PACTS, pacts: { ...PACT_RULES, noticeSeconds: 1 } }) });
    const { story, human, home, foreign } = scene;
    const words = {
      by: human,
      from: home,
      to: foreign,
      ships: { fighter: 5, transport: 1 },
      mission: 'attack',
    } as const;
    const measured = story.launch(words);
    const flightMs = measured.arrivesAtMs - story.nowMs;
    story.advance(1);
    story.does({ type: 'recall_fleet', playerNumber: human.number, fleetNumber: measured.number });
    story.advanceTo(measured.returnsAtMs ?? 0);
    const fleet = isPactOlder ? undefined : story.launch(words);
    agreed(scene, NON_AGGRESSION, flightMs);
    const { arrivesAtMs } = fleet ?? story.launch(words);
    story.advanceTo(arrivesAtMs);
    t.ok(
      story.events.some(({ kind, atMs }) => kind === 'battle' && atMs === arrivesAtMs),
      `pact older: ${isPactOlder}`,
    );
  }
});

t.test('a pact is not shorter than its notice, and not longer than the rules allow when it begins', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot } = scene;
  t.match(story.refusal(propose(human, bot, NON_AGGRESSION, NOTICE_MS - 1)), {
    code: 'limit_reached',
    facts: { limit: { name: 'pacts.noticeSeconds' } },
  });
  const longestMs = PACT_RULES.durationSecondsMax * SECOND_MS;
  const pact = story.does(propose(human, bot, NON_AGGRESSION, longestMs));
  story.does({ type: 'set_speed', speedThousandths: 10_000 });
  story.does(on('accept_pact', bot, pact));
  t.equal(pact.endsAtMs, story.nowMs + longestMs / 10, 'the speed of then counts');
});

t.test('a proposal counts as a message, so nobody fills the events of another player', async (t) => {
  const { story, human, bot } = openScene({ rules: ruleSetText({ ...WITH_PACTS, messages: MESSAGES }) });
  for (let count = 0; count < 3; count += 1) story.does(on('cancel_pact', human, story.does(propose(human, bot))));
  t.match(story.refusal(propose(human, bot)), {
    code: 'message_limit_reached',
    facts: { limit: { name: 'messages.sentToOneMax', maximum: 3 } },
  });
  story.does({ type: 'block_player', playerNumber: bot.number, blockedNumber: human.number, isBlocked: true });
  story.advance(MESSAGES.periodSeconds * SECOND_MS);
  t.equal(story.refusal(propose(human, bot)).code, 'blocked_by_receiver');
  story.does(propose(bot, human));
});

t.test('notice does not make a pact longer', async (t) => {
  const scene = openScene({ rules: RULES });
  const pact = agreed(scene, NON_AGGRESSION, NOTICE_MS);
  const { endsAtMs } = pact;
  scene.story.advance(NOTICE_MS / 2);
  scene.story.does(on('cancel_pact', scene.bot, pact));
  t.equal(pact.endsAtMs, endsAtMs);
});

t.test('each sees what planets of the other see', async (t) => {
  const scene = openScene({
    rules: ruleSetText({
      ...WITH_PACTS,
      richness: { percentMin: 50, percentMax: 200, starters: [[100, 100, 100, 100]] },
    }),
  });
  const { story, human, bot } = scene;
  const far = story.bot('far');
  story.learn(far, 'drive_ion');
  const known = (player = human) => new Set(knownPlanets(story.world, player).map(({ key }) => key));
  const before = known();
  const ofBot = known(bot);
  t.notOk(before.has(firstPlanet(far).key));
  const pact = story.does(propose(far, human, SHARED_SIGHT));
  t.same(known(), before, 'a proposal shares nothing');
  story.does(on('accept_pact', human, pact));
  t.ok(known().has(firstPlanet(far).key));
  t.same(known(bot), ofBot, 'nobody else');
  story.does(on('cancel_pact', human, pact));
  story.advanceTo(pact.endsAtMs);
  t.same(known(), before);
});

t.test('what is not possible is refused', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot } = scene;
  const [third, fourth] = [story.bot('third'), story.bot('fourth')];
  const code = (command: Parameters<typeof story.refusal>[0]) => story.refusal(command).code;
  t.equal(code(propose(human, { number: 999 })), 'player_not_found');
  t.equal(code(propose(human, human)), 'pact_with_oneself');
  t.match(story.refusal(propose(human, bot, NON_AGGRESSION, 999 * DAY_MS)), {
    code: 'limit_reached',
    facts: { limit: { name: 'pacts.durationSecondsMax', maximum: PACT_RULES.durationSecondsMax } },
  });
  const pact = story.does(propose(human, bot));
  t.equal(code(propose(human, bot)), 'pact_exists');
  t.equal(code(propose(bot, human)), 'pact_exists', 'whoever proposes');
  t.equal(code(on('accept_pact', human, pact)), 'not_owner', 'the proposer cannot accept');
  t.equal(code(on('cancel_pact', bot, pact)), 'not_owner', 'nor the other one withdraw');
  for (const type of ['accept_pact', 'decline_pact', 'cancel_pact'] as const)
    t.same(
      story.refusal(on(type, third, pact)),
      story.refusal(on(type, third, { number: 999 })),
      'a pact of others is none',
    );
  t.equal(code(on('accept_pact', bot, { number: 999 })), 'pact_not_found');
  story.does(on('accept_pact', bot, pact));
  t.equal(code(on('accept_pact', bot, pact)), 'pact_in_force');
  t.equal(code(on('decline_pact', bot, pact)), 'pact_in_force');
  story.does(propose(human, third));
  t.match(story.refusal(propose(human, fourth)), {
    code: 'limit_reached',
    facts: { limit: { name: 'pacts.openMax' } },
  });
  const received = [story.does(propose(fourth, human)), story.does(propose(fourth, human, SHARED_SIGHT))];
  t.equal(received.length, 2, 'proposals of others use up nothing');
  t.equal(code(on('accept_pact', human, received[0] as Pact)), 'limit_reached');
  story.does({ type: 'suspend_player', playerNumber: fourth.number });
  t.equal(code(on('cancel_pact', fourth, received[0] as Pact)), 'player_suspended');
  t.equal(openScene().story.refusal(propose(human, bot)).code, 'pacts_not_in_rules');
});

t.test('nobody has more unanswered proposals than the limit', async (t) => {
  const { story, human } = openScene({ rules: RULES });
  for (let count = 0; count < PACT_PROPOSALS_RECEIVED_MAX; count += 1)
    story.does(propose(story.bot(`b${count}`), human));
  t.match(story.refusal(propose(story.bot('late'), human)), {
    code: 'limit_reached',
    facts: { limit: { name: 'PACT_PROPOSALS_RECEIVED_MAX', maximum: PACT_PROPOSALS_RECEIVED_MAX } },
  });
});

t.test('a retired player leaves no pact and no proposal', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot } = scene;
  agreed(scene);
  story.does(propose(bot, human, SHARED_SIGHT));
  story.does({ type: 'retire_players', playerNumbers: [bot.number] });
  t.equal(story.world.pacts.size, 0);
  t.equal(story.world.timers.nextDeadlineMs, Number.POSITIVE_INFINITY);
  const ended = story.events.filter(({ kind, playerNumber }) => kind === 'pact_ended' && playerNumber === human.number);
  t.same(
    ended.map((event) => 'reason' in event && event.reason),
    ['player_retired', 'player_retired'],
  );
});

t.test('the cause of each event is who did it', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot } = scene;
  story.does(on('cancel_pact', human, agreed(scene)));
  const causes = story.events.flatMap((event) =>
    event.kind.startsWith('pact_') ? [[event.kind, causerOf(event)]] : [],
  );
  t.same(causes, [
    ...Array(2).fill(['pact_proposed', human.number]),
    ...Array(2).fill(['pact_began', bot.number]),
    ...Array(2).fill(['pact_cancelled', human.number]),
  ]);
});

t.test('a world with pacts is replayed and loaded as it was, and refuses rows that lie', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot } = scene;
  const pact = agreed(scene);
  story.does(propose(bot, human, SHARED_SIGHT));
  story.does(on('cancel_pact', bot, pact));
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
  const rows = [...story.engine.rows()];
  const { world: loaded } = loadRows(rows);
  t.same(
    [...loaded.pacts.values()].map(({ timer: _, ...rest }) => rest),
    [...story.world.pacts.values()].map(({ timer: _, ...rest }) => rest),
  );
  const lies: readonly (readonly [place: number, value: number | boolean])[] = [
    [1, 0],
    [1, 1e9],
    [2, 9],
    [3, bot.number],
    [4, 999],
    [5, 0],
    [6, 1],
    [7, story.nowMs + 1],
    [8, 0],
    [9, 999],
    [10, 1e9],
  ];
  const at = rows.findIndex(([kind]) => kind === ROW_KINDS.pact);
  for (const [place, value] of lies) {
    const lying = rows.map(
      (row, index): Row => (index === at ? row.map((old, other) => (other === place ? value : old)) : row),
    );
    t.throws(() => loadRows(lying), `place ${place}`);
  }
  const twice = [...rows.slice(0, at + 1), ...rows.slice(at)];
  t.throws(() => loadRows(twice), 'twice');
});

t.test('every field of a pact is in the hash of the state', async (t) => {
  const scene = openScene({ rules: RULES });
  const pact = agreed(scene);
  const { engine } = scene.story;
  const before = engine.stateHash();
  const fields = pact as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'timer') continue;
    fields[name] = typeof value === 'boolean' ? !value : Number(value) + 1;
    t.not(engine.stateHash(), before, name);
    fields[name] = value;
  }
  t.equal(engine.stateHash(), before);
});

t.test('whoever does what, nobody exceeds a limit and every timer has its pact', async () => {
  const step = fc.tuple(
    fc.constantFrom('propose_pact', 'accept_pact', 'decline_pact', 'cancel_pact', 'wait'),
    fc.nat(3),
    fc.nat(3),
    fc.nat(5),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const story = new WorldStory({ rules: RULES });
      const players = ['a', 'b', 'c', 'd'].map((name) => story.bot(name));
      for (const [type, one, other, which] of steps) {
        const [by, partner] = [players[one] as Numbered, players[other] as Numbered];
        if (type === 'wait') story.advance(which * HOUR_MS);
        else if (type === 'propose_pact') story.attempt(propose(by, partner, which % 2, (1 + which) * HOUR_MS));
        else story.attempt(on(type, by, [...story.world.pacts.values()][which] ?? { number: 1 }));
        const { pacts, timers } = story.world;
        if (timers.size !== pacts.size) return false;
        for (const { number } of players) {
          const counted = pacts.of(number).filter((pact) => pact.isInForce || pact.proposerNumber === number);
          if (counted.length > PACT_RULES.openMax) return false;
        }
      }
      return loadRows(story.engine.rows()).world.pacts.size === story.world.pacts.size;
    }),
  );
});

/** A launch from the human's home to the bot's planet. */
function launchOf({ story, human, home, foreign }: Scene, mission: number) {
  const command = launch({
    by: human,
    from: home,
    to: foreign,
    ships: { transport: 1, fighter: 1 },
    mission: 'attack',
  });
  const { ships, cargo } = command;
  return {
    player: human,
    origin: home,
    targetKey: foreign.key,
    target: story.world.planets.get(foreign.key),
    ships,
    mission,
    cargo,
  };
}

t.test(
  'a world that goes on from an earlier state hands out no number of the past that it does not have',
  async (t) => {
    const scene = openScene({ rules: RULES });
    const { story, human, bot } = scene;
    const restored = loadRows(story.engine.rows());
    const lost = story.does(propose(human, bot));
    const base = restored.highestNumber + LINEAGE_GAP_MIN;
    restored.beginLineage(base);
    const pact = restored.apply(story.nowMs, propose(human, bot)) as Pact;
    t.ok(pact.number > base && pact.number > lost.number);
  },
);
