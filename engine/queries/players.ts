// Lists players: the leaderboard, and inactive players. Finds what is announced, and when something of a world, a player or a planet happens next by itself.

import type { Announcement, ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../world/state.js';

/** Returns the first `count` players by points, best first; with equal points the older player comes first. */
export function rankPlayers(world: ReadonlyWorld, count: number): ReadonlyPlayer[] {
  return world.leaderboard.first(count).map((number) => world.players.get(number) as ReadonlyPlayer);
}

/**
 * Returns the players whose last command is at or before an instant, by number.
 *
 * @param sinceMs world time
 */
export function inactivePlayers(world: ReadonlyWorld, sinceMs: number): ReadonlyPlayer[] {
  const inactive: ReadonlyPlayer[] = [];
  for (const player of world.players.values()) if (player.lastActiveMs <= sinceMs) inactive.push(player);
  return inactive;
}

/** Returns what the operator announces at an instant; null for nothing. */
export function announcementAt({ announcement }: ReadonlyWorld, nowMs: number): Announcement | null {
  return announcement === null || (announcement.untilMs ?? Number.POSITIVE_INFINITY) <= nowMs ? null : announcement;
}

/** World time in milliseconds of the next timer of a world; null if none is pending. */
export function nextTimerOfWorld({ timers: { nextDeadlineMs } }: Pick<ReadonlyWorld, 'timers'>): number | null {
  return Number.isFinite(nextDeadlineMs) ? nextDeadlineMs : null;
}

/**
 * Returns the world time, in milliseconds, at which the next upgrade, ship order, research or flight of a player ends, goods arrive that it has traded for, or a plan
 * starts a step that it can pay for by then; null if none of them is known.
 */
export function nextTimerOf(
  world: ReadonlyWorld,
  { number, firstPlanet, research, fleets }: ReadonlyPlayer,
): number | null {
  let earliestMs = research?.finishAtMs ?? Number.POSITIVE_INFINITY;
  for (let planet = firstPlanet; planet !== undefined; planet = planet.next) {
    earliestMs = Math.min(earliestMs, nextOfPlanetMs(world, planet));
  }
  for (const { isReturning, isStationed, arrivesAtMs, returnsAtMs } of fleets) {
    if (isStationed) continue;
    earliestMs = Math.min(earliestMs, (isReturning ? returnsAtMs : arrivesAtMs) ?? Number.POSITIVE_INFINITY);
  }
  for (const { arrivesAtMs } of world.goods.of(number)) earliestMs = Math.min(earliestMs, arrivesAtMs);
  return Number.isFinite(earliestMs) ? earliestMs : null;
}

/** World time at which the upgrade or first ship order of a planet ends, or its plan starts a step; Infinity if nothing is known. */
export function nextOfPlanetMs({ plans }: ReadonlyWorld, { row, nextFinishMs }: ReadonlyPlanet): number {
  const deadlinesMs = plans.size === 0 ? undefined : plans.get(row)?.deadlinesMs;
  if (deadlinesMs === undefined) return nextFinishMs;
  return Math.min(nextFinishMs, ...deadlinesMs.filter((deadlineMs) => deadlineMs > 0));
}
