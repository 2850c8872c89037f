// All planets that have an owner, in rows (decision 3). This file holds no rule of the game.

import { richnessOf } from '../map/richness.js';
import type { PlanetKey, Universe } from '../map/universe.js';
import { KeyIndex } from '../numbers/key-index.js';
import { copyOfColumns, RowPages } from '../numbers/row-pages.js';
import type { CompiledRichness } from '../rules/parts.js';
import { type Amounts, CARGO_RESOURCE_COUNT, FREE, RESOURCES } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import type { Player, PlayerTable } from './player-table.js';
import { NO_TIMER, type TimerHandle } from './timer-queue.js';

/** Position of a planet in the table while it has its owner. A planet never passes from one owner directly to another. */
export type PlanetRow = number;

export interface BuildingUpgrade {
  readonly queueNumber: number;
  readonly buildingType: number;
  readonly targetLevel: number;
  readonly startedAtMs: number;
  readonly finishAtMs: number;
  readonly timer: TimerHandle;
}

export interface ShipOrder {
  readonly shipType: number;
  readonly count: number;
  readonly finishAtMs: number;
}

/** What attackers have taken from a planet since the first loot of a period. */
export interface Looting {
  /** World time at which the period ends. */
  readonly untilMs: number;
  /** Units, by shippable resource. */
  readonly taken: readonly number[];
}

/** What other players have brought to a planet in a period of deliveries. */
export interface Delivered {
  /** World time at which the period ends. */
  readonly untilMs: number;
  /** Units of all resources together. */
  readonly units: number;
}

// The columns of a row. Columns whose count depends on the rules come last: levels by building type, then ships by ship
// type, then, if planets differ in richness, what was derived of it. The constants must stay in this module, so that V8 compiles them as constants and not as loads.
const KEY = 0;
const OWNER_NUMBER = 1;
const CHANGED_SEQ = 2;
const STOCK = 3;
const STOCK_SINCE_MS: number = STOCK + RESOURCES.length;
/** The position of the building that is being upgraded, plus 1; 0 without an upgrade. Its target is one level above the present one. */
const UPGRADED: number = STOCK_SINCE_MS + RESOURCES.length;
const FINISH_AT_MS: number = UPGRADED + 1;
const QUEUE_NUMBER: number = UPGRADED + 2;
const STARTED_AT_MS: number = UPGRADED + 3;
const UPGRADE_TIMER: number = UPGRADED + 4;
const SHIP_TYPE: number = UPGRADED + 5;
/** 0 if no ships are being built. */
const SHIP_COUNT: number = SHIP_TYPE + 1;
const SHIPS_FINISH_AT_MS: number = SHIP_TYPE + 2;
const ORDER_TIMER: number = SHIP_TYPE + 3;
/** The row of the owner's next planet, plus 1; 0 for the last one. */
const NEXT_OF_OWNER: number = SHIP_TYPE + 4;
const LEVELS: number = SHIP_TYPE + 5;

const NO_ORDERS: readonly ShipOrder[] = Object.freeze([]);

/** A planet: a view of its row. */
export class Planet {
  constructor(
    private readonly table: PlanetTable,
    readonly row: number,
    private readonly page: Float64Array,
    private readonly first: number,
  ) {}

  private read(column: number): number {
    return this.page[this.first + column] as number;
  }

  private write(column: number, value: number): void {
    this.page[this.first + column] = value;
  }

  /** Initializes a row whose columns are all 0. */
  initialize(key: PlanetKey, ownerNumber: number): void {
    this.write(KEY, key);
    this.write(OWNER_NUMBER, ownerNumber);
    this.write(ORDER_TIMER, NO_TIMER);
  }

  get key(): PlanetKey {
    return this.read(KEY);
  }

  get owner(): Player {
    return this.table.players.at(this.ownerNumber);
  }

  /** 0 if the row is free. */
  get ownerNumber(): number {
    return this.read(OWNER_NUMBER);
  }

  /** The planet that its owner got next. */
  get next(): Planet | undefined {
    const next = this.read(NEXT_OF_OWNER);
    return next === 0 ? undefined : this.table.at(next - 1);
  }

  set next(planet: Planet) {
    this.write(NEXT_OF_OWNER, planet.row + 1);
  }

  /** Seq of the entry that last changed the planet. */
  get changedSeq(): number {
    return this.read(CHANGED_SEQ);
  }

  set changedSeq(seq: number) {
    this.write(CHANGED_SEQ, seq);
  }

  /** Thousandths of a unit of a resource, without what was produced since `stockSinceMs(resource)`; see stocks.ts. */
  stockOf(resource: number): number {
    return this.read(STOCK + resource);
  }

  /** Changes the stock of a resource. Its instant stays the same. */
  setStock(resource: number, thousandths: number): void {
    this.write(STOCK + resource, thousandths);
  }

  /** Stores the stock of a resource as of an instant. */
  setStockAt(resource: number, thousandths: number, atMs: number): void {
    this.write(STOCK + resource, thousandths);
    this.write(STOCK_SINCE_MS + resource, atMs);
  }

