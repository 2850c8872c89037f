// What follows from the result of a tournament: possible places, head-to-head results, the ranking of a game.
// It knows no browser.
import type { Tournament, TournamentGame } from '../../world/documents.js';

type Rating = Tournament['ratings'][number];
export type Entrant = Tournament['entrants'][number];
export type GamePlayer = TournamentGame['players'][number];

/** A rating with its place. */
export interface Standing extends Rating {
  /** Counts from 1, by rating. */
  readonly place: number;
  /** The best and the worst place that the games allow. */
  readonly best: number;
  readonly worst: number;
}

/** The ratings with their places, the best first. An entrant may stand above each one from which the games do not separate it. */
export function standingsOf({ ratings, unseparated }: Pick<Tournament, 'ratings' | 'unseparated'>): Standing[] {
  const isOpen = (one: string, other: string): boolean =>
    unseparated.some((pair) => [pair.one, pair.other].includes(one) && [pair.one, pair.other].includes(other));
  return ratings.map((rating, index) => {
    const openAmong = (others: readonly Rating[]): number =>
      others.filter(({ label }) => isOpen(label, rating.label)).length;
    const place = index + 1;
    const [above, below] = [ratings.slice(0, index), ratings.slice(index + 1)];
    return { ...rating, place, best: place - openAmong(above), worst: place + openAmong(below) };
  });
}

/** The games that took the same course as an earlier one and did not count, with the number of that one. */
export function repeatsOf(games: readonly TournamentGame[]): ReadonlyMap<number, number> {
  const firsts = new Map<string, number>();
  // A game of one player is compared with others.
  if (games.every(({ players }) => players.length === 1)) return new Map();
  const repeats = new Map<number, number>();
  for (const { courseDigest, number } of games) {
    const first = firsts.get(courseDigest);
    if (first === undefined) firsts.set(courseDigest, number);
    else repeats.set(number, first);
  }
  return repeats;
}

/** How an entrant did against another one, in the games that both have played. */
export interface Duel {
  readonly games: number;
  readonly ahead: number;
  readonly level: number;
}

/** How entrants did against each other: by label of the one, then of the other. */
export function duelsOf(
  games: readonly TournamentGame[],
  labels: readonly string[],
): ReadonlyMap<string, ReadonlyMap<string, Duel>> {
  const duels = new Map(
    labels.map((one) => [one, new Map(labels.map((other) => [other, { games: 0, ahead: 0, level: 0 }]))]),
  );
  for (const { players } of games)
    for (const one of players)
      for (const other of players) {
        const duel = duels.get(one.label)?.get(other.label);
        if (duel === undefined || one === other) continue;
        duel.games += 1;
        if (one.rank < other.rank) duel.ahead += 1;
        if (one.rank === other.rank) duel.level += 1;
      }
  return duels;
}

/** Share of the games in which the one was ahead; those in which both were level count half. Null if there was none. */
export function shareOfDuel({ games, ahead, level }: Duel): number | null {
  return games === 0 ? null : (ahead + level / 2) / games;
}

/** The players of a game, the best first; equal ones in the order of their starts. */
export function rankedPlayers({ players }: TournamentGame): GamePlayer[] {
  return players.toSorted((one, other) => one.rank - other.rank);
}

/** How often the commands of an entrant were refused with a code. */
export interface Refusal {
  readonly label: string;
  readonly code: string;
  readonly count: number;
}

/** Refused commands of a game by entrant and code, the most frequent first. */
export function refusalsOf({ players }: TournamentGame): Refusal[] {
  return players
    .flatMap(({ label, refusals }) => Object.entries(refusals).map(([code, count]) => ({ label, code, count })))
    .sort((one, other) => other.count - one.count);
}

/** Sum of the refused commands of a player. */
export function refusedCount({ refusals }: GamePlayer): number {
  return Object.values(refusals).reduce((sum, count) => sum + count, 0);
}
