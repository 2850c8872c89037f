// All players, in rows by number (decision 3). A player's planets are a list through their rows. This file holds no rule of the game.

import { copyOfColumns, NO_ROW, RowPages } from '../numbers/row-pages.js';
import { TextColumn } from '../numbers/text-column.js';
import { RESOURCES } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import type { Report } from '../terms/reports.js';
import type { Fleet, FleetRow } from './fleet-table.js';
import type { Planet } from './planet-table.js';
import type { World } from './state.js';
import type { TimerHandle } from './timer-queue.js';

export interface ActiveResearch {
  readonly researchType: number;
  readonly startedAtMs: number;
  readonly finishAtMs: number;
  readonly timer: TimerHandle;
}

// The columns of a row. Columns whose count depends on the rules come last: levels by research type, then, if research raises outputs, a
// bonus for each resource. The constants must stay in this module, so that V8 compiles them as constants and not as loads.
// What most commands use comes first: it is in one cache line.
/** NOBODY, HUMAN or BOT. */
const KIND = 0;
const CHANGED_SEQ = 1;
const LAST_ACTIVE_MS = 2;
const POINT_HUNDREDTHS = 3;
/** The position of the active research, plus 1; 0 without one. */
const RESEARCHED = 4;
/** The row of the first planet, plus 1; 0 without planets. */
const FIRST_PLANET = 5;
const PLANET_COUNT = 6;
const PROTECTED_UNTIL_MS = 7;
const RESEARCH_FINISH_AT_MS = 8;
const RESEARCH_STARTED_AT_MS = 9;
const RESEARCH_TIMER = 10;
const LAST_PLANET = 11;
const STARTER_COUNT = 12;
/** Instants of keys, plus 1; 0 for none. */
const KEY_EXPIRES_AT_MS = 13;
const OLD_KEY_UNTIL_MS = 14;
const DESTROYED_UNITS = 15;
/** The row of the first fleet; it means nothing without fleets. */
const FIRST_FLEET = 16;
const FLEET_COUNT = 17;
/** The first row of the oldest report; it means nothing without reports. */
const FIRST_REPORT = 18;
const REPORT_COUNT = 19;
const LEVELS = 20;

/** A name that a player had before it was renamed. */
export interface FormerName {
  readonly name: string;
  /** See Player. */
  readonly nameKey: string;
}

/** What a player has taken from others in battles since its first loot of a period. */
export interface Looted {
  /** World time at which the period ends. */
  readonly untilMs: number;
  /** Units of all resources together, by the number of the player that had them, in the order of the first loots. */
  readonly units: Map<number, number>;
}

const NO_NAMES: readonly FormerName[] = Object.freeze([]);

/** Numbers of retired players, and those that nobody has had yet. */
const NOBODY = 0;
const HUMAN = 1;
const BOT = 2;

/** A player: a view of its row. */
export class Player {
  constructor(
    private readonly table: PlayerTable,
    readonly number: number,
    private readonly page: Float64Array,
    private readonly first: number,
  ) {}

  private read(column: number): number {
    return this.page[this.first + column] as number;
  }

  private write(column: number, value: number): void {
    this.page[this.first + column] = value;
  }

  /** False once the player is retired. */
  get exists(): boolean {
    return this.read(KIND) !== NOBODY;
  }

  get isBot(): boolean {
    return this.read(KIND) === BOT;
  }

  get name(): string {
    return this.table.names.get(this.number) as string;
  }

  /**
   * The key by which the name is compared: names that look alike have the same one. It is part of the command, so that no replay depends on
   * tables of Unicode.
   */
  get nameKey(): string {
    return this.table.nameKeys.get(this.number) ?? this.name;
  }

  /** The names that it had before, oldest first. Nobody else gets them as long as it exists. */
  get formerNames(): readonly FormerName[] {
    return this.table.formerNames.get(this.number) ?? NO_NAMES;
  }

  set formerNames(names: readonly FormerName[]) {
    if (names.length === 0) this.table.formerNames.delete(this.number);
    else this.table.formerNames.set(this.number, names);
  }

  setName(name: string, nameKey: string): void {
    this.table.names.set(this.number, name);
    this.table.nameKeys.set(this.number, nameKey === name ? null : nameKey);
  }

