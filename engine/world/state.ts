// The typed tables of a world and its counters. Only commands, missions and timers change them; all other code gets the
// Readonly view. This file holds no rule of the game.

import { EventLog, type ReadonlyEventLog } from '../events/event-log.js';
import { EventRecorder } from '../events/event-recorder.js';
import { type StarterCursor, Starters } from '../map/starters.js';
import { type PlanetKey, Universe } from '../map/universe.js';
import { TextIndex } from '../numbers/text-index.js';
import { REPORTS_PER_PLAYER_MAX } from '../rules/limits.js';
import type { Rules } from '../rules/rules.js';
import { Lineages, type ReadonlyLineages } from '../terms/lineages.js';
import type { LaunchOrder, PackedStep } from '../terms/plan-step.js';
import type { Report } from '../terms/reports.js';
import { type Fleet, FleetTable } from './fleet-table.js';
import { KeptReplies } from './kept-replies.js';
import { KeyHolders } from './key-holders.js';
import { Leaderboard } from './leaderboard.js';
import { type Goods, GoodsTable, type Offer, OfferTable, TradeTable } from './market-tables.js';
import { MessageTable } from './message-table.js';
import { type Pact, PactTable } from './pact-table.js';
import { type Plan, PlanTable } from './plan-table.js';
import { type Planet, type PlanetRow, PlanetTable } from './planet-table.js';
import { type Looted, type Player, PlayerTable } from './player-table.js';
import { ReportTable } from './report-table.js';
import { type Shock, ShockTable } from './shock-table.js';
import { type TimerHandle, type TimerKind, TimerQueue } from './timer-queue.js';

export interface WorldSettings {
  /** Safe non-negative integer. */
  readonly seed: number;
  readonly systemsPerGalaxy: number;
  /** Thousandths; at 1000 the formulas of the specification apply unchanged. */
  readonly speedThousandths: number;
  readonly rulesVersion: number;
  /** World time of the genesis entry. */
  readonly startMs: number;
}

/** A text of the operator for everybody. */
export interface Announcement {
  readonly text: string;
  readonly atMs: number;
  /** World time at which it is over; null if only another one ends it. */
  readonly untilMs: number | null;
}

export class World {
  readonly universe: Universe;
  readonly lineages = new Lineages();
  readonly timers = new TimerQueue();
  readonly leaderboard = new Leaderboard();
  readonly players: PlayerTable;
  /** Numbers of all players by the keys of their names, present and former. */
  readonly namedNumbers = new TextIndex((number, nameKey) => {
    const player = this.players.at(number);
    return player.nameKey === nameKey || player.formerNames.some((former) => former.nameKey === nameKey);
  });
  readonly keyHolders = new KeyHolders();
  /** Only planets with an owner; all others are derived from the seed. */
  readonly planets: PlanetTable;
  readonly plans = new PlanTable();
  /** What lies in space beside planets where somebody has changed it: units by shippable resource. */
  readonly fields = new Map<PlanetKey, readonly number[]>();
  readonly fleets: FleetTable;
  /** What players who trade have offered, what is on its way between them, and what they have traded last. */
  readonly offers: OfferTable;
  readonly goods = new GoodsTable();
  readonly trades = new TradeTable();
  readonly pacts = new PactTable();
  readonly shocks: ShockTable;
  readonly reports = new ReportTable();
  readonly messages = new MessageTable();
  readonly keptReplies = new KeptReplies();
  readonly starters: Starters;
  /** Seq of the last accepted entry. */
  seq = 0;
  /**
   * World time of the command being applied or the timer being fired; it never runs backwards. Between two entries it
   * is derived: the time up to which all timers have fired. After a tick that left timers due, that is the next
   * deadline.
   */
  nowMs: number;
  /** World time of the last accepted entry. */
  lastEntryMs: number;
  /** World time at which the operator paused the clock; null while it runs. */
  pausedAtMs: number | null = null;
  /** How far a real clock is behind that of the machine, since it was paused. */
  clockLagMs = 0;
  /** What the operator has announced last; it may be over. Null if it announced nothing, or has withdrawn it. */
  announcement: Announcement | null = null;
  /** Number of the one human player; 0 before it exists. */
  humanNumber = 0;
  /** Players that were retired. */
  retiredCount = 0;
  lastFleetNumber = 0;
  lastQueueNumber = 0;
  lastReportNumber = 0;
  lastTimerId = 0;
  readonly eventLog = new EventLog(this);
  /** Takes the events of the entry that is being applied. */
  readonly events = new EventRecorder(this);

