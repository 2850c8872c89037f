// Many worlds in the memory of one process, each with a listener of its own: what `galaxyd worlds` opens, forks and closes. Their
// clocks are manual, and nothing of them is on disk.
import type { Rules } from '../engine/rules/rules.js';
import { DEFAULT_RULES } from '../engine/rules/shipped.js';
import { CONNECTIONS_MAX, RESERVED_FILES } from '../http/limits.js';
import { NO_HISTORY } from '../http/spectators/leaderboard-history.js';
import { CannotListen, WorldServer } from '../http/world-server.js';
import { MemoryWorld } from '../persistence/memory-world.js';
import { type RulesIdentity, rulesIdentity } from '../persistence/rules/stored-rules.js';
import { FILES_PER_WORLD, WORLDS_MAX } from './limits.js';
import { openFilesMax } from './open-files-max.js';
import { rulesOf } from './rule-source.js';
import type { WorldOrder } from './world-orders.js';

/** Where a world is served. */
export interface ServedWorld {
  /** From 1, never reused. */
  readonly world: number;
  readonly url: string;
  /** What it is played by. */
  readonly rules: RulesIdentity;
}

interface HeldWorld {
  readonly world: MemoryWorld;
  readonly server: WorldServer;
}

/** The order cannot be carried out. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
}

export class HeldWorlds {
  readonly #held = new Map<number, HeldWorld>();
  /** Rule sets by the name or file that an order gave, read once. */
  readonly #rules = new Map<string, Promise<Rules>>();
  readonly #worldsMax: number;
  #lastNumber = 0;

  /**
   * @param adminKey of every world; it moves the clocks
   * @param filesMax open files that the process may have
   */
  constructor(
    private readonly adminKey: string,
    filesMax: number = openFilesMax(),
  ) {
    this.#worldsMax = Math.min(WORLDS_MAX, Math.floor((filesMax - RESERVED_FILES) / FILES_PER_WORLD));
  }

  /**
   * Carries out an order.
   *
   * @throws OrderRefused if there is no such world, there are too many, or no port is free
   * @throws RuleSetUnsound, UnfitFile, or an Error of the operating system
   */
  async carryOut(order: WorldOrder): Promise<ServedWorld | { readonly world: number }> {
    switch (order.action) {
      case 'open':
        return this.#open(order);
      case 'fork':
        return this.#fork(order.world);
      case 'close':
        return this.#close(order.world);
    }
  }

  async #open({
    rules,
    vary,
    seed,
    speed,
    systemsPerGalaxy,
  }: Extract<WorldOrder, { action: 'open' }>): Promise<ServedWorld> {
    this.#requireRoom();
    const world = await MemoryWorld.begin({
      ...(seed === undefined ? {} : { seed }),
      ...(speed === undefined ? {} : { speed }),
      ...(systemsPerGalaxy === undefined ? {} : { systemsPerGalaxy }),
      ...(rules === undefined && vary === undefined
        ? {}
        : { rules: await this.#rulesOf(rules ?? DEFAULT_RULES.set.name, vary) }),
    });
    return this.#serve(world);
  }

  async #fork(number: number): Promise<ServedWorld> {
    this.#requireRoom();
    return this.#serve(await this.#get(number).world.fork());
  }

  async #close(number: number): Promise<{ readonly world: number }> {
    const { world, server } = this.#get(number);
    this.#held.delete(number);
    await server.stop();
    server.release();
    await world.close();
    return { world: number };
  }

  async #serve(world: MemoryWorld): Promise<ServedWorld> {
    const server = await WorldServer.start({
      // Without samples of the leaderboard: their timer would keep a closed world in memory for seconds.
      world: { ...world, history: NO_HISTORY },
      host: '127.0.0.1',
      port: 0,
      adminKey: this.adminKey,
      // Otherwise each of a thousand worlds reads the table of all connections again and again.
      connectionsPerAddressMax: CONNECTIONS_MAX,
    }).catch(async (error: unknown) => {
      await world.close();
      throw error instanceof CannotListen ? new OrderRefused(error.message) : error;
    });
    this.#lastNumber += 1;
    this.#held.set(this.#lastNumber, { world, server });
    return { world: this.#lastNumber, url: server.url, rules: rulesIdentity(world.engine.world.rules) };
  }

  #get(number: number): HeldWorld {
    const held = this.#held.get(number);
    if (held === undefined) throw new OrderRefused(`there is no world ${number}`);
    return held;
  }

  #requireRoom(): void {
    const count = this.#held.size;
    if (count < this.#worldsMax) return;
    const hint = count < WORLDS_MAX ? ', and the limit of open files allows no more (ulimit -n)' : '';
    throw new OrderRefused(`there are ${count} worlds already${hint}`);
  }

  /** An instance is of one world, as a rule: only unvaried rules are remembered. */
  #rulesOf(source: string, variation: number | undefined): Promise<Rules> {
    if (variation !== undefined) return rulesOf(source, variation);
    const known = this.#rules.get(source);
    if (known !== undefined) return known;
    const reading = rulesOf(source);
    this.#rules.set(source, reading);
    // A file that could not be read may be there the next time.
    reading.catch(() => this.#rules.delete(source));
    return reading;
  }
}
