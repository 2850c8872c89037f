// The course of a game: the points of its players after each world day.
import { createHash } from 'node:crypto';
import type { FinishedPlayer, FinishedWorld } from './result.js';

/** Points of a player after each of the days of a game; those of the last day are those of the end. */
export function dailyPoints({ points, pointsByDay }: FinishedPlayer, days: number): number[] {
  // Nothing has changed since the last entry of the log.
  return Array.from({ length: Math.ceil(days) }, (_, day) => (day + 1 < days ? (pointsByDay[day] ?? points) : points));
}

/** SHA-256 over the courses of all players, sorted by name. It depends neither on starts nor on keys, as the digest of a log does. */
export function courseDigestOf({ players }: Pick<FinishedWorld, 'players'>, days: number): string {
  const rows = players.map((player) => [player.name, ...dailyPoints(player, days)]);
  const ordered = rows.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(ordered)).digest('hex');
}

/**
 * Games whose course is that of an earlier one: they say nothing new. A game of one player is compared with others, so
 * it is never one of them.
 */
export function repeatingGames<Game extends { readonly courseDigest: string; readonly players: readonly unknown[] }>(
  games: readonly Game[],
): Game[] {
  if (games.every(({ players }) => players.length === 1)) return [];
  const seen = new Set<string>();
  return games.filter(({ courseDigest }) => seen.size === seen.add(courseDigest).size);
}
