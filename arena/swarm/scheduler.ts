// Wakes the bots of a swarm at the instants that they want and at events. A limited number of bots acts at a time: if the server or
// this process cannot keep up, bots are late. A bot whose wake fails is woken again.
import type { Catalog, Player as PlayerState, Wish } from '../bot.js';
import { GalaxydProblem, type GameEvent, NoReply, type Operation, type Result } from '../galaxyd-client.js';
import {
  AWAKE_MAX,
  BOTS_BEGUN_PER_SECOND,
  FAILED_WAKE_MS,
  PENDING_EVENTS_MAX,
  REST_MS,
  SWARM_DRAIN_MS,
} from '../limits.js';
import { type Caller, type CallerOptions, PlayingBot } from '../player-port.js';
import type { Connection, ConnectionListener } from './connections.js';
import { Measures } from './measures.js';
import type { SwarmPlayer } from './players.js';
import { type Sleeper, WakeQueue, type WorldClock } from './wakes.js';

interface SchedulerOptions {
  readonly seed: number;
  readonly catalog: Catalog;
  readonly clock: WorldClock;
  readonly measures: Measures;
  /** Called if the swarm cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #bots: ScheduledBot[] = [];
  readonly #sleepers = new WakeQueue<ScheduledBot>();
  /** Bots that are due, in the order in which they became due. */
  readonly #ready = new Set<ScheduledBot>();
  #awake = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #onIdle: () => void = () => {};

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Bots whose players exist. */
  get alive(): number {
    return this.#bots.filter(({ state }) => state !== 'gone').length;
  }

  get awake(): number {
    return this.#awake;
  }

  /** Bots that are due and wait for others to finish. */
  get waiting(): number {
    return this.#ready.size;
  }

