// How strong the entrants are, from the ranks of their games, by the model of Bradley and Terry (1952): i beats j with probability
// g_i / (g_i + g_j). Each pair of entrants of a game counts as one comparison, a tie as half a win for both.
//
// The strengths g are the maximum a posteriori, found by the MM algorithm of Hunter (2004), "MM algorithms for generalized
// Bradley-Terry models", Annals of Statistics 32, section 2. The prior: each entrant has also won one comparison and lost one against
// a virtual entrant of strength 1. Without the prior, an entrant that never lost would be infinitely strong; with it, the maximum
// exists and is unique. A factor of ten in strength is 400 points, as in chess. Only differences have a meaning, so the mean of all
// ratings is set to 1500.
//
// Intervals come from the Bayesian bootstrap (Rubin 1981, Annals of Statistics 9): the instances and the virtual comparisons get random,
// exponentially distributed weights, and the ratings are estimated again. The interval is the middle 95 % of the estimates. Whole
// instances are weighted, with all games of a seed, since comparisons within a game and games of an instance depend on each other
// (a cluster bootstrap: Davison and Hinkley 1997, "Bootstrap Methods and their Application", section 3.8). Thanks to the virtual
// comparisons, an entrant that won all its games has an interval of some width. Mean ranks have no prior, so their interval is then a
// single point. Of games with the same course only the first counts: the others say nothing new.
//
// Two entrants are separated if the interval of the difference of their ratings does not contain 0. The number of games that would
// separate two others assumes that the difference stays, and that its standard deviation shrinks with the root of the number of games.
import { BOOTSTRAP_ROUNDS, GAMES_NEEDED_MAX } from '../limits.js';
import { Random } from '../random.js';
import { repeatingGames } from './course.js';
import { type Faulty, faultsIn } from './faults.js';
import type { Rating, UnseparatedPair, Withheld } from './result.js';

/** What ratings need of a game. */
export interface RatedGame {
  /** The instance that it is played on. */
  readonly seed: number;
  readonly courseDigest: string;
  /** How many games it is made of, if not one; see contests.ts. */
  readonly gameCount?: number;
  readonly players: readonly (Faulty & { readonly label: string; readonly rank: number })[];
}

/** The standings of the entrants. */
export interface Standings {
  /** The best first; empty without games. */
  readonly ratings: Rating[];
  /** Entrants that finished too few of their games. Their comparisons with others count for nobody. */
  readonly withheld: Withheld[];
  readonly unseparated: UnseparatedPair[];
}

export const NO_STANDINGS: Standings = { ratings: [], withheld: [], unseparated: [] };

const CENTRE = 1500;
const POINTS_PER_FACTOR_TEN = 400;
/** Comparisons won against the virtual entrant, and as many lost. */
const PRIOR_WEIGHT = 1;
const INTERVAL = 0.95;
/** Of the normal distribution, for both ends of such an interval. */
const NORMAL_QUANTILE = 1.96;
/** Share of its games that an entrant must finish to be rated. */
const FINISHED_SHARE_MIN = 0.5;
/** A hundredth of a rating point. Ratings are printed in whole points. */
const TOLERANCE = 1e-5;
const ITERATIONS_MAX = 10_000;
/** Steps of Newton's method within each iteration. */
const LOCATION_STEPS = 2;
const WORD_VALUES = 2 ** 32;

/**
 * @param labels of the entrants; equal entrants stay in this order
 * @param seed of the bootstrap: the same seed and games give the same intervals
 */
export function standingsOf(labels: readonly string[], games: readonly RatedGame[], seed: string): Standings {
  if (games.length === 0) return NO_STANDINGS;
  // While a tournament runs, some may not have played yet.
  const attendances = labels.map((label) => attendanceOf(label, games)).filter(({ games: played }) => played > 0);
  const isRated = ({ games: played, finished }: Withheld): boolean => finished >= FINISHED_SHARE_MIN * played;
  const withheld = attendances.filter((one) => !isRated(one));
  const rated = attendances.filter(isRated).map(({ label }) => label);
  return { ...(rated.length === 0 ? NO_STANDINGS : ratingsOf(rated, games, seed)), withheld };
}

function attendanceOf(label: string, games: readonly RatedGame[]): Withheld {
  const played = games.flatMap(({ players }) => players.filter((one) => one.label === label));
  const finished = played.filter(({ isWithdrawn }) => !isWithdrawn).length;
  return { label, games: played.length, finished, faults: played.reduce((sum, player) => sum + faultsIn(player), 0) };
}

