// The course of a finished game, from a replay of its log: what each player built, launched and waited for. A league computes its tables
// from courses. Nothing on disk changes.

import { type Watcher, watchedReplay } from '../../cli/play/finished-world.js';
import { type Look, type Looks, lookAt } from '../../cli/play/planet-look.js';
import type { Command } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { sum } from '../../engine/numbers/arithmetic.js';
import { playerId } from '../../engine/terms/ids.js';
import { MISSIONS } from '../../engine/terms/missions.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { DAY_MS } from '../../http/turns/turn-game.js';
import { storeAt } from '../../persistence/store-url.js';

/** Numbers by the name of a type. */
export type ByType = Readonly<Record<string, number>>;

export interface PlayerCourse {
  readonly playerId: string;
  /** Points at the end of each world day. */
  readonly points: readonly number[];
  /** Planets at the end. */
  readonly planets: number;
  readonly looks: Looks;
  /** The samples of the first seven days. */
  readonly firstWeek: Looks;
  /** Units of resources in the buildings at the end. */
  readonly buildings: ByType;
  /** Units of resources in the ships that were ordered. */
  readonly ships: ByType;
  /** Launches by drive, and by mission. */
  readonly drives: ByType;
  readonly missions: ByType;
  /** Units of resources that it took from others in battles. */
  readonly looted: number;
  /** Units of goods that it received in trades. */
  readonly traded: number;
  /** Levels at the end. */
  readonly research: ByType;
}

/** The course of a game: its players by number. */
export interface GameCourse {
  readonly players: readonly PlayerCourse[];
  /** All types of the rules in their order, including those that nobody uses. */
  readonly types: {
    readonly buildings: readonly string[];
    readonly ships: readonly string[];
    readonly drives: readonly string[];
    readonly missions: readonly string[];
    readonly research: readonly string[];
  };
}

/** World time between two samples of all planets. */
const LOOK_EVERY_MS = DAY_MS / 4;
const WEEK_MS = 7 * DAY_MS;

/**
 * @param folder data folder of a world with its whole log
 * @param days world days of the game
 * @throws RecoveryRefused, LogUnreadable, NoWorld
 */
export async function gameCourse(folder: string, days: number): Promise<GameCourse> {
  const watcher = new CourseWatcher();
  const { engine } = await watchedReplay(storeAt(folder), watcher);
  return watcher.course(engine, days);
}

/** The counts of a player. */
class Tally {
  readonly points: number[] = [];
  readonly looks: Record<Look, number> = { timers: 0, balanced: 0, resources: 0, unused: 0 };
  readonly firstWeek: Record<Look, number> = { ...this.looks };
  readonly ships: Record<string, number> = {};
  readonly drives: Record<string, number> = {};
  readonly missions: Record<string, number> = {};
  looted = 0;
  traded = 0;
}

/** Counts what players order and launch, and takes samples of the world in between. */
class CourseWatcher implements Watcher {
  /** Indexed by player number. */
  readonly #tallies = new Map<number, Tally>();
  /** World time of the next sample, in milliseconds; null before the genesis. */
  #lookAtMs: number | null = null;

  /** Between two entries only stocks grow, so the world before an entry is the world at each sample before it. */
  before(engine: Engine, atMs: number): void {
    this.#lookUntil(engine, atMs);
  }

  /** Counts events and not commands, since plans order ships without commands. */
  after({ world }: Engine, _atMs: number, _command: Command, events: readonly WorldEvent[]): void {
    for (const event of events) {
      if (event.kind === 'ships_ordered') this.#noteShips(world, event);
      if (event.kind === 'fleet_launched') this.#noteLaunch(world, event.fleetNumber);
      // Both sides receive the event. Counts it once.
      if (event.kind === 'combat_report' && event.playerNumber === event.attackerNumber)
        this.#tallyOf(event.attackerNumber).looted += sum(event.loot);
      // The player has taken the offer of the partner.
      if (event.kind === 'trade_agreed') {
        this.#tallyOf(event.playerNumber).traded += event.give.units;
        this.#tallyOf(event.partnerNumber).traded += event.want.units;
      }
    }
  }

