// attack: a battle with the ships, the shield, the defences and the supporters of the target. If the attacker wins, it takes loot. Survivors
// fly home, and both sides get the report. If the target has no owner, belongs to the attacker or is protected, the fleet flies home
// without a battle.

import { truceUntilMs } from '../diplomacy/pacts.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { multiplyDivideFloor, shareOf, sum } from '../numbers/arithmetic.js';
import { addDestroyed, addShipPoints, unitsOfShips } from '../planets/points.js';
import type { Rules } from '../rules/rules.js';
import { refuse } from '../terms/rejections.js';
import type { CombatReport, Losses } from '../terms/reports.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import { fileReport, nextReportNumber, touchPlanet, touchPlayer, type World } from '../world/state.js';
import { type Battle, fight, type Side } from './combat.js';
import { leaveWrecks } from './fields.js';
import { destroyFleet, eventFieldsOf, homeAtMs } from './fleets.js';
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
    const truceMs = truceUntilMs(world, player.number, owner.number, arrivesAtMs);
    if (truceMs > 0) return { code: 'target_in_pact', untilMs: truceMs };
    if (lootableUnits(world, player, owner.number, arrivesAtMs) > 0) return null;
    const untilMs = player.looted?.untilMs ?? 0;
    // Without a period a player takes nothing because it produces nothing.
    return untilMs > arrivesAtMs ? { code: 'loot_used_up', untilMs } : { code: 'loot_used_up' };
  },

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target === undefined || target.ownerNumber === fleet.ownerNumber) return 'returns';
    const untilMs = peaceUntilMs(world, fleet, target.owner);
    if (untilMs > 0) return turnAway(world, fleet, target.ownerNumber, untilMs);
    const { rules } = world;
    const supporters = world.fleets.stationedAt(target.key);
    const battle = battleOf(rules, fleet, target, supporters);
    const attacker = loserOf(world, fleet, battle.attackersLeft);
    const left = [battle.defendersLeft, ...battle.supportersLeft];
    const defenders = [target, ...supporters].map((force, place) =>
      loserOf(world, force, left[place] as readonly number[]),
    );
    const defence = defenders.map(({ losses }) => losses).reduce(together);
    const lost = [
      { ships: attacker.losses.lost, units: attacker.units },
      { ships: defence.lost, units: sum(defenders.map(({ units }) => units)) },
    ];
    const lesserUnits = Math.min(...lost.map(({ units }) => units));
    if (rules.war !== null) countDestroyed(world, attacker, defenders, lesserUnits);
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
      attacker: attacker.losses,
      defender: defence,
      loot,
      cargoLost,
    };
    const readers = readersOf(fleet, target, supporters);
    for (const reader of readers) fileReport(world, report, reader);
    for (const [place, supporter] of supporters.entries())
      recordSupport(world, supporter, report, (defenders[1 + place] as Loser).losses.lost);
    recordBattle(world.events, fleet, report, readers);
    leaveWrecks(world, fleet, lost, lesserUnits);
    for (const supporter of supporters) if (sum(supporter.ships) === 0) destroyFleet(world, supporter);
    return sum(fleet.ships) === 0 ? 'ends' : 'returns';
  },
};

/** Whose ships fight: a fleet, or those on their own planet. */
type Force = Pick<Fleet, 'owner' | 'ships' | 'setShipCount'>;

function battleOf(rules: Rules, fleet: Fleet, target: Planet, supporters: readonly Fleet[]): Battle {
  const side = ({ owner, ships }: Force): Side => ({
    ships,
    attackPercent: rules.attackPercentOf(owner),
    hitPointPercent: rules.hitPointPercentOf(owner),
  });
  const defences = rules.war?.defences ?? [];
  const ground = {
    shieldLevel: target.levelOf(rules.planetaryShield),
    defenceLevels: defences.map(({ building }) => target.levelOf(building)),
  };
  return fight(rules, side(fleet), side(target), ground, supporters.map(side));
}

/** World time until which the defender is protected, or has a pact with the attacker; 0 if neither. */
function peaceUntilMs(world: World, { ownerNumber }: Fleet, defender: Player): number {
  if (isProtected(defender, world.nowMs)) return defender.protectedUntilMs;
  return truceUntilMs(world, ownerNumber, defender.number, world.nowMs);
}

