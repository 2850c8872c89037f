// War: how many ships beat a planet, and what they bring home (docs/rules.md: Combat).
import type { Catalog, Planet } from '../../bot.js';
import { total } from './amounts.js';
import type { Report } from './espionage.js';
import { cargoFrom, type Flight } from './flights.js';
import type { Plan } from './plan.js';
import { lowest, type Ship, strongestShip } from './works.js';

/** An attack is planned for as much more than what was seen. */
const CAUTION = 1.5;

/** The two types of an attack: one fights, the other carries it and the loot. */
export interface Arms {
  readonly fighter: Ship;
  readonly carrier: Ship;
}

/** @returns null if the rules have no ships for an attack */
export function armsOf(catalog: Catalog): Arms | null {
  const fighter = strongestShip(catalog);
  const carrier = lowest(
    catalog.ships.filter(({ cargo, hangarCapacity }) => cargo > 0 && hangarCapacity > 0),
    ({ cost, cargo }) => total(cost) / cargo,
  );
  return fighter === undefined || carrier === undefined ? null : { fighter, carrier };
}

/** What an attacker who wins can take from a planet, if it can carry it. */
export const lootOf = ({ constants }: Catalog, { stocks }: Report): number =>
  total(cargoFrom(stocks, total({ ...stocks, energy: 0 }) / Number(constants['lootDivisor'])));

/** Fighters that beat what was seen on a planet; null if too little was seen. */
export function fightersAgainst(catalog: Catalog, { fighter }: Arms, { ships, buildings }: Report): number | null {
  if (ships === null || buildings === null) return null;
  const { combatRoundsMax, shieldHitPointsPerLevel } = catalog.constants;
  const shieldLevel = buildings.find(({ type }) => type === catalog.roles.planetaryShield)?.level ?? 0;
  let hitPoints = shieldLevel * Number(shieldHitPointsPerLevel);
  let firepower = 0;
  for (const { shipType, count } of ships) {
    const rule = catalog.ships.find(({ type }) => type === shipType);
    hitPoints += count * (rule?.defence ?? 0);
    firepower += count * (rule?.attack ?? 0);
  }
  const toDestroy = hitPoints / (fighter.attack * (Number(combatRoundsMax) / 2));
  const toSurvive = (firepower * (Number(combatRoundsMax) / 2)) / fighter.defence;
  return Math.ceil(CAUTION * Math.max(toDestroy, toSurvive)) + 1;
}

/** The attack of a planet on what was seen on another; null if it has too few ships, or does not know enough. */
export function attackOn(plan: Plan, from: Planet, arms: Arms, report: Report): Flight | null {
  const { catalog } = plan.hand;
  const { fighter, carrier } = arms;
  const fighters = fightersAgainst(catalog, arms, report);
  const carriersThere = plan.ships(from, carrier.type);
  if (fighters === null || fighters > plan.ships(from, fighter.type)) return null;
  const forHangars = Math.ceil((fighters * fighter.hangarSize) / carrier.hangarCapacity);
  const forLoot = Math.ceil(lootOf(catalog, report) / carrier.cargo);
  if (forHangars > carriersThere) return null;
  const ships = [
    { type: fighter.type, count: fighters },
    { type: carrier.type, count: Math.max(1, forHangars, Math.min(forLoot, carriersThere)) },
  ];
  return carriersThere === 0 ? null : { from, targetId: report.planetId, mission: 'attack', ships };
}