  /** @param engine after the last entry */
  course(engine: Engine, days: number): GameCourse {
    const { world } = engine;
    this.#lookUntil(engine, world.settings.startMs + days * DAY_MS + 1);
    const { buildings, ships, drives, research } = world.rules;
    const namesOf = (types: readonly { readonly type: string }[]): string[] => types.map(({ type }) => type);
    return {
      players: [...this.#tallies]
        .sort(([one], [other]) => one - other)
        .map(([number, tally]) => this.#player(world, number, tally)),
      types: {
        buildings: namesOf(buildings),
        ships: namesOf(ships),
        drives: namesOf(drives),
        missions: [...MISSIONS],
        research: namesOf(research),
      },
    };
  }

  #player(
    world: ReadonlyWorld,
    number: number,
    { points, looks, firstWeek, ships, drives, missions, looted, traded }: Tally,
  ): PlayerCourse {
    const { rules, players } = world;
    const { planets = [], researchLevels = [] } = players.get(number) ?? {};
    const unitsIn = (type: number): number =>
      planets.reduce((sum, planet) => sum + rules.buildingPointsThrough(type, planet.levelOf(type)), 0);
    const buildings: ByType = Object.fromEntries(rules.buildings.map(({ type }, index) => [type, unitsIn(index)]));
    const research: ByType = Object.fromEntries(
      rules.research.map(({ type }, index) => [type, researchLevels[index] ?? 0]),
    );
    const counts = { buildings, ships, drives, missions, research, looted, traded };
    return { playerId: playerId(world, number), points, planets: planets.length, looks, firstWeek, ...counts };
  }

  #tallyOf(number: number): Tally {
    const tally = this.#tallies.get(number) ?? new Tally();
    this.#tallies.set(number, tally);
    return tally;
  }

  #noteShips(
    { rules }: ReadonlyWorld,
    { playerNumber, shipType, count }: Extract<WorldEvent, { kind: 'ships_ordered' }>,
  ): void {
    add(this.#tallyOf(playerNumber).ships, rules.ships[shipType]?.type, count * rules.shipPoints(shipType));
  }

  #noteLaunch({ fleets, rules }: ReadonlyWorld, fleetNumber: number): void {
    const fleet = fleets.get(fleetNumber);
    if (fleet === undefined) return;
    const { drives, missions } = this.#tallyOf(fleet.owner.number);
    add(drives, rules.drives[fleet.drive]?.type, 1);
    add(missions, MISSIONS[fleet.mission], 1);
  }

  /** Takes all samples that are due before an instant. */
  #lookUntil(engine: Engine, atMs: number): void {
    if (engine.seq === 0) return;
    const { world } = engine;
    const { startMs } = world.settings;
    this.#lookAtMs ??= startMs + LOOK_EVERY_MS;
    while (this.#lookAtMs < atMs) {
      this.#look(world, this.#lookAtMs, this.#lookAtMs - startMs);
      this.#lookAtMs += LOOK_EVERY_MS;
    }
  }

  #look(world: ReadonlyWorld, atMs: number, sinceStartMs: number): void {
    for (const player of world.players.values()) {
      const { looks, firstWeek, points } = this.#tallyOf(player.number);
      if (sinceStartMs % DAY_MS === 0) points.push(player.points);
      for (const planet of player.planets) {
        const look = lookAt(world, planet, atMs);
        looks[look] += 1;
        if (sinceStartMs <= WEEK_MS) firstWeek[look] += 1;
      }
    }
  }
}

function add(counts: Record<string, number>, type: string | undefined, count: number): void {
  if (type !== undefined) counts[type] = (counts[type] ?? 0) + count;
}
