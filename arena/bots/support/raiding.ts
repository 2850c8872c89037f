// Living on others: attacks on what scouts have seen, scouts for what they have not, and the ships for both.

import type { Espionage } from './espionage.js';
import type { Mix } from './fleet-budget.js';
import { gather, launch } from './flights.js';
import { haulerOf } from './hauling.js';
import type { Plan } from './plan.js';
import { raid } from './raids.js';

/** Scouts per flight. They see everything if the level of anti_spy is at most half their number. */
const SCOUTS_PER_FLIGHT = 3;
/** Units in each type of ship, compared with the others. */
const WARSHIPS = 6;
const FREIGHTERS = 3;
const SCOUTS = 0.4;

/**
 * Attacks what scouts have seen, sends scouts to the others, and brings the warships together.
 *
 * @param isSpared players whom it does not attack
 */
export async function goRaiding(
  plan: Plan,
  espionage: Espionage,
  isSpared: (playerId: string) => boolean = () => false,
): Promise<void> {
  await raid(plan, espionage, isSpared);
  // Scouts report when they arrive; loot comes when a fleet returns.
  for (const { mission, state, arrivesAt, returnsAt } of plan.state.fleets) {
    if (mission === 'espionage' && state === 'outbound') plan.wakeAt(arrivesAt);
    if (mission === 'attack') plan.wakeAt(returnsAt);
  }
  for (const { flightSeconds } of await launch(plan, await espionage.flights(plan, SCOUTS_PER_FLIGHT))) {
    plan.wakeIn(flightSeconds);
  }
  await gather(plan);
}

/** All types of warships alike, the freighter that holds most, and scouts. */
export function raidingMix(plan: Plan): Mix {
  const warships = plan.port.catalog.ships.filter(({ attack }) => attack > 0);
  const weights = warships.map(({ type }): [string, number] => [type, WARSHIPS / warships.length]);
  return new Map([...weights, [haulerOf(plan)?.type ?? '', FREIGHTERS], [plan.roles.scout, SCOUTS]]);
}
