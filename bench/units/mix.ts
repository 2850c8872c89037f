// The engine alone under a realistic mix with its timers: nanoseconds per command, ticks included, at several sizes of the world. Bots
// act in passes, with the clock running: every bot acts once in a pass, in a drawn order, and what it does depends only on the state and
// on drawn numbers. Every world lives through the same passes, so that sizes can be compared.
import type { WorldCommand } from '../../engine/commands/table.js';
import type { Rules } from '../../engine/rules/rules.js';
import { ATTACK, ESPIONAGE, TRANSPORT as TRANSPORT_MISSION } from '../../engine/terms/missions.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { spreadOf } from '../runner/statistics.js';
import { SeededDraws, shuffledIndexes } from '../seeded-draws.js';
import { EngineWorld, SCOUT, SHIPS_AT_FIRST, TRANSPORT } from './engine-world.js';
import { consume, counted } from './samplers.js';
import { type DirectCase, rulesOf, type UnitGroup } from './unit-case.js';

/** Passes that are measured, one reading each, after one that is not. */
const PASSES = 5;
/** Commands a reading is made of at least: small worlds are played more than once. */
const COMMANDS_PER_READING_MIN = 50_000;
const NANOSECONDS_PER_MS = 1e6;

export const mixUnits: UnitGroup = function* (sizes) {
  yield mixCase(sizes.players, sizes.seed, rulesOf(sizes));
};

/** Several worlds, one after the other, if they are small. */
function mixCase(players: number, seed: number, rules: Rules): DirectCase {
  return {
    kind: 'direct',
    name: 'bots',
    async measure() {
      const worlds = Math.max(1, Math.ceil(COMMANDS_PER_READING_MIN / players));
      const counts = noCounts();
      const elapsedMs = new Array<number>(PASSES).fill(0);
      for (let world = 0; world < worlds; world += 1) {
        const play = new MixPlay(players, seed + world, undefined, rules);
        playPass(play, noCounts());
        for (let pass = 0; pass < PASSES; pass += 1) elapsedMs[pass] = (elapsedMs[pass] ?? 0) + playPass(play, counts);
      }
      consume(counts);
      const nanoseconds = elapsedMs.map((each) => (each * NANOSECONDS_PER_MS) / (worlds * players));
      const commands = counts.accepted + counts.refused;
      return [
        { name: 'time', unit: 'ns per command', isLowerBetter: true, samples: PASSES, ...spreadOf(nanoseconds) },
        { ...counted('accepted', 'share', counts.accepted / commands), isLowerBetter: false },
        counted('ticks', 'entries per command', counts.ticks / commands),
      ];
    },
  };
}

function noCounts(): PassCounts {
  return { accepted: 0, refused: 0, ticks: 0 };
}

/** @returns milliseconds that the commands and ticks of a pass took, without choosing them */
function playPass(play: MixPlay, counts: PassCounts): number {
  let elapsedMs = 0;
  play.beginPass();
  while (!play.isPassOver) {
    const chunk = play.nextChunk();
    const startMs = performance.now();
    play.apply(chunk, counts);
    elapsedMs += performance.now() - startMs;
  }
  return elapsedMs;
}

/** World time in which every bot acts once: about as long as the first upgrades take. */
const PASS_MS = 600_000;
/** Commands that are chosen from one state: few enough that a bot rarely meets what another one has just changed. */
const CHUNK_SHARE = 8;
const CHUNK_MAX = 4_096;

export interface Chunk {
  readonly commands: readonly WorldCommand[];
  readonly atMs: readonly number[];
}

export interface PassCounts {
  accepted: number;
  refused: number;
  ticks: number;
}

/** A world whose bots act in passes. Preparing a pass's commands is separate from applying them, so that only the engine is measured. */
export class MixPlay {
  readonly bench: EngineWorld;
  readonly #players: readonly ReadonlyPlayer[];
  readonly #draws: SeededDraws;
  #order: Int32Array;
  /** Bots that have acted in this pass. */
  #acted = 0;

