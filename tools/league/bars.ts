// The bars of a rule set (docs/balance.md): what a league must show before its rules are worth playing. The interval of a figure decides,
// not the figure alone.
import { ranksOf, type Tournament, type TournamentGame } from '../../arena/tournament/result.js';
import type { Looks } from '../../cli/play/planet-look.js';
import { Bootstrap, type Estimate, weightedMean } from './bootstrap.js';
import type { GameCourse } from './game-course.js';
import {
  correlation,
  isBetterHalf,
  type League,
  mean,
  movedShare,
  type Played,
  playedGames,
  type Use,
} from './tables.js';

/** `on_average`: the figure is within the bar, but its interval is not. */
export type Verdict = 'reached' | 'on_average' | 'missed' | 'unknown';

export interface Bar {
  readonly name: string;
  readonly demand: string;
  /** What the figure describes. */
  readonly about: string;
  /** Null if the league does not show it. */
  readonly figure: number | null;
  /** The 95 % interval; null if the figure is an extreme of all games, which has none. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly verdict: Verdict;
  readonly unit: 'rank' | 'share' | 'number';
}

/** Baseline bots, which do not play to win. */
const FLOOR: readonly string[] = ['idler', 'random', 'builder'];
/** The bot that combines the strategies of the others. */
const MIXER = 'planner';
const MEAN_RANK_MIN = 1.5;
const RANK_CORRELATION_MIN = 0.7;
const USE_MIN = 0.5;
const DAILY_SHARE_MIN = 0.5;
/** The bot that only builds in fixed ratios, and its share of the points of the best. */
const YARDSTICK = 'builder';
const YARDSTICK_SHARE_MAX = 0.6;
/** Points of the best serious bot for each of the worst. */
const SPREAD_MIN = 2;
/** Loot, or goods received in trades, as a share of the points of all serious bots. */
const MOVED_SHARE = [0.05, 0.3] as const;
const PLANETS_BELOW = 200;
/** Bounds of the share of resources in what planets wait for: a third and two thirds. */
const RESOURCES_SHARE = [1 / 3, 2 / 3] as const;

/**
 * @param tournament finished
 * @param courses of its games, in their order
 * @param league its tables
 */
export function barsOf(tournament: Tournament, courses: readonly GameCourse[], league: League): Bar[] {
  const { games } = tournament;
  if (games.length === 0) return [];
  const bootstrap = new Bootstrap(games.length);
  const serious = seriousLabels(tournament);
  const ranks = new Map(serious.map((label) => [label, games.map((game) => rankAmong(serious, game, label))]));
  const played = playedGames(tournament, courses);
  return [
    ...meanRankBars(ranks, bootstrap),
    ...mixerBars(tournament, ranks, bootstrap),
    ...spreadBars(tournament, serious, bootstrap),
    ...movedBars(played, serious, bootstrap),
    correlationBar('serious bots', [...ranks.values()], bootstrap),
    ...(['buildings', 'ships', 'drives', 'missions'] as const).map((kind) =>
      useBar(kind, league.use[kind], games.length),
    ),
    ...dailyBars(tournament, league, bootstrap),
    planetsBar(played.flat()),
    waitingBar('first week', played, ({ firstWeek }) => firstWeek, bootstrap),
    waitingBar('all days', played, ({ looks }) => looks, bootstrap),
  ];
}

/** Labels of the entrants that are always awake and play to win. */
function seriousLabels({ entrants }: Tournament): string[] {
  const wakeupsMax = Math.max(...entrants.map(({ wakeupsPerDay }) => wakeupsPerDay));
  return entrants
    .filter(({ source, wakeupsPerDay }) => wakeupsPerDay === wakeupsMax && !FLOOR.includes(source))
    .map(({ label }) => label);
}

/** The rank of an entrant among some entrants. */
function rankAmong(labels: readonly string[], { players }: TournamentGame, label: string): number {
  const counted = labels.map((each) => players.find((player) => player.label === each)?.points ?? 0);
  return ranksOf(counted)[labels.indexOf(label)] ?? 0;
}

type Ranks = ReadonlyMap<string, readonly number[]>;

function meanRankBars(ranks: Ranks, bootstrap: Bootstrap): Bar[] {
  const rows = [...ranks].map(([label, values]) => ({ label, ...bootstrap.mean(values) }));
  const worstAllowed = ranks.size - 0.5;
  const [best] = rows.toSorted((one, other) => one.figure - other.figure);
  const [worst] = rows.toSorted((one, other) => other.figure - one.figure);
  if (best === undefined || worst === undefined) return [];
  return [
    {
      name: 'nobody always wins',
      demand: `no mean rank of a serious bot is better than ${MEAN_RANK_MIN}`,
      about: best.label,
      ...best,
      unit: 'rank',
      verdict: verdictOf(best, MEAN_RANK_MIN, Number.POSITIVE_INFINITY),
    },
    {
      name: 'nobody always loses',
      demand: `no mean rank of a serious bot is worse than ${worstAllowed}`,
      about: worst.label,
      ...worst,
      unit: 'rank',
      verdict: verdictOf(worst, 0, worstAllowed),
    },
  ].map(({ label: _, ...bar }) => bar as Bar);
}

/** One bar for each pure strategy. */
function mixerBars({ entrants }: Tournament, ranks: Ranks, bootstrap: Bootstrap): Bar[] {
  const mixer = entrants.find(({ label, source }) => source === MIXER && ranks.has(label));
  const own = ranks.get(mixer?.label ?? '');
  if (own === undefined) return [];
  return [...ranks].flatMap(([label, values]): Bar[] => {
    if (values === own) return [];
    const ahead = bootstrap.mean(values.map((rank, index) => rank - (own[index] ?? 0)));
    return [
      {
        name: 'mixing beats each pure strategy',
        demand: `${MIXER} ends before it`,
        about: label,
        ...ahead,
        unit: 'rank',
        verdict: verdictOf(ahead, Number.MIN_VALUE, Number.POSITIVE_INFINITY),
      },
    ];
  });
}

/** What skill is worth: the best serious bot beside the worst, and beside one that weighs nothing. */
function spreadBars({ entrants, games }: Tournament, serious: readonly string[], bootstrap: Bootstrap): Bar[] {
  const logarithmsOf = (label: string): number[] =>
    games.map(({ players }) => Math.log(Math.max(1, players.find((player) => player.label === label)?.points ?? 0)));
  const ranked = serious
    .map((label) => ({ label, logarithms: logarithmsOf(label) }))
    .toSorted((one, other) => mean(other.logarithms) - mean(one.logarithms));
  const [best] = ranked;
  const worst = ranked.at(-1);
  const yardstick = entrants.find(({ source }) => source === YARDSTICK)?.label;
  if (best === undefined || worst === undefined) return [];
  const ratio = (one: readonly number[], other: readonly number[]): Estimate =>
    bootstrap.estimate((weights) =>
      Math.exp(
        weightedMean(
          one.map((value, game) => value - (other[game] ?? 0)),
          weights,
        ),
      ),
    );
  const spread = ratio(best.logarithms, worst.logarithms);
  const bars: Bar[] = [
    {
      name: 'skill shows',
      demand: `the best serious bot has at least ${SPREAD_MIN} times the points of the worst`,
      about: `${best.label}, ${worst.label}`,
      ...spread,
      unit: 'number',
      verdict: verdictOf(spread, SPREAD_MIN, Number.POSITIVE_INFINITY),
    },
  ];
  if (yardstick === undefined) return bars;
  const share = ratio(logarithmsOf(yardstick), best.logarithms);
  return [
    ...bars,
    {
      name: 'fixed ratios are not enough',
      demand: `at most ${100 * YARDSTICK_SHARE_MAX} % of the points of the best serious bot`,
      about: `${yardstick}, ${best.label}`,
      ...share,
      unit: 'share',
      verdict: verdictOf(share, 0, YARDSTICK_SHARE_MAX),
    },
  ];
}

/** Points that move between players, by war and by trade. */
function movedBars(played: readonly (readonly Played[])[], serious: readonly string[], bootstrap: Bootstrap): Bar[] {
  if (serious.length === 0) return [];
  const barOf = (name: string, what: string, moved: 'looted' | 'traded'): Bar => {
    const shares = played.map((ofGame) =>
      movedShare(
        ofGame.filter(({ player }) => serious.includes(player.label)),
        moved,
      ),
    );
    const estimate = bootstrap.mean(shares);
    return {
      name,
      demand: `${what} from 5 % to 30 % of the points`,
      about: 'serious bots',
      ...estimate,
      unit: 'share',
      verdict: verdictOf(estimate, ...MOVED_SHARE),
    };
  };
  return [
    barOf('war moves points', 'loot is', 'looted'),
    barOf('trade moves points', 'goods received in trades are', 'traded'),
  ];
}

/** @param ranks by entrant and game */
function correlationBar(about: string, ranks: readonly (readonly number[])[], bootstrap: Bootstrap): Bar {
  const bar = {
    name: 'strength, not luck',
    demand: `rank correlation between games above ${RANK_CORRELATION_MIN}`,
    about,
    unit: 'number',
  } as const;
  const gameCount = ranks[0]?.length ?? 0;
  const ofGame = (game: number): number[] => ranks.map((values) => values[game] ?? 0);
  const pairs = Array.from({ length: gameCount }, (_, one) => one).flatMap((one) =>
    Array.from({ length: one }, (_, other) => ({ one, other, value: correlation(ofGame(one), ofGame(other)) })),
  );
  if (pairs.length === 0 || pairs.some(({ value }) => Number.isNaN(value))) {
    return { ...bar, figure: null, interval: null, verdict: 'unknown' };
  }
  const values = pairs.map(({ value }) => value);
  const estimate = bootstrap.estimate((weights) =>
    weightedMean(
      values,
      pairs.map(({ one, other }) => (weights[one] ?? 0) * (weights[other] ?? 0)),
    ),
  );
  return { ...bar, ...estimate, verdict: verdictOf(estimate, RANK_CORRELATION_MIN, 1) };
}

/** The type of a kind that is used in the fewest games, with Wilson's interval for a share. */
function useBar(kind: string, uses: readonly Use[], gameCount: number): Bar {
  const least = uses.reduce((one, other) => (other.games < one.games ? other : one), uses[0] ?? NO_USE);
  const estimate = { figure: least.games, interval: wilson(least.games, gameCount) };
  return {
    name: `all ${kind} are used`,
    demand: `the better half of most games uses each`,
    about: least.type,
    ...estimate,
    unit: 'share',
    verdict: verdictOf(estimate, USE_MIN, 1),
  };
}

const NO_USE: Use = { type: '', share: 0, players: 0, games: 0 };

/** Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical inference", JASA 22. */
function wilson(share: number, count: number): readonly [number, number] {
  const z = 1.96;
  const centre = share + (z * z) / (2 * count);
  const reach = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const scale = 1 + (z * z) / count;
  // At a share of 0 or 1 rounding would leave the bounds by some 1e-17.
  return [Math.max(0, (centre - reach) / scale), Math.min(1, (centre + reach) / scale)];
}

function dailyBars({ games }: Tournament, { attendance }: League, bootstrap: Bootstrap): Bar[] {
  return attendance
    .filter(({ wakeupsPerDay }) => wakeupsPerDay === 1)
    .map(({ awake, seldom }) => {
      const pointsOf = ({ players }: TournamentGame, label: string): number =>
        Math.max(1, players.find((player) => player.label === label)?.points ?? 0);
      const logarithms = games.map((game) => Math.log(pointsOf(game, seldom) / pointsOf(game, awake)));
      const estimate = bootstrap.estimate((weights) => Math.exp(weightedMean(logarithms, weights)));
      return {
        name: 'waking up once a day is enough',
        demand: 'at least half of the points of the same bot always awake',
        about: seldom,
        ...estimate,
        unit: 'share',
        verdict: verdictOf(estimate, DAILY_SHARE_MIN, Number.POSITIVE_INFINITY),
      } as const;
    });
}

function planetsBar(played: readonly Played[]): Bar {
  const [most] = played.toSorted((one, other) => other.course.planets - one.course.planets);
  const figure = most?.course.planets ?? 0;
  return {
    name: 'breadth has an end',
    demand: `nobody owns ${PLANETS_BELOW} planets in any game`,
    about: most?.player.label ?? '',
    figure,
    interval: null,
    unit: 'number',
    verdict: figure < PLANETS_BELOW ? 'reached' : 'missed',
  };
}

/** What the planets of the better half wait for. A planet that waits for both time and resources counts half for each. */
function waitingBar(
  about: string,
  played: readonly (readonly Played[])[],
  looksOf: (course: Played['course']) => Looks,
  bootstrap: Bootstrap,
): Bar {
  const shares = played.map((ofGame) => {
    const looks = ofGame.filter(isBetterHalf).map(({ course }) => looksOf(course));
    const sum = (kind: keyof Looks): number => looks.reduce((all, each) => all + each[kind], 0);
    const busy = sum('timers') + sum('balanced') + sum('resources');
    return busy === 0 ? 0 : (sum('resources') + sum('balanced') / 2) / busy;
  });
  const estimate = bootstrap.mean(shares);
  return {
    name: 'time and resources bind alike',
    demand: 'the share of resources is from a third to two thirds',
    about,
    ...estimate,
    unit: 'share',
    verdict: verdictOf(estimate, ...RESOURCES_SHARE),
  };
}

function verdictOf(
  { figure, interval: [low, high] }: { readonly figure: number; readonly interval: readonly [number, number] },
  lowest: number,
  highest: number,
): Verdict {
  if (low >= lowest && high <= highest) return 'reached';
  return figure >= lowest && figure <= highest ? 'on_average' : 'missed';
}
