// attack: a battle with the ships, the shield and the defences of the target. If the attacker wins, it takes loot. Survivors fly
// home, and both sides get the report. If the target has no owner, belongs to the attacker or is protected, the fleet flies
// home without a battle.

import type { EventRecorder } from '../events/event-recorder.js';
import { shareOf, sum } from '../numbers/arithmetic.js';
import { addDestroyed, addShipPoints, unitsOfShips } from '../planets/points.js';
import type { Rules } from '../rules/rules.js';
import { refuse } from '../terms/rejections.js';
import type { CombatReport, Losses } from '../terms/reports.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import { fileReport, nextReportNumber, touchPlanet, type World } from '../world/state.js';
import { type Battle, fight, type Side } from './combat.js';
import { leaveWrecks } from './fields.js';
import { eventFieldsOf, homeAtMs } from './fleets.js';
import { cargoCapacity } from './flight.js';
import { lootableUnits, takeLoot } from './loot.js';
import { type Arrival, type Mission, UNOWNED } from './mission.js';
import { isProtected } from './protection.js';

export const attack: Mission = {
  isReturning: true,

  refusal({ player, target }) {
    if (target?.ownerNumber === player.number) {
      return refuse('mission_not_possible', { reason: 'A player cannot attack its own planet.' });
    }
    return null;
  },

  warning({ player, target, arrivesAtMs }, world) {
    if (target === undefined) return UNOWNED;
    const { owner } = target;
    if (isProtected(owner, arrivesAtMs)) return { code: 'target_protected', untilMs: owner.protectedUntilMs };
    if (lootableUnits(world, player, owner.number, arrivesAtMs) > 0) return null;
    const untilMs = player.looted?.untilMs ?? 0;
    // Without a period a player takes nothing because it produces nothing.
    return untilMs > arrivesAtMs ? { code: 'loot_used_up', untilMs } : { code: 'loot_used_up' };
  },

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target === undefined || target.ownerNumber === fleet.ownerNumber) return 'returns';
    if (isProtected(target.owner, world.nowMs)) return turnAway(world, fleet, target.owner);
    const { rules } = world;
    const battle = battleOf(rules, fleet, target);
    const attacker = countLosses(world, fleet.owner, fleet.ships, battle.attackersLeft);
    const defender = countLosses(world, target.owner, target.ships, battle.defendersLeft);
    const losses = [attacker.lost, defender.lost].map((ships) => ({ ships, units: unitsOfShips(rules, ships) }));
    const lesserUnits = Math.min(...losses.map(({ units }) => units));
    // Each side gains for what it destroyed, at most for as many units as it lost itself.
    if (rules.war !== null) for (const side of [fleet.owner, target.owner]) addDestroyed(world, side, lesserUnits);
    for (let type = 0; type < rules.ships.length; type += 1) {
      fleet.setShipCount(type, attacker.left[type] as number);
      target.setShipCount(type, defender.left[type] as number);
    }
    const cargoLost = dropExcessCargo(rules, fleet);
    const loot = battle.outcome === 'attacker_won' ? takeLoot(world, fleet, target) : [0, 0, 0, 0];
    touchPlanet(world, target);
    const report: CombatReport = {
      type: 'combat',
      number: nextReportNumber(world),
      atMs: world.nowMs,
      planetKey: target.key,
      attackerNumber: fleet.ownerNumber,
      defenderNumber: target.ownerNumber,
      outcome: battle.outcome,
      rounds: battle.rounds,
      shieldHitPoints: battle.shieldHitPoints,
      attacker,
      defender,
      loot,
      cargoLost,
    };
    fileReport(world, report, fleet.owner);
    fileReport(world, report, target.owner);
    recordBattle(world.events, fleet, report);
    leaveWrecks(world, fleet, losses, lesserUnits);
    return sum(fleet.ships) === 0 ? 'ends' : 'returns';
  },
};

function battleOf(rules: Rules, { owner, ships }: Fleet, target: Planet): Battle {
  const side = (player: Player, ofPlayer: readonly number[]): Side => ({
    ships: ofPlayer,
    attackPercent: rules.attackPercentOf(player),
    hitPointPercent: rules.hitPointPercentOf(player),
  });
  const defences = rules.war?.defences ?? [];
  return fight(rules, side(owner, ships), side(target.owner, target.ships), {
    shieldLevel: target.levelOf(rules.planetaryShield),
    defenceLevels: defences.map(({ building }) => target.levelOf(building)),
  });
}

function turnAway(world: World, fleet: Fleet, { number, protectedUntilMs }: Player): Arrival {
  world.events.push({
    kind: 'attack_turned_away',
    ...eventFieldsOf(world, fleet),
    defenderNumber: number,
    protectedUntilMs,
    returnsAtMs: homeAtMs(fleet),
  });
  return 'returns';
}

/** Records the summary of the report for each side, and the battle for everybody. */
function recordBattle(events: EventRecorder, { number: fleetNumber }: Fleet, report: CombatReport): void {
  const { atMs, planetKey, attackerNumber, defenderNumber, outcome, rounds, attacker, defender, loot } = report;
  for (const playerNumber of [attackerNumber, defenderNumber]) {
    events.push({
      kind: 'combat_report',
      atMs,
      playerNumber,
      fleetNumber,
      reportNumber: report.number,
      planetKey,
      attackerNumber,
      defenderNumber,
      outcome,
      attackerLost: attacker.lost,
      defenderLost: defender.lost,
      loot,
    });
  }
  events.push({
    kind: 'battle',
    atMs,
    playerNumber: attackerNumber,
    fleetNumber,
    planetKey,
    defenderNumber,
    outcome,
    rounds,
    attackerLostCount: sum(attacker.lost),
    defenderLostCount: sum(defender.lost),
    loot,
  });
}

/** Subtracts the lost ships from their owner's points. @returns the losses */
function countLosses(world: World, owner: Player, sent: readonly number[], left: readonly number[]): Losses {
  const lost: number[] = [];
  for (let type = 0; type < sent.length; type += 1) {
    const lostCount = (sent[type] as number) - (left[type] as number);
    lost.push(lostCount);
    if (lostCount > 0) addShipPoints(world, owner.number, type, -lostCount);
  }
  return { sent, lost, left };
}

/** Drops the cargo that the survivors cannot hold, in proportion. @returns the units lost, by resource */
function dropExcessCargo(rules: Rules, fleet: Fleet): number[] {
  const carried = fleet.cargo;
  const kept = shareOf(carried, cargoCapacity(rules, fleet.ships, rules.cargoPercentOf(fleet.owner)));
  return carried.map((units, resource) => {
    const keptUnits = kept[resource] as number;
    fleet.setCargo(resource, keptUnits);
    return units - keptUnits;
  });
}