  /**
   * Sets up a world in which every bot has plenty, a shipyard and a few ships.
   *
   * @param onEntry called for every accepted entry, those that set the world up included
   */
  constructor(playerCount: number, seed: number, onEntry?: EngineWorld['onEntry'], rules?: Rules) {
    this.bench = new EngineWorld(seed, rules);
    this.bench.onEntry = onEntry;
    this.#players = this.bench.addBots(playerCount);
    this.bench.grantPlenty(this.#players);
    for (const shipType of [SCOUT, TRANSPORT]) this.bench.buildFleets(this.#players, shipType, SHIPS_AT_FIRST);
    this.#draws = new SeededDraws(seed);
    this.#order = shuffledIndexes(playerCount, this.#draws);
  }

  get isPassOver(): boolean {
    return this.#acted === this.#players.length;
  }

  beginPass(): void {
    this.#acted = 0;
    this.#order = shuffledIndexes(this.#players.length, this.#draws);
  }

  /** Chooses what the next bots of this pass do, and when. */
  nextChunk(): Chunk {
    const wanted = Math.min(Math.max(Math.floor(this.#players.length / CHUNK_SHARE), 1), CHUNK_MAX);
    const count = Math.min(wanted, this.#players.length - this.#acted);
    const commands: WorldCommand[] = [];
    const atMs: number[] = [];
    const startMs = this.bench.nowMs;
    for (let index = 0; index < count; index += 1) {
      const player = this.#players[this.#order[this.#acted + index] as number] as ReadonlyPlayer;
      commands.push(chooseCommand(this.bench.world, player, this.#draws));
      atMs.push(startMs + Math.floor(((index + 1) * PASS_MS) / this.#players.length));
    }
    this.#acted += count;
    return { commands, atMs };
  }

  /** Applies a chunk, each command after the ticks that are due by then. What is counted is added to `counts`. */
  apply({ commands, atMs }: Chunk, counts: PassCounts): void {
    const { bench } = this;
    for (let index = 0; index < commands.length; index += 1) {
      counts.ticks += bench.passTo(atMs[index] as number);
      if (isRefusal(bench.attempt(commands[index] as WorldCommand))) counts.refused += 1;
      else counts.accepted += 1;
    }
  }
}

/** Per cent of all choices; what is left over is research. */
const BUILDING_SHARE = 40;
const SHIPS_SHARE = 25;
const FLEET_SHARE = 25;
/** One in this many takes back what was begun. */
const SECOND_THOUGHT_ONE_IN = 6;
const SHIPS_PER_ORDER = 3;
/** Fleets fly to players whose numbers are this near: they live in the same part of a galaxy. */
const NEIGHBOURS = 20;
const MISSIONS: readonly number[] = [ATTACK, TRANSPORT_MISSION, ESPIONAGE];

/** The next thing a bot does. Most of it is accepted; some is refused, as with real agents. */
function chooseCommand(world: ReadonlyWorld, player: ReadonlyPlayer, draws: SeededDraws): WorldCommand {
  const { planets } = player;
  const planet = planets[draws.below(planets.length)] as ReadonlyPlanet;
  const choice = draws.below(100);
  if (choice < BUILDING_SHARE) return chooseBuilding(world, planet, draws);
  if (choice < BUILDING_SHARE + SHIPS_SHARE) return chooseShips(planet, draws);
  if (choice < BUILDING_SHARE + SHIPS_SHARE + FLEET_SHARE) return chooseFleet(world, player, planet, draws);
  return {
    type: 'start_research',
    playerNumber: player.number,
    researchType: draws.below(world.rules.research.length),
  };
}

function chooseBuilding(
  { rules }: ReadonlyWorld,
  { key, upgrade, levels }: ReadonlyPlanet,
  draws: SeededDraws,
): WorldCommand {
  if (upgrade !== null && draws.below(SECOND_THOUGHT_ONE_IN) === 0) {
    return { type: 'cancel_building', planetKey: key, queueNumber: upgrade.queueNumber };
  }
  const buildingType = draws.below(rules.buildings.length);
  const type = levels[buildingType] === 0 ? 'construct_building' : 'upgrade_building';
  return { type, planetKey: key, buildingType };
}

function chooseShips({ key, orders }: ReadonlyPlanet, draws: SeededDraws): WorldCommand {
  const running = orders[0];
  if (running !== undefined && draws.below(SECOND_THOUGHT_ONE_IN) === 0) {
    return { type: 'cancel_ships', planetKey: key, shipType: running.shipType };
  }
  const shipType = running?.shipType ?? (draws.below(2) === 0 ? SCOUT : TRANSPORT);
  return { type: 'build_ships', planetKey: key, shipType, count: 1 + draws.below(SHIPS_PER_ORDER) };
}

function chooseFleet(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  origin: ReadonlyPlanet,
  draws: SeededDraws,
): WorldCommand {
  const outbound = player.fleets.find(({ isReturning }) => !isReturning);
  if (outbound !== undefined && draws.below(SECOND_THOUGHT_ONE_IN) === 0) {
    return { type: 'recall_fleet', playerNumber: player.number, fleetNumber: outbound.number };
  }
  const mission = MISSIONS[draws.below(MISSIONS.length)] as number;
  const target = neighbourOf(world, player, draws);
  const flown = mission === ESPIONAGE ? SCOUT : TRANSPORT;
  return {
    type: 'launch_fleet',
    playerNumber: player.number,
    originKey: origin.key,
    targetKey: target.planets.at(-1)?.key ?? origin.key,
    ships: world.rules.ships.map((_, type) => (type === flown ? 1 : 0)),
    mission,
    cargo: mission === TRANSPORT_MISSION ? [100, 50, 0, 0] : [0, 0, 0, 0],
    drive: null,
  };
}

function neighbourOf(world: ReadonlyWorld, player: ReadonlyPlayer, draws: SeededDraws): ReadonlyPlayer {
  const number = 1 + ((player.number + draws.below(NEIGHBOURS)) % world.playerCount);
  return world.players.get(number) ?? player;
}
