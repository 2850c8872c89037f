// Identifiers as the contract shows them: opaque strings, one kind of prefix each. Inside they are plain numbers.
import { BUILDINGS, RESEARCH } from './rules/catalogue.js';
import type { PlanetKey, Position, Universe } from './universe.js';

export function playerId(number: number): string {
  return `player-${number}`;
}

export function planetId(universe: Universe, key: PlanetKey): string {
  return planetIdAt(universe.positionOf(key));
}

export function planetIdAt({ galaxy, system, slot }: Position): string {
  return `planet-${galaxy}-${system}-${slot}`;
}

export function fleetId(number: number): string {
  return `fleet-${number}`;
}

export function queueId(number: number): string {
  return `queue-${number}`;
}

export function reportId(number: number): string {
  return `report-${number}`;
}

export function buildingId(planet: string, buildingType: number): string {
  return `${planet}.${BUILDINGS[buildingType]?.type}`;
}

export function researchId(playerNumber: number, researchType: number): string {
  return `${playerId(playerNumber)}.${RESEARCH[researchType]?.type}`;
}

/** Number of a player id, or -1 where the text is not one; it need not exist. */
export function parsePlayerId(text: string): number {
  return parseNumbered(text, 'player-');
}

/** Number of a fleet id, or -1 where the text is not one; it need not exist. */
export function parseFleetId(text: string): number {
  return parseNumbered(text, 'fleet-');
}

/** Number of a queue id, or -1 where the text is not one; it need not exist. */
export function parseQueueId(text: string): number {
  return parseNumbered(text, 'queue-');
}

/** Key of a planet of this universe, or -1 where the text names none. */
export function parsePlanetId(universe: Universe, text: string): PlanetKey {
  const match = PLANET_ID.exec(text);
  if (match === null) return -1;
  return universe.keyAt(Number(match[1]), Number(match[2]), Number(match[3]));
}

const PLANET_ID = /^planet-([1-9]\d{0,2})-(0|[1-9]\d{0,5})-([1-9]\d?)$/;
const POSITIVE_INTEGER = /^[1-9]\d{0,14}$/;

function parseNumbered(text: string, prefix: string): number {
  if (!text.startsWith(prefix)) return -1;
  const digits = text.slice(prefix.length);
  return POSITIVE_INTEGER.test(digits) ? Number(digits) : -1;
}
