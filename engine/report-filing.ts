// Files reports with the players they are for. A report never changes once it is filed.
import type { Report } from './reports.js';
import { REPORTS_PER_PLAYER_MAX } from './rules/limits.js';
import { type Player, touchPlayer, type World } from './state.js';

/** Distributes Omit over the kinds of report. */
type WithoutNumber<T> = T extends unknown ? Omit<T, 'number'> : never;

/** Files one report for some players; those that have more than REPORTS_PER_PLAYER_MAX lose their oldest. */
export function fileReport(world: World, report: WithoutNumber<Report>, readers: readonly Player[]): void {
  world.lastReportNumber += 1;
  const filed: Report = { ...report, number: world.lastReportNumber };
  for (const player of readers) {
    player.reports.push(filed);
    if (player.reports.length > REPORTS_PER_PLAYER_MAX) player.reports.shift();
    touchPlayer(world, player);
  }
}
