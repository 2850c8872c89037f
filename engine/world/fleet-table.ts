// All fleets under way, in rows (decision 3). The fleets of a player are a list through their rows, and so are those with the same target.
// This file holds no rule of the game.

import type { PlanetKey } from '../map/universe.js';
import { KeyIndex } from '../numbers/key-index.js';
import { copyOfColumns, NO_ROW, RowLists, RowPages } from '../numbers/row-pages.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import type { Player, PlayerTable } from './player-table.js';
import { NO_TIMER, type TimerHandle } from './timer-queue.js';

/** Position of a fleet in the table while it is under way. */
export type FleetRow = number;

/** A fleet that sets out. */
export interface Departure {
  readonly number: number;
  readonly mission: number;
  readonly originKey: PlanetKey;
  readonly targetKey: PlanetKey;
  /** Counts by ship type. */
  readonly ships: readonly number[];
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
  readonly drive: number;
  readonly distance: number;
  readonly flightMs: number;
  readonly h2Cost: number;
  readonly launchedAtMs: number;
  readonly arrivesAtMs: number;
  /** Null if the fleet will not return. */
  readonly returnsAtMs: number | null;
}

// The columns of a row. Ships by ship type come last: their count depends on the rules. The constants must stay in this module, so that V8
// compiles them as constants and not as loads.
const NUMBER = 0;
const OWNER_NUMBER = 1;
const MISSION = 2;
const ORIGIN_KEY = 3;
const TARGET_KEY = 4;
const TIMER = 5;
const COURSE = 6;
const ARRIVES_AT_MS = 7;
/** Instants that may be missing, plus 1; 0 for none. */
const RETURNS_AT_MS = 8;
const RECALLED_AT_MS = 9;
const FLIGHT_MS = 10;
const LAUNCHED_AT_MS = 11;
// The neighbours in the lists of its owner and of its target.
const NEXT_OF_OWNER = 12;
const PREVIOUS_OF_OWNER = 13;
const NEXT_OF_TARGET = 14;
const PREVIOUS_OF_TARGET = 15;
const DRIVE = 16;
const DISTANCE = 17;
const H2_COST = 18;
const CARGO = 19;
/** Column of the first ship type. */
export const SHIPS: number = CARGO + CARGO_RESOURCE_COUNT;

/** Values of COURSE, and the place of each in the row of a fleet on disk: on its way to its target or back, or staying there. */
const OUTBOUND = 0;
const RETURNING = 1;
const STATIONED = 2;
export const COURSES = ['outbound', 'returning', 'stationed'] as const;

/** A fleet: a view of its row. It has what the fleet had until another one gets the row. */
export class Fleet {
  constructor(
    private readonly table: FleetTable,
    readonly row: FleetRow,
    private readonly page: Float64Array,
    private readonly first: number,
  ) {}

  private read(column: number): number {
    return this.page[this.first + column] as number;
  }

  private write(column: number, value: number): void {
    this.page[this.first + column] = value;
  }

  /** Initializes all columns except those of the lists. */
  initialize(ownerNumber: number, departure: Departure): void {
    this.write(NUMBER, departure.number);
    this.write(OWNER_NUMBER, ownerNumber);
    this.write(MISSION, departure.mission);
    this.write(ORIGIN_KEY, departure.originKey);
    this.write(TARGET_KEY, departure.targetKey);
    this.write(TIMER, NO_TIMER);
    this.write(COURSE, OUTBOUND);
    this.write(ARRIVES_AT_MS, departure.arrivesAtMs);
    this.returnsAtMs = departure.returnsAtMs;
    this.recalledAtMs = null;
    this.write(FLIGHT_MS, departure.flightMs);
    this.write(LAUNCHED_AT_MS, departure.launchedAtMs);
    this.write(DRIVE, departure.drive);
    this.write(DISTANCE, departure.distance);
    this.write(H2_COST, departure.h2Cost);
    for (let resource = 0; resource < CARGO_RESOURCE_COUNT; resource += 1) {
      this.setCargo(resource, departure.cargo[resource] as number);
    }
    for (let type = 0; type < this.table.shipTypeCount; type += 1) {
      this.setShipCount(type, departure.ships[type] as number);
    }
  }

