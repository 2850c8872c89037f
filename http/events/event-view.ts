// Renders an event as JSON text in the shape of its row in schemas/events.ts. Written by hand, since every event is rendered for every
// player who reads it; a test checks each kind against its schema.
import type { EventKind, FleetEventHead, IncomingFleetHead, WorldEvent } from '../../engine/events/kinds.js';
import { planetId, playerId } from '../../engine/ids.js';
import { MISSIONS } from '../../engine/missions/names.js';
import { type PackedStep, unpackStep } from '../../engine/plans/plan-step.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../../engine/resources.js';
import type { Rules } from '../../engine/rules/rules.js';
import type { ReadonlyWorld } from '../../engine/state.js';
import type { PlanetKey } from '../../engine/universe.js';
import { MadeOfRules } from '../checks/made-of-rules.js';
import { isoText } from '../exchange/iso-time.js';

type EventOf<Kind extends EventKind> = Extract<WorldEvent, { readonly kind: Kind }>;
/** By kind: renders the members of `data`. */
type DataTexts = { readonly [Kind in EventKind]: (event: EventOf<Kind>) => string };

/** The names of types in the world's rules, by number. */
interface TypeNames {
  readonly buildings: readonly string[];
  readonly ships: readonly string[];
  readonly research: readonly string[];
}

export class EventView {
  readonly #world: ReadonlyWorld;
  readonly #names: MadeOfRules<TypeNames>;

  constructor(world: ReadonlyWorld) {
    this.#world = world;
    this.#names = new MadeOfRules(world, typeNames);
  }