  /** Adds a player. Its bot is woken soon. */
  add(player: SwarmPlayer, connection: Connection): void {
    const bot = new ScheduledBot(player, connection, this, this.#options);
    // Bots that start together sleep equally long, so they would always act together.
    this.enqueueLater(bot, (1_000 * this.#bots.length) / BOTS_BEGUN_PER_SECOND);
    this.#bots.push(bot);
  }

  /** Wakes the bots whose instants have come. Called after each reading of the world's clock. */
  wakeDue(): void {
    const { clock } = this.#options;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    for (;;) {
      const atMs = this.#sleepers.nextAtMs;
      const { worldMs } = clock;
      const bot = this.#sleepers.take(worldMs);
      if (bot === undefined) break;
      this.enqueue(bot, worldMs - (atMs ?? worldMs));
    }
    const nextAtMs = this.#sleepers.nextAtMs;
    if (nextAtMs !== null) this.#setTimer(nextAtMs);
  }

  /** Lets a bot act as soon as there is room. @param lateMs time since the instant at which it wanted to be woken */
  enqueue(bot: ScheduledBot, lateMs = 0): void {
    if (bot.state !== 'asleep') return;
    bot.state = 'ready';
    bot.sleepsUntilMs = null;
    bot.readyAtMs = performance.now() - lateMs;
    this.#ready.add(bot);
    this.#wakeReady();
  }

  /** Wakes no bot any more, and waits for those that act. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const { connection } of this.#bots) connection.end();
    if (this.#awake === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, SWARM_DRAIN_MS);
    });
    await Promise.race([idle, late]);
    clearTimeout(timer);
  }

  #setTimer(atMs: number): void {
    if (atMs >= this.#timerAtMs) return;
    const delayMs = this.#options.clock.delayMs(atMs);
    if (delayMs === null) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.wakeDue(), Math.min(delayMs, TIMER_MS_MAX));
  }

  #wakeReady(): void {
    for (const bot of this.#ready) {
      if (this.#awake >= AWAKE_MAX || this.#isOver) return;
      this.#ready.delete(bot);
      void this.#wake(bot);
    }
  }

  async #wake(bot: ScheduledBot): Promise<void> {
    const { measures } = this.#options;
    this.#awake += 1;
    bot.state = 'awake';
    measures.woken(performance.now() - bot.readyAtMs);
    try {
      const wish = await bot.act();
      if (bot.state === 'awake') this.#sleep(bot, wish);
    } catch (error) {
      // A bot that has left meanwhile is not woken again.
      if (!this.#isOver && bot.state === 'awake') this.#wakeFailed(bot, error);
    }
    this.#awake -= 1;
    if (this.#isOver && this.#awake === 0) this.#onIdle();
    this.#wakeReady();
  }

  /** Lets a bot sleep. If a wanted event has happened while it acted, it is woken again after a pause. */
  #sleep(bot: ScheduledBot, wish: Wish): void {
    bot.state = 'asleep';
    bot.restsUntilMs = performance.now() + REST_MS;
    bot.wakesOn = new Set(wish.on);
    if (bot.isCalled) this.enqueueLater(bot, REST_MS);
    else if (wish.at !== null) {
      const atMs = Math.max(Date.parse(wish.at), this.#options.clock.worldMs + REST_MS);
      if (Number.isNaN(atMs)) throw new RangeError(`${wish.at} is not an instant`);
      this.#sleepers.add(bot, atMs);
      this.#setTimer(atMs);
    }
  }

  #wakeFailed(bot: ScheduledBot, error: unknown): void {
    const { measures } = this.#options;
    bot.state = 'asleep';
    this.enqueueLater(bot, FAILED_WAKE_MS);
    if (error instanceof NoReply) measures.interruptions += 1;
    else if (!(error instanceof GalaxydProblem)) measures.error(`${bot.name}: ${messageOf(error)}`);
    else if (Measures.isPassing(error.status)) measures.interruptions += 1;
    else if (!Measures.isRule(error.status, error.code)) measures.error(`${bot.name}: ${error.message}`);
    else if (error.code === 'player_not_found') bot.leave();
  }

  enqueueLater(bot: ScheduledBot, delayMs: number): void {
    setTimeout(() => this.enqueue(bot), delayMs).unref();
  }

  /** The events of a player can no longer be read. */
  eventsLost(bot: ScheduledBot, error: unknown): void {
    if (this.#isOver) return;
    if (error instanceof NoReply) this.#options.onFailure(error);
    else if (error instanceof GalaxydProblem && error.code === 'player_not_found') bot.leave();
    else {
      this.#options.measures.error(`${bot.name}: ${messageOf(error)}`);
      bot.leave();
    }
  }
}

/** Longest delay of a timer in Node. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** A bot with its connection, and the events since it acted. */
class ScheduledBot implements Sleeper, Caller, ConnectionListener {
  readonly name: string;
  readonly connection: Connection;
  readonly #bot: PlayingBot;
  readonly #scheduler: Scheduler;
  readonly #options: SchedulerOptions;
  readonly #statePath: string;
  state: 'asleep' | 'ready' | 'awake' | 'gone' = 'asleep';
  sleepsUntilMs: number | null = null;
  /** An instant of performance.now(). */
  readyAtMs = 0;
  restsUntilMs = 0;
  wakesOn: ReadonlySet<string> = new Set();
  #events: GameEvent[] = [];
  #isFollowing = false;

  constructor(
    { kind, name, playerId }: SwarmPlayer,
    connection: Connection,
    scheduler: Scheduler,
    options: SchedulerOptions,
  ) {
    this.name = name;
    this.connection = connection;
    this.#scheduler = scheduler;
    this.#options = options;
    this.#statePath = `/api/game/state/${playerId}`;
    const { seed, catalog } = options;
    this.#bot = new PlayingBot({ kind, playerId, playerName: name, seed, catalog, caller: this });
  }

  get worldTime(): string {
    return this.#options.clock.worldTime;
  }

  /** Whether an event has happened that the bot wants to be woken by. */
  get isCalled(): boolean {
    return this.#events.some(({ type }) => this.wakesOn.has(type));
  }

  async act(): Promise<Wish> {
    const events = this.#events;
    this.#events = [];
    const wish = await this.#bot.wake(events);
    // The bot has not read its state, so events start now.
    if (!this.#isFollowing) this.#follow(null);
    return wish;
  }

  async call<Body>(operation: Operation<Body>, options?: CallerOptions): Promise<Result<Body>> {
    const result = await this.connection.call(operation, options);
    // Events start after the first state that the bot has read, so it misses none.
    if (!this.#isFollowing && operation.path === this.#statePath && result.ok) {
      this.#follow((result.body as PlayerState | null)?.lastEventSeq ?? null);
    }
    return result;
  }

  callAll(operations: readonly Operation[], options?: CallerOptions): Promise<readonly Result<unknown>[]> {
    return this.connection.callAll(operations, options);
  }

  #follow(since: number | null): void {
    this.#isFollowing = true;
    this.connection.follow(since, this);
  }

  onEvent(event: GameEvent): void {
    this.#options.measures.events += 1;
    if (this.state === 'gone') return;
    this.#events.push(event);
    if (this.#events.length > PENDING_EVENTS_MAX) this.#events.shift();
    if (this.state === 'asleep' && this.wakesOn.has(event.type)) this.#enqueue();
  }

  onGap(): void {
    if (this.state === 'asleep') this.#enqueue();
  }

  onFailure(error: unknown): void {
    this.#scheduler.eventsLost(this, error);
  }

  /** Wakes the bot, but not before its pause is over. */
  #enqueue(): void {
    const restMs = this.restsUntilMs - performance.now();
    if (restMs <= 0) this.#scheduler.enqueue(this);
    else this.#scheduler.enqueueLater(this, restMs);
  }

  /** Removes the bot: its player is gone or cannot be reached. */
  leave(): void {
    this.state = 'gone';
    this.connection.end();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 2).join(' ').trim()
    : String(error);
}
