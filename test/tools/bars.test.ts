// The bars of a rule set, from made games: each verdict, and what each figure counts.
import t from 'tap';
import { standingsOf } from '../../arena/tournament/ratings.js';
import { ranksOf, type Tournament } from '../../arena/tournament/result.js';
import type { Looks } from '../../cli/play/planet-look.js';
import { type Bar, barsOf } from '../../tools/league/bars.js';
import { pointsChart } from '../../tools/league/chart.js';
import type { ByType, GameCourse, PlayerCourse } from '../../tools/league/game-course.js';
import { leagueOf } from '../../tools/league/tables.js';
import { leagueText } from '../../tools/league/text.js';

const GAMES = 20;
const NO_LOOKS: Looks = { timers: 0, balanced: 0, resources: 0, unused: 0 };

interface MadeGame {
  /** Indexed by label. */
  readonly points: ByType;
  /** Scouts ordered, by label. */
  readonly scouts?: ByType;
  readonly planets?: number;
  readonly looks?: Looks;
  /** By label. */
  readonly looted?: ByType;
  readonly traded?: ByType;
}

/** @param gameOf what happened in each game */
function barsOfGames(gameOf: (game: number) => MadeGame): { bars: Bar[]; text: string; chart: string } {
  const labels = Object.keys(gameOf(0).points);
  const made = Array.from({ length: GAMES }, (_, index) => gameOf(index));
  const games = made.map(({ points }, index) => {
    const values = labels.map((label) => points[label] ?? 0);
    const players = labels.map((label, place) => {
      const [own, rank] = [values[place] ?? 0, ranksOf(values)[place] ?? 0];
      const counts = {
        commands: 0,
        wakeups: 0,
        wakeupsByOthers: 0,
        refusals: {},
        overruns: 0,
        isWithdrawn: false,
        earlyEnd: null,
      };
      return { label, playerId: label, points: own, rank, ...counts };
    });
    return { number: index + 1, seed: index + 1, courseDigest: `${index}`, players };
  });
  const courses = made.map((game): GameCourse => {
    return {
      players: labels.map((label) => courseOf(label, game)),
      types: { buildings: [], ships: ['scout'], drives: [], missions: [], research: [] },
    };
  });
  const entrants = labels.map((label) => {
    const [source = '', wakeups = '150'] = label.split('@');
    return { label, kind: 'bot', source, commandsPerDay: 100, wakeupsPerDay: Number(wakeups) } as const;
  });
  const settings = {
    days: 2,
    seeds: [1],
    rounds: 1,
    systemsPerGalaxy: 9,
    rules: { name: 'r', version: 1, digest: '' },
  };
  const tournament = { settings, entrants, games, ...standingsOf(labels, games, 'seed') } as unknown as Tournament;
  const league = leagueOf(tournament, courses);
  const bars = barsOf(tournament, courses, league);
  return { bars, text: leagueText(league, bars), chart: pointsChart(league) };
}

function courseOf(
  label: string,
  { points, scouts = {}, planets = 3, looks = NO_LOOKS, looted = {}, traded = {} }: MadeGame,
): PlayerCourse {
  const own = points[label] ?? 0;
  const none = { buildings: {}, drives: {}, missions: {}, research: {} };
  return {
    playerId: label,
    points: [own / 2, own],
    planets,
    looks,
    firstWeek: looks,
    ships: { scout: scouts[label] ?? 0 },
    looted: looted[label] ?? 0,
    traded: traded[label] ?? 0,
    ...none,
  };
}

const barNamed = (bars: readonly Bar[], name: string, about?: string): Bar | undefined =>
  bars.find((bar) => bar.name === name && (about === undefined || bar.about === about));

t.test('who always wins and who always loses misses the bar, and the floor does not count', async (t) => {
  const { bars } = barsOfGames(() => ({ points: { planner: 40, greedy: 30, raider: 20, idler: 90, random: 1 } }));
  t.match(barNamed(bars, 'nobody always wins'), { about: 'planner', figure: 1, verdict: 'missed' });
  t.match(barNamed(bars, 'nobody always loses'), { about: 'raider', figure: 3, verdict: 'missed' });
  t.match(barNamed(bars, 'mixing beats each pure strategy', 'greedy'), { figure: 1, verdict: 'reached' });
  t.match(barNamed(bars, 'strength, not luck'), { figure: 1, interval: [1, 1], verdict: 'reached' });
});

