// A world that is loaded from its rows equals the world that they were read from: it looks the same and continues the
// same. Rows that contradict the world are refused, and the message names the row and the fault.

import t from 'tap';
import { decodeCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { CHUNK_BYTES, POSITION_MAX } from '../../../engine/events/event-log.js';
import { ROW_KINDS, type Row, type RowValue } from '../../../engine/rows/world-rows.js';
import { LEADERBOARD_ENTRIES_MAX } from '../../../engine/rules/limits.js';
import { NUMBER_MAX } from '../../../engine/rules/record-limits.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import { recall } from '../../support/command-words.js';
import { fullScene } from '../../support/full-scene.js';
import { PLANNED_RULES } from '../../support/planned-rules.js';
import fc from '../../support/properties.js';
import { chooseCommand, chooseWaitMs, listedChoice, seededChoice, settleBots } from '../../support/random-play.js';
import { HOUR_MS, loadRows, MINUTE_MS, WorldStory, written } from '../../support/world-story.js';

const choices = fc.array(fc.nat(1_000_000), { minLength: 12, maxLength: 12 });
const before = fc.array(choices, { maxLength: 120, size: 'max' });
const after = fc.array(choices, { maxLength: 40, size: 'max' });
const speed = fc.constantFrom(1000, 1000, 500, 60_000);
const rules = fc.constantFrom(STANDARD_1_RULES.text, PLANNED_RULES.text);

/** An engine from the rows of another one, as they would come from disk. */
function loaded(engine: Engine): Engine {
  return loadRows(written([...engine.rows()]));
}

/** Everything that is not in the rows but must be restored. */
function derived({ world, seq, nowMs, nextDeadlineMs }: Engine, engine: Engine) {
  return {
    seq,
    nowMs,
    instantMs: world.nowMs,
    deadlineMs: nextDeadlineMs.call(engine),
    timers: world.timers.size,
    ranking: world.leaderboard.first(LEADERBOARD_ENTRIES_MAX),
    planets: world.planets.size,
    fleets: [...world.fleets.values()].map(({ number }) => number).sort((a, b) => a - b),
    named: [...world.players.values()].map(({ name }) => world.namedNumbers.numberOf(name)),
    players: [...world.players.values()].map((player) => [
      player.points,
      player.changedSeq,
      player.planets.map(({ key, changedSeq, orders }) => [key, changedSeq, orders]),
      player.fleets.map(({ number }) => number),
      player.reports.map(({ number, type }) => [number, type]),
    ]),
  };
}

function lookAlike(one: Engine, other: Engine): void {
  if (one.stateHash() !== other.stateHash()) throw new Error(`the worlds differ at seq ${one.seq}`);
  const looks = [one, other].map((engine) => JSON.stringify(derived(engine, engine)));
  if (looks[0] !== looks[1]) throw new Error(`what is derived differs at seq ${one.seq}`);
}

/** Plays moves in a world and the same moves in a second engine, which must behave exactly like the first. */
function playBoth(story: WorldStory, other: Engine, moves: readonly (readonly number[])[]): number {
  let accepted = 0;
  for (const numbers of moves) {
    const choose = listedChoice(numbers);
    const entryCount = story.entries.length;
    story.advance(chooseWaitMs(story, choose));
    for (const { atMs, row } of story.entries.slice(entryCount)) other.apply(atMs, decodeCommand(row));
    const command = chooseCommand(story.world, choose);
    const outcomes = [story.attempt(command), other.apply(story.nowMs, command)];
    const [told, toldByOther] = outcomes.map((outcome) => (isRefusal(outcome) ? JSON.stringify(outcome) : 'accepted'));
    if (told !== toldByOther) throw new Error(`${command.type}: ${told} and ${toldByOther}`);
    if (told === 'accepted') accepted += 1;
    lookAlike(story.engine, other);
  }
  return accepted;
}

t.test('a loaded world looks the same and continues the same, wherever play stopped', async (t) => {
  let accepted = 0;
  fc.assert(
    fc.property(speed, rules, fc.nat(1000), before, after, (speedThousandths, rules, seed, movesBefore, movesAfter) => {
      const story = new WorldStory({ speedThousandths, rules, seed, systemsPerGalaxy: 2 });
      settleBots(story, 8);
      for (const numbers of movesBefore) {
        const choose = listedChoice(numbers);
        story.advance(chooseWaitMs(story, choose));
        story.attempt(chooseCommand(story.world, choose));
      }
      const other = loaded(story.engine);
      lookAlike(story.engine, other);
      accepted += playBoth(story, other, movesAfter);
    }),
    { numRuns: 60 },
  );
  t.ok(accepted > 300, `${accepted} accepted commands after loading`);
});

t.test('a world that contains everything once is loaded again and again while it is played', async (t) => {
  const { story } = fullScene();
  const choose = seededChoice(7);
  for (let round = 0; round < 50; round += 1) {
    const other = loaded(story.engine);
    lookAlike(story.engine, other);
    playBoth(story, other, [Array.from({ length: 12 }, () => choose(1_000_000))]);
  }
  t.ok(story.engine.seq > 60, `seq ${story.engine.seq}`);
});

t.test('timers keep their ids: those due at the same instant fire in the same order', async (t) => {
  const { story, human, home } = fullScene();
  const other = loaded(story.engine);
  // A recalled fleet gets a new timer, which comes after those of the same instant that were there before.
  const [fleet] = human.fleets.filter(({ isReturning }) => !isReturning);
  if (fleet === undefined) throw new Error('no fleet is outbound');
  const command = recall(human, fleet);
  story.does(command);
  other.apply(story.nowMs, command);
  lookAlike(story.engine, other);
  const entryCount = story.entries.length;
  story.advance(HOUR_MS);
  for (const { atMs, row } of story.entries.slice(entryCount)) other.apply(atMs, decodeCommand(row));
  lookAlike(story.engine, other);
  t.equal(home.orders.length, 0, 'all orders are delivered');
});

t.test('the loaded world shares no mutable object with the one that its rows were read from', async (t) => {
  const { story, human, home, foreign } = fullScene();
  // One that changes its cargo when it arrives.
  story.launch({
    by: human,
    from: home,
    to: foreign,
    ships: { transport: 1 },
    mission: 'transport',
    cargo: { iron: 5 },
  });
  const rows = [...story.engine.rows()];
  const text = JSON.stringify(rows);
  const other = loadRows(rows);
  other.apply(story.nowMs + 10 * MINUTE_MS, { type: 'advance_time' });
  t.not(other.stateHash(), story.engine.stateHash());
  t.equal(JSON.stringify([...story.engine.rows()]), text, 'the first one stays as it is');
});

t.test('a new world without players can be loaded', async () => {
  const { engine } = new WorldStory();
  lookAlike(engine, loaded(engine));
});

t.test('numbers of events after which there is no room for further ones are refused', (t) => {
  const { engine } = new WorldStory();
  const rows = written([...engine.rows()]);
  const log = rows.findIndex(([kind]) => kind === ROW_KINDS.event_log);
  const receivers = rows.findIndex(([kind]) => kind === ROW_KINDS.event_receivers);
  t.throws(() => loadRows(set(rows, [log, 1], NUMBER_MAX + 1)), /number of events is 1000000000000000; expected/);
  t.throws(() => loadRows(set(rows, [log, 2], POSITION_MAX + CHUNK_BYTES)), /first position is \d+; expected/);
  t.throws(() => loadRows(set(rows, [receivers, 2, 1], POSITION_MAX + 1)), /table is 140737488355329; expected/);
  t.end();
});

t.test('a full universe is still full', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 1 });
  story.does({ type: 'create_players', count: 5_000, namePrefix: 'bot', keyHashes: [], namePrefixKey: 'bot' });
  const other = loaded(story.engine);
  lookAlike(story.engine, other);
  const command = { type: 'create_player', name: 'late', isBot: true, keyHash: null, nameKey: 'late' } as const;
  const outcomes = [story.attempt(command), other.apply(story.nowMs, command)];
  for (const outcome of outcomes) t.match(outcome, { code: 'universe_full' });
});

