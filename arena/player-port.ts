// Runs one bot, and implements its PlayerPort. The runner of the bots provides two calls, over HTTP or over a WebSocket.
import type { Bot, BotKind, Budget, Catalog, Options, PlanetPlan, Player, PlayerPort, Wish } from './bot.js';
import { GalaxydProblem, type GameEvent, type Operation, operation, type Result } from './galaxyd-client.js';
import { OPERATIONS_TOGETHER_MAX } from './limits.js';
import { Random } from './random.js';

export interface CallerOptions {
  /** Requests short results. A refusal then has only its code. */
  readonly isMinimal?: boolean;
}

/** Sends operations for one player. Refusals are results. It throws NoReply, and an error if the connection is refused. */
export interface Caller {
  /** World time of the latest reply or of the wake. */
  readonly worldTime: string;

  /** Sends one operation, independently of all others. */
  call<Body>(operation: Operation<Body>, options?: CallerOptions): Promise<Result<Body>>;

  /** Sends operations that are carried out in order. Adjacent reads may be answered in any order. */
  callAll(operations: readonly Operation[], options?: CallerOptions): Promise<readonly Result<unknown>[]>;
}

interface PlayingBotOptions {
  readonly kind: BotKind;
  readonly playerId: string;
  readonly playerName: string;
  /** Seed of the run. The same seed, name and observations give the same commands. */
  readonly seed: number | string;
  readonly catalog: Catalog;
  readonly caller: Caller;
}

/** A bot that plays one player. */
export class PlayingBot {
  readonly kind: BotKind;
  readonly playerId: string;
  readonly #bot: Bot;
  readonly #port: BatchingPort;

  constructor({ kind, playerId, playerName, seed, catalog, caller }: PlayingBotOptions) {
    this.kind = kind;
    this.playerId = playerId;
    this.#bot = kind.make();
    this.#port = new BatchingPort(caller, playerId, Random.of(seed, playerName), catalog);
  }

  /**
   * Lets the bot act.
   *
   * @param events what has happened to its player since the last wake, in order
   * @param budget what its player may still do, if that is limited
   * @returns when the bot wants to be woken again
   * @throws what the caller throws, and GalaxydProblem if a read is refused
   */
  async wake(events: readonly GameEvent[], budget: Budget | null = null): Promise<Wish> {
    this.#port.begin(events, budget);
    const wish = await this.#bot.wake(this.#port);
    // Nothing of the world is kept while the bot sleeps: there may be thousands of bots.
    this.#port.begin([], null);
    return wish;
  }
}

/** A read that waits to be sent together with others. */
interface Waiting {
  readonly operation: Operation;
  readonly settle: (result: Result<unknown>) => void;
  readonly fail: (error: unknown) => void;
}

class BatchingPort implements PlayerPort {
  events: readonly GameEvent[] = [];
  budget: Budget | null = null;
  #state: Promise<Player> | null = null;
  #waiting: Waiting[] = [];

  constructor(
    readonly caller: Caller,
    readonly playerId: string,
    readonly random: Random,
    readonly catalog: Catalog,
  ) {}

  get now(): string {
    return this.caller.worldTime;
  }

  begin(events: readonly GameEvent[], budget: Budget | null): void {
    this.events = events;
    this.budget = budget;
    this.#state = null;
  }

  state(): Promise<Player> {
    const { playerId } = this;
    this.#state ??= this.read(operation.get('/api/game/state/{playerId}', { params: { path: { playerId } } }));
    return this.#state;
  }

  options(planetId: string): Promise<Options> {
    return this.read(operation.get('/api/game/options/{planetId}', { params: { path: { planetId } } }));
  }

  plan(planetId: string): Promise<PlanetPlan> {
    return this.read(operation.get('/api/plan/planet/{planetId}', { params: { path: { planetId } } }));
  }

  async read<Body>(operation: Operation<Body>): Promise<Body> {
    const result = await new Promise<Result<unknown>>((settle, fail) => {
      // Everything that the bot requests before it awaits something is sent together.
      if (this.#waiting.length === 0) queueMicrotask(() => void this.#send());
      this.#waiting.push({ operation, settle, fail });
    });
    if (result.ok) return result.body as Body;
    throw result.problem === null
      ? new Error(`a read was refused: ${result.code}`)
      : new GalaxydProblem(result.problem);
  }

  async act(operations: readonly Operation[]): Promise<readonly Result<unknown>[]> {
    if (operations.length === 0) return [];
    this.#state = null;
    return await this.#callAll(operations, { isMinimal: true });
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const results = await this.#callAll(waiting.map(({ operation }) => operation));
      for (const [index, { settle }] of waiting.entries()) settle(results[index] as Result<unknown>);
    } catch (error) {
      for (const { fail } of waiting) fail(error);
    }
  }

  async #callAll(operations: readonly Operation[], options: CallerOptions = {}): Promise<readonly Result<unknown>[]> {
    const [only] = operations;
    if (operations.length === 1 && only !== undefined) return [await this.caller.call(only, options)];
    const results: Result<unknown>[] = [];
    for (let first = 0; first < operations.length; first += OPERATIONS_TOGETHER_MAX) {
      const part = operations.slice(first, first + OPERATIONS_TOGETHER_MAX);
      results.push(...(await this.caller.callAll(part, options)));
    }
    return results;
  }
}