t.test('a figure within a bar whose interval is not is on average only', async (t) => {
  // greedy beats planner in 9 of 20 games: on average planner is ahead, and chance could explain it.
  const { bars, text } = barsOfGames((game) => ({
    points: { planner: 40, greedy: game % 20 < 9 ? 50 : 30, raider: 20 },
  }));
  t.match(barNamed(bars, 'mixing beats each pure strategy', 'greedy'), { verdict: 'on_average' });
  t.match(barNamed(bars, 'mixing beats each pure strategy', 'raider'), { verdict: 'reached' });
  t.match(text, /\| on average only \|/);
});

t.test('skill shows in points, and who builds in fixed ratios falls behind', async (t) => {
  const { bars } = barsOfGames(() => ({ points: { planner: 90, greedy: 60, raider: 30, builder: 50, random: 1 } }));
  const spread = barNamed(bars, 'skill shows');
  t.match(spread, { about: 'planner, raider', verdict: 'reached' });
  t.equal(spread?.figure?.toFixed(6), '3.000000');
  const share = barNamed(bars, 'fixed ratios are not enough');
  t.match(share, { about: 'builder, planner', verdict: 'reached' });
  t.equal(share?.figure?.toFixed(6), '0.555556');
  const { bars: close } = barsOfGames(() => ({ points: { planner: 90, greedy: 80, builder: 60 } }));
  t.match(barNamed(close, 'skill shows'), { verdict: 'missed' });
  t.match(barNamed(close, 'fixed ratios are not enough'), { verdict: 'missed' });
});

t.test('loot counts as a share of the points of serious bots', async (t) => {
  const points = { planner: 60, greedy: 40, idler: 500 };
  const { bars } = barsOfGames(() => ({ points, looted: { planner: 20, greedy: 5, idler: 70 } }));
  t.match(barNamed(bars, 'war moves points'), { figure: 0.25, verdict: 'reached' });
  const peace = barsOfGames(() => ({ points }));
  t.match(barNamed(peace.bars, 'war moves points'), { figure: 0, verdict: 'missed' });
});

t.test('what serious bots received in trades counts as a share of their points, beside loot', async (t) => {
  const points = { planner: 60, greedy: 40, idler: 500 };
  const { bars, text } = barsOfGames(() => ({ points, traded: { planner: 15, greedy: 10, idler: 70 } }));
  t.match(barNamed(bars, 'trade moves points'), { figure: 0.25, verdict: 'reached' });
  t.match(barNamed(bars, 'war moves points'), { figure: 0, verdict: 'missed' });
  t.match(text, /\| planner +\| .* \| 25 % +\|/, 'each entrant has its own share');
  const much = barsOfGames(() => ({ points, traded: { planner: 50 } }));
  t.match(barNamed(much.bars, 'trade moves points'), { figure: 0.5, verdict: 'missed' });
});

t.test('use counts games in which anybody of the better half uses a type', async (t) => {
  const points = { planner: 40, greedy: 30, raider: 20, trader: 10 };
  const used = barsOfGames((game) => ({ points, scouts: { greedy: game < 15 ? 1 : 0, trader: 1 } }));
  t.match(barNamed(used.bars, 'all ships are used'), { about: 'scout', figure: 0.75, verdict: 'reached' });
  const unused = barsOfGames(() => ({ points, scouts: { raider: 1, trader: 1 } }));
  t.match(barNamed(unused.bars, 'all ships are used'), { figure: 0, verdict: 'missed' });
});

t.test('once a day, many planets, and what planets wait for', async (t) => {
  const looks = { timers: 2, balanced: 4, resources: 2, unused: 50 };
  const { bars, chart } = barsOfGames((game) => ({
    points: { planner: 100, greedy: 80, 'planner@1': 60, 'greedy@1': 20 },
    planets: game === 7 ? 200 : 5,
    looks,
  }));
  const daily = barNamed(bars, 'waking up once a day is enough', 'planner@1');
  t.equal(daily?.figure?.toFixed(6), '0.600000');
  t.equal(daily?.verdict, 'reached');
  t.match(barNamed(bars, 'waking up once a day is enough', 'greedy@1'), { verdict: 'missed' });
  t.match(barNamed(bars, 'breadth has an end'), { figure: 200, interval: null, verdict: 'missed' });
  t.match(barNamed(bars, 'time and resources bind alike', 'first week'), { figure: 0.5, verdict: 'reached' });
  t.match(chart, /^<svg [^>]+>/);
  t.equal(chart.match(/<polyline/g)?.length, 4, 'a line for each bot');
  t.equal(chart.match(/stroke-dasharray/g)?.length, 2, 'dashed if it is seldom woken');
});