function ratingsOf(labels: readonly string[], games: readonly RatedGame[], seed: string): Omit<Standings, 'withheld'> {
  const repeating = new Set(repeatingGames(games));
  const counted = games.filter((game) => !repeating.has(game));
  const ranks = counted.map(({ players }) => labels.map((label) => players.find((one) => one.label === label)?.rank));
  const instances = [...new Set(counted.map((game) => game.seed))];
  const places = counted.map((game) => instances.indexOf(game.seed));
  const { estimate, draws } = estimatesOf(ranks, places, instances.length, labels.length, seed);
  const rows = labels.map((label, entrant) => {
    const rating = estimate.ratings[entrant] as number;
    const meanRank = estimate.meanRanks[entrant] as number;
    const [low, high] = intervalAround(
      rating,
      draws.map(({ ratings }) => ratings[entrant] as number),
    );
    const [meanRankLow, meanRankHigh] = intervalAround(
      meanRank,
      draws.map(({ meanRanks }) => meanRanks[entrant] as number),
    );
    const { games: played, faults } = attendanceOf(label, games);
    const firsts = games.filter((game) => isFirst(game, label)).length;
    const shown = { rating: Math.round(rating), low: Math.round(low), high: Math.round(high) };
    const shownRanks = {
      meanRank: hundredths(meanRank),
      meanRankLow: hundredths(meanRankLow),
      meanRankHigh: hundredths(meanRankHigh),
    };
    return { label, ...shown, ...shownRanks, games: played, firsts, faults };
  });
  // Sorts by rounded values, so that the order agrees with what is shown. Sorting is stable.
  const ratings = rows.sort((one, other) => other.rating - one.rating || one.meanRank - other.meanRank);
  const order = ratings.map(({ label }) => labels.indexOf(label));
  const gameCount = counted.reduce((sum, game) => sum + (game.gameCount ?? 1), 0);
  const pairs = order.flatMap((one, place) => order.slice(place + 1).map((other) => [one, other] as const));
  const unseparated = pairs.flatMap(([one, other]): UnseparatedPair[] => {
    const between = ({ ratings: values }: Estimate): number => (values[one] as number) - (values[other] as number);
    const difference = between(estimate);
    const differences = draws.map(between);
    const [low, high] = intervalAround(difference, differences);
    const isOne = instances.length === 1;
    if (!isOne && (low > 0 || high < 0)) return [];
    const gamesNeeded = isOne ? null : gamesNeededFor(difference, differences, gameCount);
    return [{ one: labels[one] as string, other: labels[other] as string, gamesNeeded }];
  });
  return { ratings, unseparated };
}

/** About how many games would separate two entrants. @param games that counted @returns null if there are too many */
function gamesNeededFor(difference: number, differences: readonly number[], games: number): number | null {
  const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / differences.length;
  const needed = Math.ceil((games * variance * NORMAL_QUANTILE ** 2) / difference ** 2);
  return needed <= GAMES_NEEDED_MAX ? Math.max(roughly(needed), games + 1) : null;
}

/** Rounded up to two significant digits. */
function roughly(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 2);
  return Math.ceil(count / unit) * unit;
}

/** Indexed by entrant. */
interface Estimate {
  readonly ratings: readonly number[];
  readonly meanRanks: readonly number[];
}

/**
 * @param ranks by game and entrant; undefined if the entrant did not play
 * @param places the instance of each game
 * @param seed of the bootstrap
 * @returns the estimate, and those of the bootstrap
 */
function estimatesOf(
  ranks: Ranks,
  places: readonly number[],
  instances: number,
  count: number,
  seed: string,
): { readonly estimate: Estimate; readonly draws: readonly Estimate[] } {
  const comparisons = comparisonsOf(ranks, count);
  const even = new Float64Array(ranks.length).fill(1);
  const prior = new Float64Array(2 * count).fill(PRIOR_WEIGHT);
  const strengths = strengthsOf(winsOf(comparisons, even, count), prior, new Float64Array(count).fill(1));
  const random = new Random(`${seed}/bootstrap`);
  const draws = Array.from({ length: BOOTSTRAP_ROUNDS }, (): Estimate => {
    const ofInstances = Array.from({ length: instances }, () => exponential(random));
    const weights = even.map((_, game) => ofInstances[places[game] as number] as number);
    const virtual = prior.map((weight) => weight * exponential(random));
    const drawn = strengthsOf(winsOf(comparisons, weights, count), virtual, strengths);
    return { ratings: centred(drawn), meanRanks: meanRanksOf(ranks, weights, count) };
  });
  return { estimate: { ratings: centred(strengths), meanRanks: meanRanksOf(ranks, even, count) }, draws };
}

type Ranks = readonly (readonly (number | undefined)[])[];

/** Wins of one entrant over another, half or whole, with the game of each. The cell of a pair is one * count + other. */
interface Comparisons {
  readonly games: Uint16Array;
  readonly cells: Uint16Array;
  readonly wins: Float64Array;
}

/** @param ranks by game and entrant; undefined if the entrant did not play */
function comparisonsOf(ranks: Ranks, count: number): Comparisons {
  const found = ranks.flatMap((ofGame, game) =>
    ofGame.flatMap((rank, one) =>
      ofGame.flatMap((otherRank, other) => {
        if (one === other || rank === undefined || otherRank === undefined || rank > otherRank) return [];
        return [{ game, cell: one * count + other, win: rank === otherRank ? 0.5 : 1 }];
      }),
    ),
  );
  return {
    games: Uint16Array.from(found, ({ game }) => game),
    cells: Uint16Array.from(found, ({ cell }) => cell),
    wins: Float64Array.from(found, ({ win }) => win),
  };
}

