// The typed tables of a world and its counters. Only commands, missions and timers change them; everybody else gets the
// Readonly view. It holds no rule of the game.
import type { WorldEvent } from './events.js';
import { KeptReplies } from './kept-replies.js';
import { Leaderboard } from './leaderboard.js';
import { NumberColumn } from './number-column.js';
import { type Planet, type PlanetRow, PlanetTable } from './planet-table.js';
import type { Report } from './reports.js';
import type { Rules } from './rules/rules.js';
import { type TIMER_KINDS, type TimerHandle, TimerQueue } from './timer-queue.js';
import { type PlanetKey, Universe } from './universe.js';

export interface WorldSettings {
  /** Safe non-negative integer. */
  readonly seed: number;
  readonly systemsPerGalaxy: number;
  /** Thousandths: 1000 is the speed at which the formulas of the contract hold. */
  readonly speedThousandths: number;
  readonly rulesVersion: number;
  /** World time of the genesis entry. */
  readonly startMs: number;
}

export class Player {
  starterCount = 0;
  planets: readonly Planet[] = [];
  readonly fleets: Fleet[] = [];
  /** By research type; 0: not yet completed once. */
  readonly researchLevels: number[];
  research: ActiveResearch | null = null;
  /** Oldest first, bounded. */
  readonly reports: Report[] = [];

  /** @param keyHash SHA-256 of the API key, base64url; null where the player was created without one */
  constructor(
    private readonly world: World,
    readonly number: number,
    readonly name: string,
    readonly isBot: boolean,
    readonly keyHash: string | null,
  ) {
    this.researchLevels = world.rules.research.map(() => 0);
  }

  /** Seq of the entry that last changed the player or anything shown with it. */
  get changedSeq(): number {
    return this.world.playerChangedSeqs.get(this.number);
  }

  /** Units of resources in its buildings and ships. */
  get points(): number {
    return this.world.leaderboard.pointsOf(this.number);
  }
}

export interface ActiveResearch {
  readonly researchType: number;
  readonly startedAtMs: number;
  readonly finishAtMs: number;
  readonly timer: TimerHandle;
}

export interface Fleet {
  readonly number: number;
  readonly owner: Player;
  readonly mission: number;
  readonly originKey: PlanetKey;
  readonly targetKey: PlanetKey;
  /** Ships by ship type. */
  readonly ships: number[];
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: number[];
  readonly drive: number;
  readonly distance: number;
  readonly flightMs: number;
  readonly h2Cost: number;
  readonly launchedAtMs: number;
  readonly arrivesAtMs: number;
  /** Null where nothing will return. */
  returnsAtMs: number | null;
  recalledAtMs: number | null;
  isReturning: boolean;
  timer: TimerHandle;
}

/** What each kind of timer acts on. */
export interface TimerTargets {
  [TIMER_KINDS.building_complete]: PlanetRow;
  [TIMER_KINDS.ships_complete]: PlanetRow;
  [TIMER_KINDS.research_complete]: Player;
  [TIMER_KINDS.fleet_arrive]: Fleet;
  [TIMER_KINDS.fleet_return]: Fleet;
}
export type TimerTarget = TimerTargets[keyof TimerTargets];

/** The next place to try for a starter planet: systems are visited in turns, one starter a visit; see starters.ts. */
export interface StarterCursor {
  /** How often the crowding limit was raised. */
  pass: number;
  /** 1 to 100. */
  galaxy: number;
  /** Ordinal of the starter that is being placed in each system; 1 to SLOTS_PER_SYSTEM. */
  turn: number;
  /** Systems visited in this turn. */
  step: number;
}

export class World {
  readonly universe: Universe;
  readonly timers = new TimerQueue<TimerTarget>();
  readonly leaderboard = new Leaderboard();
  /** By player number; index 0 is unused. */
  readonly players: (Player | undefined)[] = [undefined];
  /** By player number. */
  readonly playerChangedSeqs = new NumberColumn();
  readonly botNumbers = new Map<string, number>();
  /** Only planets with an owner; all others are derived from the seed. */
  readonly planets: PlanetTable;
  readonly fleets = new Map<number, Fleet>();
  readonly keptReplies = new KeptReplies();
  readonly starters: StarterCursor = { pass: 0, galaxy: 1, turn: 1, step: 0 };
  /** Derived: where the search for the next starter's place goes on. */
  readonly starterScout: StarterCursor = { ...this.starters };
  /** Seq of the last accepted entry. */
  seq = 0;
  /**
   * World time of the command that is applied or of the timer that fires; it never runs backwards. Derived between two entries: the
   * instant up to which everything has happened, which after a tick that was full is the next deadline.
   */
  nowMs: number;
  /** World time of the last accepted entry. */
  lastEntryMs: number;
  /** The one human's number; 0 before it exists. */
  humanNumber = 0;
  lastFleetNumber = 0;
  lastQueueNumber = 0;
  lastReportNumber = 0;
  lastTimerId = 0;
  /** What the entry that is being applied has caused so far; null if nobody wants to know. It is not part of the state. */
  events: WorldEvent[] | null = null;