/** The position of a value: the row, the index in it, and if that is a list, the index in the list. */
type Place = readonly [row: number, ...number[]];

// The rows of the full scene, by their position.
const WORLD = 0;
const HUMAN = 2;
const HOME = 3;
const FLEET = 4;
const OUTBOUND = 5;
const SPYING = 6;
const COMBAT = 7;
const BOT = 8;
const COLONY = 10;
const KEPT = 13;
const KEPT_LATER = 14;

/** Each row is a change that makes sound rows wrong, and a part of the message of the loader. */
const lies: readonly [lie: string, change: (rows: Row[]) => Row[], sentence: RegExp][] = [
  ['no rows at all', () => [], /^there are no rows$/],
  ['no world', (rows) => rows.slice(1), /^row 1 \(rules\) is invalid: the first row must be that of the world$/],
  ['two worlds', (rows) => insert(rows, 3, rows[WORLD]), /^row 4 \(world\) .*there is already a world$/],
  ['an unknown kind', (rows) => set(rows, [COMBAT, 0], 99), /^row 8 \(of unknown kind\) .*no such kind/],
  ['a kind in words', (rows) => set(rows, [COMBAT, 0], '5'), /no such kind/],
  ['a row that is not a list', (rows) => insert(rows, 5, 'row' as unknown as Row), /^row 6 \(of unknown kind\)/],
  [
    'a row that is too short',
    (rows) => insert(rows.toSpliced(HOME, 1), HOME, rows[HOME]?.slice(0, -1)),
    /^row 4 \(planet\) .*it has 12 values; expected 13$/,
  ],
  [
    'a row that is too long',
    (rows) => insert(rows.toSpliced(HUMAN, 1), HUMAN, [...(rows[HUMAN] ?? []), 0]),
    /has 11 values/,
  ],
  ['another version of the rules', (rows) => set(rows, [WORLD, 4], 3), /rules version is 3; expected/],
  ['the version of other rules', (rows) => set(rows, [WORLD, 4], 2), /its rules need version 1, not 2/],
  ['a universe beyond its bounds', (rows) => set(rows, [WORLD, 2], 5_001), /systems per galaxy is 5001/],
  ['a world before its beginning', (rows) => set(rows, [WORLD, 7], 0), /world time is 0/],
  ['a seq of zero', (rows) => set(rows, [WORLD, 6], 0), /seq is 0/],
  ...['seq', 'last fleet number', 'last queue number', 'last report number', 'last timer id'].map(
    (name, index): (typeof lies)[number] => [
      `a ${name} after which there are no further ones`,
      (rows) => set(rows, [WORLD, [6, 9, 10, 11, 12][index] as number], NUMBER_MAX + 1),
      new RegExp(`${name} is 1000000000000000; expected a whole number from [01] to 999999999999999$`),
    ],
  ),
  [
    'a human that does not exist',
    (rows) => set(set(rows, [WORLD, 8], 9), [HUMAN, 4], true),
    /player 9 does not exist: there are 2/,
  ],
  ['a second human', (rows) => set(rows, [BOT, 4], false), /the one human must be player 1/],
  ['a human that is a bot', (rows) => set(rows, [HUMAN, 4], true), /the one human must be player 1/],
  [
    'two players with one key of their names',
    (rows) => set(rows, [HUMAN, 3], 'bot-1'),
    /another player has the name "bot-1", or one like it/,
  ],
  [
    'a gap in the numbers of players',
    (rows) => set(rows, [BOT, 1], 3),
    /number is 3; expected a whole number from 2 to 2/,
  ],
  ['a planet of another player', (rows) => set(rows, [HOME, 2], 2), /owner is 2/],
  ['a planet before any player', (rows) => rows.toSpliced(HUMAN, 1), /no player precedes it/],
  [
    'a field without rules of fields',
    (rows) => insert(rows, HUMAN, [ROW_KINDS.field, 25, [1, 2, 3, 4]]),
    /the rules have no fields/,
  ],
  ['no rules', (rows) => rows.toSpliced(1, 1), /^row 2 \(player\) .*the second row must be that of the rules$/],
  ['rules twice', (rows) => insert(rows, 2, rows[1]), /^row 3 \(rules\) .*the second row must be that of the rules$/],
  ['no events', (rows) => rows.filter(([kind]) => kind !== ROW_KINDS.event_log), /there is no row of the event log/],
  ['a planet twice', (rows) => insert(rows, COLONY, set(rows, [HOME, 2], 2)[HOME]), /planet 25 has two rows/],
  ['a planet that the universe does not have', (rows) => set(rows, [HOME, 1], 1), /the universe has no planet 1$/],
  [
    'a planet that is missing',
    (rows) => rows.toSpliced(BOT + 1, 2),
    /player 2 has 0 planets, but its starter count is 1/,
  ],
  ['half a thousandth', (rows) => set(rows, [HOME, 4, 0], 0.5), /stock is 0.5/],
  ['a level beyond the highest', (rows) => set(rows, [HOME, 6, 1], 81), /levels is 81/],
  [
    'four buildings',
    (rows) => set(rows, [HOME, 6], [1, 1, 1, 1]),
    /levels is a list of 4 values; expected a list of 9 numbers/,
  ],
  ['an upgrade of two levels', (rows) => set(rows, [HOME, 7, 2], 3), /target level is 3/],
  [
    'an upgrade beyond the highest level',
    (rows) => set(set(rows, [HOME, 7, 2], 81), [HOME, 6, 1], 80),
    /target level is 81/,
  ],
  [
    'a timer that was never scheduled',
    (rows) => set(rows, [HOME, 7, 5], 19),
    /upgrade timer is 19; expected a whole number from 1 to 18/,
  ],
  [
    'a timer with two owners',
    (rows) => set(rows, [HOME, 7, 5], 17),
    /^the 18 rows contradict each other: two timers have the id 17$/,
  ],
  ['a queue entry that was never created', (rows) => set(rows, [HOME, 7, 0], 5), /queue number is 5/],
  ['orders of two types', (rows) => set(rows, [HOME, 9, 1, 0], 2), /ship type is 2/],
  ['orders that end before they begin', (rows) => set(rows, [HOME, 9, 1, 2], 5), /order end is 5/],
  ['orders without a timer', (rows) => set(rows, [HOME, 10], null), /its orders have no timer, or its timer no orders/],
  ['a timer without orders', (rows) => set(rows, [HOME, 9], []), /its orders have no timer, or its timer no orders/],
  ['a change in the future', (rows) => set(rows, [HOME, 3], 40), /changed seq is 40/],
  ['a fleet of another player', (rows) => set(rows, [FLEET, 2], 2), /owner is 2/],
  ['a fleet twice', (rows) => insert(rows, FLEET, rows[FLEET]), /fleet 2 has two rows/],
  [
    'a fleet from a foreign planet',
    (rows) => set(rows, [FLEET, 4], 2),
    /its origin, planet 2, does not belong to player 1/,
  ],
  [
    'a fleet to a planet that does not exist',
    (rows) => set(rows, [FLEET, 5], 1),
    /its target, planet 1, does not exist/,
  ],
  ['a fleet that will never return', (rows) => set(rows, [FLEET, 14], null), /on its way back without a return time/],
  ['a fleet on an unknown course', (rows) => set(rows, [FLEET, 16], 3), /course is 3/],
  ['a fleet that will never arrive', (rows) => set(rows, [OUTBOUND, 17], null), /it is under way without a timer/],
  ['a stationed fleet with a timer', (rows) => set(rows, [FLEET, 16], 2), /it is stationed, and has a timer/],
  [
    'a stationed fleet on another mission',
    (rows) => set(set(rows, [FLEET, 16], 2), [FLEET, 17], null),
    /it is stationed without supporting/,
  ],
  [
    'a fleet that arrived before the world began',
    (rows) => set(rows, [OUTBOUND, 13], 5),
    /its timer \d+ ends before the world began/,
  ],
  ['a fleet that was never launched', (rows) => set(rows, [OUTBOUND, 1], 5), /number is 5/],
  ['a negative number of ships', (rows) => set(rows, [FLEET, 6, 1], -8), /ships is -8/],
  ['an unknown drive', (rows) => set(rows, [FLEET, 8], 5), /drive is 5/],
  [
    'a fleet after reports',
    (rows) => insert(rows.toSpliced(OUTBOUND, 1), COMBAT, rows[OUTBOUND]),
    /it must come before the preceding row/,
  ],
  ['loot of the end of time', (rows) => set(rows, [HOME, 11], [0, [0, 0, 0, 0]]), /end of the loot period is 0/],
  ['loot that was brought', (rows) => set(rows, [HOME, 11], [5, [0, -1, 0, 0]]), /taken/],
  ['loot of energy', (rows) => set(rows, [HOME, 11], [5, [0, 0, 0, 0, 1]]), /taken/],
  ['a report of another player', (rows) => set(rows, [SPYING, 1], 2), /reader is 2/],
  ['a report of an unknown type', (rows) => set(rows, [SPYING, 3], 'gossip'), /report type "gossip" is unknown/],
  ['a battle with an unknown outcome', (rows) => set(rows, [COMBAT, 8], 'tie'), /outcome "tie" is unknown/],
  [
    'a player after kept replies',
    (rows) => [...rows, [...(rows[BOT] ?? [])].with(1, 3)],
    /it must come before the preceding row/,
  ],
  ['a fleet after kept replies', (rows) => [...rows, rows[OUTBOUND] as Row], /it must come before the preceding row/],
  [
    'kept replies out of order',
    (rows) => insert(rows.toSpliced(KEPT, 1), KEPT_LATER, rows[KEPT]),
    /row 15 \(kept reply\) .*order of seq/,
  ],
  ['a kept reply from the future', (rows) => set(rows, [KEPT_LATER, 1], 40), /seq is 40/],
  ['a kept reply of an unknown player', (rows) => set(rows, [KEPT, 2], 3), /player 3 does not exist/],
  ['two replies for one key', (rows) => set(rows, [KEPT_LATER, 2], 1), /already has a kept reply/],
  ['a reply of an unknown form', (rows) => set(rows, [KEPT, 6], 3), /form is 3/],
  ['a reply that is too long', (rows) => set(rows, [KEPT, 7], 'x'.repeat(65_536)), /too long to be kept/],
  [
    'too many replies',
    (rows) => [...set(rows, [WORLD, 6], 1_000).slice(0, KEPT + 1), ...manyKept(64)],
    /more kept replies than the limits allow/,
  ],
  [
    'a report on a player that does not exist',
    (rows) => set(rows, [COMBAT, 7], 3),
    /player 3 does not exist: there are 2/,
  ],
];

