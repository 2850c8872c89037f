// Pirates take a share of idle resources, in stocks and in open offers. On each planet they leave as much of a resource as all planets of the
// player produce in some hours, so a player that spends what it earns loses nothing. They do not visit newcomers that are protected.

import { isProtected } from '../fleets/protection.js';
import { multiplyDivideFloor, sum } from '../numbers/arithmetic.js';
import { takeableUnits, takeByForce } from '../planets/offers.js';
import { hourlyThousandths } from '../planets/stocks.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Planet } from '../world/planet-table.js';
import type { Shock } from '../world/shock-table.js';
import {
  type ReadonlyPlayer,
  type ReadonlyShock,
  type ReadonlyWorld,
  touchPlanet,
  type World,
} from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';

const HOUR_MS = 3_600_000;
const THOUSANDTHS = 1000;

/** Takes from all planets of the galaxy of a shock. By player: a restored world has them in other rows. */
export function sendPirates(world: World, shock: Shock): void {
  for (const player of world.players.values()) {
    if (isProtected(player, world.nowMs)) continue;
    const planets = player.planets.filter(({ key }) => world.shocks.galaxyOf(key) === shock.galaxy);
    if (planets.length === 0) continue;
    const safe = keptFromPirates(world, player, shock);
    for (const planet of planets) take(world, planet, shock, safe);
  }
}

function take(world: World, planet: Planet, { number, percent }: Shock, safe: readonly number[]): void {
  const taken = takeableUnits(world, planet).map((units, resource) => {
    const idle = Math.max(0, units - (safe[resource] as number));
    return multiplyDivideFloor(idle, percent, 100);
  });
  if (sum(taken) === 0) return;
  takeByForce(world, planet, taken);
  touchPlanet(world, planet);
  world.events.push({
    kind: 'pirates_came',
    atMs: world.nowMs,
    playerNumber: planet.ownerNumber,
    planetKey: planet.key,
    shockNumber: number,
    resources: taken,
  });
}

/**
 * Units of each shippable resource that pirates leave on a planet of a player: what all its planets produce in a time, as their output
 * usually is.
 */
export function keptFromPirates(
  world: ReadonlyWorld,
  { firstPlanet }: ReadonlyPlayer,
  { idleMs }: Pick<ReadonlyShock, 'idleMs'>,
): number[] {
  const timeMs = durationMs(world, idleMs);
  const hourly = new Array<number>(CARGO_RESOURCE_COUNT).fill(0);
  for (let planet = firstPlanet; planet !== undefined; planet = planet.next) {
    for (let resource = 0; resource < CARGO_RESOURCE_COUNT; resource += 1) {
      hourly[resource] = (hourly[resource] as number) + hourlyThousandths(world, planet, resource);
    }
  }
  return hourly.map((thousandths) => multiplyDivideFloor(thousandths, timeMs, HOUR_MS * THOUSANDTHS));
}
