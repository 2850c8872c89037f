// A world that a test tells a story about: commands are applied as the sequencer applies them, due ticks first, and all
// accepted entries are kept for replay. Everything happens through commands; nothing is put into the state by hand.

import type { Genesis } from '../../engine/commands/genesis.js';
import {
  type Command,
  type CommandResult,
  type CommandRow,
  decodeCommand,
  encodeCommand,
  type WorldCommand,
} from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import { OPEN_WORLD_TOPIC, type WorldEvent } from '../../engine/events/kinds.js';
import { stockUnits } from '../../engine/planets/stocks.js';
import { ROW_KINDS, type Row } from '../../engine/rows/world-rows.js';
import { RESOURCES, type ResourceName } from '../../engine/rules/resources.js';
import { rulesFromText, STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { type BuildingTypeName, type ResearchTypeName, STANDARD_1 } from '../../engine/rules/standard-1.js';
import { isRefusal, type Refusal } from '../../engine/terms/rejections.js';
import type { Fleet } from '../../engine/world/fleet-table.js';
import type { Planet } from '../../engine/world/planet-table.js';
import type { Player } from '../../engine/world/player-table.js';
import type { ReadonlyPlanet, ReadonlyWorld, WorldSettings } from '../../engine/world/state.js';
import {
  build,
  buildingIndex,
  colonize,
  construct,
  create,
  grant,
  type LaunchWords,
  launch,
  type Numbered,
  research,
  researchIndex,
  type ShipCounts,
  type Units,
  upgrade,
} from './command-words.js';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** World time at which stories begin. */
export const START_MS = 1_900_000_000_000;

/** More than anything in a story costs. */
export const PLENTY: Units = {
  iron: 10_000_000,
  silver: 10_000_000,
  ember: 10_000_000,
  h2: 10_000_000,
  energy: 10_000_000,
};

/** An accepted entry as the log keeps it. */
export interface LogEntry {
  readonly atMs: number;
  readonly row: CommandRow;
}

export type StorySettings = Partial<WorldSettings & Pick<Genesis, 'rules'>>;

export class WorldStory {
  readonly engine = Engine.create();
  /** All accepted entries, the genesis first. */
  readonly entries: LogEntry[] = [];
  /** All events that they have caused. */
  readonly events: WorldEvent[] = [];
  #nowMs: number;

  /** A new world of standard-1 at speed 1 with ten systems a galaxy, by default. */
  constructor(settings: StorySettings = {}) {
    const { text: rules } = STANDARD_1_RULES;
    const genesis = {
      type: 'genesis',
      seed: 1,
      systemsPerGalaxy: 10,
      speedThousandths: 1000,
      rulesVersion: rulesFromText(settings.rules ?? rules).version,
      startMs: START_MS,
      rules,
      ...settings,
    } as const;
    this.#nowMs = genesis.startMs;
    this.engine.apply(genesis.startMs, genesis);
    this.#log(genesis);
  }

  get world(): ReadonlyWorld {
    return this.engine.world;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Applies a command now, after the ticks that are due. */
  attempt<C extends WorldCommand>(command: C): CommandResult<C> | Refusal {
    this.#tick();
    const outcome = this.engine.apply(this.#nowMs, command, this.events);
    if (!isRefusal(outcome)) this.#log(command);
    return outcome;
  }

  /** Applies a command that must be accepted. */
  does<C extends WorldCommand>(command: C): CommandResult<C> {
    const outcome = this.attempt(command);
    if (isRefusal(outcome)) throw new Error(`${command.type} was refused: ${outcome.code}`);
    return outcome;
  }

  /** Applies a command that must be refused, and must not have changed anything. */
  refusal(command: WorldCommand): Refusal {
    this.#tick();
    const before = [this.engine.stateHash(), this.engine.seq, this.engine.nowMs, this.engine.nextDeadlineMs()];
    const outcome = this.attempt(command);
    if (!isRefusal(outcome)) throw new Error(`${command.type} was accepted`);
    const after = [this.engine.stateHash(), this.engine.seq, this.engine.nowMs, this.engine.nextDeadlineMs()];
    if (String(after) !== String(before)) throw new Error(`${command.type} was refused but changed the world`);
    return outcome;
  }

  /** Lets time pass; what is due fires. */
  advance(byMs: number): void {
    this.advanceTo(this.#nowMs + byMs);
  }

  advanceTo(atMs: number): void {
    this.#nowMs = atMs;
    this.#tick();
  }

  /** Lets time pass tick by tick, so that nothing is pending but shocks, which never end. */
  advanceUntilIdle(): void {
    const { timers, shocks } = this.world;
    while (timers.size > shocks.timerCount) this.advanceTo(this.engine.nextDeadlineMs());
  }

  human(name = 'Ada'): Player {
    return this.does(create(name, false));
  }

  bot(name: string): Player {
    return this.does(create(name, true));
  }

  grant(planet: Planet, units: Units): void {
    this.does(grant(planet, units));
  }

  launch(words: LaunchWords): Fleet {
    return this.does(launch(words));
  }

  /** The whole units of a planet's stock now. */
  stock(planet: ReadonlyPlanet, resource: ResourceName): number {
    return stockUnits(this.world, planet, RESOURCES.indexOf(resource), this.#nowMs);
  }

  /** All whole units of a planet's stock now, by resource. */
  stocks(planet: ReadonlyPlanet): number[] {
    return RESOURCES.map((_, resource) => stockUnits(this.world, planet, resource, this.#nowMs));
  }

  /** Key of a planet without an owner in the same system. */
  freeNeighbour(planet: ReadonlyPlanet): { readonly key: number } {
    const { universe, planets } = this.world;
    const { galaxy, system } = universe.positionOf(planet.key);
    const key = universe.planetKeys(universe.systemKey(galaxy, system)).find((candidate) => !planets.has(candidate));
    if (key === undefined) throw new Error('the system is full');
    return { key };
  }

  /** Gives a player a colony in the system of one of its planets, or of another player's. */
  colony(player: Player, beside: ReadonlyPlanet): Planet {
    return this.does(colonize(player, this.freeNeighbour(beside)));
  }

  /** Brings a building to a level by granting, constructing, upgrading and waiting. */
  raise(planet: Planet, building: BuildingTypeName, level: number): void {
    while ((planet.levels[buildingIndex(building)] as number) < level) {
      this.grant(planet, PLENTY);
      const isAbsent = planet.levels[buildingIndex(building)] === 0;
      this.does(isAbsent ? construct(planet, building) : upgrade(planet, building));
      this.advanceTo(planet.upgrade?.finishAtMs ?? this.#nowMs);
    }
  }

  /** Stations ships on a planet by raising a shipyard, granting, building and waiting. */
  equip(planet: Planet, ships: ShipCounts): void {
    this.raise(planet, 'shipyard', 1);
    for (const { type } of STANDARD_1.ships) {
      const count = ships[type] ?? 0;
      if (count === 0) continue;
      this.grant(planet, PLENTY);
      this.does(build(planet, type, count));
      this.advanceTo(planet.orders[0]?.finishAtMs ?? this.#nowMs);
    }
  }

  /** Brings a research to a level by waiting. */
  learn(player: Player, type: ResearchTypeName, level = 1): void {
    while (player.researchLevel(researchIndex(type)) < level) {
      this.does(research(player, type));
      this.advanceTo(player.research?.finishAtMs ?? this.#nowMs);
    }
  }

  #tick(): void {
    while (this.engine.nextDeadlineMs() <= this.#nowMs) {
      this.engine.apply(this.#nowMs, { type: 'advance_time' }, this.events);
      this.#log({ type: 'advance_time' });
    }
  }

  #log(command: Command): void {
    this.entries.push({ atMs: this.#nowMs, row: encodeCommand(command) });
  }
}

/** A new engine after the same entries. */
export function replay(entries: readonly LogEntry[]): Engine {
  const engine = Engine.create();
  for (const { atMs, row } of entries) engine.apply(atMs, decodeCommand(row));
  return engine;
}

/** A new engine from rows. */
export function loadRows(rows: Iterable<Row>): Engine {
  const loader = Engine.loader();
  for (const row of rows) loader.add(row);
  return loader.finish();
}

/** A value as it comes back from disk. */
export function written<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/**
 * What can be seen of a world: all rows, except seqs and the instant of the last entry, which only describe the log.
 */
export function visibleRows(engine: Engine): Row[] {
  const ofTheLog = new Map<unknown, readonly number[]>([
    [ROW_KINDS.world, [6, 7]],
    [ROW_KINDS.player, [6]],
    [ROW_KINDS.planet, [3]],
  ]);
  return [...engine.rows()]
    .filter(([kind]) => !ROWS_OF_EVENTS.has(kind))
    .map((row): Row => row.filter((_, index) => !ofTheLog.get(row[0])?.includes(index)))
    .concat(visibleEvents(engine));
}

const ROWS_OF_EVENTS: ReadonlySet<unknown> = new Set([
  ROW_KINDS.event_log,
  ROW_KINDS.event_receivers,
  ROW_KINDS.events,
]);

/** The events of each receiver, without the seqs of their entries. */
function visibleEvents({ world }: Engine): Row[] {
  const { eventLog, lastPlayerNumber } = world;
  const receivers = Array.from({ length: lastPlayerNumber + 2 }, (_, index) => index + OPEN_WORLD_TOPIC);
  return receivers
    .filter((receiver) => eventLog.lastSeq(receiver) > 0)
    .map((receiver) => {
      const kept = eventLog.read(receiver, eventLog.oldestSeq(receiver) - 1, Number.MAX_SAFE_INTEGER, world.seq);
      return [ROW_KINDS.events, receiver, ...kept.map(({ seq, event }) => JSON.stringify([seq, event]))];
    });
}

/** Two players that can do everything: the human with a shipyard and ships, and a bot beside it. */
export interface Scene {
  readonly story: WorldStory;
  readonly human: Player;
  readonly bot: Player;
  /** The human's planet: shipyard, 20 scouts, 20 fighters, 5 transports, 2 colony ships and plenty of everything. */
  readonly home: Planet;
  /** The bot's planet, in the same system: only its zentrale. */
  readonly foreign: Planet;
  /** A planet without an owner, in the same system. */
  readonly free: { readonly key: number };
}

export function openScene(settings: StorySettings = {}): Scene {
  const story = new WorldStory(settings);
  const human = story.human();
  const bot = story.bot('bot-1');
  const home = firstPlanet(human);
  const foreign = story.colony(bot, home);
  story.equip(home, { scout: 20, fighter: 20, transport: 5, colony_ship: 2 });
  return { story, human, bot, home, foreign, free: story.freeNeighbour(home) };
}

export function firstPlanet(player: Player): Planet {
  const [planet] = player.planets;
  if (planet === undefined) throw new Error('the player has no planet');
  return planet;
}

/** A number that names no player and no fleet. */
export const NOBODY: Numbered = { number: 999_999 };
/** A key that names no planet of any universe. */
export const NOWHERE = { key: -1 };
