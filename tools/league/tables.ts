// The tables of a league: what its games show about the bots and the rules.
import type { Tournament, TournamentGame } from '../../arena/tournament/result.js';
import type { Looks } from '../../cli/play/planet-look.js';
import type { ByType, GameCourse, PlayerCourse } from './game-course.js';

export interface League {
  readonly settings: Pick<Tournament['settings'], 'rules' | 'days' | 'seeds' | 'rounds' | 'systemsPerGalaxy'>;
  readonly games: number;
  /** The best first. */
  readonly standings: readonly Standing[];
  /** Mean Spearman correlation between the ranks of two games: 1 if every game ends alike. Null if there is only one game. */
  readonly rankCorrelation: number | null;
  /** Bots that played both always awake and with fewer wake-ups. */
  readonly attendance: readonly Attendance[];
  /** What the players of the better half use, by kind. */
  readonly use: Readonly<Record<keyof GameCourse['types'], readonly Use[]>>;
}

export interface Standing {
  readonly label: string;
  readonly source: string;
  readonly wakeupsPerDay: number;
  readonly rating: number;
  readonly ratingInterval: readonly [number, number];
  readonly meanRank: number;
  readonly meanRankInterval: readonly [number, number];
  readonly firsts: number;
  /** Means over all games. */
  readonly points: number;
  readonly planets: number;
  readonly commandsPerDay: number;
  readonly wakesPerDay: number;
  readonly refusedCommands: number;
  /** Goods received in trades, as a share of its points. */
  readonly tradedShare: number;
  /** Shares of the samples of its planets. */
  readonly looks: Looks;
  /** Points at the end of each day. */
  readonly pointsByDay: readonly number[];
}

interface Attendance {
  readonly source: string;
  readonly awake: string;
  readonly seldom: string;
  readonly wakeupsPerDay: number;
  /** Geometric mean over the games: points with fewer wake-ups, divided by points always awake. */
  readonly share: number;
}

export interface Use {
  readonly type: string;
  /** Share of all units, or launches, of the better half. */
  readonly share: number;
  /** Share of the players of the better half that use it. */
  readonly players: number;
  /** Share of the games in which at least one of them uses it. */
  readonly games: number;
}

/** A player of a game, with its course. */
export interface Played {
  readonly game: TournamentGame;
  readonly player: TournamentGame['players'][number];
  readonly course: PlayerCourse;
}

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/**
 * @param tournament finished
 * @param courses of its games, in their order
 */
export function leagueOf(tournament: Tournament, courses: readonly GameCourse[]): League {
  const { settings, games } = tournament;
  const { rules, days, seeds, rounds, systemsPerGalaxy } = settings;
  const played = playedGames(tournament, courses).flat();
  const [first] = courses;
  const better = played.filter(isBetterHalf);
  const useOf = (kind: keyof GameCourse['types']): Use[] =>
    (first?.types[kind] ?? []).map((type) => useOfType(better, kind, type, games.length));
  return {
    settings: { rules, days, seeds, rounds, systemsPerGalaxy },
    games: games.length,
    standings: tournament.ratings.map((rating) => standingOf(tournament, rating, played)),
    rankCorrelation: rankCorrelation(games),
    attendance: attendanceOf(tournament),
    use: {
      buildings: useOf('buildings'),
      ships: useOf('ships'),
      drives: useOf('drives'),
      missions: useOf('missions'),
      research: useOf('research'),
    },
  };
}

/** The players of each game, with their courses. */
export function playedGames({ games }: Tournament, courses: readonly GameCourse[]): Played[][] {
  return games.map((game, index) =>
    game.players.flatMap((player): Played[] => {
      const course = courses[index]?.players.find(({ playerId }) => playerId === player.playerId);
      return course === undefined ? [] : [{ game, player, course }];
    }),
  );
}

/** Whether a player ended in the upper half of its game. */
export const isBetterHalf = ({ game, player }: Played): boolean => player.rank <= game.players.length / 2;

/** Units that players took from others or received in trades, as a share of their points. */
export function movedShare(played: readonly Played[], moved: 'looted' | 'traded'): number {
  const points = played.reduce((sum, { player }) => sum + player.points, 0);
  return played.reduce((sum, { course }) => sum + course[moved], 0) / Math.max(1, points);
}

