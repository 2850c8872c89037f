// Requests that change the world, and how each is identified in the log: the request and its outcome in words, made
// from the reply on one side and from the log on the other.

import type { Static } from 'typebox';
import { RESOURCES, type ResourceName } from '../../../engine/rules/resources.js';
import { fleetId, planetId, playerId, queueId } from '../../../engine/terms/ids.js';
import { MISSIONS, type MissionName } from '../../../engine/terms/missions.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../../engine/world/state.js';
import type { FleetRecalled } from '../../../http/schemas/minimal.js';
import type { PlanetBody, ShipyardEntryBody } from '../../../http/schemas/planet.js';
import type { FleetBody, LaunchBody, ResearchEntryBody } from '../../../http/schemas/player.js';
import type { AppliedEntry } from './replayed-log.js';

export interface Deed {
  readonly path: string;
  readonly body?: object;
  /** The request, in one line. */
  readonly request: string;
  /** The outcome, from the body of its 2xx reply; null if the reply says that nothing was changed. */
  readonly outcome: (status: number, body: unknown) => string | null;
}

/** The request and the outcome of an entry, from the log. */
export interface LoggedDeed {
  readonly seq: number;
  readonly atMs: number;
  readonly request: string;
  readonly outcome: string;
}

export type ShipsAsked = readonly { readonly type: string; readonly count: number }[];

export const createBot = (name: string): Deed => ({
  path: '/api/game/player',
  body: { name, isBot: true },
  request: `create the bot ${name}`,
  // 200 returns a bot that existed already.
  outcome: (status, body) => (status === 201 ? `${(body as PlanetOwner).id} on ${homeOf(body as PlanetOwner)}` : null),
});

export const secondStarter = (player: string): Deed => ({
  path: `/api/game/planet/starter/${player}`,
  request: `second starter for ${player}`,
  outcome: (_status, body) => (body as PlanetBody).id,
});

export const colonize = (player: string, planet: string): Deed => ({
  path: `/api/game/planet/${planet}/colonize`,
  body: { playerId: player },
  request: `colonize ${planet} for ${player}`,
  outcome: (_status, body) => (body as PlanetBody).owner?.id ?? 'nobody',
});

export const construct = (planet: string, type: string): Deed => ({
  path: '/api/building/construct',
  body: { planetId: planet, buildingType: type },
  request: `construct ${type} on ${planet}`,
  outcome: (_status, body) => shownUpgrade(body as PlanetBody),
});

export const upgrade = (planet: string, type: string): Deed => ({
  path: '/api/building/upgrade',
  body: { planetId: planet, buildingType: type },
  request: `upgrade ${type} on ${planet}`,
  outcome: (_status, body) => shownUpgrade(body as PlanetBody),
});

export const cancelUpgrade = (planet: string, queue: string): Deed => ({
  path: '/api/building/cancel',
  body: { planetId: planet, queueId: queue },
  request: `cancel ${queue} on ${planet}`,
  outcome: (_status, body) => shownUpgrade(body as PlanetBody),
});

export const buildShips = (planet: string, type: string, count: number): Deed => ({
  path: '/api/shipyard/build',
  body: { planetId: planet, shipType: type, count },
  request: `build ${count} ${type} on ${planet}`,
  outcome: (_status, body) => (body as ShipyardEntryBody).buildFinishAt,
});

export const cancelShips = (planet: string, type: string): Deed => ({
  path: '/api/shipyard/cancel',
  body: { planetId: planet, shipType: type },
  request: `cancel ${type} on ${planet}`,
  outcome: () => 'cancelled',
});

export const startResearch = (player: string, type: string): Deed => ({
  path: '/api/research/start',
  body: { playerId: player, researchType: type },
  request: `research ${type} for ${player}`,
  outcome: (_status, body) => String((body as ResearchEntryBody).researchFinishAt),
});

export interface LaunchAsked {
  readonly by: string;
  readonly from: string;
  readonly to: string;
  readonly ships: ShipsAsked;
  readonly mission: MissionName;
  /** Iron to carry. */
  readonly iron?: number;
}

