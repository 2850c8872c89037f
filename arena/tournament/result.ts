// The shapes of a tournament's result, and the ranks of a game.
import type { Shapes } from '../galaxyd-client.js';

/** The content of `result.json`. */
export type Tournament = Shapes['Tournament'];
export type TournamentEntrant = Tournament['entrants'][number];
export type TournamentGame = Tournament['games'][number];
export type TournamentPlayer = TournamentGame['players'][number];
export type Rating = Tournament['ratings'][number];
/** While the tournament runs, the file has no key secret. */
export type ShownSettings = Tournament['settings'];
export type Settings = ShownSettings & { readonly keySecret: string };

/** Ranks by points, 1 for the most; equal points share the mean of their places. */
export function ranksOf(points: readonly number[]): number[] {
  return points.map((own) => {
    const better = points.filter((other) => other > own).length;
    const equal = points.filter((other) => other === own).length;
    return better + (equal + 1) / 2;
  });
}
