// Renders a planet as JSON text in bytes. This is written by hand, since a planet is in nearly every reply; a test
// checks it against its schema. Nothing is cached: most of these texts are replies to commands, stale by the next one.

import type { PlanetKey, Position, Universe } from '../../engine/map/universe.js';
import { hourlyThousandths, shockedThousandths, stockThousandthsAt } from '../../engine/planets/stocks.js';
import { nextOfPlanetMs } from '../../engine/queries/players.js';
import { BUILDING_LEVEL_MAX, GALAXY_COUNT } from '../../engine/rules/limits.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../../engine/rules/resources.js';
import type { Rules } from '../../engine/rules/rules.js';
import { buildingId, fleetId, playerId } from '../../engine/terms/ids.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { PerRuleSet } from '../checks/world-rules.js';
import { fleetShips } from './ships.js';
import { fragment, type TextWriter } from './text-writer.js';

/** The version of what its owner sees of a planet, for entity tags. @param planet undefined if nobody owns it */
export function planetVersion(planet: ReadonlyPlanet | undefined): string {
  return planet === undefined ? 'no-owner' : versionOf(planet.changedSeq);
}

/** The part of an entity tag that identifies the version of a player or planet. */
export function versionOf(changedSeq: number): string {
  return changedSeq.toString(36);
}

type ShownOrder = ReadonlyPlanet['orders'][number];
type ShownUpgrade = NonNullable<ReadonlyPlanet['upgrade']>;

/** The text before each of a planet's five numbers. */
export const STOCK_LABELS: readonly Uint8Array[] = RESOURCES.map((name) => fragment(`,"${name}":`));
/** The text before what a planet produces of each resource. */
const PRODUCTION_LABELS: readonly Uint8Array[] = RESOURCES.map((name, resource) =>
  fragment(resource === 0 ? `},"production":{"${name}":` : `,"${name}":`),
);
/** The text before its richness for each resource that can be shipped. */
const RICHNESS_LABELS: readonly Uint8Array[] = RESOURCES.slice(0, CARGO_RESOURCE_COUNT).map((name, resource) =>
  fragment(resource === 0 ? `},"richness":{"${name}":` : `,"${name}":`),
);

/**
 * Methods named ...Text return a whole reply, in bytes that are never overwritten; those named write... write a part of
 * one.
 */
export class PlanetView {
  readonly #world: ReadonlyWorld;
  readonly #writer: TextWriter;
  readonly #starNames: StarNames;
  readonly #types: PerRuleSet<TypeTexts>;
  /** Output of the planet that is being written; one list for all, so that none is allocated per reply. */
  readonly #hourly: number[] = RESOURCES.map(() => 0);

  constructor(world: ReadonlyWorld, writer: TextWriter) {
    this.#world = world;
    this.#writer = writer;
    this.#starNames = new StarNames(world.universe);
    this.#types = new PerRuleSet(world, typeTexts);
  }

  /** A planet with an owner. */
  text(planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    this.#writer.begin();
    this.#write(planet, nowMs);
    return this.#writer.take();
  }

  /** A list of planets with owners. */
  listText(planets: readonly ReadonlyPlanet[], nowMs: number): Uint8Array {
    const writer = this.#writer;
    writer.begin();
    writer.fragment(LIST);
    for (const planet of planets) {
      this.#write(planet, nowMs);
      writer.fragment(COMMA);
    }
    writer.dropComma();
    writer.fragment(LIST_END);
    return writer.take();
  }

  /** A planet that nobody owns: without stocks, buildings or ships. */
  unownedText(key: PlanetKey): Uint8Array {
    const writer = this.#writer;
    writer.begin();
    this.writeHead(key);
    writer.fragment(NO_STOCKS);
    this.#writeSystem(this.#world.universe.positionOf(key));
    writer.fragment(NOTHING_THERE);
    return writer.take();
  }

  /** The public fields of a planet. */
  summaryText(key: PlanetKey, owner: ReadonlyPlayer | undefined): Uint8Array {
    this.#writer.begin();
    this.writeSummary(key, owner);
    return this.#writer.take();
  }

  /** The list of a planet's buildings. */
  buildingsText(planet: ReadonlyPlanet): Uint8Array {
    const writer = this.#writer;
    writer.begin();
    writer.fragment(LIST);
    this.#writeBuildings(planet, this.#world.universe.positionOf(planet.key));
    writer.fragment(LIST_END);
    return writer.take();
  }

