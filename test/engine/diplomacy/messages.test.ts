// What players say to each other: who keeps it and for how long, how much each of them may say in a period, and whom they refuse to hear.

import t from 'tap';
import { leftToSend, messagesOf, presentlyBlocked } from '../../../engine/diplomacy/messages.js';
import { ROW_KINDS, type Row } from '../../../engine/rows/world-rows.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import { EVERYBODY, KEPT_BY_BOTH, KEPT_BY_RECEIVER } from '../../../engine/world/message-table.js';
import type { Player } from '../../../engine/world/player-table.js';
import fc from '../../support/properties.js';
import { MESSAGES, SPOKEN, SPOKEN_RULES } from '../../support/spoken-rules.js';
import { HOUR_MS, loadRows, SECOND_MS, WorldStory, written } from '../../support/world-story.js';

const PERIOD_MS = MESSAGES.periodSeconds * SECOND_MS;

interface Talk {
  readonly story: WorldStory;
  readonly players: readonly Player[];
  readonly ada: Player;
  readonly ben: Player;
  readonly cid: Player;
}

function open(rules = SPOKEN_RULES.text): Talk {
  const story = new WorldStory({ rules });
  const players = ['ada', 'ben', 'cid'].map((name) => story.bot(name));
  const [ada, ben, cid] = players as [Player, Player, Player];
  return { story, players, ada, ben, cid };
}

const send = (by: Player, to: Player | null, text = 'hello') =>
  ({ type: 'send_message', playerNumber: by.number, receiverNumber: to?.number ?? EVERYBODY, text }) as const;
const block = (by: Player, other: Player, isBlocked = true) =>
  ({ type: 'block_player', playerNumber: by.number, blockedNumber: other.number, isBlocked }) as const;

const textsOf = ({ story }: Talk, player: Player, after = 0): string[] =>
  messagesOf(story.world, player, after).map(({ text }) => text);

const loaded = ({ story }: Talk) => loadRows(written([...story.engine.rows()]));

t.test(
  'a message is read by the two players, one to everybody by all, in the order in which they were sent',
  async (t) => {
    const talk = open();
    const { story, ada, ben, cid } = talk;
    const first = story.does(send(ada, ben, 'one'));
    t.match(first, { number: 1, atMs: story.nowMs, senderNumber: ada.number, receiverNumber: ben.number, text: 'one' });
    story.does(send(ben, null, 'two'));
    story.does(send(cid, ada, 'three'));
    t.same(textsOf(talk, ada), ['one', 'two', 'three']);
    t.same(textsOf(talk, ben), ['one', 'two']);
    t.same(textsOf(talk, cid), ['two', 'three']);
    t.same(textsOf(talk, ada, first.number), ['two', 'three']);
  },
);

t.test('without the rules there are no messages, and nothing is kept', async (t) => {
  const story = new WorldStory();
  const [ada, ben] = [story.bot('ada'), story.bot('ben')];
  for (const command of [send(ada, ben), send(ada, null), block(ada, ben)])
    t.equal(story.refusal(command).code, 'messages_not_in_rules');
});

t.test('whom there is not gets nothing, and a player who is suspended says nothing but is written to', async (t) => {
  const { story, ada, ben } = open();
  const nobody = { number: 99 } as Player;
  for (const command of [send(nobody, ada), send(ada, nobody), block(ada, nobody), block(nobody, ada)])
    t.equal(story.refusal(command).code, 'player_not_found');
  story.does({ type: 'suspend_player', playerNumber: ada.number });
  for (const command of [send(ada, ben), send(ada, null), block(ada, ben)])
    t.equal(story.refusal(command).code, 'player_suspended');
  story.does(send(ben, ada));
});

t.test('a log in which a player writes to itself, or blocks itself, is not sound', async (t) => {
  const { story, ada } = open();
  t.throws(() => story.attempt(send(ada, ada)), /player 1 is its own other player/);
  t.throws(() => story.attempt(block(ada, ada)), /player 1 is its own other player/);
});

