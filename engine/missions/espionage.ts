// espionage: scouts report a foreign planet; the target learns that they came. Stocks are always seen; ships where the
// scouts outnumber the anti_spy level, buildings where they outnumber it twice.
import { refuse } from '../rejections.js';
import { fileReport } from '../report-filing.js';
import { ANTI_SPY, ENERGY, SCOUT } from '../rules/catalogue.js';
import { shippableUnits, stockUnits } from '../stocks.js';
import type { Mission } from './mission.js';

export const espionage: Mission = {
  isReturning: true,

  refusal({ player, target, ships }) {
    if (ships[SCOUT] === 0) return refuse('mission_not_possible', { reason: 'Espionage needs a scout.' });
    if (target === undefined) return refuse('mission_not_possible', { reason: 'Nobody owns the target planet.' });
    if (target.owner === player) {
      return refuse('mission_not_possible', { reason: 'The target planet belongs to the player itself.' });
    }
    return null;
  },

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target === undefined || target.owner === fleet.owner) return 'returns';
    const scouts = fleet.ships[SCOUT] as number;
    const antiSpyLevel = target.levels[ANTI_SPY] as number;
    const head = {
      atMs: world.nowMs,
      planetKey: target.key,
      attackerNumber: fleet.owner.number,
      defenderNumber: target.owner.number,
    };
    const stocks = [...shippableUnits(world, target, world.nowMs), stockUnits(world, target, ENERGY, world.nowMs)];
    const ships = scouts > antiSpyLevel ? [...target.ships] : null;
    const buildings = scouts > 2 * antiSpyLevel ? [...target.levels] : null;
    fileReport(world, { ...head, type: 'espionage', stocks, ships, buildings }, [fleet.owner]);
    fileReport(world, { ...head, type: 'espionage_detected', scouts }, [target.owner]);
    return 'returns';
  },
};
