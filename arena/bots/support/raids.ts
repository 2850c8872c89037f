// Raids, if the rules have war: on planets that scouts have seen, if an estimate of the battle says that they pay.
import type { Planet } from '../../bot.js';
import { estimateBattle, type Force, type Strength, strengthOf } from './battle.js';
import type { Espionage, Report } from './espionage.js';
import { type Flight, launch } from './flights.js';
import { lootOf } from './forces.js';
import type { Plan } from './plan.js';
import { partsOf } from './rule-parts.js';
import { lowest, type Ship } from './works.js';

/** A defender may be so much stronger than what was seen: its research is not known. */
const CAUTION = 1.5;
/** Parts of the warships of a planet that an attack is tried with, the smallest first. */
const PARTS = [0.25, 0.5, 1];
/** Loot that is worth a flight. */
const LOOT_MIN = 2_000;
/** What is lost counts as so much more than what is won. */
const LOSS_WEIGHT = 2.5;
const RAIDS_PER_WAKE = 6;

/** An attack, and what it should bring. */
interface Raid {
  readonly flight: Flight;
  readonly gain: number;
}

/** Launches the raids that pay most. They know what fights on a target, so nothing is sent where too little was seen. */
export async function raid(plan: Plan, espionage: Espionage): Promise<void> {
  const { hand, state } = plan;
  const { catalog } = hand;
  const own = strengthOf(catalog, state.research);
  const goals = espionage.fresh(hand).filter((report) => lootOf(catalog, report) >= LOOT_MIN);
  const aimed = new Set(
    state.fleets.filter(({ mission }) => mission === 'attack').map(({ targetPlanetId }) => targetPlanetId),
  );
  for (let raids = 0; raids < RAIDS_PER_WAKE; raids += 1) {
    const possible = goals
      .filter(({ planetId }) => !aimed.has(planetId))
      .flatMap((report) => state.planets.map((from) => raidOn(plan, from, report, own)))
      .filter((each) => each !== null);
    const best = lowest(possible, ({ gain }) => -gain);
    if (best === undefined) return;
    aimed.add(best.flight.targetId);
    const [launched] = await launch(plan, [best.flight]);
    if (launched === undefined) continue;
    espionage.attacked(best.flight.targetId, hand.now);
    plan.wakeIn(2 * launched.flightSeconds);
  }
}

/** The smallest attack of a planet that wins and pays; null if there is none. */
function raidOn(plan: Plan, from: Planet, report: Report, own: Strength): Raid | null {
  const defenders = forceSeen(report);
  if (defenders === null) return null;
  const { catalog } = plan.hand;
  const theirs = { attack: own.attack * CAUTION, hitPoints: own.hitPoints * CAUTION };
  const carriers = catalog.ships
    .filter(({ attack, cargo, type }) => attack === 0 && cargo > 0 && type !== plan.roles.colonyShip)
    .sort((one, other) => other.cargo - one.cargo);
  for (const part of PARTS) {
    const warships = warshipsOf(plan, from, part);
    const { wins, survival, lost, destroyed } = estimateBattle(catalog, warships, defenders, [own, theirs]);
    if (!wins) continue;
    const force = withCarriers(plan, from, warships, carriers, survival, lootOf(catalog, report));
    if (force === null) return null;
    const destroyedWorth = (destroyed * (partsOf(catalog).points?.destroyedPercent ?? 0)) / 100;
    const gain = Math.min(force.cargo, lootOf(catalog, report)) + destroyedWorth - lost * LOSS_WEIGHT;
    if (gain < LOOT_MIN) continue;
    const ships = [...force.ships].map(([type, count]) => ({ type, count }));
    return { gain, flight: { from, targetId: report.planetId, mission: 'attack', ships } };
  }
  return null;
}

/** All ships that fight on a planet that was seen; null if too little was. */
function forceSeen({ ships, buildings }: Report): Force | null {
  if (ships === null || buildings === null) return null;
  const seen = ships.map(({ shipType, count }): [string, number] => [shipType, count]);
  return new Map([...seen, ...buildings.map(({ type, level }): [string, number] => [type, level])]);
}

/** A part of the warships of a planet, as far as there is room for those that cannot fly by themselves. */
function warshipsOf(plan: Plan, from: Planet, part: number): Map<string, number> {
  const { ships } = plan.hand.catalog;
  const warships = ships.filter(({ attack }) => attack > 0);
  const counts = new Map(warships.map(({ type }) => [type, Math.floor(plan.ships(from, type) * part)]));
  let room = 0;
  for (const { type, attack, hangarCapacity } of ships) {
    room += hangarCapacity * (attack > 0 ? (counts.get(type) ?? 0) : plan.ships(from, type));
  }
  for (const { type, hangarSize } of warships) {
    if (hangarSize === 0) continue;
    const count = Math.min(counts.get(type) ?? 0, Math.floor(room / hangarSize));
    counts.set(type, count);
    room -= count * hangarSize;
  }
  return counts;
}

/** Warships with the ships that carry what cannot fly by itself, and the loot; null if there are too few of them. */
function withCarriers(
  plan: Plan,
  from: Planet,
  warships: ReadonlyMap<string, number>,
  carriers: readonly Ship[],
  survival: ReadonlyMap<string, number>,
  loot: number,
): { readonly ships: Force; readonly cargo: number } | null {
  const { catalog } = plan.hand;
  const ships = new Map([...warships].filter(([, count]) => count > 0));
  let [room, cargo] = [0, 0];
  for (const { type, hangarSize, hangarCapacity, cargo: hold } of catalog.ships) {
    const count = ships.get(type) ?? 0;
    room += count * (hangarCapacity - hangarSize);
    cargo += Math.floor(count * (survival.get(type) ?? 1)) * hold;
  }
  for (const { type, hangarCapacity, cargo: hold } of carriers) {
    const forRoom = room < 0 && hangarCapacity > 0 ? Math.ceil(-room / hangarCapacity) : 0;
    const forLoot = cargo < loot ? Math.ceil((loot - cargo) / hold) : 0;
    const count = Math.min(plan.ships(from, type), Math.max(forRoom, forLoot));
    if (count <= 0) continue;
    ships.set(type, count);
    room += count * hangarCapacity;
    cargo += count * hold;
  }
  return ships.size === 0 || room < 0 ? null : { ships, cargo };
}
