// What follows from the result of a tournament: which places an entrant may have, who finished ahead of whom, who was first in a game.
// It knows no browser.
import type { Tournament, TournamentGame } from '../../world/tournament.js';

export type Rating = Tournament['ratings'][number];
export type Entrant = Tournament['entrants'][number];
export type GamePlayer = TournamentGame['players'][number];

/** A rating with its place. */
export interface Standing extends Rating {
  /** From 1, by rating. */
  readonly place: number;
  /** The best and the worst place that the confidence intervals allow. */
  readonly best: number;
  readonly worst: number;
}

/** The ratings with their places, the best first. */
export function standingsOf({ ratings }: Tournament): Standing[] {
  const lows = ratings.map(({ low }) => low).sort((one, other) => one - other);
  const highs = ratings.map(({ high }) => high).sort((one, other) => one - other);
  return ratings.map((rating, index) => ({
    ...rating,
    place: index + 1,
    best: 1 + ratings.length - countUpTo(lows, rating.high),
    worst: ratings.length - countBelow(highs, rating.low),
  }));
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
  const rows = labels.map(() => labels.map(() => ({ games: 0, ahead: 0, level: 0 })));
  const places = new Map(labels.map((label, index) => [label, index]));
  for (const { players } of games) {
    const ranks = players.flatMap(({ label, rank }) => {
      const place = places.get(label);
      return place === undefined ? [] : [{ place, rank }];
    });
    for (const one of ranks)
      for (const other of ranks) {
        const duel = rows[one.place]?.[other.place];
        if (duel === undefined || one === other) continue;
        duel.games += 1;
        if (one.rank < other.rank) duel.ahead += 1;
        if (one.rank === other.rank) duel.level += 1;
      }
  }
  return new Map(
    labels.map((label, row) => [label, new Map(labels.map((other, column) => [other, duelAt(rows, row, column)]))]),
  );
}

/** Share of the games in which the one was ahead; those in which both were level count half. Null if there was none. */
export function shareOfDuel({ games, ahead, level }: Duel): number | null {
  return games === 0 ? null : (ahead + level / 2) / games;
}

/** The players of a game, the best first; equal ones in the order of their starts. */
export function rankedPlayers({ players }: TournamentGame): GamePlayer[] {
  return players.toSorted((one, other) => one.rank - other.rank);
}

/** Refused commands of a game by entrant and code, the most frequent first. */
export function refusalsOf({ players }: TournamentGame): { label: string; code: string; count: number }[] {
  return players
    .flatMap(({ label, refusals }) => Object.entries(refusals).map(([code, count]) => ({ label, code, count })))
    .sort((one, other) => other.count - one.count);
}

/** Sum of the refused commands of a player. */
export function refusedCount({ refusals }: GamePlayer): number {
  return Object.values(refusals).reduce((sum, count) => sum + count, 0);
}

function duelAt(rows: readonly (readonly Duel[])[], row: number, column: number): Duel {
  return rows[row]?.[column] ?? { games: 0, ahead: 0, level: 0 };
}

/** How many of ascending values are at most this one. */
function countUpTo(values: readonly number[], bound: number): number {
  const found = values.findIndex((value) => value > bound);
  return found === -1 ? values.length : found;
}

/** How many of ascending values are below this one. */
function countBelow(values: readonly number[], bound: number): number {
  const found = values.findIndex((value) => value >= bound);
  return found === -1 ? values.length : found;
}
