// What lies in space beside planets, under rules with `fields`: asteroids that the seed puts there, one field in each system, and wrecks of
// battles. Whoever comes first takes it (harvest.ts). A field that nobody has changed is derived and takes no memory.

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

/** Changes what lies beside a planet. @param change units by shippable resource, negative if they are taken */
export function changeField(world: World, key: PlanetKey, change: readonly number[]): void {
  const left = fieldUnits(world, key).map((units, resource) => units + (change[resource] as number));
  // Without an entry there would be asteroids again.
  if (sum(left) === 0 && !world.universe.hasAsteroids(key)) world.fields.delete(key);
  else world.fields.set(key, left);
}

/**
 * A battle leaves a part of what the destroyed ships cost: of each side at most of as many units as the other side lost. So no player is fed by
 * ships that a friend sacrifices. Defences are whole again afterwards, and leave nothing.
 *
 * @param lost ships of each side, by ship type
 */
export function leaveWrecks(world: World, fleet: Fleet, ...lost: readonly (readonly number[])[]): void {
  const { rules } = world;
  if (rules.fields === null) return;
  const lostUnits = lost.map((ships) => sum(ships.map((count, type) => count * rules.shipPoints(type))));
  const countedUnits = Math.min(...lostUnits);
  if (countedUnits === 0) return;
  const { wreckPercent } = rules.fields;
  const wrecks = [...NOTHING];
  for (const [side, ships] of lost.entries()) {
    for (const [resource, cost] of shipCost(rules, ships).entries()) {
      const left = multiplyDivideFloor(cost, countedUnits * wreckPercent, (lostUnits[side] as number) * 100);
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
