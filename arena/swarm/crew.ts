// Wakes the bots of a swarm: at the instants that they want, and at events. Only so many act at a time; if the server or this process
// cannot keep up, bots are late. A bot whose wake fails is woken again.
import type { Catalog, Player as PlayerState, Wish } from '../bot.js';
import { GalaxydProblem, type GameEvent, NoReply, type Operation, type Result } from '../galaxyd-client.js';
import { type Caller, type CallerOptions, SeatedBot } from '../hand.js';
import {
  AWAKE_MAX,
  BOTS_BEGUN_PER_SECOND,
  FAILED_WAKE_MS,
  PENDING_EVENTS_MAX,
  REST_MS,
  SWARM_DRAIN_MS,
} from '../limits.js';
import type { Line, LineListener } from './lines.js';
import { Measures } from './measures.js';
import type { Registered } from './registration.js';
import { type Sleeper, WakeQueue } from './wake-queue.js';
import type { WorldClock } from './world-clock.js';

export interface CrewOptions {
  readonly seed: number;
  readonly catalog: Catalog;
  readonly clock: WorldClock;
  readonly measures: Measures;
  /** The swarm cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

export class Crew {
  readonly #options: CrewOptions;
  readonly #members: Member[] = [];
  readonly #sleepers = new WakeQueue<Member>();
  /** Those that are to act, who has waited longest first. */
  readonly #ready = new Set<Member>();
  #awake = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #onIdle: () => void = () => {};

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** Bots whose players exist. */
  get alive(): number {
    return this.#members.filter(({ mood }) => mood !== 'gone').length;
  }

  get awake(): number {
    return this.#awake;
  }

  /** Bots that wait for others to finish. */
  get waiting(): number {
    return this.#ready.size;
  }