  /** World time at which the operator suspended it; null if it is not suspended. */
  get suspendedAtMs(): number | null {
    return this.table.suspensions.get(this.number) ?? null;
  }

  set suspendedAtMs(atMs: number | null) {
    if (atMs === null) this.table.suspensions.delete(this.number);
    else this.table.suspensions.set(this.number, atMs);
  }

  /** Initializes a row whose columns are all 0. */
  initialize(isBot: boolean): void {
    this.write(KIND, isBot ? BOT : HUMAN);
  }

  /** Seq of the entry that last changed the player or anything that is shown with the player. */
  get changedSeq(): number {
    return this.read(CHANGED_SEQ);
  }

  set changedSeq(seq: number) {
    this.write(CHANGED_SEQ, seq);
  }

  /**
   * World time at which the player was last active: the instant of its last accepted command, or of its creation. It is never too early. It
   * is not part of the hash of the state: no rule depends on it.
   */
  get lastActiveMs(): number {
    return this.read(LAST_ACTIVE_MS) || this.table.assumedActiveMs;
  }

  set lastActiveMs(atMs: number) {
    this.write(LAST_ACTIVE_MS, atMs);
  }

  get starterCount(): number {
    return this.read(STARTER_COUNT);
  }

  set starterCount(count: number) {
    this.write(STARTER_COUNT, count);
  }

  get planetCount(): number {
    return this.read(PLANET_COUNT);
  }

  /** A copy of the list of its planets, in the order in which it got them. */
  get planets(): readonly Planet[] {
    const planets: Planet[] = [];
    for (let planet = this.firstPlanet; planet !== undefined; planet = planet.next) planets.push(planet);
    return planets;
  }

  /** Its first planet; the others follow through `next`. */
  get firstPlanet(): Planet | undefined {
    return this.planetAt(FIRST_PLANET);
  }

  addPlanet(planet: Planet): void {
    const last = this.planetAt(LAST_PLANET);
    if (last === undefined) this.write(FIRST_PLANET, planet.row + 1);
    else last.next = planet;
    this.write(LAST_PLANET, planet.row + 1);
    this.write(PLANET_COUNT, this.planetCount + 1);
  }

  /** A copy of the list of its fleets, in the order of their launch. */
  get fleets(): readonly Fleet[] {
    return this.table.fleets.of(this);
  }

  get fleetCount(): number {
    return this.read(FLEET_COUNT);
  }

  // Only the table of fleets sets the list and its length.
  set fleetCount(count: number) {
    this.write(FLEET_COUNT, count);
  }

  get firstFleetRow(): FleetRow {
    return this.fleetCount === 0 ? NO_ROW : this.read(FIRST_FLEET);
  }

  set firstFleetRow(row: FleetRow) {
    this.write(FIRST_FLEET, row);
  }

  /** A copy of its reports, oldest first. */
  get reports(): readonly Report[] {
    return this.table.reports.of(this);
  }

  get newestReport(): Report | undefined {
    return this.table.reports.newestOf(this);
  }

  get reportCount(): number {
    return this.read(REPORT_COUNT);
  }

  // Only the table of reports sets the list and its length.
  set reportCount(count: number) {
    this.write(REPORT_COUNT, count);
  }

  get firstReportRow(): number {
    return this.reportCount === 0 ? NO_ROW : this.read(FIRST_REPORT);
  }

  set firstReportRow(row: number) {
    this.write(FIRST_REPORT, row);
  }

  /** 0 until the first level is complete. */
  researchLevel(researchType: number): number {
    return this.read(LEVELS + researchType);
  }

  setResearchLevel(researchType: number, level: number): void {
    this.write(LEVELS + researchType, level);
  }

  /** A copy of the levels of all research. */
  get researchLevels(): readonly number[] {
    return copyOfColumns(this.page, this.first + LEVELS, this.table.bonuses - LEVELS);
  }

  get research(): ActiveResearch | null {
    const researchType = this.read(RESEARCHED) - 1;
    if (researchType < 0) return null;
    return {
      researchType,
      startedAtMs: this.read(RESEARCH_STARTED_AT_MS),
      finishAtMs: this.read(RESEARCH_FINISH_AT_MS),
      timer: this.read(RESEARCH_TIMER),
    };
  }

