// espionage: scouts report on a planet of another player, who gets a report that they came. sight.ts says what they see. There is no report
// on a planet that nobody owns.

import type { EventRecorder } from '../events/event-recorder.js';
import { sum } from '../numbers/arithmetic.js';
import { allUnits } from '../planets/stocks.js';
import { refuse } from '../terms/rejections.js';
import type { EspionageDetection, EspionageReport } from '../terms/reports.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import { fileReport, nextReportNumber, type World } from '../world/state.js';
import { type Mission, UNOWNED } from './mission.js';
import { sightOfScouts } from './sight.js';

export const espionage: Mission = {
  isReturning: true,

  refusal({ player, target, ships }, { set, scout }) {
    if (ships[scout] === 0) return refuse('mission_not_possible', { reason: `Espionage needs a ${set.roles.scout}.` });
    if (target?.ownerNumber === player.number) {
      return refuse('mission_not_possible', { reason: 'A player cannot spy on its own planet.' });
    }
    return null;
  },

  warning: ({ target }) => (target === undefined ? UNOWNED : null),

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target === undefined || target.ownerNumber === fleet.ownerNumber) return 'returns';
    const scouts = fleet.shipCount(world.rules.scout);
    const { rules } = world;
    const sees = sightOfScouts(
      scouts + rules.sightBonusOf(fleet.owner),
      target.levelOf(rules.antiSpy) + rules.sightBonusOf(target.owner),
    );
    const seen: EspionageReport = {
      type: 'espionage',
      number: nextReportNumber(world),
      atMs: world.nowMs,
      planetKey: target.key,
      attackerNumber: fleet.ownerNumber,
      defenderNumber: target.ownerNumber,
      stocks: allUnits(world, target, world.nowMs),
      ships: sees.ships ? defendingShips(world, target) : null,
      buildings: sees.buildings ? target.levels : null,
    };
    const detected: EspionageDetection = {
      type: 'espionage_detected',
      number: nextReportNumber(world),
      atMs: world.nowMs,
      planetKey: target.key,
      attackerNumber: fleet.ownerNumber,
      defenderNumber: target.ownerNumber,
      scouts,
    };
    fileReport(world, seen, fleet.owner);
    fileReport(world, detected, target.owner);
    recordEspionage(world.events, fleet, seen, detected);
    return 'returns';
  },
};

/** All ships that would defend a planet: those of its owner and of its supporters. */
function defendingShips(world: World, planet: Planet): number[] {
  const forces = [planet, ...world.fleets.stationedAt(planet.key)];
  return planet.ships.map((_, type) => sum(forces.map((force) => force.shipCount(type))));
}

function recordEspionage(
  events: EventRecorder,
  { number: fleetNumber }: Fleet,
  seen: EspionageReport,
  detected: EspionageDetection,
): void {
  const { atMs, planetKey, attackerNumber, defenderNumber, stocks, ships, buildings } = seen;
  events.push({
    kind: 'espionage_report',
    atMs,
    playerNumber: attackerNumber,
    fleetNumber,
    reportNumber: seen.number,
    planetKey,
    defenderNumber,
    stocks,
    ships,
    buildings,
  });
  events.push({
    kind: 'espionage_detected',
    atMs,
    playerNumber: defenderNumber,
    fleetNumber,
    reportNumber: detected.number,
    planetKey,
    attackerNumber,
    scouts: detected.scouts,
  });
}