  #rules: Rules;

  constructor(
    readonly settings: WorldSettings,
    rules: Rules,
  ) {
    this.#rules = rules;
    this.planets = new PlanetTable(this.players, rules);
    this.universe = new Universe(settings.seed, settings.systemsPerGalaxy);
    this.nowMs = settings.startMs;
    this.lastEntryMs = settings.startMs;
  }

  /** What the world plays by. */
  get rules(): Rules {
    return this.#rules;
  }

  /** Takes other rules; see commands/switch-rules.ts. @param rules with every type of the present rules at its place */
  play(rules: Rules): void {
    this.#rules = rules;
    this.planets.makeRoom(rules);
    for (const player of this.players) {
      if (player === undefined) continue;
      player.planets = player.planets.map(({ row }) => this.planets.at(row));
      fill(player.researchLevels, rules.research.length);
      for (const fleet of player.fleets) fill(fleet.ships, rules.ships.length);
    }
  }

  get playerCount(): number {
    return this.players.length - 1;
  }
}

/** Adds zeros up to a length. */
function fill(numbers: number[], length: number): void {
  while (numbers.length < length) numbers.push(0);
}

/** What a world looks like from outside of the engine. */
export type ReadonlyWorld = DeepReadonly<World>;
export type ReadonlyPlayer = DeepReadonly<Player>;
export type ReadonlyFleet = DeepReadonly<Fleet>;

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
      | 'levelOf'
      | 'levels'
      | 'shipCount'
      | 'ships'
      | 'upgrade'
      | 'orders'
      | 'orderTimer'
    >
  > {
  readonly owner: ReadonlyPlayer;
}

export interface ReadonlyPlanetTable {
  readonly size: number;
  has(key: PlanetKey): boolean;
  get(key: PlanetKey): ReadonlyPlanet | undefined;
  values(): IterableIterator<ReadonlyPlanet>;
}

type DeepReadonly<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, DeepReadonly<V>>
    : T extends Universe | Rules
      ? T
      : T extends Leaderboard
        ? Pick<Leaderboard, 'first'>
        : T extends KeptReplies
          ? Pick<KeptReplies, 'find' | 'count' | 'byteCount'>
          : T extends TimerQueue<TimerTarget>
            ? Pick<TimerQueue<TimerTarget>, 'size' | 'nextDeadlineMs'>
            : T extends PlanetTable
              ? ReadonlyPlanetTable
              : T extends Planet
                ? ReadonlyPlanet
                : T extends NumberColumn
                  ? Pick<NumberColumn, 'get'>
                  : T extends readonly (infer E)[]
                    ? readonly DeepReadonly<E>[]
                    : T extends object
                      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
                      : T;

/** Schedules a timer with the next id. */
export function scheduleTimer<Kind extends keyof TimerTargets>(
  world: World,
  deadlineMs: number,
  kind: Kind,
  target: TimerTargets[Kind],
): TimerHandle {
  world.lastTimerId += 1;
  return world.timers.schedule(world.lastTimerId, deadlineMs, kind, target);
}

/** Marks a player, and what is shown with it, as changed by the entry that is being applied. */
export function touchPlayer(world: World, player: Player): void {
  world.playerChangedSeqs.set(player.number, world.seq + 1);
}

/** Marks a planet and its owner as changed by the entry that is being applied. */
export function touchPlanet(world: World, planet: Planet): void {
  planet.changedSeq = world.seq + 1;
  world.playerChangedSeqs.set(planet.ownerNumber, world.seq + 1);
}

/** Adds to (or with a negative number takes from) what a player's buildings and ships are worth. */
export function addPoints(world: World, playerNumber: number, points: number): void {
  world.leaderboard.set(playerNumber, world.leaderboard.pointsOf(playerNumber) + points);
}