/** Weighted wins, by cell. */
function winsOf({ games, cells, wins }: Comparisons, weights: Float64Array, count: number): Float64Array {
  const sums = new Float64Array(count * count);
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index] as number;
    sums[cell] = (sums[cell] as number) + (wins[index] as number) * (weights[games[index] as number] as number);
  }
  return sums;
}

/**
 * Each iteration replaces each strength by its weighted wins, divided by the sum of comparisons / (g_i + g_j) over its opponents.
 *
 * @param wins by cell
 * @param prior weights of the virtual wins of all entrants, then of their virtual losses
 * @param from initial strengths, close to the result
 */
function strengthsOf(wins: Float64Array, prior: Float64Array, from: Float64Array): Float64Array {
  const count = from.length;
  const won = prior.slice(0, count);
  const compared = new Float64Array(count * count);
  for (let one = 0; one < count; one += 1) {
    for (let other = 0; other < count; other += 1) {
      const over = wins[one * count + other] as number;
      won[one] = (won[one] as number) + over;
      compared[one * count + other] = over + (wins[other * count + one] as number);
    }
  }
  let strengths = from.slice();
  let next = new Float64Array(count);
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration += 1) {
    let change = 0;
    for (let one = 0; one < count; one += 1) {
      const strength = strengths[one] as number;
      let expected = ((prior[one] as number) + (prior[count + one] as number)) / (strength + 1);
      for (let other = 0; other < count; other += 1) {
        expected += (compared[one * count + other] as number) / (strength + (strengths[other] as number));
      }
      const stronger = (won[one] as number) / expected;
      next[one] = stronger;
      change = Math.max(change, Math.abs(stronger / strength - 1));
    }
    [strengths, next] = [next, strengths];
    if (change < TOLERANCE) break;
    const factor = commonFactor(strengths, prior);
    for (let one = 0; one < count; one += 1) strengths[one] = (strengths[one] as number) * factor;
  }
  return strengths;
}

/**
 * The factor for all strengths that makes the prior most probable. Comparisons among entrants do not depend on it. Without this step
 * the iterations would converge to it slowly, since the prior is weak. Uses Newton's method on the logarithm of the factor.
 */
function commonFactor(strengths: Float64Array, prior: Float64Array): number {
  const count = strengths.length;
  let logarithm = 0;
  for (let step = 0; step < LOCATION_STEPS; step += 1) {
    let slope = 0;
    let curvature = 0;
    for (let one = 0; one < count; one += 1) {
      const weight = (prior[one] as number) + (prior[count + one] as number);
      const chance = 1 / (1 + 1 / ((strengths[one] as number) * Math.exp(logarithm)));
      slope += (prior[one] as number) - weight * chance;
      curvature += weight * chance * (1 - chance);
    }
    logarithm += Math.max(-1, Math.min(1, slope / curvature));
  }
  return Math.exp(logarithm);
}

function meanRanksOf(ranks: Ranks, weights: Float64Array, count: number): number[] {
  return Array.from({ length: count }, (_, entrant) => {
    let sum = 0;
    let total = 0;
    for (const [game, ofGame] of ranks.entries()) {
      const rank = ofGame[entrant];
      if (rank === undefined) continue;
      sum += rank * (weights[game] as number);
      total += weights[game] as number;
    }
    return total === 0 ? 0 : sum / total;
  });
}

/** Converts strengths into ratings whose mean is CENTRE. */
function centred(strengths: Float64Array): number[] {
  const points = Array.from(strengths, (strength) => POINTS_PER_FACTOR_TEN * Math.log10(strength));
  const mean = points.reduce((sum, one) => sum + one, 0) / points.length;
  return points.map((one) => CENTRE + one - mean);
}

/** The middle 95 % of the draws, extended to contain the estimate. */
export function intervalAround(estimate: number, draws: readonly number[]): readonly [low: number, high: number] {
  const ordered = draws.toSorted((one, other) => one - other);
  const outside = Math.floor((ordered.length * (1 - INTERVAL)) / 2);
  const low = ordered[outside] ?? estimate;
  const high = ordered[ordered.length - 1 - outside] ?? estimate;
  return [Math.min(low, estimate), Math.max(high, estimate)];
}

function isFirst({ players }: RatedGame, label: string): boolean {
  const own = players.find((one) => one.label === label)?.rank;
  return own !== undefined && players.every(({ rank }) => rank >= own);
}

/** Draws from the exponential distribution with mean 1. */
export function exponential(random: Random): number {
  return -Math.log((random.below(WORD_VALUES) + 0.5) / WORD_VALUES);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
