// Attacks on planets that scouts have seen, if an estimate of the battle says that they pay (docs/rules.md: Combat).
import type { Catalog, Planet } from '../../bot.js';
import { total } from './amounts.js';
import { estimateBattle, type Force, type Strength, strengthOf } from './battle.js';
import { freightersOf, lowest, type Ship } from './building.js';
import type { Espionage, Report } from './espionage.js';
import { cargoFrom, type Flight, launch, madeOn } from './flights.js';
import type { Plan } from './plan.js';

/** A defender may be this many times as strong as it looks, since its research is unknown. */
const CAUTION = 1.5;
/** Shares of the warships of a planet with which an attack is estimated, the smallest first. */
const PARTS = [0.25, 0.5, 1];
/** Smallest gain that is worth a flight. */
const LOOT_MIN = 2_000;
/** Losses count this many times as much as gains. */
const LOSS_WEIGHT = 2.5;
const RAIDS_PER_WAKE = 6;

/** An attack and its expected gain. */
export interface Raid {
  readonly flight: Flight;
  readonly gain: number;
}

/**
 * Launches the raids with the highest gain. Attacks nothing whose defenders are unknown.
 *
 * @param isSpared players whom it does not attack
 */
export async function raid(
  plan: Plan,
  espionage: Espionage,
  isSpared: (playerId: string) => boolean = () => false,
): Promise<void> {
  const { port, state } = plan;
  const { catalog } = port;
  const own = strengthOf(catalog, state.research);
  const goals = espionage
    .fresh(port)
    .filter((report) => !isSpared(report.defenderId) && lootOf(catalog, report) >= LOOT_MIN);
  const aimed = new Set(
    state.fleets.filter(({ mission }) => mission === 'attack').map(({ targetPlanetId }) => targetPlanetId),
  );
  // What these fleets take is not yet counted, and may be all that can be had from their victims.
  const raided = new Set([...aimed].map((planetId) => espionage.ownerOf(planetId)));
  const isLimited = (catalog.war?.lootPairPercent ?? 0) > 0;
  for (let raids = 0; raids < RAIDS_PER_WAKE; raids += 1) {
    const possible = goals
      .filter(({ planetId, defenderId }) => !aimed.has(planetId) && !(isLimited && raided.has(defenderId)))
      .flatMap((report) => state.planets.map((from) => raidOn(plan, from, report, own)))
      .filter((each) => each !== null);
    const best = lowest(possible, ({ gain }) => -gain);
    if (best === undefined) return;
    aimed.add(best.flight.targetId);
    raided.add(espionage.ownerOf(best.flight.targetId));
    const [launched] = await launch(plan, [best.flight]);
    if (launched === undefined) continue;
    espionage.attacked(best.flight.targetId, port.now);
    plan.wakeIn(2 * launched.flightSeconds);
  }
}

/** The raid on a player that gains most; undefined without one. */
export function bestRaidOn(plan: Plan, espionage: Espionage, playerId: string): Raid | undefined {
  const own = strengthOf(plan.port.catalog, plan.state.research);
  const reports = espionage.fresh(plan.port).filter(({ defenderId }) => defenderId === playerId);
  const raids = reports.flatMap((report) => plan.state.planets.map((from) => raidOn(plan, from, report, own)));
  return lowest(
    raids.filter((each) => each !== null),
    ({ gain }) => -gain,
  );
}

/** The smallest attack from a planet that wins and pays; null without one. */
export function raidOn(plan: Plan, from: Planet, report: Report, own: Strength): Raid | null {
  const defenders = forceSeen(report);
  if (defenders === null) return null;
  const { catalog } = plan.port;
  const theirs = { attack: own.attack * CAUTION, hitPoints: own.hitPoints * CAUTION };
  const carriers = freightersOf(plan);
  const loot = Math.min(lootOf(catalog, report), lootPairMax(plan));
  for (const part of PARTS) {
    const warships = warshipsOf(plan, from, part);
    const { wins, survival, lost, destroyed } = estimateBattle(catalog, warships, defenders, [own, theirs]);
    if (!wins) continue;
    const force = withCarriers(plan, from, warships, carriers, survival, loot);
    if (force === null) return null;
    const destroyedWorth = (Math.min(destroyed, lost) * (catalog.points?.destroyedPercent ?? 0)) / 100;
    const taken = Math.min(force.cargo, loot);
    const gain = taken + destroyedWorth - lost * LOSS_WEIGHT;
    if (gain < LOOT_MIN) continue;
    const ships = [...force.ships].map(([type, count]) => ({ type, count }));
    const lootMin = taken - (gain - LOOT_MIN);
    return { gain, flight: { from, targetId: report.planetId, mission: 'attack', ships, lootMin } };
  }
  return null;
}

/** The defenders of a planet in a report; null if the report does not show them. */
function forceSeen({ ships, buildings }: Report): Force | null {
  if (ships === null || buildings === null) return null;
  const seen = ships.map(({ shipType, count }): [string, number] => [shipType, count]);
  return new Map([...seen, ...buildings.map(({ type, level }): [string, number] => [type, level])]);
}

/** A share of the warships of a planet. Those that need a hangar are limited by the hangar space. */
function warshipsOf(plan: Plan, from: Planet, part: number): Map<string, number> {
  const { ships } = plan.port.catalog;
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

/** Adds carriers for ships that need a hangar and for the loot; null if there are too few carriers. */
function withCarriers(
  plan: Plan,
  from: Planet,
  warships: ReadonlyMap<string, number>,
  carriers: readonly Ship[],
  survival: ReadonlyMap<string, number>,
  loot: number,
): { readonly ships: Force; readonly cargo: number } | null {
  const { catalog } = plan.port;
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

/** What a winning attacker can take from a planet, if it can carry all of it. */
export const lootOf = ({ constants }: Catalog, { stocks }: Report): number =>
  total(cargoFrom(stocks, total({ ...stocks, energy: 0 }) / Number(constants['lootDivisor'])));

/** What a player can take from each other player in a period, as its output is now. */
function lootPairMax({ port: { catalog }, state }: Plan): number {
  const { lootPairPercent = 0, lootPeriodSeconds = 0 } = catalog.war ?? {};
  if (lootPairPercent === 0) return Number.POSITIVE_INFINITY;
  const hourly = state.planets.reduce((sum, planet) => sum + madeOn(planet), 0);
  return (((hourly * lootPeriodSeconds) / 3_600 / catalog.speed) * lootPairPercent) / 100;
}