  get number(): number {
    return this.read(NUMBER);
  }

  get owner(): Player {
    return this.table.players.at(this.ownerNumber);
  }

  get ownerNumber(): number {
    return this.read(OWNER_NUMBER);
  }

  get mission(): number {
    return this.read(MISSION);
  }

  get originKey(): PlanetKey {
    return this.read(ORIGIN_KEY);
  }

  get targetKey(): PlanetKey {
    return this.read(TARGET_KEY);
  }

  shipCount(shipType: number): number {
    return this.read(SHIPS + shipType);
  }

  setShipCount(shipType: number, count: number): void {
    this.write(SHIPS + shipType, count);
  }

  /** A copy of the counts by ship type. */
  get ships(): readonly number[] {
    return copyOfColumns(this.page, this.first + SHIPS, this.table.shipTypeCount);
  }

  /** Whole units of one of the first CARGO_RESOURCE_COUNT resources. */
  cargoOf(resource: number): number {
    return this.read(CARGO + resource);
  }

  setCargo(resource: number, units: number): void {
    this.write(CARGO + resource, units);
  }

  /** A copy of the cargo by resource. */
  get cargo(): readonly number[] {
    return copyOfColumns(this.page, this.first + CARGO, CARGO_RESOURCE_COUNT);
  }

  get drive(): number {
    return this.read(DRIVE);
  }

  get distance(): number {
    return this.read(DISTANCE);
  }

  get flightMs(): number {
    return this.read(FLIGHT_MS);
  }

  get h2Cost(): number {
    return this.read(H2_COST);
  }

  get launchedAtMs(): number {
    return this.read(LAUNCHED_AT_MS);
  }

  get arrivesAtMs(): number {
    return this.read(ARRIVES_AT_MS);
  }

  /** Null if the fleet will not return. */
  get returnsAtMs(): number | null {
    return this.instantOrNull(RETURNS_AT_MS);
  }

  set returnsAtMs(atMs: number | null) {
    this.write(RETURNS_AT_MS, atMs === null ? 0 : atMs + 1);
  }

  get recalledAtMs(): number | null {
    return this.instantOrNull(RECALLED_AT_MS);
  }

  set recalledAtMs(atMs: number | null) {
    this.write(RECALLED_AT_MS, atMs === null ? 0 : atMs + 1);
  }

  get isReturning(): boolean {
    return this.read(COURSE) === RETURNING;
  }

  /** Whether it stays at its target, without a timer; see support.ts. */
  get isStationed(): boolean {
    return this.read(COURSE) === STATIONED;
  }

  get course(): number {
    return this.read(COURSE);
  }

  /** It is no longer on its way to its target, and flies back. */
  turnRound(): void {
    if (this.isStationed) this.table.stationedCount -= 1;
    this.write(COURSE, RETURNING);
  }

  /** It has arrived, and stays at its target. */
  station(): void {
    this.table.stationedCount += 1;
    this.write(COURSE, STATIONED);
  }

  /** Fires when the fleet reaches its target, or its origin on its way back. */
  get timer(): TimerHandle {
    return this.read(TIMER);
  }

  set timer(timer: TimerHandle) {
    this.write(TIMER, timer);
  }

  private instantOrNull(column: number): number | null {
    const instant = this.read(column);
    return instant === 0 ? null : instant - 1;
  }
}

type TypeLists = Pick<Rules, 'ships'>;