/** Rows of replies that the human keeps, from seq 100 on. */
function manyKept(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => [
    ROW_KINDS.kept_reply,
    100 + index,
    1,
    `k${index}`,
    'r',
    200,
    0,
    'x',
  ]);
}

for (const [lie, change, sentence] of lies) {
  t.test(`rows are refused: ${lie}`, async (t) => {
    t.throws(() => loadRows(change(soundRows())), sentence);
  });
}

t.test('every change of a row is either refused or present in the loaded world', async (t) => {
  const sound = soundRows();
  let refused = 0;
  let kept = 0;
  for (const place of placesIn(sound)) {
    for (const value of [0, 1, 7, -1, 0.5, 2 ** 53, '', 'text', true, false, null, [], [1, 2, 3]]) {
      const rows = set(sound, place, value);
      try {
        const told = JSON.stringify([...loadRows(rows).rows()]);
        if (told !== JSON.stringify(rows)) t.fail(`${place}: ${JSON.stringify(value)} is lost`);
        kept += 1;
      } catch (error) {
        if (!/^(row \d+ \(.*\) is invalid|the \d+ rows contradict each other): /.test(String((error as Error).message)))
          throw error;
        refused += 1;
      }
    }
  }
  t.ok(refused > 1000 && kept > 200, `${refused} refused, ${kept} kept`);
});

