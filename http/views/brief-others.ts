// What a brief says of other players: whose fleets are on their way, who is at war with the player, and who is near. It shows what the
// player may know anyhow: its warnings, its reports, and what the map shows to everybody.
import { heardBy } from '../../engine/diplomacy/messages.js';
import { isProtected } from '../../engine/fleets/protection.js';
import { fieldsNear, type NearField } from '../../engine/queries/fields-near.js';
import { bestFreePlanets, type FreePlanet } from '../../engine/queries/known-planets.js';
import { type Neighbour, neighboursOf } from '../../engine/queries/neighbours.js';
import { seenFleets } from '../../engine/queries/seen-fleets.js';
import { NEIGHBOUR_SYSTEMS_MAX } from '../../engine/rules/limits.js';
import { fleetId, messageId, planetId, playerId } from '../../engine/terms/ids.js';
import { EVERYBODY, type Message } from '../../engine/world/message-table.js';
import { partiesOf } from '../../engine/world/pact-table.js';
import type {
  ReadonlyFleet,
  ReadonlyOffer,
  ReadonlyPact,
  ReadonlyPlayer,
  ReadonlyWorld,
} from '../../engine/world/state.js';
import { foreignQuotation } from '../../text/foreign-text.js';
import { contentVersion } from '../exchange/entity-tags.js';
import { isoText } from '../exchange/iso-time.js';
import {
  BRIEF_FIELDS_MAX,
  BRIEF_MESSAGE_LENGTH_MAX,
  BRIEF_MESSAGES_MAX,
  BRIEF_MESSAGES_PER_SENDER_MAX,
  BRIEF_NEIGHBOURS_MAX,
  BRIEF_OPPONENTS_MAX,
  BRIEF_PACTS_MAX,
  BRIEF_SEEN_MAX,
  BRIEF_SIGHT_PLANETS_MAX,
  BRIEF_TRADES_MAX,
  FREE_PLANETS_SHOWN_MAX,
} from '../limits.js';
import { type PactEnd, pactEndsOf, pactsOf } from './brief-pacts.js';
import { richnessText } from './richness-text.js';
import { cargoAmounts } from './ships.js';

/** A player with whom another one has fought, by the reports that are kept. */
interface Opponent {
  readonly number: number;
  /** Battles that it began. */
  attackCount: number;
  /** Battles that the other one began. */
  defenceCount: number;
  /** World time of the last battle, in milliseconds. */
  lastMs: number;
}

export interface Others {
  /** Fleets of others on their way to planets of the player, the first to arrive first. */
  readonly incoming: readonly ReadonlyFleet[];
  /** Other fleets of others that the planets see, the first to land first. */
  readonly seen: readonly ReadonlyFleet[];
  /** The last to fight first. */
  readonly opponents: readonly Opponent[];
  readonly neighbours: readonly Neighbour[];
  readonly fields: readonly NearField[];
  /** Pacts that end by notice, then other pacts in force, then proposals. */
  readonly pacts: readonly ReadonlyPact[];
  /** Pacts and proposals that have just ended. */
  readonly pactEnds: readonly PactEnd[];
  /** The richest planets that the player knows and nobody owns. */
  readonly freePlanets: readonly FreePlanet[];
  /** What they wrote to the player or to everybody, the newest first. */
  readonly messages: readonly Message[];
  /** Those that only the player can take, the oldest first. */
  readonly offers: readonly ReadonlyOffer[];
}

/** @param nowMs world time in milliseconds */
export function othersOf(world: ReadonlyWorld, player: ReadonlyPlayer, nowMs: number): Others {
  const { firstPlanet, planets } = player;
  const incoming = planets
    .flatMap(({ key }) => world.fleets.to(key).filter(({ ownerNumber }) => ownerNumber !== player.number))
    .sort((one, other) => one.arrivesAtMs - other.arrivesAtMs);
  const warnedOf = new Set(incoming.map(({ number }) => number));
  return {
    incoming,
    seen: seenFleets(world, player, planets.slice(0, BRIEF_SIGHT_PLANETS_MAX))
      .filter(({ number }) => !warnedOf.has(number))
      .sort((one, other) => landsAtMs(one) - landsAtMs(other)),
    opponents: opponentsOf(world, player),
    neighbours: firstPlanet === undefined ? [] : neighboursOf(world, firstPlanet, BRIEF_NEIGHBOURS_MAX),
    fields: firstPlanet === undefined ? [] : fieldsNear(world, firstPlanet.key, BRIEF_FIELDS_MAX),
    pacts: pactsOf(world, player),
    pactEnds: pactEndsOf(world, player, nowMs),
    freePlanets:
      firstPlanet === undefined ? [] : bestFreePlanets(world, player, firstPlanet.key, FREE_PLANETS_SHOWN_MAX),
    messages: heardFirst(world, player),
    offers: world.offers.addressedTo(player.number).slice(-BRIEF_TRADES_MAX).reverse(),
  };
}

