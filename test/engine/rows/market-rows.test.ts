// The rows of offers, goods and trades: each value is in the hash, and a loader refuses rows that no world has.

import t from 'tap';
import { ROW_KINDS, type Row, type RowValue } from '../../../engine/rows/row.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { offer, take } from '../../support/command-words.js';
import { TRADING } from '../../support/market-rules.js';
import { loadRows, openScene, PLENTY, written } from '../../support/world-story.js';

/** A world with an open offer to the bot, goods on their way to both, and one trade. */
function rowsOfTrade(): Row[] {
  const { story, human, bot, home, foreign } = openScene({ rules: ruleSetText(TRADING) });
  for (const planet of [home, foreign]) story.grant(planet, PLENTY);
  const terms = { by: human, from: home, give: { iron: 600 }, want: { silver: 400 } } as const;
  story.does(take(bot, story.does(offer(terms)), foreign));
  story.does(offer({ ...terms, to: bot }));
  return written([...story.engine.rows()]);
}

const ROWS = rowsOfTrade();
const placeOf = (kind: number): number => ROWS.findIndex((row) => row[0] === kind);
const [OFFER, GOODS, TRADES] = [ROW_KINDS.offer, ROW_KINDS.goods, ROW_KINDS.trades].map(placeOf) as [
  number,
  number,
  number,
];
const WORLD = 0;

/** @param index of the value in its row */
function set(place: number, index: number, value: RowValue): Row[] {
  return ROWS.map((row, other) => (other === place ? row.map((held, at) => (at === index ? value : held)) : row));
}

const twice = (place: number): Row[] => ROWS.flatMap((row, other) => (other === place ? [row, row] : [row]));

const LIES: readonly (readonly [lie: string, rows: Row[], sentence: RegExp])[] = [
  ['an offer twice', twice(OFFER), /offer \d+ has two rows/],
  ['an offer of a later entry', set(OFFER, 1, 999_999), /number is 999999/],
  ['an offer of a foreign planet', set(OFFER, 2, 2), /planet 2 does not belong to player 1/],
  ['an offer of energy', set(OFFER, 3, 4), /resource is 4/],
  ['an offer of nothing', set(OFFER, 4, 0), /units is 0/],
  ['an offer that wants what it gives', set(OFFER, 5, 0), /it wants what it gives/],
  ['an offer that wants nothing', set(OFFER, 6, 0), /units is 0/],
  ['h2 that nobody has', set(OFFER, 7, -1), /h2 is -1/],
  ['an offer to its maker', set(OFFER, 8, 1), /it is for its maker/],
  ['an offer to nobody', set(OFFER, 8, 9), /an offer is for player 9, who does not exist/],
  ['an offer of the future', set(OFFER, 9, 9_999_999_999_999), /time is 9999999999999/],
  ['an offer that ended before', set(OFFER, 10, 5), /end is 5/],
  ['an offer with the timer of the goods', set(OFFER, 11, ROWS[GOODS]?.[10] ?? 0), /two timers have the id/],
  ['goods twice', twice(GOODS), /such goods of offer \d+ have two rows/],
  ['goods of a later offer', set(GOODS, 1, 999_999), /offer is 999999/],
  ['goods for anybody', set(GOODS, 2, 1), /for the maker is 1/],
  ['goods to a foreign planet', set(GOODS, 3, 2), /planet 2 does not belong to player 1/],
  ['goods to their sender', set(GOODS, 4, 1), /their sender receives them/],
  ['goods of a player that never was', set(GOODS, 4, 9), /player 9 does not exist/],
  ['goods from nowhere', set(GOODS, 5, 1), /the universe has no planet 1/],
  ['goods that have arrived', set(GOODS, 9, 5), /arrival time is 5/],
  ['a pair twice', twice(TRADES), /the pair has no such row, or two/],
  ['a trade of iron for iron', set(TRADES, 2, 0), /the pair has no such row, or two/],
  ['a pair without a trade', set(TRADES, 3, []), /it says nothing/],
  ['a trade of the future', set(TRADES, 3, [[1, 9_999_999_999_999, 1, 1]]), /time is 9999999999999/],
];

for (const [lie, rows, sentence] of LIES) {
  t.test(`a world cannot have ${lie}`, async (t) => {
    t.throws(() => loadRows(rows), { message: sentence });
  });
}

t.test('every value of an offer, of goods and of a trade is in the hash', async (t) => {
  const before = loadRows(ROWS).stateHash();
  const { lastTimerId: last } = loadRows(ROWS).world;
  const [later, now] = [ROWS[GOODS]?.[10], ROWS[WORLD]?.[7]] as [number, number];
  const changes: readonly (readonly [place: number, index: number, value: RowValue])[] = [
    ...[
      [1, 1],
      [3, 2],
      [4, 7],
      [5, 2],
      [6, 7],
      [7, 7],
      [8, 0],
      [9, now - 1],
      [10, now + 7],
    ].map(([index, value]) => [OFFER, index as number, value as number] as const),
    ...[
      [1, last],
      [5, ROWS[GOODS]?.[3]],
      [6, 2],
      [7, 7],
      [8, now - 1],
      [9, now + 7],
      [10, later - 2],
    ].map(([index, value]) => [GOODS, index as number, value as RowValue] as const),
    ...[
      [1, 2],
      [2, 3],
      [3, [[1, now, 600, 400]]],
      [3, [[last, now, 601, 400]]],
      [3, [[last, now, 600, 401]]],
    ].map(([index, value]) => [TRADES, index as number, value as RowValue] as const),
  ];
  const hashes = changes.map(([place, index, value]) => loadRows(set(place, index, value)).stateHash());
  t.equal(new Set([before, ...hashes]).size, changes.length + 1);
});

t.test('rules without a market have no such rows', async (t) => {
  const { story } = openScene();
  const rows = [...story.engine.rows()];
  const added = (kind: number): Row[] => [...rows.slice(0, 2), ROWS[placeOf(kind)] as Row, ...rows.slice(2)];
  t.throws(() => loadRows(added(ROW_KINDS.trades)), /the rules have no market/);
  const reports = rows.findIndex((row) => row[0] === ROW_KINDS.planet) + 1;
  for (const place of [OFFER, GOODS]) {
    const before = [...rows.slice(0, reports), ROWS[place] as Row, ...rows.slice(reports)];
    t.throws(() => loadRows(before), /the rules have no market/);
  }
});
