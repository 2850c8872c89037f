// `galaxyd worlds`: opens, forks and closes worlds in the memory of this process, as orders on standard input demand. Each world has
// a listener of its own and a manual clock. Nothing of it is on disk.
import { createInterface } from 'node:readline';
import type { Static } from 'typebox';
import { SPEED_THOUSANDTHS_MAX, SPEED_THOUSANDTHS_MIN, SYSTEMS_PER_GALAXY_MAX } from '../../engine/rules/limits.js';
import type { Rules } from '../../engine/rules/rules.js';
import { DEFAULT_RULES } from '../../engine/rules/shipped.js';
import { CONNECTIONS_MAX, RESERVED_FILES } from '../../http/limits.js';
import { NO_HISTORY } from '../../http/spectators/leaderboard-history.js';
import { CannotListen, WorldServer } from '../../http/world-server.js';
import { killOnUncaughtException } from '../../persistence/fatal.js';
import { MemoryWorld } from '../../persistence/memory-world.js';
import { type RulesIdentity, rulesIdentity } from '../../persistence/rules/stored-rules.js';
import { Compile, Type } from '../../persistence/typebox.js';
import { failureOf } from '../commands/exit-codes.js';
import { rulesOf } from '../commands/rule-source.js';
import { FILES_PER_WORLD, WORLD_LINE_LENGTH_MAX, WORLDS_MAX } from '../limits.js';
import { FileOutput, STANDARD_OUTPUT } from '../output/lines.js';
import { openFilesMax } from './process.js';

const CLOSED = { additionalProperties: false };
/** Id of an order. Its answer has the same id. */
const id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Number of the world, from an earlier answer. */
const world = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const Order = Type.Union([
  Type.Object(
    {
      id,
      action: Type.Literal('open'),
      seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      speed: Type.Optional(
        Type.Number({ minimum: SPEED_THOUSANDTHS_MIN / 1000, maximum: SPEED_THOUSANDTHS_MAX / 1000 }),
      ),
      systemsPerGalaxy: Type.Optional(Type.Integer({ minimum: 1, maximum: SYSTEMS_PER_GALAXY_MAX })),
      /** Name of a built-in rule set, or a file. */
      rules: Type.Optional(Type.String({ minLength: 1 })),
      /** Seed of the instance of the rules. */
      vary: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    CLOSED,
  ),
  Type.Object({ id, action: Type.Literal('fork'), world }, CLOSED),
  Type.Object({ id, action: Type.Literal('close'), world }, CLOSED),
]);
type WorldOrder = Static<typeof Order>;

const orders = Compile(Order);

/** The line is not an order. */
class NotAnOrder extends Error {
  override readonly name = 'NotAnOrder';

  /** @param id of the order, null if the line has none */
  constructor(
    readonly id: number | null,
    message: string,
  ) {
    super(message);
  }
}

/** @throws NotAnOrder */
function orderOf(line: string): WorldOrder {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new NotAnOrder(null, 'the line is not JSON');
  }
  if (orders.Check(value)) return value;
  const known = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  const [fault] = orders.Errors(value);
  const where = fault === undefined ? '' : `: ${fault.instancePath || '/'} ${fault.message}`;
  throw new NotAnOrder(typeof known === 'number' ? known : null, `the line is not an order${where}`);
}

/** Carries out orders until standard input ends, for whatever reason. Then the process ends, and nothing is left. */
export async function serveWorlds(adminKey: string): Promise<void> {
  killOnUncaughtException();
  const held = new HeldWorlds(adminKey);
  const output = new FileOutput(STANDARD_OUTPUT);
  // One order after the other, so that the answers have the order of the lines.
  for await (const line of createInterface({ input: process.stdin })) {
    if (line !== '') output.write(JSON.stringify(await answerTo(line, held)));
  }
  process.exit();
}

async function answerTo(line: string, held: HeldWorlds): Promise<object> {
  let id: number | null = null;
  try {
    if (line.length > WORLD_LINE_LENGTH_MAX) throw new NotAnOrder(null, 'the line is too long');
    const order = orderOf(line);
    id = order.id;
    return { id, ...(await held.carryOut(order)) };
  } catch (error) {
    if (error instanceof NotAnOrder) return { id: error.id, error: error.message };
    const failure = failureOf(error, [[OrderRefused, 'failed']]);
    if (failure === null) throw error;
    return { id, error: failure.lines.join('\n') };
  }
}

/** A world, as the answer to an order names it. */
interface ServedWorld {
  /** Counts from 1; never reused. */
  readonly world: number;
  readonly url: string;
  /** The rules that it is played by. */
  readonly rules: RulesIdentity;
}

interface HeldWorld {
  readonly world: MemoryWorld;
  readonly server: WorldServer;
}

/** The order cannot be carried out. */
class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
}

export class HeldWorlds {
  readonly #held = new Map<number, HeldWorld>();
  /** Rule sets by name or file, each read once. */
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
      // Samples of the leaderboard have a timer, which would keep a closed world in memory for seconds.
      world: { ...world, history: NO_HISTORY },
      host: '127.0.0.1',
      port: 0,
      adminKey: this.adminKey,
      // With a lower limit, each of a thousand worlds would read the table of all connections again and again.
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

  /** Remembers only rules that are not varied, since most instances belong to one world. */
  #rulesOf(source: string, variation: number | undefined): Promise<Rules> {
    if (variation !== undefined) return rulesOf(source, variation);
    const known = this.#rules.get(source);
    if (known !== undefined) return known;
    const reading = rulesOf(source);
    this.#rules.set(source, reading);
    // A file that cannot be read now may be there next time.
    reading.catch(() => this.#rules.delete(source));
    return reading;
  }
}
