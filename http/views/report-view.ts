// Combat and espionage reports as plain objects, as replies show them.
import { planetId, playerId, reportId } from '../../engine/terms/ids.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import type { ReportBody } from '../schemas/player.js';
import { buildingLevels, cargoAmounts, resourceAmounts, shipCounts } from './ships.js';

type ShownReport = ReadonlyPlayer['reports'][number];

export interface ReportRange {
  /** Only reports with a higher number. */
  readonly afterNumber: number;
  /** How many of the newest, at most. */
  readonly limit: number;
}

/** The reports that a player keeps, the newest first. */
export function reportBodies(world: ReadonlyWorld, player: ReadonlyPlayer, range: ReportRange): ReportBody[] {
  const { afterNumber, limit } = range;
  const bodies: ReportBody[] = [];
  // The player keeps the oldest first, in the order of their numbers.
  for (let index = player.reports.length - 1; index >= 0 && bodies.length < limit; index -= 1) {
    const report = player.reports[index] as ShownReport;
    if (report.number <= afterNumber) break;
    bodies.push(reportBody(world, report));
  }
  return bodies;
}

function reportBody(world: ReadonlyWorld, report: ShownReport): ReportBody {
  const head = {
    id: reportId(report.number),
    at: isoText(report.atMs),
    planetId: planetId(world.universe, report.planetKey),
    attackerId: playerId(world, report.attackerNumber),
    defenderId: playerId(world, report.defenderNumber),
  };
  switch (report.type) {
    case 'combat':
      return {
        ...head,
        type: report.type,
        outcome: report.outcome,
        rounds: report.rounds,
        shieldHitPoints: report.shieldHitPoints,
        attacker: sideBody(world, report.attacker),
        defender: sideBody(world, report.defender),
        loot: cargoAmounts(report.loot),
        cargoLost: cargoAmounts(report.cargoLost),
      };
    case 'espionage':
      return {
        ...head,
        type: report.type,
        stocks: resourceAmounts(report.stocks),
        ships: report.ships === null ? null : shipCounts(world.rules, report.ships),
        buildings: report.buildings === null ? null : buildingLevels(world.rules, report.buildings),
      };
    case 'espionage_detected':
      return { ...head, type: report.type, scouts: report.scouts };
  }
}

function sideBody({ rules }: ReadonlyWorld, side: Extract<ShownReport, { type: 'combat' }>['attacker']) {
  return { sent: shipCounts(rules, side.sent), lost: shipCounts(rules, side.lost), left: shipCounts(rules, side.left) };
}
