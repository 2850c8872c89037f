// Medians, quartiles, ratios and what counts as more than noise.
import t from 'tap';
import {
  isBeyondNoise,
  median,
  pairedRatio,
  quantile,
  relativeRange,
  spreadOf,
} from '../../bench/runner/statistics.js';
import { compared } from '../../bench/scenarios/comparison.js';

t.test('a median is the middle value, or the mean of the two in the middle', async (t) => {
  t.equal(median([3, 1, 2]), 2);
  t.equal(median([4, 1, 3, 2]), 2.5);
  t.equal(median([7]), 7);
  t.ok(Number.isNaN(median([])), 'of nothing there is none');
});

t.test('quantiles lie between the values by linear interpolation', async (t) => {
  const values = [50, 10, 20, 40, 30];
  t.equal(quantile(values, 0), 10);
  t.equal(quantile(values, 0.25), 20);
  t.equal(quantile(values, 0.9), 46);
  t.equal(quantile(values, 1), 50);
  t.same(spreadOf([1, 2, 3, 4]), { lower: 1.75, median: 2.5, upper: 3.25 });
  t.same(values, [50, 10, 20, 40, 30], 'and the values stay in their order');
});

t.test('a ratio is taken round by round, so that a machine that slows down does not change it', async (t) => {
  t.equal(pairedRatio([100, 50, 10], [200, 100, 20]), 0.5);
  t.equal(pairedRatio([100, 50, 30], [100, 100, 100]), 0.5, 'and one odd round does not count');
});

t.test('a difference is beyond noise where the inner halves do not touch', async (t) => {
  const low = { lower: 1, median: 2, upper: 3 };
  t.ok(isBeyondNoise(low, { lower: 3.1, median: 4, upper: 5 }));
  t.ok(isBeyondNoise({ lower: 3.1, median: 4, upper: 5 }, low), 'either way round');
  t.notOk(isBeyondNoise(low, { lower: 3, median: 4, upper: 5 }), 'touching is not apart');
  t.notOk(isBeyondNoise(low, low));
});

t.test('the range of values is reported as a share of their median', async (t) => {
  t.equal(relativeRange([95, 100, 105]), 0.1);
});

/** A reading in each of some rounds. */
const roundsOf = (id: string, values: readonly number[], isLowerBetter = true) =>
  values.map((median) => [{ id, unit: 'ns', isLowerBetter, median }]);

t.test('a comparison knows which way is better, and ignores what nobody would act on', async (t) => {
  const before = [100, 101, 102, 103, 104];
  const verdict = (after: readonly number[], isLowerBetter = true) => {
    const { rows } = compared(roundsOf('a', before, isLowerBetter), roundsOf('a', after, isLowerBetter));
    return rows[0]?.['beyond noise'];
  };
  const faster = [80, 81, 82, 83, 84];
  t.equal(verdict(faster), 'better');
  t.equal(verdict(faster, false), 'worse');
  t.equal(verdict([104.5, 104.5, 104.5, 104.5, 104.5]), null, '2.5 %');
  t.equal(verdict([90, 95, 100, 105, 110]), null, 'overlapping');
  const { rows } = compared(roundsOf('a', before), roundsOf('a', faster));
  t.match(rows, [{ reading: 'a', before: '102 (101 to 103)', after: '82 (81 to 83)', unit: 'ns' }]);
});

t.test('readings are paired by their ids, and those of one revision alone are reported separately', async (t) => {
  const values = [1, 2, 3];
  const before = [...roundsOf('kept', values), ...roundsOf('removed', values)];
  const { rows, lonely } = compared(before, roundsOf('kept', [2, 4, 6]));
  t.match(rows, [{ reading: 'kept', ratio: 2 }]);
  t.equal(rows.length, 1);
  t.same(lonely, ['removed']);
});