  /** A copy of the stocks of all resources. */
  get stock(): readonly number[] {
    return copyOfColumns(this.page, this.first + STOCK, RESOURCES.length);
  }

  stockSinceMs(resource: number): number {
    return this.read(STOCK_SINCE_MS + resource);
  }

  /** A copy of the instants of all stocks. */
  get stocksSinceMs(): readonly number[] {
    return copyOfColumns(this.page, this.first + STOCK_SINCE_MS, RESOURCES.length);
  }

  /** 0 if the building is absent or under its first construction. */
  levelOf(buildingType: number): number {
    return this.read(LEVELS + buildingType);
  }

  setLevel(buildingType: number, level: number): void {
    this.write(LEVELS + buildingType, level);
  }

  /** A copy of the levels of all buildings. */
  get levels(): readonly number[] {
    return copyOfColumns(this.page, this.first + LEVELS, this.table.stationed - LEVELS);
  }

  /** Stationed ships of a type. */
  shipCount(shipType: number): number {
    return this.read(this.table.stationed + shipType);
  }

  setShipCount(shipType: number, count: number): void {
    this.write(this.table.stationed + shipType, count);
  }

  /** A copy of the counts of stationed ships, by ship type. */
  get ships(): readonly number[] {
    return copyOfColumns(this.page, this.first + this.table.stationed, this.table.shipTypeCount);
  }

  /** Richness for a shippable resource, in per cent. Call it only under rules with richness. */
  richnessPercent(resource: number): number {
    return this.read(this.table.richness + resource);
  }

  /** Writes what the rules derive from the key. */
  setRichness(percents: readonly number[]): void {
    for (let resource = 0; resource < percents.length; resource += 1) {
      this.write(this.table.richness + resource, percents[resource] as number);
    }
  }

  get upgrade(): BuildingUpgrade | null {
    const buildingType = this.read(UPGRADED) - 1;
    if (buildingType < 0) return null;
    return {
      queueNumber: this.read(QUEUE_NUMBER),
      buildingType,
      targetLevel: this.levelOf(buildingType) + 1,
      startedAtMs: this.read(STARTED_AT_MS),
      finishAtMs: this.read(FINISH_AT_MS),
      timer: this.read(UPGRADE_TIMER),
    };
  }

  /** What was paid for the upgrade in progress, which the rules may price differently by now. */
  get upgradePaid(): Amounts {
    return this.table.upgradesPaid[this.row] as Amounts;
  }

  beginUpgrade(upgrade: Omit<BuildingUpgrade, 'targetLevel'>, paid: Amounts): void {
    this.write(QUEUE_NUMBER, upgrade.queueNumber);
    this.write(UPGRADED, upgrade.buildingType + 1);
    this.write(STARTED_AT_MS, upgrade.startedAtMs);
    this.write(FINISH_AT_MS, upgrade.finishAtMs);
    this.write(UPGRADE_TIMER, upgrade.timer);
    this.table.upgradesPaid[this.row] = paid;
  }

  endUpgrade(): void {
    this.write(UPGRADED, 0);
  }

  /** The ship order that is being built. */
  get firstOrder(): ShipOrder | null {
    const count = this.read(SHIP_COUNT);
    if (count === 0) return null;
    return { shipType: this.read(SHIP_TYPE), count, finishAtMs: this.read(SHIPS_FINISH_AT_MS) };
  }

  /** Ship orders in the order in which they are delivered; all of one type. */
  get orders(): readonly ShipOrder[] {
    const first = this.firstOrder;
    if (first === null) return NO_ORDERS;
    const waiting = this.table.waitingOrders.get(this.row);
    return waiting === undefined ? [first] : [first, ...waiting];
  }

  addOrder(order: ShipOrder): void {
    if (this.read(SHIP_COUNT) === 0) {
      this.build(order);
      return;
    }
    const waiting = this.table.waitingOrders.get(this.row);
    if (waiting === undefined) this.table.waitingOrders.set(this.row, [order]);
    else waiting.push(order);
  }

  /** Removes the first order; the next one, if any, becomes the first. @returns the removed order */
  takeFirstOrder(): ShipOrder | null {
    const first = this.firstOrder;
    const waiting = this.table.waitingOrders.get(this.row);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.table.waitingOrders.delete(this.row);
    if (next === undefined) this.write(SHIP_COUNT, 0);
    else this.build(next);
    return first;
  }

  /** World time at which the upgrade or the first ship order is complete, the earlier one; Infinity without either. */
  get nextFinishMs(): number {
    const upgradeMs = this.read(UPGRADED) === 0 ? Number.POSITIVE_INFINITY : this.read(FINISH_AT_MS);
    const shipsMs = this.read(SHIP_COUNT) === 0 ? Number.POSITIVE_INFINITY : this.read(SHIPS_FINISH_AT_MS);
    return Math.min(upgradeMs, shipsMs);
  }

  /** Null if nothing was ever taken; the period may be over. */
  get looting(): Looting | null {
    return this.table.lootings.get(this.row) ?? null;
  }

  set looting(looting: Looting) {
    this.table.lootings.set(this.row, looting);
  }

  /** Null if other players never brought anything; the period may be over. */
  get delivered(): Delivered | null {
    return this.table.deliveries.get(this.row) ?? null;
  }