  #rules: Rules;

  /** @param settings their rules version is replaced by that of the rules */
  constructor(
    public settings: WorldSettings,
    rules: Rules,
  ) {
    this.#rules = rules;
    this.#needVersion(rules.version);
    this.players = new PlayerTable(this, rules);
    this.universe = new Universe(settings.seed, settings.systemsPerGalaxy);
    this.planets = new PlanetTable(this.players, this.universe, rules);
    this.fleets = new FleetTable(this.players, rules);
    this.offers = new OfferTable(this.universe);
    this.shocks = new ShockTable(this.universe);
    this.starters = new Starters(this.universe, this.planets);
    this.nowMs = settings.startMs;
    this.lastEntryMs = settings.startMs;
  }

  /** The rules of the world. */
  get rules(): Rules {
    return this.#rules;
  }

  /** Switches to other rules; see commands/rules.ts. @param rules with all present types at their positions */
  play(rules: Rules): void {
    this.#rules = rules;
    this.#needVersion(rules.version);
    for (const table of [this.planets, this.players, this.fleets]) table.makeRoom(rules);
  }

  #needVersion(rulesVersion: number): void {
    if (this.settings.rulesVersion !== rulesVersion) this.settings = { ...this.settings, rulesVersion };
  }

  get lastPlayerNumber(): number {
    return this.players.lastNumber;
  }

  get playerCount(): number {
    return this.lastPlayerNumber - this.retiredCount;
  }
}

/** A world as code outside the engine sees it: it cannot change anything. */
export interface ReadonlyWorld
  extends Readonly<
    Pick<
      World,
      | 'settings'
      | 'rules'
      | 'universe'
      | 'playerCount'
      | 'lastPlayerNumber'
      | 'seq'
      | 'nowMs'
      | 'lastEntryMs'
      | 'pausedAtMs'
      | 'clockLagMs'
      | 'announcement'
      | 'humanNumber'
      | 'lastFleetNumber'
      | 'lastQueueNumber'
      | 'lastReportNumber'
      | 'lastTimerId'
    >
  > {
  readonly lineages: ReadonlyLineages;
  readonly players: ReadonlyPlayerTable;
  readonly namedNumbers: Pick<TextIndex, 'numberOf'>;
  readonly keyHolders: Pick<KeyHolders, 'numberOf'>;
  readonly planets: ReadonlyPlanetTable;
  readonly plans: ReadonlyPlanTable;
  readonly fields: ReadonlyMap<PlanetKey, readonly number[]>;
  readonly fleets: ReadonlyFleetTable;
  readonly messages: ReadonlyMessageTable;
  readonly offers: ReadonlyOfferTable;
  readonly goods: ReadonlyGoodsTable;
  readonly trades: Pick<TradeTable, 'of'>;
  readonly pacts: ReadonlyPactTable;
  readonly shocks: ReadonlyShockTable;
  readonly timers: Pick<TimerQueue, 'size' | 'nextDeadlineMs'>;
  readonly leaderboard: Readonly<Pick<Leaderboard, 'first' | 'version'>>;
  readonly keptReplies: Pick<KeptReplies, 'find' | 'count' | 'byteCount'>;
  readonly eventLog: ReadonlyEventLog;
  readonly starters: { readonly cursor: Readonly<StarterCursor> } & Pick<Starters, 'nextKey'>;
}

