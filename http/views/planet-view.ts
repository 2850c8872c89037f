// A planet as JSON text. Only five numbers of it move by themselves: the rest is kept as text until the planet changes.
// Written by hand, since it is in nearly every reply; a test holds it to its schema.
import { buildingId, planetIdAt, playerId, queueId } from '../../engine/ids.js';
import { BUILDINGS, RESOURCES, SHIPS } from '../../engine/rules/catalogue.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/state.js';
import { stockUnits } from '../../engine/stocks.js';
import type { PlanetKey } from '../../engine/universe.js';
import { PLANET_CACHE_ENTRIES_MAX } from '../limits.js';
import { GenerationCache } from './generation-cache.js';
import { isoText } from './iso-time.js';

/** The text of a planet around its five numbers. */
export interface PlanetText {
  /** Up to and including `"iron":`. */
  readonly head: string;
  /** Everything after the energy. */
  readonly tail: string;
}

interface KeptText extends PlanetText {
  readonly changedSeq: number;
}

/** What stands before each of the five numbers but the first. */
export const STOCK_LABELS: readonly string[] = RESOURCES.map((name) => `,"${name}":`);

export class PlanetView {
  readonly #world: ReadonlyWorld;
  readonly #kept = new GenerationCache<PlanetKey, KeptText>(PLANET_CACHE_ENTRIES_MAX, () => 1);

  constructor(world: ReadonlyWorld) {
    this.#world = world;
  }

  /** A planet with an owner. Nothing of it is kept: most of these are replies to commands, stale by the next one. */
  text(planet: ReadonlyPlanet, nowMs: number): string {
    const { head, tail } = this.#render(planet);
    let text = head + stockUnits(this.#world, planet, 0, nowMs);
    for (let resource = 1; resource < STOCK_LABELS.length; resource += 1) {
      text += (STOCK_LABELS[resource] as string) + stockUnits(this.#world, planet, resource, nowMs);
    }
    return text + tail;
  }

  /** The text of a planet with an owner around its five numbers, kept until the planet changes. */
  around(planet: ReadonlyPlanet): PlanetText {
    const kept = this.#kept.get(planet.key);
    if (kept !== undefined && kept.changedSeq === planet.changedSeq) return kept;
    const fresh = { ...this.#render(planet), changedSeq: planet.changedSeq };
    this.#kept.set(planet.key, fresh);
    return fresh;
  }

  /** A planet that nobody owns: without stocks, buildings or ships. */
  unownedText(key: PlanetKey): string {
    const stocks = STOCK_LABELS.map((label) => `${label}0`).join('');
    const { id, identity, system } = this.#place(key);
    const empty = '"buildings":[],"planetShips":[],"shipyardQueue":[]';
    return `{"id":"${id}",${identity}${stocks}${system},${empty},"owner":null}`;
  }

  /** What anybody can see of a planet. */
  summaryText(key: PlanetKey, owner: ReadonlyPlayer | undefined): string {
    const { id, identity, system } = this.#place(key);
    return `{"id":"${id}",${identity}${system},"owner":${owner === undefined ? 'null' : ownerText(owner)}}`;
  }

  #render(planet: ReadonlyPlanet): PlanetText {
    const { id, identity, system } = this.#place(planet.key);
    return {
      head: `{"id":"${id}",${identity}${STOCK_LABELS[0]}`,
      tail: `${system},"buildings":${buildingsText(id, planet)}${shipsText(planet)},"owner":${ownerText(planet.owner)}}`,
    };
  }

  /** What a planet's position alone tells: its id, `"name":…,"slot":…` and `,"system":…`. Names need no escaping. */
  #place(key: PlanetKey): { readonly id: string; readonly identity: string; readonly system: string } {
    const { universe } = this.#world;
    const position = universe.positionOf(key);
    return {
      id: planetIdAt(position),
      identity: `"name":"${universe.planetName(key)}","slot":${position.slot}`,
      system: `,"system":{"galaxyIndex":${position.galaxy},"index":${position.system}}`,
    };
  }
}

/** The list of a planet's buildings; one under its first construction stands there with level 0. */
export function buildingsText(id: string, planet: ReadonlyPlanet): string {
  const { levels, upgrade } = planet;
  let text = '';
  for (let type = 0; type < BUILDINGS.length; type += 1) {
    const level = levels[type] as number;
    const isUpgrading = upgrade !== null && upgrade.buildingType === type;
    if (level === 0 && !isUpgrading) continue;
    const queue = isUpgrading ? queueEntryText(upgrade) : '';
    const separator = text === '' ? '' : ',';
    text += `${separator}{"id":"${buildingId(id, type)}","type":"${BUILDINGS[type]?.type}","level":${level},"constructionQueue":[${queue}]}`;
  }
  return `[${text}]`;
}

/** The list of orders in a planet's shipyard. */
export function shipyardQueueText(planet: ReadonlyPlanet): string {
  return `[${planet.orders.map((order, index) => shipOrderText(order, index === 0)).join(',')}]`;
}

export function shipOrderText(order: ReadonlyPlanet['orders'][number], isBuilding: boolean): string {
  const type = SHIPS[order.shipType]?.type;
  return `{"shipType":"${type}","count":${order.count},"isBuilding":${isBuilding},"buildFinishAt":"${isoText(order.finishAtMs)}"}`;
}

/** The list of ships on a planet. */
export function stockText(planet: ReadonlyPlanet): string {
  let text = '';
  for (let type = 0; type < SHIPS.length; type += 1) {
    const count = planet.shipCount(type);
    if (count > 0) text += `${text === '' ? '' : ','}{"shipType":"${SHIPS[type]?.type}","count":${count}}`;
  }
  return `[${text}]`;
}

function shipsText(planet: ReadonlyPlanet): string {
  return `,"planetShips":${stockText(planet)},"shipyardQueue":${shipyardQueueText(planet)}`;
}

function queueEntryText(upgrade: NonNullable<ReadonlyPlanet['upgrade']>): string {
  const { queueNumber, targetLevel, startedAtMs, finishAtMs } = upgrade;
  const times = `"startedAt":"${isoText(startedAtMs)}","upgradeFinishAt":"${isoText(finishAtMs)}"`;
  return `{"queueId":"${queueId(queueNumber)}","targetLevel":${targetLevel},${times}}`;
}

function ownerText({ number, name, isBot }: ReadonlyPlayer): string {
  return `{"id":"${playerId(number)}","name":${JSON.stringify(name)},"isBot":${isBot}}`;
}