/** Messages to the player before those to everybody, the newest first, and few of each sender: nobody fills them. */
function heardFirst(world: ReadonlyWorld, player: ReadonlyPlayer): readonly Message[] {
  const counts = new Map<number, number>();
  const heard = heardBy(world, player, Number.POSITIVE_INFINITY).filter(({ senderNumber }) => {
    const count = (counts.get(senderNumber) ?? 0) + 1;
    counts.set(senderNumber, count);
    return count <= BRIEF_MESSAGES_PER_SENDER_MAX;
  });
  const isToAll = ({ receiverNumber }: Message): boolean => receiverNumber === EVERYBODY;
  return [...heard.filter((message) => !isToAll(message)), ...heard.filter(isToAll)].slice(0, BRIEF_MESSAGES_MAX);
}

/** When a fleet reaches its target, or its origin on its way back. */
function landsAtMs({ isReturning, arrivesAtMs, returnsAtMs }: ReadonlyFleet): number {
  return isReturning ? (returnsAtMs ?? arrivesAtMs) : arrivesAtMs;
}

function opponentsOf(world: ReadonlyWorld, player: ReadonlyPlayer): Opponent[] {
  const opponents = new Map<number, Opponent>();
  for (const { type, attackerNumber, defenderNumber, atMs } of player.reports) {
    if (type !== 'combat') continue;
    // Supporters of a planet are attacked, too.
    const isAttacked = attackerNumber !== player.number;
    const number = isAttacked ? attackerNumber : defenderNumber;
    if (!world.players.has(number)) continue;
    const opponent = opponents.get(number) ?? { number, attackCount: 0, defenceCount: 0, lastMs: 0 };
    if (isAttacked) opponent.attackCount += 1;
    else opponent.defenceCount += 1;
    opponent.lastMs = Math.max(opponent.lastMs, atMs);
    opponents.set(number, opponent);
  }
  return [...opponents.values()].sort((one, other) => other.lastMs - one.lastMs).slice(0, BRIEF_OPPONENTS_MAX);
}

/** Differs whenever any of it differs, except by the passing of time. */
export function versionOfOthers(world: ReadonlyWorld, others: Others): string {
  const { incoming, seen, opponents, neighbours, fields, freePlanets, messages, pactEnds } = others;
  const facts = [
    incoming.map(({ number }) => number),
    [seen.length, seen.slice(0, BRIEF_SEEN_MAX).map(({ number, isReturning }) => [number, isReturning])],
    opponents.map(({ number, lastMs }) => [number, lastMs, world.players.get(number)?.points]),
    neighbours.map(({ key, found: { owner } }) => [key, owner.number, owner.protectedUntilMs, owner.points]),
    fields.map(({ key, found }) => [key, found]),
    freePlanets.map(({ key }) => key),
    messages.map(({ number }) => number),
    pactEnds.map(({ pactNumber }) => pactNumber),
    numbersIn(others).map((number) => world.players.get(number)?.name),
  ];
  return contentVersion(JSON.stringify(facts));
}

/** The players that are named, those who matter most first. */
export function numbersIn({
  incoming,
  seen,
  opponents,
  neighbours,
  messages,
  offers,
  pacts,
  pactEnds,
}: Others): number[] {
  return [
    ...incoming.map(({ ownerNumber }) => ownerNumber),
    ...seen.slice(0, BRIEF_SEEN_MAX).map(({ ownerNumber }) => ownerNumber),
    ...pacts.slice(0, BRIEF_PACTS_MAX).flatMap((pact) => partiesOf(pact)),
    ...pactEnds.flatMap((end) => partiesOf(end)),
    ...opponents.map(({ number }) => number),
    ...messages.map(({ senderNumber }) => senderNumber),
    ...offers.map(({ ownerNumber }) => ownerNumber),
    ...neighbours.map(({ found }) => found.ownerNumber),
  ];
}

