// Which pacts and goods are lines on the map, how strong these are, and what is said of them in words.
import t from 'tap';
import { TIE_LINES_MAX } from '../../dashboard/limits.js';
import { linesOfFleets, linesOfGoods, linesOfPacts } from '../../dashboard/views/galaxy/drawing/lines.js';
import { tiesText, touches } from '../../dashboard/views/galaxy/summary.js';
import type { Pact } from '../../dashboard/world/map-state.js';

const [here, there] = [
  { galaxy: 1, system: 2, slot: 3 },
  { galaxy: 4, system: 5, slot: 6 },
];
const pactOf = (number: number, proposer: number, partner: number): Pact => ({
  ...{ number, kind: 0, proposer, partner, endsAtMs: 0 },
  from: { ...here, slot: number },
  to: there,
});
const manyPacts = Array.from({ length: TIE_LINES_MAX + 50 }, (_, index) => pactOf(index, index + 1, index + 2));
const slotsOf = (lines: ReturnType<typeof linesOfPacts>): number[] => lines.map(({ from }) => from.slot);

t.test('a world without pacts and goods has no line', async (t) => {
  t.same([linesOfPacts([], 0), linesOfGoods([], 7), linesOfFleets([])], [[], [], []]);
});

t.test('the newest pacts are drawn, fainter if there are many', async (t) => {
  const lines = linesOfPacts(manyPacts, 0);
  t.equal(lines.length, TIE_LINES_MAX);
  t.same(
    slotsOf(lines),
    slotsOf(lines).toSorted((one, other) => one - other),
  );
  t.equal(lines[0]?.from.slot, 50);
  const [alone] = linesOfPacts(manyPacts.slice(0, 1), 0);
  t.ok((lines[0]?.opacity ?? 1) < (alone?.opacity ?? 0) / 2);
});

t.test('several pacts of a pair are one line', async (t) => {
  t.same(slotsOf(linesOfPacts([pactOf(1, 7, 8), pactOf(2, 8, 9), pactOf(3, 8, 7)], 0)), [2, 3], 'that of the newest');
});

t.test('the pacts of the bright player are drawn, however old, and stand out', async (t) => {
  const lines = linesOfPacts(manyPacts, 2);
  t.equal(lines.length, TIE_LINES_MAX);
  t.same(slotsOf(lines).slice(-2), [0, 1], 'on top');
  const opacities = lines.map(({ opacity }) => opacity);
  t.ok(Math.min(...opacities.slice(-2)) > 5 * Math.max(...opacities.slice(0, -2)));
});

t.test('goods of the bright player are those that it sends and those that it receives', async (t) => {
  const goods = [1, 2, 3].map((sender) => ({
    ...{ number: sender, sender, receiver: sender + 1, from: here, to: there, arrivesAtMs: 0 },
  }));
  const bright = Math.max(...linesOfGoods(goods, 0).map(({ opacity }) => opacity));
  t.same(
    linesOfGoods(goods, 3).map(({ opacity }) => opacity >= bright),
    [false, true, true],
  );
});

t.test('a tie belongs to the places of both ends', async (t) => {
  const tie = { from: here, to: there };
  t.ok(touches({ view: 'universe' })(tie));
  for (const galaxy of [1, 4]) t.ok(touches({ view: 'galaxy', galaxy })(tie));
  t.notOk(touches({ view: 'galaxy', galaxy: 2 })(tie));
  t.ok(touches({ view: 'system', galaxy: 4, system: 5 })(tie));
  t.notOk(touches({ view: 'system', galaxy: 4, system: 2 })(tie));
});

t.test('the map says in words what its lines are', async (t) => {
  t.equal(tiesText(0, 0), '');
  t.equal(tiesText(1, 0), ', 1 pact in force');
  t.equal(tiesText(12, 1), ', 12 pacts in force, 1 load of goods on the way');
});