  set delivered(delivered: Delivered) {
    this.table.deliveries.set(this.row, delivered);
  }

  dropOrders(): void {
    this.write(SHIP_COUNT, 0);
    this.table.waitingOrders.delete(this.row);
  }

  /** Fires when the first order is complete. */
  get orderTimer(): TimerHandle {
    return this.read(ORDER_TIMER);
  }

  set orderTimer(timer: TimerHandle) {
    this.write(ORDER_TIMER, timer);
  }

  private build(order: ShipOrder): void {
    this.write(SHIP_TYPE, order.shipType);
    this.write(SHIP_COUNT, order.count);
    this.write(SHIPS_FINISH_AT_MS, order.finishAtMs);
  }
}

/** What of the rules says which columns a row has. */
type RowRules = Pick<Rules, 'buildings' | 'ships' | 'richness'>;

export class PlanetTable {
  readonly #index = new KeyIndex();
  readonly #pages = new RowPages();
  /** The orders after the first one, if there are any, indexed by row. */
  readonly waitingOrders = new Map<PlanetRow, ShipOrder[]>();
  /** By row, of planets from which attackers have taken something. */
  readonly lootings = new Map<PlanetRow, Looting>();
  /** By row, of planets to which other players have brought something under rules that limit it. */
  readonly deliveries = new Map<PlanetRow, Delivered>();
  /**
   * By row: what was paid for the upgrade in progress, in units. Without an upgrade the entry means nothing. Most entries are the lists in the
   * tables of the rules, so a planet takes one pointer. Only a cancellation reads them.
   */
  readonly upgradesPaid: Amounts[] = [];

  /** Column of the first ship type. */
  stationed = LEVELS;
  shipTypeCount = 0;
  /** Column of the richness for the first resource, if planets differ in it. It is derived from the key and costs too much to derive often. */
  richness = LEVELS;
  #richnessRules: CompiledRichness | null = null;
  /** Raised whenever a planet gets or loses its owner, or an owner its name. Counted by this process; not part of the state. */
  ownersVersion = 0;
  /** Seq of the entry that last took an owner or its name away, since this process began; 0 if none did. Not part of the state. */
  removedSeq = 0;

  constructor(
    readonly players: PlayerTable,
    private readonly universe: Universe,
    rules: RowRules,
  ) {
    this.makeRoom(rules);
  }

  /**
   * Rebuilds all rows for new rules, which have all present types and may have more. Planet objects from before the
   * call must not be used afterwards.
   */
  makeRoom({ buildings, ships, richness }: RowRules): void {
    const { stationed, shipTypeCount } = this;
    this.stationed = LEVELS + buildings.length;
    this.shipTypeCount = ships.length;
    this.richness = this.stationed + ships.length;
    this.#richnessRules = richness;
    this.#pages.widen(this.richness + (richness === null ? 0 : CARGO_RESOURCE_COUNT), [
      { from: 0, to: 0, length: stationed },
      { from: stationed, to: this.stationed, length: shipTypeCount },
    ]);
    for (const planet of this.values()) this.#deriveRichness(planet);
  }

  get size(): number {
    return this.#index.size;
  }

  has(key: PlanetKey): boolean {
    return this.#index.rowOf(key) >= 0;
  }

  get(key: PlanetKey): Planet | undefined {
    const row = this.#index.rowOf(key);
    return row < 0 ? undefined : this.at(row);
  }

  /** @param row of an existing planet */
  at(row: PlanetRow): Planet {
    return new Planet(this, row, this.#pages.pageOf(row), this.#pages.firstOf(row));
  }

  /** All planets in the order of their rows, on which nothing may depend. */
  *values(): Generator<Planet> {
    for (let row = 0; row < this.#pages.end; row += 1) {
      const planet = this.at(row);
      if (planet.ownerNumber !== 0) yield planet;
    }
  }

  /** Adds a planet that is not in the table yet, as the last one of its owner. It has no stocks, buildings or ships. */
  add(key: PlanetKey, owner: Player): Planet {
    const row = this.#pages.take();
    if (row === this.upgradesPaid.length) this.upgradesPaid.push(FREE);
    this.#index.add(key, row);
    this.ownersVersion += 1;
    const planet = this.at(row);
    planet.initialize(key, owner.number);
    this.#deriveRichness(planet);
    owner.addPlanet(planet);
    return planet;
  }

  #deriveRichness(planet: Planet): void {
    if (this.#richnessRules !== null) planet.setRichness(richnessOf(this.universe, planet.key, this.#richnessRules));
  }

  /** Removes a planet of an owner that loses all of them. @param seq of the entry that takes its owner away */
  remove({ key, row }: Planet, seq: number): void {
    this.#index.remove(key);
    this.lootings.delete(row);
    this.deliveries.delete(row);
    this.#pages.clear(row);
    this.#pages.free(row);
    this.ownerGone(seq);
  }

  /** What was shown of owners before an entry is no longer valid: one has lost its planets, or its name. */
  ownerGone(seq: number): void {
    this.ownersVersion += 1;
    this.removedSeq = seq;
  }
}