  beginResearch(research: ActiveResearch): void {
    this.write(RESEARCHED, research.researchType + 1);
    this.write(RESEARCH_STARTED_AT_MS, research.startedAtMs);
    this.write(RESEARCH_FINISH_AT_MS, research.finishAtMs);
    this.write(RESEARCH_TIMER, research.timer);
  }

  endResearch(): void {
    this.write(RESEARCHED, 0);
  }

  /** What research adds to the output of all its planets, in per cent. Derived; see output.ts. Only for rules whose research does that. */
  outputBonus(resource: number): number {
    return this.read(this.table.bonuses + resource);
  }

  setOutputBonus(resource: number, percent: number): void {
    this.write(this.table.bonuses + resource, percent);
  }

  /** See points.ts. */
  get points(): number {
    return this.table.leaderboard.pointsOf(this.number);
  }

  /** Hundredths of points beyond the whole ones. Derived. */
  get pointHundredths(): number {
    return this.read(POINT_HUNDREDTHS);
  }

  set pointHundredths(hundredths: number) {
    this.write(POINT_HUNDREDTHS, hundredths);
  }

  /** Cost of all ships of others that the player destroyed, in units of all resources, under rules with `war`. */
  get destroyedUnits(): number {
    return this.read(DESTROYED_UNITS);
  }

  set destroyedUnits(units: number) {
    this.write(DESTROYED_UNITS, units);
  }

  /** World time until which attacks on its planets turn round; 0 if it never was protected, or attacked somebody. See protection.ts. */
  get protectedUntilMs(): number {
    return this.read(PROTECTED_UNTIL_MS);
  }

  set protectedUntilMs(untilMs: number) {
    this.write(PROTECTED_UNTIL_MS, untilMs);
  }

  /** Null if it never took anything under rules that limit it; the period may be over. */
  get looted(): Looted | null {
    return this.table.lootings.get(this.number) ?? null;
  }

  set looted(looted: Looted) {
    this.table.lootings.set(this.number, looted);
  }

  /** SHA-256 of the API key, base64url; null if the player has none. */
  get keyHash(): string | null {
    return this.table.keyHashes.get(this.number);
  }

  set keyHash(hash: string | null) {
    this.table.keyHashes.set(this.number, hash);
  }

  /** World time from which the key is no longer valid; null if it is valid for ever. */
  get keyExpiresAtMs(): number | null {
    return this.instantOrNull(KEY_EXPIRES_AT_MS);
  }

  set keyExpiresAtMs(atMs: number | null) {
    this.write(KEY_EXPIRES_AT_MS, atMs === null ? 0 : atMs + 1);
  }

  /** Hash of the key before, if the last rotation left it valid for a while; it may have expired since. */
  get oldKeyHash(): string | null {
    return this.table.oldKeyHashes.get(this.number);
  }

  set oldKeyHash(hash: string | null) {
    this.table.oldKeyHashes.set(this.number, hash);
  }

  /** World time from which the key before is no longer valid; null if there is none. */
  get oldKeyUntilMs(): number | null {
    return this.instantOrNull(OLD_KEY_UNTIL_MS);
  }

  set oldKeyUntilMs(untilMs: number | null) {
    this.write(OLD_KEY_UNTIL_MS, untilMs === null ? 0 : untilMs + 1);
  }

  private planetAt(column: number): Planet | undefined {
    const row = this.read(column) - 1;
    return row < 0 ? undefined : this.table.planets.at(row);
  }

  private instantOrNull(column: number): number | null {
    const instant = this.read(column);
    return instant === 0 ? null : instant - 1;
  }
}

/** What the table needs of the world. */
type PlayersWorld = Pick<World, 'planets' | 'fleets' | 'reports' | 'leaderboard'>;
type TypeLists = Pick<Rules, 'research' | 'hasOutputEffects'>;

export interface PlayerIdentity {
  readonly name: string;
  /** See Player. */
  readonly nameKey: string;
  readonly isBot: boolean;
  readonly keyHash: string | null;
}

