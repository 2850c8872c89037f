// Ratings: known cases, symmetry, independence of the order of games, and intervals that mean something.
import t from 'tap';
import { GAMES_NEEDED_MAX } from '../../../arena/limits.js';
import { Random } from '../../../arena/random.js';
import { repeatingGames } from '../../../arena/tournament/course.js';
import { type RatedGame, standingsOf } from '../../../arena/tournament/ratings.js';
import { ranksOf } from '../../../arena/tournament/result.js';

const LONG = process.env['LONG'] === '1';

const FAULTLESS = { isWithdrawn: false, earlyEnd: null, overruns: 0 };
const CRASHED = { isWithdrawn: true, earlyEnd: { kind: 'crash', exitCode: 1, signal: null }, overruns: 0 } as const;

/** The course of each game is its own, and so is its instance. */
let gamesMade = 0;
const madeGame = (players: RatedGame['players']): RatedGame => {
  gamesMade += 1;
  return { seed: gamesMade, courseDigest: `course ${gamesMade}`, players };
};
const game = (...labels: string[]): RatedGame =>
  madeGame(labels.map((label, index) => ({ label, rank: index + 1, ...FAULTLESS })));
/** The last entrant crashes. */
const crash = (...labels: string[]): RatedGame =>
  madeGame(game(...labels).players.map((one) => (one.label === labels.at(-1) ? { ...one, ...CRASHED } : one)));
const ratingsOf = (labels: readonly string[], games: readonly RatedGame[], seed: string) =>
  standingsOf(labels, games, seed).ratings;
const times = (count: number, { players }: RatedGame): RatedGame[] =>
  Array.from({ length: count }, () => madeGame(players));

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
  const tie = madeGame([
    { label: 'a', rank: 1.5, ...FAULTLESS },
    { label: 'b', rank: 1.5, ...FAULTLESS },
  ]);
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
  const overrun = madeGame([{ label: 'a', rank: 1, ...FAULTLESS, overruns: 2 }]);
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

t.test('games with the same course count once', async (t) => {
  const games = [game('a', 'b'), game('b', 'a'), game('a', 'b')];
  const repeats = times(5, game('a', 'b')).map((one) => ({ ...one, courseDigest: 'the same' }));
  t.same(repeatingGames([...games, ...repeats]), repeats.slice(1));
  const once = standingsOf(['a', 'b'], [...games, ...repeats.slice(0, 1)], 'seed');
  const often = standingsOf(['a', 'b'], [...games, ...repeats], 'seed');
  t.match(often.ratings, [{ label: 'a', games: 8, firsts: 7 }, { label: 'b' }], 'all games are named');
  const estimates = ({ ratings }: typeof once) =>
    ratings.map(({ label, rating, low, high, meanRank }) => [label, rating, low, high, meanRank]);
  t.same(estimates(often), estimates(once));
  t.same(often.unseparated, once.unseparated);
});

t.test('games of an instance depend on each other, so the intervals are those of instances', async (t) => {
  const random = new Random('instances');
  const instances = Array.from({ length: 8 }, () => random.shuffled(['a', 'b', 'c']));
  const games = instances.flatMap((order, seed) => times(5, game(...order)).map((one) => ({ ...one, seed })));
  const width = (rated: readonly RatedGame[]): number => {
    const [best] = ratingsOf(['a', 'b', 'c'], rated, 'seed');
    return (best?.high ?? 0) - (best?.low ?? 0);
  };
  const apart = games.map((one, index) => ({ ...one, seed: index }));
  t.ok(width(games) > 1.5 * width(apart), `${width(games)} ${width(apart)}`);
});

t.test('pairs that the games do not separate are named, with about how many games would', async (t) => {
  const duel = (wins: number, losses: number) => [...times(wins, game('a', 'b')), ...times(losses, game('b', 'a'))];
  const pairsOf = (games: readonly RatedGame[]) => standingsOf(['a', 'b'], games, 'seed').unseparated;
  t.same(pairsOf(duel(40, 10)), []);
  const [close] = pairsOf(duel(12, 8));
  t.match(close, { one: 'a', other: 'b' });
  // A share of 0.6 differs from 0.5 by 1.96 standard errors after 1.96² x 0.24 / 0.01 = 92 games; the prior and the logarithm add some.
  t.ok((close?.gamesNeeded ?? 0) > 80 && (close?.gamesNeeded ?? 0) < 140, `${close?.gamesNeeded}`);
  t.same(
    pairsOf(duel(Math.round(0.6 * (close?.gamesNeeded ?? 0)) + 3, Math.round(0.4 * (close?.gamesNeeded ?? 0)))),
    [],
  );
  t.same(pairsOf(duel(5, 5)), [{ one: 'a', other: 'b', gamesNeeded: null }], 'no number of games separates equals');
  const single = times(9, game('a', 'b')).map((one) => ({ ...one, seed: 1 }));
  t.same(pairsOf(single), [{ one: 'a', other: 'b', gamesNeeded: null }], 'one instance separates nobody');
  const even = (half: number) => pairsOf(duel(half + 1, half))[0]?.gamesNeeded ?? null;
  t.ok((even(10) ?? 0) <= GAMES_NEEDED_MAX && even(10) !== null);
  t.match(String(even(10)), /^\d\d?0*$/, 'two digits are enough');
  t.equal(even(300), null, 'more than GAMES_NEEDED_MAX are not named');
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
