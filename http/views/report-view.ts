// Combat and espionage reports as plain objects in the contract's words.
import { planetId, playerId, reportId } from '../../engine/ids.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/state.js';
import type { ReportBody } from '../schemas/player.js';
import { isoText } from './iso-time.js';
import { buildingLevels, cargoAmounts, resourceAmounts, shipCounts } from './ships.js';

type ShownReport = ReadonlyPlayer['reports'][number];

/** The reports that a player keeps, the newest first. */
export function reportBodies(world: ReadonlyWorld, player: ReadonlyPlayer): ReportBody[] {
  return player.reports.map((report) => reportBody(world, report)).reverse();
}

function reportBody(world: ReadonlyWorld, report: ShownReport): ReportBody {
  const head = {
    id: reportId(report.number),
    at: isoText(report.atMs),
    planetId: planetId(world.universe, report.planetKey),
    attackerId: playerId(report.attackerNumber),
    defenderId: playerId(report.defenderNumber),
  };
  switch (report.type) {
    case 'combat':
      return {
        ...head,
        type: report.type,
        outcome: report.outcome,
        rounds: report.rounds,
        shieldHitPoints: report.shieldHitPoints,
        attacker: sideBody(report.attacker),
        defender: sideBody(report.defender),
        loot: cargoAmounts(report.loot),
        cargoLost: cargoAmounts(report.cargoLost),
      };
    case 'espionage':
      return {
        ...head,
        type: report.type,
        stocks: resourceAmounts(report.stocks),
        ships: report.ships === null ? null : shipCounts(report.ships),
        buildings: report.buildings === null ? null : buildingLevels(report.buildings),
      };
    case 'espionage_detected':
      return { ...head, type: report.type, scouts: report.scouts };
  }
}

function sideBody(side: Extract<ShownReport, { type: 'combat' }>['attacker']) {
  return { sent: shipCounts(side.sent), lost: shipCounts(side.lost), left: shipCounts(side.left) };
}