  /** Orders and ships of a planet. */
  shipyardText(planet: ReadonlyPlanet): Uint8Array {
    const writer = this.#writer;
    writer.begin();
    writer.fragment(SHIPYARD_ORDERS);
    this.#writeOrders(planet.orders);
    writer.fragment(SHIPYARD_SHIPS);
    this.#writeShips(planet);
    writer.fragment(SHIPYARD_END);
    return writer.take();
  }

  /** An order of ships. */
  orderText(order: ShownOrder, isBuilding: boolean): Uint8Array {
    this.#writer.begin();
    this.#writeOrder(order, isBuilding);
    return this.#writer.take();
  }

  /** Id, name and slot: the part before the five numbers with their labels. */
  writeHead(key: PlanetKey): void {
    const writer = this.#writer;
    const position = this.#world.universe.positionOf(key);
    this.#writeId(position);
    writer.fragment(PLANET_NAME);
    this.#starNames.write(writer, key, position);
    writer.integer(position.slot);
    writer.fragment(SLOT);
    writer.integer(position.slot);
  }

  /**
   * The part after them.
   *
   * @param hourly thousandths of each resource that the planet produces in an hour
   */
  writeTail(planet: ReadonlyPlanet, hourly: readonly number[]): void {
    const writer = this.#writer;
    const position = this.#world.universe.positionOf(planet.key);
    this.#writeSystem(position);
    for (let resource = 0; resource < PRODUCTION_LABELS.length; resource += 1) {
      writer.fragment(PRODUCTION_LABELS[resource] as Uint8Array);
      writer.thousandths(hourly[resource] as number);
    }
    if (this.#world.rules.richness !== null) this.#writeRichness(planet);
    this.#writeNextTimer(nextOfPlanetMs(this.#world, planet));
    writer.fragment(BUILDING_LIST);
    this.#writeBuildings(planet, position);
    writer.fragment(SHIP_LIST);
    this.#writeShips(planet);
    writer.fragment(ORDER_LIST);
    this.#writeOrders(planet.orders);
    if (this.#world.rules.support !== null) this.#writeSupporters(planet);
    const { plans } = this.#world;
    const plan = plans.size === 0 ? undefined : plans.get(planet.row);
    if (plan === undefined) writer.fragment(OWNER_AFTER_LIST);
    else {
      writer.fragment(PLAN_STEPS);
      writer.integer(plan.steps.length);
      writer.fragment(OWNER_AFTER_NUMBER);
    }
    this.#writeOwner(planet.owner);
  }

  /** The public fields of a planet. */
  writeSummary(key: PlanetKey, owner: ReadonlyPlayer | undefined): void {
    this.writeHead(key);
    this.#writeSystem(this.#world.universe.positionOf(key));
    if (owner === undefined) {
      this.#writer.fragment(PUBLIC_NO_OWNER);
    } else {
      this.#writer.fragment(PUBLIC_OWNER);
      this.#writeOwner(owner);
    }
  }

  #write(planet: ReadonlyPlanet, nowMs: number): void {
    this.writeHead(planet.key);
    for (let resource = 0; resource < STOCK_LABELS.length; resource += 1) {
      this.#writer.fragment(STOCK_LABELS[resource] as Uint8Array);
      const hourly = hourlyThousandths(this.#world, planet, resource);
      this.#hourly[resource] = shockedThousandths(this.#world, planet, resource, hourly, nowMs);
      this.#writer.integer(Math.floor(stockThousandthsAt(this.#world, planet, resource, hourly, nowMs) / 1000));
    }
    this.writeTail(planet, this.#hourly);
  }

  #writeRichness(planet: ReadonlyPlanet): void {
    for (let resource = 0; resource < RICHNESS_LABELS.length; resource += 1) {
      this.#writer.fragment(RICHNESS_LABELS[resource] as Uint8Array);
      this.#writer.integer(planet.richnessPercent(resource));
    }
  }

  /** Ends the list before them. They are rare. */
  #writeSupporters({ key }: ReadonlyPlanet): void {
    const world = this.#world;
    const supporters = world.fleets.stationedAt(key).map(({ number, ownerNumber, ships }) => ({
      fleetId: fleetId(number),
      playerId: playerId(world, ownerNumber),
      ships: fleetShips(world.rules, ships),
    }));
    if (supporters.length === 0) return;
    this.#writer.fragment(fragment(`],"supporters":${JSON.stringify(supporters).slice(0, -1)}`));
  }

  #writeNextTimer(atMs: number): void {
    const writer = this.#writer;
    if (atMs === Number.POSITIVE_INFINITY) {
      writer.fragment(NO_TIMER);
      return;
    }
    writer.fragment(NEXT_TIMER);
    writer.instant(atMs);
  }