export class FleetTable {
  readonly #pages = new RowPages();
  /** Indexed by the number of the fleet. */
  readonly #rows = new Map<number, FleetRow>();
  readonly #ofOwners = new RowLists(this.#pages, NEXT_OF_OWNER, PREVIOUS_OF_OWNER);
  readonly #ofTargets = new RowLists(this.#pages, NEXT_OF_TARGET, PREVIOUS_OF_TARGET);
  /** The first rows of the lists, by the key of the target. */
  readonly #firstOfTarget = new KeyIndex();
  shipTypeCount = 0;
  /** Fleets that stay at planets of others. */
  stationedCount = 0;

  constructor(
    readonly players: PlayerTable,
    rules: TypeLists,
  ) {
    this.makeRoom(rules);
  }

  /** Rebuilds all rows for new rules, which have all present types and may have more. Views from before must not be used afterwards. */
  makeRoom({ ships }: TypeLists): void {
    const kept = { from: 0, to: 0, length: SHIPS + this.shipTypeCount };
    this.shipTypeCount = ships.length;
    this.#pages.widen(SHIPS + ships.length, [kept]);
  }

  get size(): number {
    return this.#rows.size;
  }

  has(number: number): boolean {
    return this.#rows.has(number);
  }

  get(number: number): Fleet | undefined {
    const row = this.#rows.get(number);
    return row === undefined ? undefined : this.at(row);
  }

  /** @param row of a fleet under way */
  at(row: FleetRow): Fleet {
    return new Fleet(this, row, this.#pages.pageOf(row), this.#pages.firstOf(row));
  }

  /** All fleets in the order of their rows, on which nothing may depend. */
  *values(): Generator<Fleet> {
    for (let row = 0; row < this.#pages.end; row += 1) {
      const fleet = this.at(row);
      if (this.#rows.get(fleet.number) === row) yield fleet;
    }
  }

  /** The fleets of a player, in the order of their launch. */
  of(owner: Player): Fleet[] {
    return this.#ofOwners.rows(owner.firstFleetRow).map((row) => this.at(row));
  }

  /** The fleets on their way to a planet, in the order of their launch. */
  to(targetKey: PlanetKey): Fleet[] {
    return this.aimedAt(targetKey).filter(({ course }) => course === OUTBOUND);
  }

  /** The fleets that stay at a planet of another player, in the order of their launch. */
  stationedAt(targetKey: PlanetKey): Fleet[] {
    return this.aimedAt(targetKey).filter(({ course }) => course === STATIONED);
  }

  /** The fleets with a planet as their target, on their way to it or back or staying there, in the order of their launch. */
  aimedAt(targetKey: PlanetKey): Fleet[] {
    const fleets = this.#ofTargets.rows(this.#firstOfTarget.rowOf(targetKey)).map((row) => this.at(row));
    // A list of a loaded world has them by their owners.
    return fleets.sort((one, other) => one.number - other.number);
  }

  /** Adds a fleet on its way to its target. It has no timer yet. */
  add(owner: Player, departure: Departure): Fleet {
    const row = this.#pages.take();
    const fleet = this.at(row);
    fleet.initialize(owner.number, departure);
    this.#rows.set(departure.number, row);
    owner.firstFleetRow = this.#ofOwners.append(owner.firstFleetRow, row);
    owner.fleetCount += 1;
    const first = this.#firstOfTarget.rowOf(departure.targetKey);
    this.#ofTargets.append(first, row);
    if (first === NO_ROW) this.#firstOfTarget.add(departure.targetKey, row);
    return fleet;
  }

  /** Removes a fleet. */
  remove(fleet: Fleet): void {
    const { row, owner, targetKey } = fleet;
    if (fleet.isStationed) this.stationedCount -= 1;
    const first = this.#firstOfTarget.rowOf(targetKey);
    const left = this.#ofTargets.remove(first, row);
    if (left === NO_ROW) this.#firstOfTarget.remove(targetKey);
    else if (left !== first) this.#firstOfTarget.replace(targetKey, left);
    owner.firstFleetRow = this.#ofOwners.remove(owner.firstFleetRow, row);
    owner.fleetCount -= 1;
    this.#rows.delete(fleet.number);
    this.#pages.free(row);
  }
}