  /** A player comes into play: its bot is woken. */
  add(player: Registered, line: Line): void {
    const member = new Member(player, line, this, this.#options);
    // Not all at once: bots that begin together sleep as long, and would always act together.
    this.rouseLater(member, (1_000 * this.#members.length) / BOTS_BEGUN_PER_SECOND);
    this.#members.push(member);
  }

  /** World time may have passed: wakes whose time has come. */
  look(): void {
    const { clock } = this.#options;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    for (;;) {
      const atMs = this.#sleepers.nextAtMs;
      const { worldMs } = clock;
      const member = this.#sleepers.take(worldMs);
      if (member === undefined) break;
      this.rouse(member, worldMs - (atMs ?? worldMs));
    }
    const nextAtMs = this.#sleepers.nextAtMs;
    if (nextAtMs !== null) this.#watch(nextAtMs);
  }

  /** Lets a bot act as soon as there is room. @param lateMs time since the instant that it wished for */
  rouse(member: Member, lateMs = 0): void {
    if (member.mood !== 'asleep') return;
    member.mood = 'ready';
    member.sleepsUntilMs = null;
    member.readyAtMs = performance.now() - lateMs;
    this.#ready.add(member);
    this.#fill();
  }

  /** Wakes nobody any more, and waits for those that act. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const { line } of this.#members) line.end();
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

  #watch(atMs: number): void {
    if (atMs >= this.#timerAtMs) return;
    const delayMs = this.#options.clock.delayMs(atMs);
    if (delayMs === null) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.look(), Math.min(delayMs, TIMER_MS_MAX));
  }

  #fill(): void {
    for (const member of this.#ready) {
      if (this.#awake >= AWAKE_MAX || this.#isOver) return;
      this.#ready.delete(member);
      void this.#wake(member);
    }
  }

  async #wake(member: Member): Promise<void> {
    const { measures } = this.#options;
    this.#awake += 1;
    member.mood = 'awake';
    measures.woken(performance.now() - member.readyAtMs);
    try {
      const wish = await member.act();
      if (member.mood === 'awake') this.#rest(member, wish);
    } catch (error) {
      // One that has left meanwhile stays away.
      if (!this.#isOver && member.mood === 'awake') this.#failed(member, error);
    }
    this.#awake -= 1;
    if (this.#isOver && this.#awake === 0) this.#onIdle();
    this.#fill();
  }

  /** A bot has acted. What has happened meanwhile may wake it again, after a rest. */
  #rest(member: Member, wish: Wish): void {
    member.mood = 'asleep';
    member.restsUntilMs = performance.now() + REST_MS;
    member.wakesOn = new Set(wish.on);
    if (member.isCalled) this.rouseLater(member, REST_MS);
    else if (wish.at !== null) {
      const atMs = Math.max(Date.parse(wish.at), this.#options.clock.worldMs + REST_MS);
      if (Number.isNaN(atMs)) throw new RangeError(`${wish.at} is no instant`);
      this.#sleepers.add(member, atMs);
      this.#watch(atMs);
    }
  }

  #failed(member: Member, error: unknown): void {
    const { measures } = this.#options;
    member.mood = 'asleep';
    this.rouseLater(member, FAILED_WAKE_MS);
    if (error instanceof NoReply) measures.interruptions += 1;
    else if (!(error instanceof GalaxydProblem)) measures.error(`${member.name}: ${wordsOf(error)}`);
    else if (Measures.isPassing(error.status)) measures.interruptions += 1;
    else if (!Measures.isRule(error.status, error.code)) measures.error(`${member.name}: ${error.message}`);
    else if (error.code === 'player_not_found') member.leave();
  }

  rouseLater(member: Member, delayMs: number): void {
    setTimeout(() => this.rouse(member), delayMs).unref();
  }

  /** The events of a bot's player can no longer be read. */
  lost(member: Member, error: unknown): void {
    if (this.#isOver) return;
    if (error instanceof NoReply) this.#options.onFailure(error);
    else if (error instanceof GalaxydProblem && error.code === 'player_not_found') member.leave();
    else {
      this.#options.measures.error(`${member.name}: ${wordsOf(error)}`);
      member.leave();
    }
  }
}

/** Longest time that a timer can be set to. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** A bot with its player, and what has happened since it acted. */
class Member implements Sleeper, Caller, LineListener {
  readonly name: string;
  readonly line: Line;
  readonly #seat: SeatedBot;
  readonly #crew: Crew;
  readonly #options: CrewOptions;
  readonly #statePath: string;
  mood: 'asleep' | 'ready' | 'awake' | 'gone' = 'asleep';
  sleepsUntilMs: number | null = null;
  /** By performance.now(). */
  readyAtMs = 0;
  restsUntilMs = 0;
  wakesOn: ReadonlySet<string> = new Set();
  #events: GameEvent[] = [];
  #isFollowing = false;

  constructor({ kind, name, playerId }: Registered, line: Line, crew: Crew, options: CrewOptions) {
    this.name = name;
    this.line = line;
    this.#crew = crew;
    this.#options = options;
    this.#statePath = `/api/game/state/${playerId}`;
    const { seed, catalog } = options;
    this.#seat = new SeatedBot({ kind, playerId, playerName: name, seed, catalog, caller: this });
  }

  get worldTime(): string {
    return this.#options.clock.worldTime;
  }

  /** Whether an event has come that it wants to be woken by. */
  get isCalled(): boolean {
    return this.#events.some(({ type }) => this.wakesOn.has(type));
  }

  async act(): Promise<Wish> {
    const events = this.#events;
    this.#events = [];
    const wish = await this.#seat.wake(events);
    // It has not looked at its state.
    if (!this.#isFollowing) this.#follow(null);
    return wish;
  }

  async call<Body>(operation: Operation<Body>, options?: CallerOptions): Promise<Result<Body>> {
    const result = await this.line.call(operation, options);
    // Its events are those after the first state that it has seen, so that it misses none.
    if (!this.#isFollowing && operation.path === this.#statePath && result.ok) {
      this.#follow((result.body as PlayerState | null)?.lastEventSeq ?? null);
    }
    return result;
  }

  callAll(operations: readonly Operation[], options?: CallerOptions): Promise<readonly Result<unknown>[]> {
    return this.line.callAll(operations, options);
  }

  #follow(since: number | null): void {
    this.#isFollowing = true;
    this.line.follow(since, this);
  }

  happened(event: GameEvent): void {
    this.#options.measures.events += 1;
    if (this.mood === 'gone') return;
    this.#events.push(event);
    if (this.#events.length > PENDING_EVENTS_MAX) this.#events.shift();
    if (this.mood === 'asleep' && this.wakesOn.has(event.type)) this.#call();
  }

  missed(): void {
    if (this.mood === 'asleep') this.#call();
  }

  failed(error: unknown): void {
    this.#crew.lost(this, error);
  }

  /** It is woken, but not before it has rested. */
  #call(): void {
    const restMs = this.restsUntilMs - performance.now();
    if (restMs <= 0) this.#crew.rouse(this);
    else this.#crew.rouseLater(this, restMs);
  }

  /** Its player is gone, or not reachable. */
  leave(): void {
    this.mood = 'gone';
    this.line.end();
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 2).join(' ').trim()
    : String(error);
}
