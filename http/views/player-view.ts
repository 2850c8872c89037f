// A player's research (specification, section 11) and reports, and players in lists, as plain objects.
import { richnessOf } from '../../engine/map/richness.js';
import type { PlanetKey } from '../../engine/map/universe.js';
import { planetId, playerId, reportId, researchId } from '../../engine/terms/ids.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText, isoTextOrNull } from '../exchange/iso-time.js';
import type { ReportBody, ResearchEntryBody } from '../schemas/player.js';
import type { BulkPlayersBody, HomeBody, ListedPlayersBody, ModeratedPlayerBody } from '../schemas/world.js';
import { buildingLevels, cargoAmounts, resourceAmounts, shipCounts } from './ships.js';

/** The research of a player. An entry exists once that research has been started for the first time. */
export function researchBodies(world: ReadonlyWorld, player: ReadonlyPlayer): ResearchEntryBody[] {
  return world.rules.research.flatMap((_, type) => {
    const isKnown = player.researchLevel(type) > 0 || player.research?.researchType === type;
    return isKnown ? [researchBody(world, player, type)] : [];
  });
}

/** One entry; its level is 0 until it is completed for the first time. */
export function researchBody(world: ReadonlyWorld, player: ReadonlyPlayer, type: number): ResearchEntryBody {
  const rule = world.rules.research[type];
  if (rule === undefined) throw new Error(`there is no research ${type}`);
  const active = player.research?.researchType === type ? player.research : null;
  return {
    id: researchId(world, player.number, type),
    type: rule.type,
    level: player.researchLevel(type),
    isResearching: active !== null,
    researchFinishAt: active === null ? null : isoText(active.finishAtMs),
  };
}

/** What everybody may know of a player. */
export function publicPlayerBody(world: ReadonlyWorld, player: ReadonlyPlayer) {
  return {
    id: playerId(world, player.number),
    name: player.name,
    isBot: player.isBot,
    points: player.points,
    planets: player.planetCount,
    home: homeBody(world, player),
  };
}

/** What the operator sees of a player in the list, besides its rank. */
export function listedPlayerBody(world: ReadonlyWorld, player: ReadonlyPlayer, nowMs: number) {
  return {
    ...publicPlayerBody(world, player),
    fleets: player.fleetCount,
    lastActiveAt: isoText(player.lastActiveMs),
    key: stateOfKey(player, nowMs),
    keyExpiresAt: isoTextOrNull(player.keyExpiresAtMs),
    ...moderationOf(player),
  };
}

/** What the operator has made of a player. */
export function moderatedPlayerBody(world: ReadonlyWorld, player: ReadonlyPlayer): ModeratedPlayerBody {
  const { number, name, isBot } = player;
  return { id: playerId(world, number), name, isBot, ...moderationOf(player) };
}

function moderationOf({ suspendedAtMs, formerNames }: ReadonlyPlayer) {
  return { suspendedAt: isoTextOrNull(suspendedAtMs), formerNames: formerNames.map(({ name }) => name) };
}

function stateOfKey(
  { keyHash, keyExpiresAtMs }: ReadonlyPlayer,
  nowMs: number,
): ListedPlayersBody['players'][number]['key'] {
  if (keyHash === null) return 'none';
  return keyExpiresAtMs !== null && nowMs >= keyExpiresAtMs ? 'expired' : 'valid';
}

/** Where the first planet of a player is. */
function homeBody({ universe }: ReadonlyWorld, { firstPlanet }: ReadonlyPlayer): HomeBody {
  if (firstPlanet === undefined) return null;
  const { galaxy, system } = universe.positionOf(firstPlanet.key);
  return { galaxyIndex: galaxy, index: system, planetId: planetId(universe, firstPlanet.key) };
}

/** A player in the reply to a bulk creation. */
export function bulkPlayerBody(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  created: boolean,
  apiKey: string | undefined,
): BulkPlayersBody['players'][number] {
  const starter = player.firstPlanet;
  if (starter === undefined) throw new Error(`player ${player.number} has no planet`);
  return {
    id: playerId(world, player.number),
    name: player.name,
    planetId: planetId(world.universe, starter.key),
    created,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

type ShownReport = ReadonlyPlayer['reports'][number];

export interface ReportRange {
  /** Only reports with a higher number. */
  readonly afterNumber: number;
  /** How many of the newest, at most. */
  readonly limit: number;
}

/** The reports that a player keeps, the newest first. */
export function reportBodies(world: ReadonlyWorld, player: ReadonlyPlayer, range: ReportRange): ReportBody[] {
  const { afterNumber, limit } = range;
  const wanted = player.reports.filter(({ number }) => number > afterNumber).slice(-limit);
  return wanted.reverse().map((report) => reportBody(world, report));
}

function reportBody(world: ReadonlyWorld, report: ShownReport): ReportBody {
  const head = {
    id: reportId(report.number),
    at: isoText(report.atMs),
    planetId: planetId(world.universe, report.planetKey),
    attackerId: playerId(world, report.attackerNumber),
    defenderId: playerId(world, report.defenderNumber),
  };
  switch (report.type) {
    case 'combat':
      return {
        ...head,
        type: report.type,
        outcome: report.outcome,
        rounds: report.rounds,
        shieldHitPoints: report.shieldHitPoints,
        attacker: sideBody(world, report.attacker),
        defender: sideBody(world, report.defender),
        loot: cargoAmounts(report.loot),
        cargoLost: cargoAmounts(report.cargoLost),
      };
    case 'espionage':
      return {
        ...head,
        type: report.type,
        ...richnessMember(world, report.planetKey),
        stocks: resourceAmounts(report.stocks),
        ships: report.ships === null ? null : shipCounts(world.rules, report.ships),
        buildings: report.buildings === null ? null : buildingLevels(world.rules, report.buildings),
      };
    case 'espionage_detected':
      return { ...head, type: report.type, scouts: report.scouts };
  }
}

function richnessMember({ rules, universe }: ReadonlyWorld, key: PlanetKey) {
  return rules.richness === null ? {} : { richness: cargoAmounts(richnessOf(universe, key, rules.richness)) };
}

function sideBody({ rules }: ReadonlyWorld, side: Extract<ShownReport, { type: 'combat' }>['attacker']) {
  return { sent: shipCounts(rules, side.sent), lost: shipCounts(rules, side.lost), left: shipCounts(rules, side.left) };
}
