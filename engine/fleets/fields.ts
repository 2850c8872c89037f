// What lies in space beside planets, under rules with `fields`: asteroids that the seed puts there, one field in each system, and wrecks of
// battles. The first fleet to arrive takes it (harvest.ts). A field that nobody has changed is derived and takes no memory.

import type { PlanetKey } from '../map/universe.js';
import { multiplyDivideFloor, sum } from '../numbers/arithmetic.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import type { Fleet } from '../world/fleet-table.js';
import type { ReadonlyWorld, World } from '../world/state.js';

const NOTHING: readonly number[] = Array.from({ length: CARGO_RESOURCE_COUNT }, () => 0);

/** Units that lie beside a planet, by shippable resource. */
export function fieldUnits({ fields, universe, rules }: ReadonlyWorld, key: PlanetKey): readonly number[] {
  if (rules.fields === null) return NOTHING;
  return fields.get(key) ?? (universe.hasAsteroids(key) ? rules.fields.asteroids : NOTHING);
}

/** The planets of a system beside which something lies, with its units. */
export function* fieldsIn(world: ReadonlyWorld, systemKey: number): Generator<readonly [PlanetKey, readonly number[]]> {
  const asteroidsKey = world.universe.asteroidsKey(systemKey);
  for (const key of world.universe.planetKeys(systemKey)) {
    // Most planets have no field, and the lookup costs less than to derive that.
    if (key !== asteroidsKey && !world.fields.has(key)) continue;
    const units = fieldUnits(world, key);
    if (sum(units) > 0) yield [key, units];
  }
}

/**
 * Changes what lies beside a planet.
 *
 * @param change units by shippable resource, negative if they are taken
 * @returns the units that lie there now
 */
export function changeField(world: World, key: PlanetKey, change: readonly number[]): readonly number[] {
  const left = fieldUnits(world, key).map((units, resource) => units + (change[resource] as number));
  // Without an entry there would be asteroids again.
  if (sum(left) === 0 && !world.universe.hasAsteroids(key)) world.fields.delete(key);
  else world.fields.set(key, left);
  return left;
}

/** What a side of a battle lost. */
interface LostShips {
  /** By ship type. */
  readonly ships: readonly number[];
  /** Units of all resources that they cost. */
  readonly units: number;
}

/**
 * A battle leaves a part of what the destroyed ships cost: of each side at most of as many units as the other side lost. So no player is fed by
 * ships that a second account sacrifices. Defences are whole again afterwards, and leave nothing.
 *
 * @param losses of each side
 * @param lesserUnits units of the side that lost less
 */
export function leaveWrecks(world: World, fleet: Fleet, losses: readonly LostShips[], lesserUnits: number): void {
  const { rules } = world;
  if (rules.fields === null || lesserUnits === 0) return;
  const { wreckPercent } = rules.fields;
  const wrecks = [...NOTHING];
  for (const { ships, units } of losses) {
    for (const [resource, cost] of shipCost(rules, ships).entries()) {
      const left = multiplyDivideFloor(cost, lesserUnits * wreckPercent, units * 100);
      wrecks[resource] = (wrecks[resource] as number) + left;
    }
  }
  if (sum(wrecks) === 0) return;
  changeField(world, fleet.targetKey, wrecks);
  world.events.push({
    kind: 'wrecks_left',
    atMs: world.nowMs,
    playerNumber: fleet.ownerNumber,
    fleetNumber: fleet.number,
    planetKey: fleet.targetKey,
    amounts: wrecks,
  });
}

/** Units of each shippable resource that ships cost. */
function shipCost({ ships: types }: Rules, ships: readonly number[]): number[] {
  return NOTHING.map((_, resource) => sum(ships.map((count, type) => count * (types[type]?.cost[resource] ?? 0))));
}
