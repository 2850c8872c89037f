// A world whose bots act in passes, with the clock running. Preparing a pass's commands is separate from applying them, so
// that only the engine is measured.
import type { WorldCommand } from '../../../engine/commands/table.js';
import type { Rules } from '../../../engine/rules/rules.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { ReadonlyPlayer } from '../../../engine/world/state.js';
import { SeededDraws, shuffledIndexes } from '../../seeded-draws.js';
import { chooseCommand } from './bot-mix.js';
import { EngineWorld, SCOUT, TRANSPORT } from './engine-world.js';

/** World time in which every bot acts once: about as long as the first upgrades take. */
const PASS_MS = 600_000;
/** Commands that are chosen from one state: few enough that a bot rarely meets what another one has just changed. */
const CHUNK_SHARE = 8;
const CHUNK_MAX = 4_096;
const SHIPS_AT_FIRST = 4;

export interface Chunk {
  readonly commands: readonly WorldCommand[];
  readonly atMs: readonly number[];
}

export interface PassCounts {
  accepted: number;
  refused: number;
  ticks: number;
}

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