export const launch = ({ by, from, to, ships, mission, iron = 0 }: LaunchAsked): Deed => ({
  path: '/api/fleet/launch',
  body: { playerId: by, originPlanetId: from, targetPlanetId: to, ships, mission, resources: { iron } },
  request: launchWords(by, from, to, mission, ships, iron),
  outcome: (_status, body) => `${(body as LaunchBody).fleet.id} arrives ${(body as LaunchBody).fleet.arrivesAt}`,
});

export const recall = (player: string, fleet: string): Deed => ({
  path: `/api/fleet/${fleet}/recall`,
  body: { playerId: player },
  request: `recall ${fleet} for ${player}`,
  outcome: (_status, body) => `returns ${(body as FleetBody).returnsAt}`,
});

/** Sends the fleet of another player home. */
export const dismiss = (host: string, fleet: string): Deed => ({
  path: `/api/fleet/${fleet}/dismiss`,
  body: { playerId: host },
  request: `dismiss ${fleet} for ${host}`,
  outcome: (_status, body) => `returns ${(body as Static<typeof FleetRecalled>).finishAt}`,
});

export const grant = (planet: string, amounts: Partial<Record<ResourceName, number>>): Deed => ({
  path: `/api/admin/planet/${planet}/grant`,
  body: amounts,
  request: `grant ${planet} ${RESOURCES.map((name) => amounts[name] ?? 0).join(' ')}`,
  outcome: () => 'granted',
});

/**
 * The deed of an entry of the log; null for entries that are not deeds: genesis, ticks, bulk creation, keys, retirements, plans, speeds, pauses,
 * suspensions, names, announcements, messages, blocks, the market, pacts and kept replies.
 */
export function loggedDeed({ seq, atMs, command, world }: AppliedEntry): LoggedDeed | null {
  const planet = (key: number): string => planetId(world.universe, key);
  const of = (request: string, outcome: string): LoggedDeed => ({ seq, atMs, request, outcome });
  switch (command.type) {
    case 'genesis':
    case 'advance_time':
    case 'create_players':
    case 'keep_reply':
    case 'rotate_key':
    case 'revoke_keys':
    case 'retire_players':
    case 'put_plan':
    case 'set_speed':
    case 'pause_clock':
    case 'resume_clock':
    case 'suspend_player':
    case 'resume_player':
    case 'rename_player':
    case 'announce':
    case 'send_message':
    case 'block_player':
    case 'make_offer':
    case 'take_offer':
    case 'withdraw_offer':
    case 'propose_pact':
    case 'accept_pact':
    case 'decline_pact':
    case 'cancel_pact':
      return null;
    case 'create_player': {
      const player = playerOf(world, world.playerCount);
      return of(
        `create the bot ${command.name}`,
        `${playerId(world, player.number)} on ${planet(player.planets[0]?.key ?? -1)}`,
      );
    }
    case 'create_second_starter': {
      const player = playerOf(world, command.playerNumber);
      return of(`second starter for ${playerId(world, player.number)}`, planet(player.planets.at(-1)?.key ?? -1));
    }
    case 'colonize_planet': {
      const owner = playerId(world, planetOf(world, command.planetKey).owner.number);
      return of(`colonize ${planet(command.planetKey)} for ${playerId(world, command.playerNumber)}`, owner);
    }
    case 'construct_building':
    case 'upgrade_building': {
      const verb = command.type === 'construct_building' ? 'construct' : 'upgrade';
      const request = `${verb} ${world.rules.buildings[command.buildingType]?.type} on ${planet(command.planetKey)}`;
      return of(request, keptUpgrade(world, planetOf(world, command.planetKey)));
    }
    case 'cancel_building': {
      const request = `cancel ${queueId(command.queueNumber)} on ${planet(command.planetKey)}`;
      return of(request, keptUpgrade(world, planetOf(world, command.planetKey)));
    }
    case 'build_ships': {
      const order = planetOf(world, command.planetKey).orders.at(-1);
      const request = `build ${command.count} ${world.rules.ships[command.shipType]?.type} on ${planet(command.planetKey)}`;
      return of(request, isoText(order?.finishAtMs));
    }
    case 'cancel_ships':
      return of(`cancel ${world.rules.ships[command.shipType]?.type} on ${planet(command.planetKey)}`, 'cancelled');
    case 'start_research': {
      const player = playerOf(world, command.playerNumber);
      const request = `research ${world.rules.research[command.researchType]?.type} for ${playerId(world, player.number)}`;
      return of(request, isoText(player.research?.finishAtMs));
    }
    case 'launch_fleet': {
      const fleet = world.fleets.get(world.lastFleetNumber);
      const by = playerId(world, command.playerNumber);
      const mission = MISSIONS[command.mission] ?? 'none';
      const [iron = 0] = command.cargo;
      return of(
        launchWords(
          by,
          planet(command.originKey),
          planet(command.targetKey),
          mission,
          shipsOf(world, command.ships),
          iron,
        ),
        `${fleetId(world.lastFleetNumber)} arrives ${isoText(fleet?.arrivesAtMs)}`,
      );
    }
    case 'recall_fleet':
    case 'dismiss_fleet': {
      const fleet = world.fleets.get(command.fleetNumber);
      const verb = command.type === 'recall_fleet' ? 'recall' : 'dismiss';
      const request = `${verb} ${fleetId(command.fleetNumber)} for ${playerId(world, command.playerNumber)}`;
      return of(request, `returns ${isoText(fleet?.returnsAtMs)}`);
    }
    case 'grant_resources':
      return of(`grant ${planet(command.planetKey)} ${command.amounts.join(' ')}`, 'granted');
    case 'switch_rules':
      return of(`switch to ${world.rules.set.name}`, 'switched');
  }
}