  /** @param seq of the event among those of its receiver */
  text(seq: number, event: WorldEvent): string {
    const data = (this.#data[event.kind] as (event: WorldEvent) => string)(event);
    return `{"seq":${seq},"type":"${event.kind}","at":"${isoText(event.atMs)}","playerId":"${this.#player(event.playerNumber)}","data":{${data}}}`;
  }

  readonly #data: DataTexts = {
    player_created: (event) => this.#newPlayer(event),
    building_started: ({ planetKey, queueNumber, buildingType, targetLevel, finishAtMs }) =>
      `${this.#planet(planetKey)},"queueId":"queue-${queueNumber}",${this.#building(buildingType)},` +
      `"targetLevel":${targetLevel},${instant('finishAt', finishAtMs)}`,
    building_completed: ({ planetKey, queueNumber, buildingType, level }) =>
      `${this.#planet(planetKey)},"queueId":"queue-${queueNumber}",${this.#building(buildingType)},"level":${level}`,
    building_cancelled: ({ planetKey, queueNumber, buildingType, targetLevel, refund }) =>
      `${this.#planet(planetKey)},"queueId":"queue-${queueNumber}",${this.#building(buildingType)},` +
      `"targetLevel":${targetLevel},"refund":${resources(refund)}`,
    ships_ordered: ({ planetKey, shipType, count, finishAtMs }) =>
      `${this.#order(planetKey, shipType, count)},${instant('finishAt', finishAtMs)}`,
    ships_completed: ({ planetKey, shipType, count }) => this.#order(planetKey, shipType, count),
    ships_cancelled: ({ planetKey, shipType, count }) => this.#order(planetKey, shipType, count),
    research_started: ({ researchType, targetLevel, finishAtMs }) =>
      `${this.#research(researchType)},"targetLevel":${targetLevel},${instant('finishAt', finishAtMs)}`,
    research_completed: ({ researchType, level }) => `${this.#research(researchType)},"level":${level}`,
    fleet_launched: (event) =>
      `${this.#fleet(event)},${this.#load(event)},"h2Cost":${event.h2Cost},` +
      `${instant('arrivesAt', event.arrivesAtMs)},${instantOrNull('returnsAt', event.returnsAtMs)}`,
    fleet_arrived: (event) =>
      `${this.#fleet(event)},${this.#load(event)},${instantOrNull('returnsAt', event.returnsAtMs)}`,
    fleet_recalled: (event) => `${this.#fleet(event)},${instant('returnsAt', event.returnsAtMs)}`,
    fleet_returned: (event) => `${this.#fleet(event)},${this.#load(event)}`,
    fleet_destroyed: (event) => this.#fleet(event),
    incoming_fleet: (event) =>
      `${this.#incomingFleet(event)},"mission":${event.mission === null ? null : `"${MISSIONS[event.mission]}"`},` +
      `"shipCount":${event.shipCount},"ships":${event.ships === null ? null : this.#ships('type', event.ships)},` +
      `${instant('arrivesAt', event.arrivesAtMs)}`,
    incoming_fleet_gone: (event) => this.#incomingFleet(event),
    combat_report: ({ reportNumber, fleetNumber, planetKey, outcome, loot, ...sides }) =>
      `"reportId":"report-${reportNumber}",${fleet(fleetNumber)},${this.#planet(planetKey)},` +
      `"attackerId":"${this.#player(sides.attackerNumber)}","defenderId":"${this.#player(sides.defenderNumber)}",` +
      `"outcome":"${outcome}","attackerLost":${this.#ships('shipType', sides.attackerLost)},` +
      `"defenderLost":${this.#ships('shipType', sides.defenderLost)},"loot":${cargo(loot)}`,
    espionage_report: ({ reportNumber, fleetNumber, planetKey, defenderNumber, stocks, ships, buildings }) =>
      `"reportId":"report-${reportNumber}",${fleet(fleetNumber)},${this.#planet(planetKey)},` +
      `"defenderId":"${this.#player(defenderNumber)}","stocks":${resources(stocks)},` +
      `"ships":${ships === null ? null : this.#ships('shipType', ships)},` +
      `"buildings":${buildings === null ? null : listText(this.#names.present.buildings, buildings, 'type', 'level')}`,
    espionage_detected: ({ reportNumber, fleetNumber, planetKey, attackerNumber, scouts }) =>
      `"reportId":"report-${reportNumber}",${fleet(fleetNumber)},${this.#planet(planetKey)},` +
      `"attackerId":"${this.#player(attackerNumber)}","scouts":${scouts}`,
    resources_received: ({ planetKey, fleetNumber, senderNumber, amounts }) =>
      `${this.#planet(planetKey)},${fleet(fleetNumber)},"senderId":"${this.#player(senderNumber)}","resources":${cargo(amounts)}`,
    planet_colonized: ({ planetKey, fleetNumber }) =>
      `${this.#planet(planetKey)},${fleetNumber === null ? '"fleetId":null' : fleet(fleetNumber)}`,
    colonization_failed: (event) =>
      `${this.#fleet(event)},"reason":"${event.reason}",${instant('returnsAt', event.returnsAtMs)}`,
    attack_turned_away: (event) =>
      `${this.#fleet(event)},"defenderId":"${this.#player(event.defenderNumber)}",` +
      `${instant('protectedUntil', event.protectedUntilMs)},${instant('returnsAt', event.returnsAtMs)}`,
    resources_granted: ({ planetKey, amounts }) => `${this.#planet(planetKey)},"resources":${resources(amounts)}`,
    key_rotated: ({ expiresAtMs, oldKeyUntilMs }) =>
      `${instantOrNull('expiresAt', expiresAtMs)},${instantOrNull('oldKeyUntil', oldKeyUntilMs)}`,
    keys_revoked: () => '',
    player_joined: (event) => this.#newPlayer(event),
    battle: ({ planetKey, fleetNumber, playerNumber, defenderNumber, outcome, rounds, ...lost }) =>
      `${this.#planet(planetKey)},${fleet(fleetNumber)},` +
      `"attackerId":"${this.#player(playerNumber)}","defenderId":"${this.#player(defenderNumber)}","outcome":"${outcome}",` +
      `"rounds":${rounds},"attackerLostCount":${lost.attackerLostCount},"defenderLostCount":${lost.defenderLostCount}`,
    player_retired: ({ name, planetKeys }) =>
      `"name":${JSON.stringify(name)},"planetIds":[${planetKeys.map((key) => `"${this.#id(key)}"`).join(',')}]`,
    plan_step_started: ({ planetKey, step, stepsLeft }) =>
      `${this.#planet(planetKey)},${this.#step(step)},"stepsLeft":${stepsLeft}`,
    plan_step_skipped: ({ planetKey, step, reason, stepsLeft }) =>
      `${this.#planet(planetKey)},${this.#step(step)},"reason":"${reason}","stepsLeft":${stepsLeft}`,
    plan_step_blocked: ({ planetKey, step, reason }) =>
      `${this.#planet(planetKey)},${this.#step(step)},"reason":"${reason}"`,
    plan_completed: ({ planetKey }) => this.#planet(planetKey),
  };