export class PlayerTable {
  readonly #pages = new RowPages();
  /** Number of the player that was created last, retired or not; numbers are never used again. */
  lastNumber = 0;
  /** When players were active of whom it is not known: the time of the snapshot from which the world was loaded. */
  assumedActiveMs = 0;

  // Indexed by player number.
  readonly names = new TextColumn();
  /** Only those that differ from the name. */
  readonly nameKeys = new TextColumn();
  readonly keyHashes = new TextColumn();
  readonly oldKeyHashes = new TextColumn();
  /** Few players have been renamed, and few are suspended: they have entries here instead of a column of their rows. */
  readonly formerNames = new Map<number, readonly FormerName[]>();
  readonly suspensions = new Map<number, number>();
  /** Of players that have looted others under rules that limit it. */
  readonly lootings = new Map<number, Looted>();

  /** Column of the first output bonus. */
  bonuses = LEVELS;
  /** Whether rows have bonuses: any rules so far have had research that raises outputs. */
  #hasBonuses = false;

  constructor(
    private readonly world: PlayersWorld,
    rules: TypeLists,
  ) {
    this.makeRoom(rules);
  }

  get planets(): World['planets'] {
    return this.world.planets;
  }

  get fleets(): World['fleets'] {
    return this.world.fleets;
  }

  get reports(): World['reports'] {
    return this.world.reports;
  }

  get leaderboard(): World['leaderboard'] {
    return this.world.leaderboard;
  }

  /** Rebuilds all rows for new rules, which have all present types and may have more. Views from before must not be used afterwards. */
  makeRoom({ research, hasOutputEffects }: TypeLists): void {
    const { bonuses } = this;
    const kept = [{ from: 0, to: 0, length: bonuses }];
    this.bonuses = LEVELS + research.length;
    if (this.#hasBonuses) kept.push({ from: bonuses, to: this.bonuses, length: RESOURCES.length });
    this.#hasBonuses ||= hasOutputEffects;
    this.#pages.widen(this.bonuses + (this.#hasBonuses ? RESOURCES.length : 0), kept);
  }

  has(number: number): boolean {
    return number > 0 && number <= this.lastNumber && this.at(number).exists;
  }

  /** Whether the operator has suspended a player, without a view: each command asks it. */
  isSuspended(number: number): boolean {
    return this.suspensions.size > 0 && this.suspensions.has(number);
  }

  /** Undefined if the player is retired, or never existed. */
  get(number: number): Player | undefined {
    return this.has(number) ? this.at(number) : undefined;
  }

  /** @param number of an existing player */
  at(number: number): Player {
    return new Player(this, number, this.#pages.pageOf(number), this.#pages.firstOf(number));
  }

  /** The same as to set `changedSeq` of the player, without a view: every event and every change of a planet does this. */
  setChangedSeq(number: number, seq: number): void {
    this.#pages.pageOf(number)[this.#pages.firstOf(number) + CHANGED_SEQ] = seq;
  }

  /** Whether the key of a player's name begins so, without a view: a search asks it of many. False if the player is retired. */
  nameKeyBegins(number: number, beginning: string): boolean {
    return this.nameKeys.beginsWith(number, beginning) ?? this.names.beginsWith(number, beginning) ?? false;
  }

  /** All players in the order of their numbers. */
  *values(): Generator<Player> {
    for (let number = 1; number <= this.lastNumber; number += 1) {
      const player = this.at(number);
      if (player.exists) yield player;
    }
  }

  /** Adds the next player. */
  add({ name, nameKey, isBot, keyHash }: PlayerIdentity): Player {
    this.skip();
    const player = this.at(this.lastNumber);
    player.initialize(isBot);
    player.setName(name, nameKey);
    this.keyHashes.set(player.number, keyHash);
    return player;
  }

  /** Gives the next number to nobody. */
  skip(): void {
    this.lastNumber += 1;
    this.#pages.reserve(this.lastNumber);
  }

  /** Removes a player. The caller has ended everything that it has. */
  remove({ number }: Player): void {
    this.#pages.clear(number);
    this.formerNames.delete(number);
    this.suspensions.delete(number);
    this.lootings.delete(number);
    for (const texts of [this.names, this.nameKeys, this.keyHashes, this.oldKeyHashes]) texts.set(number, null);
  }
}
