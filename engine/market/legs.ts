// How goods travel between two players who trade: in carriers that nobody needs to build, which fly as ships of their sender would. A leg
// costs the h2 of the flight there and back.

import { bestOption, flightBetween } from '../fleets/flight.js';
import type { PlanetKey } from '../map/universe.js';
import { multiplyDivideCeil } from '../numbers/arithmetic.js';
import type { CompiledMarket } from '../rules/parts.js';
import type { ShipRule } from '../rules/rule-set.js';
import type { Rules } from '../rules/rules.js';
import type { Lot } from '../terms/lots.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../world/state.js';

export interface Leg {
  readonly flightMs: number;
  readonly h2Cost: number;
}

/**
 * Returns the fastest leg that the h2 pays for, or the fastest of all if it pays for none.
 *
 * @returns null if the sender has no drive that flies this far
 */
export function legOf(
  world: ReadonlyWorld,
  { carrier }: Pick<CompiledMarket, 'carrier'>,
  sender: ReadonlyPlayer,
  fromKey: PlanetKey,
  toKey: PlanetKey,
  { units }: Lot,
  h2Units: number,
): Leg | null {
  const { rules } = world;
  const carriers = carriersOf(rules, sender, carrier, units);
  const ships = rules.ships.map((_, type) => (type === carrier ? carriers : 0));
  return bestOption(world, flightBetween(world, sender, fromKey, toKey, ships), h2Units);
}

/** The fewest carriers that hold the units, with the research of their sender. */
function carriersOf(rules: Rules, sender: ReadonlyPlayer, carrier: number, units: number): number {
  const { cargo } = rules.ships[carrier] as ShipRule;
  return multiplyDivideCeil(units, 100, cargo * rules.cargoPercentOf(sender));
}