export interface ReadonlyPlayer
  extends Readonly<
    Pick<
      Player,
      | 'number'
      | 'name'
      | 'isBot'
      | 'formerNames'
      | 'suspendedAtMs'
      | 'keyHash'
      | 'keyExpiresAtMs'
      | 'oldKeyHash'
      | 'oldKeyUntilMs'
      | 'starterCount'
      | 'changedSeq'
      | 'lastActiveMs'
      | 'planetCount'
      | 'fleetCount'
      | 'researchLevel'
      | 'researchLevels'
      | 'outputBonus'
      | 'points'
      | 'pointHundredths'
      | 'destroyedUnits'
      | 'protectedUntilMs'
      | 'research'
      | 'reports'
      | 'newestReport'
    >
  > {
  readonly looted: (Pick<Looted, 'untilMs'> & { readonly units: ReadonlyMap<number, number> }) | null;
  readonly planets: readonly ReadonlyPlanet[];
  readonly fleets: readonly ReadonlyFleet[];
  readonly firstPlanet: ReadonlyPlanet | undefined;
}

export interface ReadonlyFleet
  extends Readonly<
    Pick<
      Fleet,
      | 'number'
      | 'ownerNumber'
      | 'mission'
      | 'originKey'
      | 'targetKey'
      | 'ships'
      | 'cargo'
      | 'drive'
      | 'distance'
      | 'flightMs'
      | 'h2Cost'
      | 'launchedAtMs'
      | 'arrivesAtMs'
      | 'returnsAtMs'
      | 'recalledAtMs'
      | 'isReturning'
      | 'isStationed'
      | 'course'
      | 'timer'
    >
  > {
  readonly owner: ReadonlyPlayer;
}

export interface ReadonlyPlanet
  extends Readonly<
    Pick<
      Planet,
      | 'key'
      | 'ownerNumber'
      | 'changedSeq'
      | 'stockOf'
      | 'stock'
      | 'stockSinceMs'
      | 'stocksSinceMs'
      | 'levelOf'
      | 'levels'
      | 'richnessPercent'
      | 'shipCount'
      | 'ships'
      | 'upgrade'
      | 'upgradePaid'
      | 'orders'
      | 'orderTimer'
      | 'nextFinishMs'
      | 'looting'
      | 'delivered'
      | 'row'
    >
  > {
  readonly owner: ReadonlyPlayer;
  readonly next: ReadonlyPlanet | undefined;
}

export interface ReadonlyPlayerTable {
  has(number: number): boolean;
  get(number: number): ReadonlyPlayer | undefined;
  nameKeyBegins(number: number, beginning: string): boolean;
  isSuspended(number: number): boolean;
  values(): IterableIterator<ReadonlyPlayer>;
}

export interface ReadonlyPlanetTable extends Readonly<Pick<PlanetTable, 'size' | 'ownersVersion' | 'removedSeq'>> {
  has(key: PlanetKey): boolean;
  get(key: PlanetKey): ReadonlyPlanet | undefined;
  values(): IterableIterator<ReadonlyPlanet>;
}

export interface ReadonlyFleetTable extends Readonly<Pick<FleetTable, 'size' | 'stationedCount'>> {
  has(number: number): boolean;
  get(number: number): ReadonlyFleet | undefined;
  to(targetKey: PlanetKey): readonly ReadonlyFleet[];
  stationedAt(targetKey: PlanetKey): readonly ReadonlyFleet[];
  aimedAt(targetKey: PlanetKey): readonly ReadonlyFleet[];
  values(): IterableIterator<ReadonlyFleet>;
}

export type ReadonlyMessageTable = Readonly<
  Pick<MessageTable, 'lastNumber' | 'broadcasts' | 'receivedBy' | 'sentBy' | 'lastSentOf' | 'blockedBy' | 'kept'>
>;
export interface ReadonlyPactTable extends Readonly<Pick<PactTable, 'size'>> {
  get(number: number): ReadonlyPact | undefined;
  of(playerNumber: number): readonly ReadonlyPact[];
  values(): IterableIterator<ReadonlyPact>;
}