/** The part of a player's state that identifies a creation. */
interface PlanetOwner {
  readonly id: string;
  readonly planets: readonly { readonly id: string }[];
}

const homeOf = ({ planets }: PlanetOwner): string => planets[0]?.id ?? 'no planet';

/** The upgrade that a planet's body shows. */
function shownUpgrade({ buildings }: PlanetBody): string {
  for (const { type, constructionQueue } of buildings) {
    const [entry] = constructionQueue;
    if (entry !== undefined) return `${type} ${entry.targetLevel} as ${entry.queueId} until ${entry.upgradeFinishAt}`;
  }
  return 'idle';
}

/** The same from the test's own world. */
function keptUpgrade(world: ReadonlyWorld, { upgrade: kept }: ReadonlyPlanet): string {
  if (kept === null) return 'idle';
  const { buildingType, targetLevel, queueNumber, finishAtMs } = kept;
  return `${world.rules.buildings[buildingType]?.type} ${targetLevel} as ${queueId(queueNumber)} until ${isoText(finishAtMs)}`;
}

function launchWords(by: string, from: string, to: string, mission: string, ships: ShipsAsked, iron: number): string {
  return `launch ${shipWords(ships)} from ${from} to ${to} to ${mission} with ${iron} iron by ${by}`;
}

/** Counts by type, in the order of the names. */
function shipWords(ships: ShipsAsked): string {
  const counts = new Map<string, number>();
  for (const { type, count } of ships) counts.set(type, (counts.get(type) ?? 0) + count);
  const shown = [...counts].filter(([, count]) => count > 0).map(([type, count]) => `${count} ${type}`);
  return shown.sort().join(', ');
}

const shipsOf = ({ rules }: ReadonlyWorld, counts: readonly number[]): ShipsAsked =>
  rules.ships.map(({ type }, index) => ({ type, count: counts[index] ?? 0 }));

const isoText = (atMs: number | null | undefined): string =>
  typeof atMs === 'number' ? new Date(atMs).toISOString() : 'never';

function playerOf(world: ReadonlyWorld, number: number): ReadonlyPlayer {
  const player = world.players.get(number);
  if (player === undefined) throw new Error(`there is no player ${number}`);
  return player;
}

function planetOf(world: ReadonlyWorld, key: number): ReadonlyPlanet {
  const planet = world.planets.get(key);
  if (planet === undefined) throw new Error(`the planet ${key} has no owner`);
  return planet;
}
