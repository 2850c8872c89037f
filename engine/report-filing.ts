// Adds reports to the players who receive them. A report never changes once it is filed.
import type { Report } from './reports.js';
import { REPORTS_PER_PLAYER_MAX } from './rules/limits.js';
import { type Player, touchPlayer, type World } from './state.js';

/** Returns the number for a new report. */
export function nextReportNumber(world: World): number {
  world.lastReportNumber += 1;
  return world.lastReportNumber;
}

/** Files a report for a player, and drops the oldest one if there are more than REPORTS_PER_PLAYER_MAX. */
export function fileReport(world: World, report: Report, reader: Player): void {
  reader.reports.push(report);
  if (reader.reports.length > REPORTS_PER_PLAYER_MAX) reader.reports.shift();
  touchPlayer(world, reader);
}
