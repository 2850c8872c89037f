// Defence: remembers attackers, and reacts to fleets that a planet cannot beat. Ships and stocks are sent away, or the stock is spent on
// warships.
import type { Planet } from '../../bot.js';
import type { EventData, GameEvent } from '../../galaxyd-client.js';
import { NOTHING, times } from './amounts.js';
import { estimateBattle, type Force, strengthOf } from './battle.js';
import { levelOf, lowest, orderShips } from './building.js';
import { deployment, launch, nearestOwn } from './flights.js';
import { hoursBetween, type Plan } from './plan.js';

type Incoming = EventData<'incoming_fleet'>;

/** Hours for which an attack is remembered, at speed 1. */
const MEMORY_HOURS = 120;

/** Who has attacked the player, and when. */
export class Threats {
  readonly #attackers = new Set<string>();
  #attackedAt: string | null = null;

  learn(playerId: string, events: readonly GameEvent[]): void {
    for (const event of events) {
      if (event.type !== 'combat_report' || event.data.defenderId !== playerId) continue;
      this.#attackers.add(event.data.attackerId);
      this.#attackedAt = event.at;
    }
  }

  /** Whether the player was attacked in the last days. */
  areRecent({ port: { now, catalog } }: Plan): boolean {
    return this.#attackedAt !== null && hoursBetween(this.#attackedAt, now) * catalog.speed < MEMORY_HOURS;
  }

  /** Fleets that have just departed and seem to attack. */
  incoming({ port: { now, events } }: Plan): Incoming[] {
    const fleets = events.flatMap((event) => (event.type === 'incoming_fleet' ? [event.data] : []));
    return fleets.filter(
      ({ mission, senderId, arrivesAt }) =>
        arrivesAt > now && (mission === 'attack' || (mission === null && this.#attackers.has(senderId))),
    );
  }
}

/**
 * Reacts to approaching fleets.
 *
 * @param stands whether ships stay and the stock is spent on more of them; otherwise ships and stocks are sent away
 */
export async function defend(plan: Plan, incoming: readonly Incoming[], stands: boolean): Promise<void> {
  for (const { targetPlanetId, ships } of incoming) {
    const planet = plan.state.planets.find(({ id }) => id === targetPlanetId);
    if (planet === undefined) continue;
    const attackers = ships === null ? null : new Map(ships.map(({ type, count }): [string, number] => [type, count]));
    if (attackers !== null && holds(plan, planet, attackers)) continue;
    const refuge = nearestOwn(plan, planet);
    if (!stands) {
      const { h2, ...others } = plan.stock(planet);
      // The flight itself needs some h2.
      if (refuge !== undefined) await launch(plan, deployment(plan, planet, refuge, { ...others, h2: h2 / 2 }));
      continue;
    }
    const warship = counterTo(plan, planet, attackers);
    if (warship !== undefined) orderShips(plan, planet, warship, 5_000);
  }
}

/** Whether a planet beats a fleet, by an estimate. */
function holds(plan: Plan, planet: Planet, attackers: Force): boolean {
  const { catalog } = plan.port;
  const strength = strengthOf(catalog, plan.state.research);
  const ships = catalog.ships.map(({ type }): [string, number] => [type, plan.ships(planet, type)]);
  const buildings = planet.buildings.map(({ type, level }): [string, number] => [type, level]);
  return !estimateBattle(catalog, attackers, new Map([...ships, ...buildings]), [strength, strength]).wins;
}

/** The affordable warship that is strong against most of the approaching ships. */
function counterTo(plan: Plan, planet: Planet, attackers: Force | null): string | undefined {
  if (levelOf(planet, plan.roles.shipyard) === 0) return undefined;
  const payable = plan.port.catalog.ships.filter(
    ({ attack, cost }) => attack > 0 && times(plan.stock(planet), { ...NOTHING, ...cost }) > 0,
  );
  return lowest(payable, (ship) => {
    const prey = (ship.strongAgainst ?? []).reduce<number>((sum, type) => sum + (attackers?.get(type) ?? 0), 0);
    return -(prey + 1) * ship.attack * times(plan.stock(planet), ship.cost);
  })?.type;
}