export type ReadonlyPact = Readonly<Pact>;

export type ReadonlyShock = Readonly<Shock>;

export interface ReadonlyShockTable
  extends Readonly<
    Pick<ShockTable, 'size' | 'timerCount' | 'courseOf' | 'galaxyOf' | 'timer' | 'nextAtMs' | 'raidsOf'>
  > {
  pending(): readonly ReadonlyShock[];
  past(): readonly ReadonlyShock[];
}

export type ReadonlyOffer = Readonly<Offer>;
export type ReadonlyGoods = Readonly<Goods>;

export interface ReadonlyOfferTable extends Readonly<Pick<OfferTable, 'size'>> {
  get(number: number): ReadonlyOffer | undefined;
  of(ownerNumber: number): readonly ReadonlyOffer[];
  addressedTo(playerNumber: number): readonly ReadonlyOffer[];
  inGalaxy(galaxy: number): readonly ReadonlyOffer[];
}

export interface ReadonlyGoodsTable extends Readonly<Pick<GoodsTable, 'size'>> {
  get(id: number): ReadonlyGoods | undefined;
  values(): IterableIterator<ReadonlyGoods>;
  of(ownerNumber: number): readonly ReadonlyGoods[];
}

export interface ReadonlyPlanTable extends Readonly<Pick<PlanTable, 'size'>> {
  get(row: PlanetRow): ReadonlyPlan | undefined;
}

export interface ReadonlyPlan extends Readonly<Pick<Plan, 'isSkipping' | 'longerThanMs' | 'headOf'>> {
  readonly launches: readonly LaunchOrder[];
  readonly steps: readonly PackedStep[];
  readonly timers: readonly TimerHandle[];
  readonly deadlinesMs: readonly number[];
}

/** Schedules a timer with the next id. */
export function scheduleTimer(world: World, deadlineMs: number, kind: TimerKind, target: number): TimerHandle {
  world.lastTimerId += 1;
  return world.timers.schedule(world.lastTimerId, deadlineMs, kind, target);
}

/** Marks a player as changed by the entry being applied. */
export function touchPlayer(world: World, player: Player): void {
  player.changedSeq = world.seq + 1;
}

/** Marks a planet and its owner as changed by the entry being applied, and marks the planet's plan. */
export function touchPlanet(world: World, planet: Planet): void {
  planet.changedSeq = world.seq + 1;
  world.players.setChangedSeq(planet.ownerNumber, world.seq + 1);
  world.plans.mark(planet.row);
}

/** Records that a player was active. Each command of a player calls it, but no command of the operator. */
export function recordActivity(world: World, playerNumber: number): void {
  world.players.at(playerNumber).lastActiveMs = world.nowMs;
}

/** Marks the plans that launch next to a planet, which has another owner now or none, in the order of the keys of their planets. */
export function markLaunchesTo({ plans, planets }: World, targetKey: PlanetKey): void {
  if (plans.size === 0) return;
  const origins = plans.rowsLaunchingTo(targetKey).map((row) => planets.at(row));
  for (const { row } of origins.sort((one, other) => one.key - other.key)) plans.mark(row);
}

/** Marks the plans of all planets of a player, in the order of the planets. */
export function markPlans({ plans }: World, { firstPlanet }: Player): void {
  if (plans.size === 0) return;
  for (let planet = firstPlanet; planet !== undefined; planet = planet.next) plans.mark(planet.row);
}

/** Returns the number for a new report. */
export function nextReportNumber(world: World): number {
  world.lastReportNumber += 1;
  return world.lastReportNumber;
}

/** Adds a report to those of a player, and drops the oldest if there are more than REPORTS_PER_PLAYER_MAX. A report never changes. */
export function fileReport(world: World, report: Report, reader: Player): void {
  world.reports.add(reader, report);
  if (reader.reportCount > REPORTS_PER_PLAYER_MAX) world.reports.removeOldest(reader);
  touchPlayer(world, reader);
}