t.test('a loader that has refused a row or returned its world accepts no more rows and returns no world', async (t) => {
  const broken = Engine.loader();
  broken.add(soundRows()[WORLD] as Row);
  t.throws(() => broken.add([ROW_KINDS.player]));
  t.throws(() => broken.add(soundRows()[HUMAN] as Row), /accepts no more rows/);
  t.throws(() => broken.finish(), /has no world to return/);
  const done = Engine.loader();
  for (const row of soundRows()) done.add(row);
  done.finish();
  t.throws(() => done.add(soundRows()[HUMAN] as Row), /accepts no more rows/);
  t.throws(() => done.finish(), /has no world to return/);
});

function soundRows(): Row[] {
  return written([...fullScene().story.engine.rows()]);
}

function insert(rows: readonly Row[], at: number, row: Row | undefined): Row[] {
  return rows.toSpliced(at, 0, row ?? []);
}

/** The rows with another value at a place. */
function set(rows: readonly Row[], place: Place, value: RowValue): Row[] {
  return replaced(rows, place, value) as Row[];
}

function replaced(list: readonly RowValue[], [first = 0, ...rest]: readonly number[], value: RowValue): RowValue[] {
  const item = list[first];
  return list.with(first, rest.length === 0 ? value : replaced(item as readonly RowValue[], rest, value));
}

/** Every position in the rows, including those in lists. */
function* placesIn(rows: readonly Row[]): Generator<Place> {
  for (const [index, row] of rows.entries()) {
    for (const inside of insidesOf(row)) yield [index, ...inside];
  }
}

function* insidesOf(list: readonly RowValue[]): Generator<number[]> {
  for (const [index, value] of list.entries()) {
    yield [index];
    if (Array.isArray(value)) for (const inside of insidesOf(value)) yield [index, ...inside];
  }
}
