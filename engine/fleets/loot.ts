// What a winning attacker takes. Under rules with `war`, all attackers of a planet share what can be taken of it in a period, and a player
// takes of each other player, on all its planets together, at most a share of its own output. So no account can feed another by battles.

import { multiplyDivideFloor, shareOf, sum } from '../numbers/arithmetic.js';
import { takeableUnits, takeByForce } from '../planets/offers.js';
import { producedUnits } from '../planets/stocks.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import { BOUNTY } from '../rules/shock-effects.js';
import { ATTACK } from '../terms/missions.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import type { ReadonlyPlayer, ReadonlyWorld, World } from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';
import { loadShare } from './fleets.js';
import type { Launch } from './mission.js';

/**
 * Units of all resources that a player may still take from another one in the period that an instant is in, as its output is now. Infinity
 * if the rules do not limit it.
 */
export function lootableUnits(
  world: ReadonlyWorld,
  attacker: ReadonlyPlayer,
  defenderNumber: number,
  atMs: number,
): number {
  const { looted } = attacker;
  const taken = looted === null || looted.untilMs <= atMs ? 0 : (looted.units.get(defenderNumber) ?? 0);
  const usual = lootPairUnits(world, attacker);
  if (usual === Number.POSITIVE_INFINITY) return usual;
  const left = multiplyDivideFloor(usual, bountyPercent(world, defenderNumber, atMs), 100) - taken;
  // The share of each resource is rounded down, so what is left over of them would never be taken.
  return left < CARGO_RESOURCE_COUNT ? 0 : left;
}

/** What the bounties on a player let each attacker take of it, in per cent of the usual. */
export function bountyPercent({ shocks }: ReadonlyWorld, playerNumber: number, atMs: number): number {
  let most = 100;
  for (const { effect, percent, playerNumber: raider, startsAtMs, endsAtMs } of shocks.pending()) {
    const isOnPlayer = effect === BOUNTY && raider === playerNumber;
    if (isOnPlayer && startsAtMs <= atMs && atMs < endsAtMs) most = Math.max(most, percent);
  }
  return most;
}

/** Units of all resources that a player may take from each other one in a period, as its output is now. Infinity if the rules do not limit it. */
export function lootPairUnits(world: ReadonlyWorld, { firstPlanet }: ReadonlyPlayer): number {
  const { war } = world.rules;
  if (war === null || war.lootPairPercent === 0) return Number.POSITIVE_INFINITY;
  const periodMs = durationMs(world, war.lootPeriodMs);
  let produced = 0;
  for (let planet = firstPlanet; planet !== undefined; planet = planet.next) {
    produced += producedUnits(world, planet, periodMs);
  }
  return multiplyDivideFloor(produced, war.lootPairPercent, 100);
}

/** The most units that an attack can loot on arrival, as things are now; null if it is no attack on another player, or the rules do not limit it. */
export function lootUnitsMaxOf(
  world: ReadonlyWorld,
  { player, targetKey, mission }: Pick<Launch, 'player' | 'targetKey' | 'mission'>,
  arrivesAtMs: number,
): number | null {
  const target = world.planets.get(targetKey);
  if (mission !== ATTACK || target === undefined || target.ownerNumber === player.number) return null;
  const units = lootableUnits(world, player, target.ownerNumber, arrivesAtMs);
  return units === Number.POSITIVE_INFINITY ? null : units;
}

/**
 * Takes what is left of the share of each stock, open offers included, reduced in proportion to what the fleet can hold and its owner may take.
 *
 * @returns the units taken, by resource
 */
export function takeLoot(world: World, fleet: Fleet, target: Planet): readonly number[] {
  const { rules, nowMs } = world;
  const { owner } = fleet;
  const taken = takenInPeriod(world, target);
  const shares = takeableUnits(world, target).map((units, resource) => lootLeft(rules, units, taken[resource] ?? 0));
  const loot = loadShare(rules, fleet, shareOf(shares, lootableUnits(world, owner, target.ownerNumber, nowMs)));
  takeByForce(world, target, loot);
  noteLoot(world, fleet, target, loot);
  return loot;
}

/** What attackers have taken from a planet in the present loot period, by resource; nothing outside of one. */
function takenInPeriod({ nowMs }: World, { looting }: Planet): readonly number[] {
  return looting === null || looting.untilMs <= nowMs ? [] : looting.taken;
}

/**
 * The share is of the stock as it would be if nothing had been taken in the period. So it grows with production, and an attack by a friend
 * on an empty planet protects nothing.
 */
function lootLeft({ set }: Rules, units: number, taken: number): number {
  return Math.max(0, Math.floor((units + taken) / set.lootDivisor) - taken);
}

/** The first loot of a planet begins its period, and the first loot of a player that of the player. */
function noteLoot(world: World, { owner }: Fleet, target: Planet, loot: readonly number[]): void {
  const { nowMs, rules } = world;
  const { lootPeriodMs = 0, lootPairPercent = 0 } = rules.war ?? {};
  const units = sum(loot);
  if (rules.shocks !== null && units > 0) world.shocks.addRaid(owner.number, world.shocks.galaxyOf(target.key), units);
  if (lootPeriodMs === 0 || units === 0) return;
  const endMs = nowMs + durationMs(world, lootPeriodMs);
  const taken = takenInPeriod(world, target);
  const untilMs = taken.length === 0 ? endMs : (target.looting?.untilMs ?? endMs);
  target.looting = { untilMs, taken: loot.map((count, resource) => count + (taken[resource] ?? 0)) };
  if (lootPairPercent === 0) return;
  let { looted } = owner;
  if (looted === null || looted.untilMs <= nowMs) {
    looted = { untilMs: endMs, units: new Map() };
    owner.looted = looted;
  }
  looted.units.set(target.ownerNumber, units + (looted.units.get(target.ownerNumber) ?? 0));
}
