// Ratings: known cases, symmetry, independence of the order of games, and intervals that mean something.
import t from 'tap';
import { Random } from '../../../arena/random.js';
import { type RatedGame, standingsOf } from '../../../arena/tournament/ratings.js';
import { ranksOf } from '../../../arena/tournament/result.js';

const LONG = process.env['LONG'] === '1';

const FAULTLESS = { isWithdrawn: false, earlyEnd: null, overruns: 0 };
const CRASHED = { isWithdrawn: true, earlyEnd: { kind: 'crash', exitCode: 1, signal: null }, overruns: 0 } as const;

const game = (...labels: string[]): RatedGame => ({
  players: labels.map((label, index) => ({ label, rank: index + 1, ...FAULTLESS })),
});
/** The last entrant crashes. */
const crash = (...labels: string[]): RatedGame => ({
  players: game(...labels).players.map((one) => (one.label === labels.at(-1) ? { ...one, ...CRASHED } : one)),
});
const ratingsOf = (labels: readonly string[], games: readonly RatedGame[], seed: string) =>
  standingsOf(labels, games, seed).ratings;
const times = (count: number, one: RatedGame): RatedGame[] => Array.from({ length: count }, () => one);

t.test('equal points share the mean of their places', async (t) => {
  t.same(ranksOf([5, 9, 5, 1]), [2.5, 1, 2.5, 4]);
  t.same(ranksOf([0, 0, 0]), [2, 2, 2]);
  t.same(ranksOf([7]), [1]);
});

t.test('two entrants: the maximum of the likelihood is known', async (t) => {
  // With w wins, l losses, and a win and a loss each against the virtual entrant of strength 1, symmetry makes g and 1/g of
  // them; the maximum solves (w + 1) / g = (w + l) / (g + 1/g) + 2 / (g + 1).
  const ratings = ratingsOf(['a', 'b'], [...times(9, game('a', 'b')), ...times(3, game('b', 'a'))], 'seed');
  const strength = 10 ** (((ratings[0]?.rating ?? 0) - 1500) / 400);
  t.equal(ratings[0]?.label, 'a');
  t.ok(Math.abs(10 / strength - 12 / (strength + 1 / strength) - 2 / (strength + 1)) < 0.02, `${strength}`);
  t.equal((ratings[0]?.rating ?? 0) + (ratings[1]?.rating ?? 0), 3000);
  t.match(ratings[0], { meanRank: 1.25, games: 12, firsts: 9 });
});

t.test('equals are rated equal, and ties count half', async (t) => {
  const tie: RatedGame = {
    players: [
      { label: 'a', rank: 1.5, ...FAULTLESS },
      { label: 'b', rank: 1.5, ...FAULTLESS },
    ],
  };
  t.match(ratingsOf(['a', 'b'], times(5, tie), 'seed'), [
    { label: 'a', rating: 1500, meanRank: 1.5, meanRankLow: 1.5, meanRankHigh: 1.5, firsts: 5 },
    { label: 'b', rating: 1500, firsts: 5 },
  ]);
  t.match(ratingsOf(['a', 'b', 'c'], [game('a', 'b', 'c'), game('b', 'c', 'a'), game('c', 'a', 'b')], 'seed'), [
    { rating: 1500 },
    { rating: 1500 },
    { rating: 1500 },
  ]);
  t.same(ratingsOf(['a', 'b'], [], 'seed'), [], 'without games there are no ratings');
});

t.test('one that never lost is rated, with an interval that stays open', async (t) => {
  const [one, five, fifty] = [1, 5, 50].map((count) => ratingsOf(['a', 'b'], times(count, game('a', 'b')), 'seed')[0]);
  if (one === undefined || five === undefined || fifty === undefined) throw new Error('there are no ratings');
  t.ok(one.rating < five.rating && five.rating < fifty.rating, `${one.rating} ${five.rating} ${fifty.rating}`);
  for (const { rating, low, high } of [one, five, fifty])
    t.ok(low < rating && rating < high, `${low} ${rating} ${high}`);
  t.ok(one.low < 1500, 'one game proves nothing');
  t.ok(fifty.low > 1500, 'fifty do');
});

t.test('an entrant that finished under half of its games has no rating, and does not count for others', async (t) => {
  const games = [game('a', 'b', 'c'), crash('b', 'a', 'c'), crash('a', 'b', 'c')];
  const { ratings, withheld } = standingsOf(['a', 'b', 'c'], games, 'seed');
  t.same(withheld, [{ label: 'c', games: 3, finished: 1, faults: 2 }]);
  const alone = standingsOf(['a', 'b'], [game('a', 'b'), game('b', 'a'), game('a', 'b')], 'seed');
  t.same(ratings, alone.ratings, 'its rivals are rated as if it had not played');
  const half = standingsOf(['a', 'b', 'c'], games.slice(0, 2), 'seed');
  t.match(half, { ratings: [{}, {}, { label: 'c', games: 2, faults: 1 }], withheld: [] }, 'half is enough');
  const overrun: RatedGame = { players: [{ label: 'a', rank: 1, ...FAULTLESS, overruns: 2 }] };
  t.match(
    standingsOf(['a'], [overrun], 'seed'),
    { ratings: [{ faults: 2 }], withheld: [] },
    'overruns alone withhold nothing',
  );
  t.match(standingsOf(['a'], [crash('a')], 'seed'), { ratings: [], withheld: [{ label: 'a', finished: 0 }] });
});

t.test('the order of games and entrants does not matter, and the seed only for intervals', async (t) => {
  const random = new Random('order');
  const labels = ['a', 'b', 'c', 'd'];
  const games = Array.from({ length: 30 }, () => game(...random.shuffled(labels)));
  const ratings = ratingsOf(labels, games, 'seed');
  t.same(ratingsOf(labels, games, 'seed'), ratings);
  const points = (rows: typeof ratings) => Object.fromEntries(rows.map(({ label, rating }) => [label, rating]));
  t.same(points(ratingsOf(labels.toReversed(), games.toReversed(), 'other')), points(ratings));
  t.not(JSON.stringify(ratingsOf(labels, games, 'other')), JSON.stringify(ratings));
});

t.test('intervals contain the truth about as often as they say', async (t) => {
  // Three entrants whose order in a game is drawn by exponential clocks, so that pairs follow the model exactly.
  const truth = new Map([
    ['a', 4],
    ['b', 1],
    ['c', 0.25],
  ]);
  const runs = LONG ? 300 : 10;
  let covered = 0;
  for (let run = 0; run < runs; run += 1) {
    const random = new Random(`coverage/${run}`);
    const games = Array.from({ length: 40 }, () => {
      const clocks = [...truth].map(([label, strength]) => ({
        label,
        at: -Math.log((random.below(1e9) + 1) / 1e9) / strength,
      }));
      return game(...clocks.sort((one, other) => one.at - other.at).map(({ label }) => label));
    });
    for (const { label, low, high } of ratingsOf([...truth.keys()], games, `${run}`)) {
      // The mean of the logarithms is 0.
      const rating = 1500 + 400 * Math.log10(truth.get(label) ?? 1);
      if (low <= rating && rating <= high) covered += 1;
    }
  }
  const share = covered / (3 * runs);
  // Few runs say little: the chance that fewer than 80 % of 30 intervals are right is below one in a thousand, and the seeds are fixed.
  t.ok(share > (LONG ? 0.92 : 0.8), `${(100 * share).toFixed(1)} % of the intervals contain the truth`);
});
