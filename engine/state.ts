// The typed tables of a world and its counters. Only commands, missions and timers change them; everybody else gets the
// Readonly view. It holds no rule of the game.
import { Leaderboard } from './leaderboard.js';
import type { Report } from './reports.js';
import { TIMER_KINDS, type TimerHandle, TimerQueue } from './timer-queue.js';
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

export interface Player {
  readonly number: number;
  readonly name: string;
  readonly isBot: boolean;
  /** SHA-256 of the API key, base64url; null where the player was created without one. */
  readonly keyHash: string | null;
  /** Seq of the entry that last changed the player or anything shown with it. */
  changedSeq: number;
  starterCount: number;
  readonly planets: Planet[];
  readonly fleets: Fleet[];
  /** By research type; 0: not yet completed once. */
  readonly researchLevels: number[];
  research: ActiveResearch | null;
  /** Oldest first, bounded. */
  readonly reports: Report[];
  /** Units of resources in its buildings and ships. */
  points: number;
}

export interface ActiveResearch {
  readonly researchType: number;
  readonly startedAtMs: number;
  readonly finishAtMs: number;
  readonly timer: TimerHandle;
}

export interface Planet {
  readonly key: PlanetKey;
  readonly owner: Player;
  changedSeq: number;
  /** Thousandths of a unit by resource, before what was produced since `stockSinceMs`; see stocks.ts. */
  readonly stock: number[];
  stockSinceMs: number;
  /** By building type; 0: absent, or under its first construction. */
  readonly levels: number[];
  upgrade: BuildingUpgrade | null;
  /** Stationed ships by ship type. */
  readonly ships: number[];
  /** Ship orders in the order in which they are delivered; all of one type. */
  readonly orders: ShipOrder[];
  /** Fires when the first order is complete. */
  orderTimer: TimerHandle;
}

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

/** Whom each kind of timer befalls. */
export interface TimerTargets {
  [TIMER_KINDS.building_complete]: Planet;
  [TIMER_KINDS.ships_complete]: Planet;
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
  /** The how-manieth starter of each system is being placed; 1 to SLOTS_PER_SYSTEM. */
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
  readonly botNumbers = new Map<string, number>();
  /** Only planets with an owner; all others are derived from the seed. */
  readonly planets = new Map<PlanetKey, Planet>();
  readonly fleets = new Map<number, Fleet>();
  readonly starters: StarterCursor = { pass: 0, galaxy: 1, turn: 1, step: 0 };
  /** Derived: where the search for the next starter's place goes on. */
  readonly starterScout: StarterCursor = { ...this.starters };
  /** Seq of the last accepted entry. */
  seq = 0;
  /** World time of the last accepted entry, or of the timer that is firing. */
  nowMs: number;
  /** The one human's number; 0 before it exists. */
  humanNumber = 0;
  lastFleetNumber = 0;
  lastQueueNumber = 0;
  lastReportNumber = 0;
  lastTimerId = 0;

  constructor(readonly settings: WorldSettings) {
    this.universe = new Universe(settings.seed, settings.systemsPerGalaxy);
    this.nowMs = settings.startMs;
  }

  get playerCount(): number {
    return this.players.length - 1;
  }
}

/** What a world looks like from outside of the engine. */
export type ReadonlyWorld = DeepReadonly<World>;
export type ReadonlyPlayer = DeepReadonly<Player>;
export type ReadonlyPlanet = DeepReadonly<Planet>;
export type ReadonlyFleet = DeepReadonly<Fleet>;

type DeepReadonly<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, DeepReadonly<V>>
    : T extends Universe
      ? Universe
      : T extends Leaderboard
        ? Pick<Leaderboard, 'first'>
        : T extends TimerQueue<TimerTarget>
          ? Pick<TimerQueue<TimerTarget>, 'size' | 'nextDeadlineMs'>
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
  player.changedSeq = world.seq + 1;
}

/** Marks a planet and its owner as changed by the entry that is being applied. */
export function touchPlanet(world: World, planet: Planet): void {
  planet.changedSeq = world.seq + 1;
  planet.owner.changedSeq = world.seq + 1;
}

/** Adds to (or with a negative number takes from) what a player's buildings and ships are worth. */
export function addPoints(world: World, player: Player, points: number): void {
  player.points += points;
  world.leaderboard.set(player.number, player.points);
}