function standingOf(
  { entrants, settings }: Tournament,
  rating: Tournament['ratings'][number],
  played: readonly Played[],
): Standing {
  const own = played.filter(({ player }) => player.label === rating.label);
  const entrant = entrants.find(({ label }) => label === rating.label);
  const courses = own.map(({ course }) => course);
  const looks = courses.map((course) => course.looks);
  const all = looks.reduce(
    (sum, { timers, balanced, resources, unused }) => sum + timers + balanced + resources + unused,
    0,
  );
  const shareOf = (kind: keyof Looks): number => looks.reduce((sum, each) => sum + each[kind], 0) / Math.max(1, all);
  const days = Math.max(0, ...courses.map(({ points }) => points.length));
  return {
    label: rating.label,
    source: entrant?.source ?? '',
    wakeupsPerDay: entrant?.wakeupsPerDay ?? 0,
    rating: rating.rating,
    ratingInterval: [rating.low, rating.high],
    meanRank: rating.meanRank,
    meanRankInterval: [rating.meanRankLow, rating.meanRankHigh],
    firsts: rating.firsts,
    points: Math.round(mean(own.map(({ player }) => player.points))),
    planets: mean(courses.map(({ planets }) => planets)),
    commandsPerDay: mean(own.map(({ player }) => player.commands)) / settings.days,
    wakesPerDay: mean(own.map(({ player }) => player.wakeups)) / settings.days,
    refusedCommands: own.reduce((sum, { player }) => sum + sumOf(player.refusals), 0),
    tradedShare: movedShare(own, 'traded'),
    looks: {
      timers: shareOf('timers'),
      balanced: shareOf('balanced'),
      resources: shareOf('resources'),
      unused: shareOf('unused'),
    },
    pointsByDay: Array.from({ length: days }, (_, day) =>
      Math.round(mean(courses.map(({ points }) => points[day] ?? 0))),
    ),
  };
}

function useOfType(better: readonly Played[], kind: keyof GameCourse['types'], type: string, gameCount: number): Use {
  const counts = better.map(({ course }) => course[kind]);
  const all = counts.reduce((sum, each) => sum + sumOf(each), 0);
  const own = counts.reduce((sum, each) => sum + (each[type] ?? 0), 0);
  const users = better.filter(({ course }) => (course[kind][type] ?? 0) > 0);
  const games = new Set(users.map(({ game }) => game)).size;
  return {
    type,
    share: own / Math.max(1, all),
    players: users.length / Math.max(1, counts.length),
    games: games / Math.max(1, gameCount),
  };
}

const sumOf = (counts: ByType): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Pairs of entrants of the same source, of which one has fewer wake-ups. */
function attendanceOf({ entrants, games }: Tournament): Attendance[] {
  return entrants.flatMap((seldom) => {
    const awake = entrants.find((each) => each.source === seldom.source && each.wakeupsPerDay > seldom.wakeupsPerDay);
    if (awake === undefined) return [];
    const pointsOf = ({ players }: TournamentGame, label: string): number =>
      Math.max(1, players.find((player) => player.label === label)?.points ?? 0);
    const logarithms = games.map((game) => Math.log(pointsOf(game, seldom.label) / pointsOf(game, awake.label)));
    const { source, wakeupsPerDay } = seldom;
    return [{ source, awake: awake.label, seldom: seldom.label, wakeupsPerDay, share: Math.exp(mean(logarithms)) }];
  });
}

/**
 * Mean of Spearman's correlation over all pairs of games: Pearson's correlation of the ranks, in which equal points share a rank.
 *
 * @returns null if there are fewer than two games, or all ranks of a game are equal
 */
export function rankCorrelation(games: readonly Pick<TournamentGame, 'players'>[]): number | null {
  const labels = games[0]?.players.map(({ label }) => label) ?? [];
  const ranks = games.map(({ players }) =>
    labels.map((label) => players.find((player) => player.label === label)?.rank ?? 0),
  );
  const correlations = ranks.flatMap((one, index) => ranks.slice(index + 1).map((other) => correlation(one, other)));
  return correlations.length === 0 || correlations.some(Number.isNaN) ? null : mean(correlations);
}

export function correlation(one: readonly number[], other: readonly number[]): number {
  const [meanOne, meanOther] = [mean(one), mean(other)];
  let [product, squaresOne, squaresOther] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const [left, right] = [value - meanOne, (other[index] ?? 0) - meanOther];
    product += left * right;
    squaresOne += left * left;
    squaresOther += right * right;
  }
  return product / Math.sqrt(squaresOne * squaresOther);
}