/** What every player is warned of; what it sees of the ships is in the event `incoming_fleet`. */
export function incomingLine(world: ReadonlyWorld, fleet: ReadonlyFleet): string {
  const { number, ownerNumber, targetKey, arrivesAtMs } = fleet;
  const target = planetId(world.universe, targetKey);
  return `- ${fleetId(number)} of ${playerId(world, ownerNumber)} reaches ${target} ${isoText(arrivesAtMs)}`;
}

/** Where a fleet that the planets see lands next, and when it is home again: there it can be met. */
export function seenLine(world: ReadonlyWorld, fleet: ReadonlyFleet): string {
  const { number, ownerNumber, isReturning, originKey, targetKey, arrivesAtMs, returnsAtMs } = fleet;
  const reaches = isReturning ? [] : [`reaches ${planetId(world.universe, targetKey)} at ${isoText(arrivesAtMs)}`];
  const returns =
    returnsAtMs === null ? [] : [`returns to ${planetId(world.universe, originKey)} at ${isoText(returnsAtMs)}`];
  return `- ${fleetId(number)} of ${playerId(world, ownerNumber)} ${[...reaches, ...returns].join(', ')}`;
}

export function opponentLines(world: ReadonlyWorld, { opponents }: Others): string[] {
  if (opponents.length === 0) return [];
  const shown = opponents.map(({ number, attackCount, defenceCount, lastMs }) => {
    const battles = `attacked you ${attackCount} x, you it ${defenceCount} x, last ${isoText(lastMs)}`;
    return `${playerId(world, number)} (${world.players.get(number)?.points} points, ${battles})`;
  });
  return [`At war, by your reports: ${shown.join(', ')}.`];
}

/** @param nowMs world time in milliseconds */
export function neighbourLines(
  world: ReadonlyWorld,
  { firstPlanet }: ReadonlyPlayer,
  { neighbours }: Others,
  nowMs: number,
): string[] {
  if (firstPlanet === undefined) return [];
  const home = planetId(world.universe, firstPlanet.key);
  if (neighbours.length === 0) return [`Near ${home}: nobody else lives within ${NEIGHBOUR_SYSTEMS_MAX} systems.`];
  const shown = neighbours.map(({ key, distance, found: { owner } }) => {
    const until = isProtected(owner, nowMs) ? `, protected until ${isoText(owner.protectedUntilMs)}` : '';
    return `${planetId(world.universe, key)} of ${playerId(world, owner.number)} (${owner.points} points, distance ${distance}${until})`;
  });
  return [`Near ${home}: ${shown.join(', ')}.`];
}

/** What `harvest` can take near the first planet. */
export function fieldLines({ universe }: ReadonlyWorld, { fields }: Others): string[] {
  if (fields.length === 0) return [];
  const shown = fields.map(({ key, distance, found }) => {
    const units = Object.entries(cargoAmounts(found)).flatMap(([name, count]) =>
      count === 0 ? [] : [`${count} ${name}`],
    );
    return `${planetId(universe, key)} (${units.join(', ')}; distance ${distance})`;
  });
  return [`To harvest, beside: ${shown.join(', ')}.`];
}

/** Where the player could settle best; none if planets do not differ, or it knows of none. */
export function freePlanetsLine({ universe }: ReadonlyWorld, { freePlanets }: Others): string[] {
  if (freePlanets.length === 0) return [];
  const shown = freePlanets.map(({ key, richness }) => `${planetId(universe, key)} (${richnessText(richness)})`);
  return [`Richest free planets that you know: ${shown.join(', ')}.`];
}

/** A message of another player, as it wrote it: quoted, so that it is not taken for anything else. */
export function messageLine(
  world: ReadonlyWorld,
  { number, atMs, senderNumber, receiverNumber, text }: Message,
): string {
  // What is escaped is longer than what was written.
  const points = [...text];
  let count = points.length;
  while (foreignQuotation(points.slice(0, count).join('')).length > BRIEF_MESSAGE_LENGTH_MAX) count -= 1;
  const shown = count < points.length ? `${points.slice(0, count).join('')}…` : text;
  const to = receiverNumber === EVERYBODY ? 'everybody' : 'you';
  return `- ${messageId(number)} ${playerId(world, senderNumber)} to ${to}, ${isoText(atMs)}: ${foreignQuotation(shown)}`;
}

/** `player-2 "Bob"`: data that others wrote. Players that are gone are left out. */
export function foreignName(world: ReadonlyWorld, number: number): string[] {
  const name = world.players.get(number)?.name;
  return name === undefined ? [] : [`${playerId(world, number)} ${foreignQuotation(name)}`];
}