  #id(key: PlanetKey): string {
    return planetId(this.#world.universe, key);
  }

  #player(number: number): string {
    return playerId(this.#world, number);
  }

  #planet(key: PlanetKey): string {
    return `"planetId":"${this.#id(key)}"`;
  }

  #newPlayer({ name, isBot, planetKey }: EventOf<'player_created' | 'player_joined'>): string {
    return `"name":${JSON.stringify(name)},"isBot":${isBot},${this.#planet(planetKey)}`;
  }

  #building(type: number): string {
    return `"buildingType":"${this.#names.present.buildings[type]}"`;
  }

  #research(type: number): string {
    return `"researchType":"${this.#names.present.research[type]}"`;
  }

  #step(packed: PackedStep): string {
    const step = unpackStep(packed);
    const subject =
      step.action === 'build_ships'
        ? `"shipType":"${this.#names.present.ships[step.shipType]}","count":${step.count}`
        : step.action === 'research'
          ? this.#research(step.researchType)
          : this.#building(step.buildingType);
    return `"step":{"action":"${step.action}",${subject}}`;
  }

  #order(key: PlanetKey, shipType: number, count: number): string {
    return `${this.#planet(key)},"shipType":"${this.#names.present.ships[shipType]}","count":${count}`;
  }

  #fleet({ fleetNumber, mission, originKey, targetKey }: FleetEventHead): string {
    return (
      `${fleet(fleetNumber)},"mission":"${MISSIONS[mission]}","originPlanetId":"${this.#id(originKey)}",` +
      `"targetPlanetId":"${this.#id(targetKey)}"`
    );
  }

  #load({ ships, cargo: amounts }: EventOf<'fleet_launched' | 'fleet_arrived' | 'fleet_returned'>): string {
    return `"ships":${this.#ships('type', ships)},"resources":${cargo(amounts)}`;
  }

  /** Its receiver may know the system that the fleet comes from, but not the planet. */
  #incomingFleet({ fleetNumber, senderNumber, originKey, targetKey }: IncomingFleetHead): string {
    const { galaxy, system } = this.#world.universe.positionOf(originKey);
    return (
      `${fleet(fleetNumber)},"senderId":"${this.#player(senderNumber)}",` +
      `"originSystem":{"galaxyIndex":${galaxy},"index":${system}},"targetPlanetId":"${this.#id(targetKey)}"`
    );
  }

  #ships(typeField: 'type' | 'shipType', counts: readonly number[]): string {
    return listText(this.#names.present.ships, counts, typeField, 'count');
  }
}

function typeNames({ buildings, ships, research }: Rules): TypeNames {
  const nameOf = ({ type }: { readonly type: string }): string => type;
  return { buildings: buildings.map(nameOf), ships: ships.map(nameOf), research: research.map(nameOf) };
}

/** A list of objects with a name and a number, without zeros. */
function listText(names: readonly string[], numbers: readonly number[], nameField: string, field: string): string {
  let text = '';
  for (let type = 0; type < names.length; type += 1) {
    const number = numbers[type] ?? 0;
    if (number > 0) text += `${text === '' ? '' : ','}{"${nameField}":"${names[type]}","${field}":${number}}`;
  }
  return `[${text}]`;
}

function fleet(number: number): string {
  return `"fleetId":"fleet-${number}"`;
}

function instant(name: string, atMs: number): string {
  return `"${name}":"${isoText(atMs)}"`;
}

function instantOrNull(name: string, atMs: number | null): string {
  return atMs === null ? `"${name}":null` : instant(name, atMs);
}

/** Whole units of every resource. */
function resources(amounts: readonly number[]): string {
  return amountsText(amounts, RESOURCES.length);
}

/** Whole units of what can be shipped. */
function cargo(amounts: readonly number[]): string {
  return amountsText(amounts, CARGO_RESOURCE_COUNT);
}

function amountsText(amounts: readonly number[], count: number): string {
  let text = '';
  for (let resource = 0; resource < count; resource += 1) {
    text += `${resource === 0 ? '{' : ','}"${RESOURCES[resource]}":${amounts[resource] ?? 0}`;
  }
  return `${text}}`;
}