t.test('a text may have as many characters as the rules say, whatever their bytes', async (t) => {
  const { story, ada, ben } = open();
  story.does(send(ada, ben, '\u{1f98a}'.repeat(MESSAGES.charactersMax)));
  const { code, facts } = story.refusal(send(ada, ben, 'x'.repeat(MESSAGES.charactersMax + 1)));
  t.equal(code, 'limit_reached');
  t.same(facts.limit, { name: 'messages.charactersMax', maximum: MESSAGES.charactersMax });
});

t.test('in a period, which the first message begins, a player sends a limited number of messages', async (t) => {
  const { story, ada, ben, cid } = open();
  const beganMs = story.nowMs;
  const limitOf = (command: ReturnType<typeof send>) => {
    const { code, facts } = story.refusal(command);
    t.equal(code, 'message_limit_reached');
    t.equal(facts.possibleAtMs, beganMs + PERIOD_MS);
    return facts.limit?.name;
  };
  for (let sent = 0; sent < MESSAGES.sentToOneMax; sent += 1) story.does(send(ada, ben));
  t.equal(limitOf(send(ada, ben)), 'messages.sentToOneMax');
  story.advance(PERIOD_MS - 1);
  for (let sent = MESSAGES.sentToOneMax; sent < MESSAGES.sentMax; sent += 1) story.does(send(ada, cid));
  t.equal(limitOf(send(ada, cid)), 'messages.sentMax');
  for (let sent = 0; sent < MESSAGES.broadcastsMax; sent += 1) story.does(send(ada, null));
  t.equal(limitOf(send(ada, null)), 'messages.broadcastsMax');
  const left = () => leftToSend(story.world, MESSAGES, ada, story.nowMs);
  t.same(left(), { messages: 0, broadcasts: 0, untilMs: beganMs + PERIOD_MS });
  story.does(send(ben, ada));
  story.advance(1);
  t.same(left(), { messages: MESSAGES.sentMax, broadcasts: MESSAGES.broadcastsMax, untilMs: null });
  story.does(send(ada, ben));
  t.same(left(), {
    messages: MESSAGES.sentMax - 1,
    broadcasts: MESSAGES.broadcastsMax,
    untilMs: story.nowMs + PERIOD_MS,
  });
});

t.test('a period is shorter in a faster world', async (t) => {
  const { story, ada, ben } = open();
  story.does({ type: 'set_speed', speedThousandths: 4_000 });
  story.does(send(ada, ben));
  t.equal(story.world.messages.lastSentOf(ada.number)?.untilMs, story.nowMs + PERIOD_MS / 4);
});

t.test('of what a player received the oldest goes first, and who sent it keeps it', async (t) => {
  const talk = open();
  const { story, ada, ben, cid } = talk;
  for (const [by, count] of [
    [ben, MESSAGES.sentToOneMax],
    [cid, MESSAGES.sentToOneMax],
  ] as const)
    for (let sent = 0; sent < count; sent += 1) story.does(send(by, ada, `${by.name} ${sent}`));
  t.equal(story.world.messages.receivedBy(ada.number).length, MESSAGES.keptMax);
  t.same(textsOf(talk, ada), ['ben 2', 'cid 0', 'cid 1', 'cid 2']);
  t.same(textsOf(talk, ben), ['ben 0', 'ben 1', 'ben 2']);
  for (const by of [ada, ben]) for (let sent = 0; sent < 2; sent += 1) story.does(send(by, null, `${by.name} ${sent}`));
  t.equal(story.world.messages.broadcasts.length, MESSAGES.broadcastsKeptMax);
  t.same(textsOf(talk, cid).slice(-3), ['ada 1', 'ben 0', 'ben 1']);
});