function turnAway(world: World, fleet: Fleet, defenderNumber: number, untilMs: number): Arrival {
  world.events.push({
    kind: 'attack_turned_away',
    ...eventFieldsOf(world, fleet),
    defenderNumber,
    untilMs,
    returnsAtMs: homeAtMs(fleet),
  });
  return 'returns';
}

/** Returns the players that get the report: those of both sides, each once. */
function readersOf(fleet: Fleet, target: Planet, supporters: readonly Fleet[]): Player[] {
  const forces = [fleet, target, ...supporters];
  const isFirst = ({ ownerNumber }: Fleet | Planet, place: number): boolean =>
    forces.findIndex((force) => force.ownerNumber === ownerNumber) === place;
  return forces.filter(isFirst).map(({ owner }) => owner);
}

function recordSupport(world: World, fleet: Fleet, report: CombatReport, lost: readonly number[]): void {
  touchPlayer(world, fleet.owner);
  world.events.push({
    kind: 'support_fought',
    ...eventFieldsOf(world, fleet),
    attackerNumber: report.attackerNumber,
    hostNumber: report.defenderNumber,
    reportNumber: report.number,
    lost,
  });
}

/** Records the summary of the report for each of its readers, and the battle for everybody. */
function recordBattle(
  events: EventRecorder,
  { number: fleetNumber }: Fleet,
  report: CombatReport,
  readers: readonly Player[],
): void {
  const { atMs, planetKey, attackerNumber, defenderNumber, outcome, rounds, attacker, defender, loot } = report;
  for (const { number: playerNumber } of readers) {
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

/** A force after a battle. */
interface Loser {
  readonly owner: Player;
  readonly losses: Losses;
  /** Units of all resources that the lost ships cost. */
  readonly units: number;
}

/** Takes the lost ships from a force, and from its owner's points. */
function loserOf(world: World, force: Force, left: readonly number[]): Loser {
  const { ships: sent, owner } = force;
  const lost: number[] = [];
  for (let type = 0; type < sent.length; type += 1) {
    const lostCount = (sent[type] as number) - (left[type] as number);
    lost.push(lostCount);
    force.setShipCount(type, left[type] as number);
    if (lostCount > 0) addShipPoints(world, owner.number, type, -lostCount);
  }
  return { owner, losses: { sent, lost, left }, units: unitsOfShips(world.rules, lost) };
}

/** The losses of two forces that fought together. */
function together(one: Losses, other: Losses): Losses {
  const added = (counts: readonly number[], more: readonly number[]) =>
    counts.map((count, type) => count + (more[type] as number));
  return {
    sent: added(one.sent, other.sent),
    lost: added(one.lost, other.lost),
    left: added(one.left, other.left),
  };
}

/**
 * Each side gains for what it destroyed, at most for as many units as it lost itself. The defenders share it by what each lost, so none of
 * them gains for more than that either.
 *
 * @param lesserUnits units of the side that lost less
 */
function countDestroyed(world: World, { owner }: Loser, defenders: readonly Loser[], lesserUnits: number): void {
  addDestroyed(world, owner, lesserUnits);
  const lost = defenders.map(({ units }) => units);
  for (const [place, share] of shares(lesserUnits, lost).entries())
    addDestroyed(world, (defenders[place] as Loser).owner, share);
}

/**
 * Divides units in proportion. What is left after rounding down goes to the largest remainders, among equals to the first.
 *
 * @param units at most the sum of the weights
 */
function shares(units: number, weights: readonly number[]): number[] {
  const total = sum(weights);
  if (total === 0) return weights.map(() => 0);
  const floors = weights.map((weight) => multiplyDivideFloor(units, weight, total));
  const left = units - sum(floors);
  const byRemainder = weights
    .map((weight, place) => ({ place, remainder: (BigInt(units) * BigInt(weight)) % BigInt(total) }))
    .sort((one, other) =>
      one.remainder === other.remainder ? one.place - other.place : one.remainder > other.remainder ? -1 : 1,
    );
  const raised = new Set(byRemainder.slice(0, left).map(({ place }) => place));
  return floors.map((floor, place) => floor + (raised.has(place) ? 1 : 0));
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
