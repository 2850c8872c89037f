// espionage: scouts report on a planet of another player, who is informed that they came. They always see the stocks.
// They see the ships if there are more scouts than the anti_spy level, and the buildings if there are more than twice
// that level. A planet that nobody owns gives no report.
import { refuse } from '../rejections.js';
import { fileReport, nextReportNumber } from '../report-filing.js';
import type { EspionageDetection, EspionageReport } from '../reports.js';
import { allUnits } from '../stocks.js';
import type { Mission } from './mission.js';

export const espionage: Mission = {
  isReturning: true,
  warnsTarget: true,

  refusal({ player, target, ships }, { set, scout }) {
    if (ships[scout] === 0) return refuse('mission_not_possible', { reason: `Espionage needs a ${set.roles.scout}.` });
    if (target?.ownerNumber === player.number) {
      return refuse('mission_not_possible', { reason: 'A player cannot spy on its own planet.' });
    }
    return null;
  },

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target === undefined || target.ownerNumber === fleet.owner.number) return 'returns';
    const scouts = fleet.ships[world.rules.scout] as number;
    const antiSpyLevel = target.levelOf(world.rules.antiSpy);
    const seen: EspionageReport = {
      type: 'espionage',
      number: nextReportNumber(world),
      atMs: world.nowMs,
      planetKey: target.key,
      attackerNumber: fleet.owner.number,
      defenderNumber: target.ownerNumber,
      stocks: allUnits(world, target, world.nowMs),
      ships: scouts > antiSpyLevel ? target.ships : null,
      buildings: scouts > 2 * antiSpyLevel ? target.levels : null,
    };
    const detected: EspionageDetection = {
      type: 'espionage_detected',
      number: nextReportNumber(world),
      atMs: world.nowMs,
      planetKey: target.key,
      attackerNumber: fleet.owner.number,
      defenderNumber: target.ownerNumber,
      scouts,
    };
    fileReport(world, seen, fleet.owner);
    fileReport(world, detected, target.owner);
    const { number: fleetNumber } = fleet;
    const { atMs, attackerNumber, defenderNumber } = seen;
    world.events?.push({ kind: 'espionage_report', atMs, playerNumber: attackerNumber, fleetNumber, report: seen });
    world.events?.push({
      kind: 'espionage_detected',
      atMs,
      playerNumber: defenderNumber,
      fleetNumber,
      report: detected,
    });
    return 'returns';
  },
};
