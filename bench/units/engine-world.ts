// A world in this process, for benches of the engine and of what reads it: commands are applied as the sequencer applies
// them, due ticks first. If a command is refused that must not be, the bench ends: it would measure something else.
import type { CommandResult, WorldCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import type { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { TRANSPORT as TRANSPORT_MISSION } from '../../engine/terms/missions.js';
import { isRefusal, type Refusal } from '../../engine/terms/rejections.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { PLAYERS_PER_REQUEST } from '../limits.js';
import { SeededDraws, shuffledIndexes } from '../seeded-draws.js';

/** World time at which these worlds begin. */
export const START_MS = 1_900_000_000_000;
/** Room for the largest world: a galaxy gives a quarter of its planets away before the next one is begun. */
export const SYSTEMS_PER_GALAXY = 2_000;
/** More of everything than a bench spends. */
const PLENTY: readonly number[] = RESOURCES.map(() => 1e12);

/** Ships of each type, on each planet that has some. */
export const SHIPS_AT_FIRST = 4;
export const SHIPYARD = STANDARD_1.buildings.findIndex(({ type }) => type === 'shipyard');
export const IRON_MINE = STANDARD_1.buildings.findIndex(({ type }) => type === 'iron_mine');
export const SCOUT = STANDARD_1.ships.findIndex(({ type }) => type === 'scout');
export const TRANSPORT = STANDARD_1.ships.findIndex(({ type }) => type === 'transport');

const ADVANCE_TIME = { type: 'advance_time' } as const;

export class EngineWorld {
  readonly engine = Engine.create();
  nowMs = START_MS;
  /** Called for every accepted entry. */
  onEntry: ((atMs: number, command: WorldCommand) => void) | undefined;

  /**
   * @param seed of the universe
   * @param rules that have the types of standard-1 at their positions
   */
  constructor(seed: number, rules: Rules = STANDARD_1_RULES) {
    const place = { seed, systemsPerGalaxy: SYSTEMS_PER_GALAXY, speedThousandths: 1000 };
    const settings = { ...place, rulesVersion: rules.version, startMs: START_MS, rules: rules.text };
    this.engine.apply(START_MS, { type: 'genesis', ...settings });
  }

  get world(): ReadonlyWorld {
    return this.engine.world;
  }

  /** Applies a command now. No timer may be due. */
  attempt<C extends WorldCommand>(command: C): CommandResult<C> | Refusal {
    const outcome = this.engine.apply<C>(this.nowMs, command);
    if (this.onEntry !== undefined && !isRefusal(outcome)) this.onEntry(this.nowMs, command);
    return outcome;
  }

  /** Applies a command that must be accepted. */
  does<C extends WorldCommand>(command: C): CommandResult<C> {
    const outcome = this.attempt(command);
    if (isRefusal(outcome)) throw new Error(`the bench's ${command.type} was refused: ${outcome.code}`);
    return outcome;
  }

  /**
   * Lets time pass.
   *
   * @returns tick entries that were needed
   */
  passTo(atMs: number): number {
    this.nowMs = atMs;
    let ticks = 0;
    while (this.engine.nextDeadlineMs() <= atMs) {
      this.does(ADVANCE_TIME);
      ticks += 1;
    }
    return ticks;
  }

  /** Gives everybody plenty again, if pirates may have come. */
  grantAfterPirates(): void {
    if (this.world.rules.shocks !== null) this.grantPlenty([...this.world.players.values()]);
  }

  /** Lets time pass until nothing is pending but shocks, which never end. */
  passUntilIdle(): void {
    const { timers, shocks } = this.world;
    while (timers.size > shocks.timerCount) this.passTo(this.engine.nextDeadlineMs());
    this.grantAfterPirates();
  }

  /** Adds bots, with their starter planets. @returns them */
  addBots(count: number): ReadonlyPlayer[] {
    const bots: ReadonlyPlayer[] = [];
    for (let first = 0; first < count; first += PLAYERS_PER_REQUEST) {
      const part = Math.min(PLAYERS_PER_REQUEST, count - first);
      const namePrefix = `bot-${this.world.playerCount}`;
      const { players } = this.does({
        type: 'create_players',
        count: part,
        namePrefix,
        keyHashes: [],
        namePrefixKey: namePrefix,
      });
      for (const player of players) bots.push(player);
    }
    return bots;
  }

  /** Gives every planet of these players plenty. */
  grantPlenty(players: readonly ReadonlyPlayer[]): void {
    for (const { planets } of players) {
      for (const { key } of planets) this.does({ type: 'grant_resources', planetKey: key, amounts: PLENTY });
    }
  }

  /** Gives every planet of these players a shipyard, and ships of one type. */
  buildFleets(players: readonly ReadonlyPlayer[], shipType: number, count: number): void {
    const planets = players.flatMap((player) => player.planets);
    for (const { key, levels } of planets) {
      if (levels[SHIPYARD] === 0) this.does({ type: 'construct_building', planetKey: key, buildingType: SHIPYARD });
    }
    this.passUntilIdle();
    for (const { key } of planets) this.does({ type: 'build_ships', planetKey: key, shipType, count });
    this.passUntilIdle();
  }
}

/** The planets of many bots, visited again and again in a drawn order. Benches of single commands work on them. */
export class PlanetRing {
  readonly bench: EngineWorld;
  /** One of each bot. */
  readonly planets: readonly ReadonlyPlanet[];
  /** Completed rounds. */
  turn = 0;
  readonly #order: Int32Array;
  #position = 0;

  /** Bots with plenty of everything. */
  constructor(playerCount: number, seed: number, rules?: Rules) {
    this.bench = new EngineWorld(seed, rules);
    const players = this.bench.addBots(playerCount);
    this.bench.grantPlenty(players);
    this.planets = players.flatMap((player) => player.planets);
    this.#order = shuffledIndexes(this.planets.length, new SeededDraws(seed));
  }

  /** The same with a shipyard and a few ships on each planet. */
  static withShips(playerCount: number, seed: number, rules?: Rules): PlanetRing {
    const ring = new PlanetRing(playerCount, seed, rules);
    const players = ring.planets.map(({ owner }) => owner);
    for (const shipType of [SCOUT, TRANSPORT]) ring.bench.buildFleets(players, shipType, SHIPS_AT_FIRST);
    return ring;
  }

  next(): ReadonlyPlanet {
    if (this.#position === this.#order.length) {
      this.#position = 0;
      this.turn += 1;
    }
    const planet = this.planets[this.#order[this.#position] as number] as ReadonlyPlanet;
    this.#position += 1;
    return planet;
  }

  /** The same; when the round is over, time passes until nothing is pending. */
  nextAfterTime(): ReadonlyPlanet {
    if (this.#position === this.#order.length) this.bench.passUntilIdle();
    return this.next();
  }

  /** A transport from a planet to one of another player in the same galaxy, with nothing on board. */
  launchFrom({ key, owner }: ReadonlyPlanet): Extract<WorldCommand, { type: 'launch_fleet' }> {
    const neighbour = this.#neighbourOf(owner.number - 1);
    return {
      type: 'launch_fleet',
      playerNumber: owner.number,
      originKey: key,
      targetKey: neighbour.key,
      ships: this.bench.world.rules.ships.map((_, type) => (type === TRANSPORT ? 1 : 0)),
      mission: TRANSPORT_MISSION,
      cargo: [0, 0, 0, 0],
      drive: null,
    };
  }

  /** Newcomers that follow each other land in the same galaxy, until it is full. */
  #neighbourOf(index: number): ReadonlyPlanet {
    const { universe } = this.bench.world;
    const galaxyOf = (planet: ReadonlyPlanet | undefined) => planet && universe.positionOf(planet.key).galaxy;
    const next = this.planets[index + 1];
    const neighbour = galaxyOf(next) === galaxyOf(this.planets[index]) ? next : this.planets[index - 1];
    if (neighbour === undefined) throw new Error('a ring needs at least two planets');
    return neighbour;
  }
}
