// Identifiers as the specification shows them: opaque strings, with one prefix for each kind. Inside the engine they are
// plain numbers.

import type { PlanetKey, Universe } from '../map/universe.js';
import { NUMBER_DIGITS_MAX } from '../rules/record-limits.js';
import type { Rules } from '../rules/rules.js';
import type { ReadonlyLineages } from './lineages.js';

/** The part of a world that ids of players depend on. */
export interface PlayerNumbers {
  readonly lineages: ReadonlyLineages;
}

export function playerId({ lineages }: PlayerNumbers, number: number): string {
  return `player-${lineages.idNumberOf(number)}`;
}

export function planetId(universe: Universe, key: PlanetKey): string {
  const { galaxy, system, slot } = universe.positionOf(key);
  return `planet-${galaxy}-${system}-${slot}`;
}

export function fleetId(number: number): string {
  return `fleet-${number}`;
}

export function offerId(number: number): string {
  return `offer-${number}`;
}

export function queueId(number: number): string {
  return `queue-${number}`;
}

export function shockId(number: number): string {
  return `shock-${number}`;
}

export function pactId(number: number): string {
  return `pact-${number}`;
}

export function reportId(number: number): string {
  return `report-${number}`;
}

export function messageId(number: number): string {
  return `message-${number}`;
}

export function buildingId({ buildings }: Rules, planet: string, buildingType: number): string {
  return `${planet}.${buildings[buildingType]?.type}`;
}

export function researchId(
  world: PlayerNumbers & { readonly rules: Rules },
  playerNumber: number,
  researchType: number,
): string {
  return `${playerId(world, playerNumber)}.${world.rules.research[researchType]?.type}`;
}

/** Returns the number of the player with an id, or -1 if it is not one that the world can have. The player need not exist. */
export function parsePlayerId({ lineages }: PlayerNumbers, text: string): number {
  const idNumber = parseNumbered(text, 'player-');
  return idNumber < 0 ? -1 : lineages.playerNumberOf(idNumber);
}

/** Returns the number in a fleet id, or -1 if the text is not a fleet id. The fleet need not exist. */
export function parseFleetId(text: string): number {
  return parseNumbered(text, 'fleet-');
}

/** Returns the number in an offer id, or -1 if the text is not one. The offer need not exist. */
export function parseOfferId(text: string): number {
  return parseNumbered(text, 'offer-');
}

/** Returns the number in a queue id, or -1 if the text is not a queue id. The entry need not exist. */
export function parseQueueId(text: string): number {
  return parseNumbered(text, 'queue-');
}

/** Returns the number of a pact id, or -1 if the text is not one; it need not exist. */
export function parsePactId(text: string): number {
  return parseNumbered(text, 'pact-');
}

/** Returns the number of a report id, or -1 if the text is not one; it need not exist. */
export function parseReportId(text: string): number {
  return parseNumbered(text, 'report-');
}

/** Returns the number of a message id, or -1 if the text is not one; it need not exist. */
export function parseMessageId(text: string): number {
  return parseNumbered(text, 'message-');
}

/** Returns the key of a planet of this universe, or -1 if the text names none. */
export function parsePlanetId(universe: Universe, text: string): PlanetKey {
  if (!text.startsWith(PLANET_PREFIX)) return -1;
  const systemAt = text.indexOf('-', PLANET_PREFIX.length) + 1;
  const slotAt = text.indexOf('-', systemAt) + 1;
  if (systemAt === 0 || slotAt === 0) return -1;
  const galaxy = parseDigits(text, PLANET_PREFIX.length, systemAt - 1);
  const system = parseDigits(text, systemAt, slotAt - 1);
  const slot = parseDigits(text, slotAt, text.length);
  return universe.keyAt(galaxy, system, slot);
}

const PLANET_PREFIX = 'planet-';

function parseNumbered(text: string, prefix: string): number {
  const number = text.startsWith(prefix) ? parseDigits(text, prefix.length, text.length) : -1;
  return number > 0 ? number : -1;
}

/** Parses at most NUMBER_DIGITS_MAX digits without leading zeros; -1 otherwise. Parsed by hand: every request contains ids. */
function parseDigits(text: string, start: number, end: number): number {
  if (start >= end || end - start > NUMBER_DIGITS_MAX) return -1;
  if (text.charCodeAt(start) === ZERO && end - start > 1) return -1;
  let number = 0;
  for (let index = start; index < end; index += 1) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

const ZERO = 48;