t.test('a player refuses the messages of another one until it changes its mind', async (t) => {
  const talk = open();
  const { story, ada, ben, cid } = talk;
  story.does(send(ben, ada, 'before'));
  story.does(block(ada, ben));
  t.same(presentlyBlocked(story.world, ada), [ben.number]);
  t.equal(story.refusal(send(ben, ada)).code, 'blocked_by_receiver');
  story.does(send(ben, null, 'to all'));
  story.does(send(ada, ben, 'the other way'));
  t.same(textsOf(talk, ada), ['before', 'the other way']);
  t.same(textsOf(talk, cid), ['to all']);
  story.does(block(ada, ben));
  t.same(presentlyBlocked(story.world, ada), [ben.number], 'once');
  story.does(block(ada, ben, false));
  story.does(send(ben, ada, 'after'));
  t.same(textsOf(talk, ada), ['before', 'to all', 'the other way', 'after']);
});

t.test('a player blocks a limited number of others, and those who are retired do not count', async (t) => {
  const { story, ada, ben, cid } = open();
  const [dan, eve] = [story.bot('dan'), story.bot('eve')];
  for (const other of [ben, cid]) story.does(block(ada, other));
  t.same(story.refusal(block(ada, dan)).facts.limit, { name: 'messages.blockedMax', maximum: MESSAGES.blockedMax });
  story.does(block(ada, dan, false));
  story.does({ type: 'retire_players', playerNumbers: [ben.number] });
  story.does(block(ada, dan));
  t.same(story.world.messages.blockedBy(ada.number), [cid.number, dan.number]);
  t.equal(story.refusal(block(ada, eve)).code, 'limit_reached');
});

t.test('what retired players kept goes with them; what others keep of theirs stays, and is loaded', async (t) => {
  const talk = open();
  const { story, ada, ben, cid } = talk;
  story.does(send(ada, ben, 'to ben'));
  story.does(send(ben, ada, 'to ada'));
  story.does(send(ada, null, 'to all'));
  story.does(block(ada, cid));
  story.does({ type: 'retire_players', playerNumbers: [ada.number] });
  t.same(textsOf(talk, ben), ['to ben', 'to ada', 'to all']);
  t.same(
    [...story.world.messages.kept()].map(({ keepers }) => keepers),
    [KEPT_BY_RECEIVER, KEPT_BY_BOTH - KEPT_BY_RECEIVER],
  );
  t.same([story.world.messages.lastSentOf(ada.number), story.world.messages.blockedBy(ada.number)], [null, []]);
  t.equal(loaded(talk).stateHash(), story.engine.stateHash());
  story.does({ type: 'retire_players', playerNumbers: [ben.number] });
  t.same([...story.world.messages.kept()], []);
  t.equal(loaded(talk).stateHash(), story.engine.stateHash());
});

t.test('a world that goes on from an earlier state hands out no number of a message again', async (t) => {
  const { story, ada, ben } = open();
  story.does(send(ada, ben));
  const base = story.engine.highestNumber + 2 ** 33;
  story.engine.beginLineage(base);
  t.equal(story.does(send(ada, ben)).number, base + 1);
  t.equal(story.does(send(ada, ben)).number, base + 2);
  t.ok(story.engine.highestNumber > base + 2 - 1);
});

/** A world with rows of each kind: two messages, of which one player has retired, a broadcast, and a block. */
function spokenRows(): Row[] {
  const { story, ada, ben, cid } = open();
  story.does(send(ada, ben, 'to ben'));
  story.does(send(ben, cid, 'to cid'));
  story.does(send(cid, null, 'to all'));
  story.does(block(cid, ada));
  story.does({ type: 'retire_players', playerNumbers: [ben.number] });
  return written([...story.engine.rows()]);
}