  /** A building under its first construction is listed with level 0. */
  #writeBuildings(planet: ReadonlyPlanet, position: Position): void {
    const writer = this.#writer;
    const { upgrade } = planet;
    const texts = this.#types.present.buildings;
    const upgradedType = upgrade === null ? -1 : upgrade.buildingType;
    let idStart = 0;
    let idEnd = 0;
    for (let type = 0; type < texts.length; type += 1) {
      const level = planet.levelOf(type);
      const isUpgrading = type === upgradedType;
      if (level === 0 && !isUpgrading) continue;
      if (idEnd > 0) {
        writer.again(idStart, idEnd);
      } else {
        idStart = writer.length;
        this.#writeId(position);
        idEnd = writer.length;
      }
      writer.fragment((texts[type] as readonly Uint8Array[])[level] as Uint8Array);
      if (isUpgrading) this.#writeUpgrade(upgrade as ShownUpgrade);
    }
    writer.dropComma();
  }

  #writeOrder({ shipType, count, finishAtMs }: ShownOrder, isBuilding: boolean): void {
    const writer = this.#writer;
    writer.fragment(this.#types.present.ships[shipType] as Uint8Array);
    writer.integer(count);
    writer.fragment(isBuilding ? ORDER_IN_WORK : ORDER_WAITING);
    writer.instant(finishAtMs);
    writer.fragment(CLOSING_BRACE);
  }

  /** `{"id":"planet-1-0-4`, with which the ids of all its buildings begin. */
  #writeId({ galaxy, system, slot }: Position): void {
    const writer = this.#writer;
    writer.fragment(ID);
    writer.integer(galaxy);
    writer.byte(HYPHEN);
    writer.integer(system);
    writer.byte(HYPHEN);
    writer.integer(slot);
  }

  #writeSystem({ galaxy, system }: Position): void {
    const writer = this.#writer;
    writer.fragment(SYSTEM_GALAXY);
    writer.integer(galaxy);
    writer.fragment(SYSTEM_INDEX);
    writer.integer(system);
  }

  /** Writes into the queue of the last building written. */
  #writeUpgrade({ queueNumber, targetLevel, startedAtMs, finishAtMs }: ShownUpgrade): void {
    const writer = this.#writer;
    writer.drop(IDLE_END_LENGTH);
    writer.fragment(QUEUE_ID);
    writer.integer(queueNumber);
    writer.fragment(TARGET_LEVEL);
    writer.integer(targetLevel);
    writer.fragment(STARTED_AT);
    writer.instant(startedAtMs);
    writer.fragment(UPGRADE_FINISH_AT);
    writer.instant(finishAtMs);
    writer.fragment(QUEUE_END);
  }

  #writeShips(planet: ReadonlyPlanet): void {
    const writer = this.#writer;
    const texts = this.#types.present.ships;
    for (let type = 0; type < texts.length; type += 1) {
      const count = planet.shipCount(type);
      if (count === 0) continue;
      writer.fragment(texts[type] as Uint8Array);
      writer.integer(count);
      writer.fragment(SHIP_END);
    }
    writer.dropComma();
  }

  #writeOrders(orders: readonly ShownOrder[]): void {
    const writer = this.#writer;
    for (let index = 0; index < orders.length; index += 1) {
      this.#writeOrder(orders[index] as ShownOrder, index === 0);
      writer.fragment(COMMA);
    }
    writer.dropComma();
  }

  /** The rest of the owner, and of the planet. */
  #writeOwner(owner: ReadonlyPlayer): void {
    const writer = this.#writer;
    writer.integer(this.#world.lineages.idNumberOf(owner.number));
    writer.fragment(NAME);
    writer.quoted(owner.name);
    writer.fragment(owner.isBot ? IS_BOT_END : IS_HUMAN_END);
  }
}

const LIST = fragment('[');
const LIST_END = fragment(']');
const COMMA = fragment(',');
const CLOSING_BRACE = fragment('}');
const HYPHEN = 45;
const ID = fragment('{"id":"planet-');
const NAME = fragment('","name":');
const PLANET_NAME = fragment('","name":"');
const SLOT = fragment('","slot":');
const NO_STOCKS = fragment(RESOURCES.map((name) => `,"${name}":0`).join(''));
const SYSTEM_GALAXY = fragment(',"system":{"galaxyIndex":');
const SYSTEM_INDEX = fragment(',"index":');
const NEXT_TIMER = fragment('},"nextTimerAt":');
const NO_TIMER = fragment('},"nextTimerAt":null');
const BUILDING_LIST = fragment(',"visibility":"full","buildings":[');
const SHIP_LIST = fragment('],"planetShips":[');
const ORDER_LIST = fragment('],"shipyardQueue":[');
const NOTHING_PRODUCED = RESOURCES.map((name) => `"${name}":0`).join(',');
const NOTHING_THERE = fragment(
  `},"production":{${NOTHING_PRODUCED}},"nextTimerAt":null,"visibility":"full",` +
    '"buildings":[],"planetShips":[],"shipyardQueue":[],"owner":null}',
);
const OWNER_AFTER_LIST = fragment('],"owner":{"id":"player-');
const PLAN_STEPS = fragment('],"planSteps":');
const OWNER_AFTER_NUMBER = fragment(',"owner":{"id":"player-');
const PUBLIC_OWNER = fragment('},"visibility":"public","owner":{"id":"player-');
const IS_BOT_END = fragment(',"isBot":true}}');
const IS_HUMAN_END = fragment(',"isBot":false}}');
const PUBLIC_NO_OWNER = fragment('},"visibility":"public","owner":null}');
const SHIPYARD_ORDERS = fragment('{"queue":[');
const SHIPYARD_SHIPS = fragment('],"stock":[');
const SHIPYARD_END = fragment(']}');

const IDLE_END_LENGTH = ']},'.length;
const QUEUE_ID = fragment('{"queueId":"queue-');
const TARGET_LEVEL = fragment('","targetLevel":');
const STARTED_AT = fragment(',"startedAt":');
const UPGRADE_FINISH_AT = fragment(',"upgradeFinishAt":');
const QUEUE_END = fragment('}]},');

const SHIP_END = fragment('},');
const ORDER_IN_WORK = fragment(',"isBuilding":true,"buildFinishAt":');
const ORDER_WAITING = fragment(',"isBuilding":false,"buildFinishAt":');

interface TypeTexts {
  /** Text of an idle building, from the end of the planet's id on, indexed by building type and level. */
  readonly buildings: readonly (readonly Uint8Array[])[];
  /** Text before the count of an order or of ships, indexed by ship type. */
  readonly ships: readonly Uint8Array[];
}

function typeTexts(rules: Rules): TypeTexts {
  return {
    buildings: rules.buildings.map(({ type }, buildingType) =>
      Array.from({ length: BUILDING_LEVEL_MAX + 1 }, (_, level) =>
        fragment(`${buildingId(rules, '', buildingType)}","type":"${type}","level":${level},"constructionQueue":[]},`),
      ),
    ),
    ships: rules.ships.map(({ type }) => fragment(`{"shipType":"${type}","count":`)),
  };
}

/** One byte for the length, then the letters. */
const BYTES_PER_NAME = 16;

class StarNames {
  readonly #universe: Universe;
  readonly #names: Uint8Array;

  constructor(universe: Universe) {
    this.#universe = universe;
    this.#names = new Uint8Array(GALAXY_COUNT * universe.systemsPerGalaxy * BYTES_PER_NAME);
  }

  /** Writes a planet's name without the slot at its end. Names need no escaping. */
  write(writer: TextWriter, key: PlanetKey, { galaxy, system, slot }: Position): void {
    const start = this.#universe.systemKey(galaxy, system) * BYTES_PER_NAME;
    if (this.#names[start] === 0) this.#keep(start, this.#universe.planetName(key).slice(0, -String(slot).length));
    writer.part(this.#names, start + 1, this.#names[start] as number);
  }

  #keep(start: number, name: string): void {
    if (name.length >= BYTES_PER_NAME) throw new Error(`the name of the star is too long: ${name}`);
    for (let index = 0; index < name.length; index += 1) this.#names[start + 1 + index] = name.charCodeAt(index);
    this.#names[start] = name.length;
  }
}