const LIES: readonly [lie: string, kind: number, values: readonly unknown[], message: RegExp][] = [
  ['a last message of zero', ROW_KINDS.messages, [0], /number is 0/],
  ['a last message before the messages', ROW_KINDS.messages, [1], /number is 2/],
  ['a correspondence that says nothing', ROW_KINDS.correspondence, [null, []], /it says nothing/],
  ['a period of nothing', ROW_KINDS.correspondence, [[9, [], 0], []], /it sent nothing/],
  ['a period of nobody', ROW_KINDS.correspondence, [[9, [[0, 1]], 0], []], /0 is no other player/],
  ['a period of oneself', ROW_KINDS.correspondence, [[9, [[1, 1]], 0], []], /1 is no other player/],
  [
    'a receiver twice',
    ROW_KINDS.correspondence,
    [
      [
        9,
        [
          [2, 1],
          [2, 1],
        ],
        0,
      ],
      [],
    ],
    /player 2 is listed twice/,
  ],
  ['a receiver of nothing', ROW_KINDS.correspondence, [[9, [[2, 0]], 0], []], /messages is 0/],
  ['a blocked player twice', ROW_KINDS.correspondence, [null, [2, 2]], /player 2 is blocked twice/],
  ['a player who blocks itself', ROW_KINDS.correspondence, [null, [1]], /1 is no other player/],
  ['a blocked player who never was', ROW_KINDS.correspondence, [null, [7]], /player 7 does not exist/],
  ['a message to oneself', ROW_KINDS.message, [1, 1_900_000_000_000, 1, 'x', 1, 2], /player 1 wrote to itself/],
  ['a message that nobody keeps', ROW_KINDS.message, [1, 1_900_000_000_000, 1, 'x', 2, 0], /keepers is 0/],
  [
    'a message that a retired player keeps',
    ROW_KINDS.message,
    [1, 1_900_000_000_000, 1, 'x', 2, 3],
    /player 2, who keeps it/,
  ],
  ['a message from the future', ROW_KINDS.message, [1, 1_900_000_000_001, 1, 'x', 2, 1], /time is/],
  ['a message of a stranger', ROW_KINDS.message, [1, 1_900_000_000_000, 7, 'x', 1, 2], /player 7 does not exist/],
  ['messages out of order', ROW_KINDS.message, [2, 1_900_000_000_000, 1, 'x', 3, 1], /number is 2/],
  ['a broadcast that was a message', ROW_KINDS.broadcast, [1, 1_900_000_000_000, 3, 'x'], /it went to one player, too/],
  ['a text that is too long', ROW_KINDS.broadcast, [3, 1_900_000_000_000, 3, 'x'.repeat(1_001)], /text is a string/],
];

for (const [lie, kind, values, message] of LIES) {
  t.test(`rows are refused: ${lie}`, async (t) => {
    const rows = spokenRows();
    const place = rows.findIndex((row) => row[0] === kind);
    t.throws(() => loadRows(rows.with(place, [kind, ...values] as Row)), message);
  });
}

t.test('rows of messages are refused twice, out of place, and under rules without messages', async (t) => {
  const rows = spokenRows();
  const placeOf = (kind: number): number => rows.findIndex((row) => row[0] === kind);
  const twice = (kind: number): Row[] => rows.toSpliced(placeOf(kind), 0, rows[placeOf(kind)] as Row);
  t.throws(() => loadRows(twice(ROW_KINDS.messages)), /there are two such rows/);
  t.throws(() => loadRows(twice(ROW_KINDS.correspondence)), /the player has two such rows/);
  t.throws(() => loadRows(twice(ROW_KINDS.message)), /number is 1/);
  t.throws(() => loadRows(twice(ROW_KINDS.broadcast)), /number is 3/);
  const { messages: _messages, ...silent } = SPOKEN;
  const plain = rows.with(placeOf(ROW_KINDS.rules), [ROW_KINDS.rules, ruleSetText(silent)]);
  t.throws(() => loadRows([[...(plain[0] as Row)].with(4, 1), ...plain.slice(1)]), /the rules have no messages/);
});

/** What players try, in any order. */
const attempts = fc.array(
  fc.record({
    by: fc.nat(2),
    to: fc.constantFrom(null, 1, 2),
    text: fc.string({ unit: 'binary', minLength: 1, maxLength: 70 }),
    waitMs: fc.constantFrom(0, 0, 0, 1, PERIOD_MS / 4),
    action: fc.constantFrom('send', 'send', 'send', 'block', 'unblock'),
  }),
  { maxLength: 60, size: 'max' },
);

/** All that is kept of messages for a player and what it may send, without what others do. */
const rowsOf = ({ world }: WorldStory, { number }: Player) =>
  JSON.stringify([
    world.messages.receivedBy(number),
    world.messages.sentBy(number),
    world.messages.blockedBy(number),
    [...(world.messages.lastSentOf(number)?.toEach ?? [])],
    world.messages.lastSentOf(number)?.broadcasts,
  ]);

t.test('whatever is sent, no limit is exceeded, nobody else is touched, and a loaded world is the same', async (t) => {
  let accepted = 0;
  fc.assert(
    fc.property(attempts, (steps) => {
      const talk = open();
      const { story, players } = talk;
      /** Of each sender and receiver, the instants of its messages. */
      const sentMs = new Map<string, number[]>();
      for (const { by, to, text, waitMs, action } of steps) {
        story.advance(waitMs);
        const player = players[by] as Player;
        const other = to === null ? null : (players[(by + to) % players.length] as Player);
        const uninvolved = players.filter((each) => each !== player && (other === null || each !== other));
        const before = uninvolved.map((each) => rowsOf(story, each));
        const isMessage = action === 'send' || other === null;
        const outcome = story.attempt(isMessage ? send(player, other, text) : block(player, other, action === 'block'));
        const after = uninvolved.map((each) => rowsOf(story, each));
        if (String(before) !== String(after)) throw new Error('somebody else was touched');
        if (isRefusal(outcome) || !isMessage) continue;
        accepted += 1;
        for (const key of [`${by} to ${other?.name ?? 'all'}`, ...(other === null ? [] : [`${by}`])])
          sentMs.set(key, [...(sentMs.get(key) ?? []), story.nowMs]);
      }
      for (const [key, instants] of sentMs) {
        const { sentMax, sentToOneMax, broadcastsMax } = MESSAGES;
        const limit = key.endsWith('to all') ? broadcastsMax : key.includes('to') ? sentToOneMax : sentMax;
        // Any period overlaps two of a player at most.
        const most = Math.max(
          ...instants.map((fromMs) => instants.filter((ms) => ms >= fromMs && ms < fromMs + PERIOD_MS).length),
        );
        if (most > 2 * limit) throw new Error(`${key}: ${most} messages`);
      }
      for (const { number } of players) {
        const { messages } = story.world;
        if (messages.receivedBy(number).length > MESSAGES.keptMax) throw new Error('too many received');
        if (messages.sentBy(number).length > MESSAGES.keptMax) throw new Error('too many sent');
        if (messages.blockedBy(number).length > MESSAGES.blockedMax) throw new Error('too many blocked');
      }
      if (story.world.messages.broadcasts.length > MESSAGES.broadcastsKeptMax) throw new Error('too many broadcasts');
      if (loaded(talk).stateHash() !== story.engine.stateHash()) throw new Error('a loaded world differs');
    }),
    { numRuns: 60 },
  );
  t.ok(accepted > 200, `${accepted} messages`);
});

t.test('a period counts from its first message, so its limits are never exceeded within it', async (t) => {
  const { story, ada, ben } = open();
  for (let hour = 0; hour < 3; hour += 1) {
    let sent = 0;
    while (!isRefusal(story.attempt(send(ada, ben)))) sent += 1;
    t.equal(sent, MESSAGES.sentToOneMax);
    story.advance(HOUR_MS);
  }
});
