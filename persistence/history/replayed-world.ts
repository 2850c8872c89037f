// A world as it was: shows one position of its past, moves to any other, and plays from there on. Every state comes from a snapshot
// and the log after it. Nothing is written to the store, which a server may be using.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../../engine/engine.js';
import { OPEN_WORLD_TOPIC, type WorldEvent } from '../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { REPLAY_MOVEMENTS_MAX, REPLAY_SLICE_MS, REPLAY_TICK_MS } from '../limits.js';
import type { LogEntry } from '../recovery/log-entries.js';
import { applyEntry, type ReplayEnd } from '../recovery/replay.js';
import type { Origin } from '../stores/origin.js';
import { ReadOnlySequencer } from '../writer/read-only-sequencer.js';
import { bringsKeys, haveKeys, type Past, type PastWorld, type Position } from './past.js';
import type { Timeline, TimelineSource } from './timeline.js';

/** What a step leads to: an entry that caused a public event, one that caused a battle, or a day of world time. */
export type Step = 'event' | 'battle' | 'day';

/** The past of a world, and what belongs to it. The caller closes it. */
export interface ReplaySource {
  readonly past: Past;
  readonly timeline: TimelineSource;
  readonly origin: Origin | null;
  /** Number of the game of a tournament that it is; null by default, for any other world. */
  readonly game?: number | null;
}

export interface ReplayState extends Position {
  readonly game: number | null;
  readonly isPlaying: boolean;
  /** World milliseconds for each millisecond of the machine's clock while it plays. */
  readonly speed: number;
  readonly first: Position;
  readonly last: Position;
}

export interface ReplayOptions extends ReplaySource {
  /** Seq of the first position; that of the past by default. */
  readonly at?: number;
  /** True if the keys of its players need no protection: anybody may know them, and they open nothing any more. False by default. */
  readonly areKeysPublic?: boolean;
  /** Called if playing fails: it stands still then. */
  readonly onFailure: (error: unknown) => void;
  /** Monotonic milliseconds while it plays; performance.now by default. */
  readonly elapsedMs?: () => number;
}

/** The points of the first players at instants of the past, oldest first. */
export interface RankingHistory {
  /** The points of each sample are indexed by player number, best first. */
  readonly samples: readonly { readonly atMs: number; readonly points: ReadonlyMap<number, number> }[];
  /** Differs whenever `samples` differs. */
  readonly version: string;
}

/** The requested position is not in the past that is kept. */
export class OutsideHistory extends Error {
  override readonly name = 'OutsideHistory';

  constructor(
    readonly first: Position,
    readonly last: Position,
  ) {
    super(`the history holds seq ${first.seq} (${timeText(first)}) to seq ${last.seq} (${timeText(last)})`);
  }
}

/** A newer request has made this one pointless. */
class Superseded extends Error {}

const DAY_MS = 86_400_000;

export class ReplayedWorld {
  readonly clockKind = 'manual';
  readonly durability = 'durable';
  readonly snapshots = null;
  /** The course of the ranking, as far as it is known; see http/spectators/leaderboard-history.ts. */
  readonly history: RankingHistory;
  /** Called after the world was replaced by that of another position, so that whatever was made of the old one is dropped. */
  onReplaced: () => void = () => {};
  readonly #areKeysPublic: boolean;
  readonly #onFailure: (error: unknown) => void;
  readonly #elapsedMs: () => number;
  #source: ReplaySource;
  #shown: ShownWorld;
  #isPlaying = false;
  #speed = 1;
  /** World time at #sinceMs by #elapsedMs(). */
  #fromMs: number;
  #sinceMs = 0;
  #timer: NodeJS.Timeout | null = null;
  /** The movements so far, one after the other. */
  #movements: Promise<void> = Promise.resolve();
  #movementCount = 0;
  /** Those that have been asked for and have not ended. */
  #waitingCount = 0;
  /** The rankings of the last timeline that was looked at. */
  #ranked: { readonly timeline: Timeline | null; readonly samples: RankingHistory['samples'] } = {
    timeline: null,
    samples: [],
  };
  #isMoving = false;

  private constructor(options: ReplayOptions, world: PastWorld) {
    const { onFailure, elapsedMs, areKeysPublic = false } = options;
    this.#source = options;
    this.#areKeysPublic = areKeysPublic;
    const rankings = (): RankingHistory['samples'] => this.#rankings();
    this.history = {
      get samples() {
        return rankings();
      },
      get version() {
        return `${this.samples.length}-${this.samples.at(-1)?.atMs ?? 0}`;
      },
    };
    this.#onFailure = onFailure;
    this.#elapsedMs = elapsedMs ?? (() => performance.now());
    this.#fromMs = world.engine.world.nowMs;
    this.#shown = new ShownWorld(world, () => this.#playedToMs);
  }

  /** @throws OutsideHistory, RecoveryRefused, LogUnreadable */
  static async open(options: ReplayOptions): Promise<ReplayedWorld> {
    return new ReplayedWorld(options, await worldOf(options.past, options.at));
  }

  /** Where it is served, it is both the world that is shown and the replay that moves it. */
  get replay(): this {
    return this;
  }

  get timeline(): TimelineSource {
    return this.#source.timeline;
  }

  get origin(): Origin | null {
    return this.#source.origin;
  }

  /** False while so many movements have not ended that no further one may be asked for. */
  get mayMove(): boolean {
    return this.#waitingCount < REPLAY_MOVEMENTS_MAX;
  }

  get engine(): Engine {
    return this.#shown.engine;
  }

  get sequencer(): ReadOnlySequencer {
    return this.#shown.sequencer;
  }

  /** Whether a player has an API key, which must be protected, at the position that is shown. */
  get hasKeys(): boolean {
    return this.#shown.hasKeys && !this.#areKeysPublic;
  }

  /** Where it stands, and what can be reached. @throws RecoveryRefused, LogUnreadable */
  async state(): Promise<ReplayState> {
    await this.#past.refresh();
    const { first, last } = this.#past;
    const { seq, nowMs: atMs } = this.#shown;
    const { game = null } = this.#source;
    return { seq, atMs, game, isPlaying: this.#isPlaying, speed: this.#speed, first, last: later(last, { seq, atMs }) };
  }

  /**
   * Stops playing, and shows the past of another world instead of this one, which is closed.
   *
   * @param open opens it, once the movements before have ended
   * @param at seq of the first position; that of the past by default
   * @throws what open() throws, OutsideHistory, RecoveryRefused, LogUnreadable; then nothing has changed
   */
  show(open: () => Promise<ReplaySource>, at?: number): Promise<void> {
    this.pause();
    return this.#inOrder(async () => {
      const source = await open();
      let world: PastWorld;
      try {
        world = await worldOf(source.past, at);
      } catch (error) {
        await closeSource(source);
        throw error;
      }
      const former = { source: this.#source, cursor: this.#shown.cursor };
      this.#source = source;
      this.#fromMs = world.engine.world.nowMs;
      this.#shown = new ShownWorld(world, () => this.#playedToMs);
      this.onReplaced();
      await former.cursor.close();
      await closeSource(former.source);
    });
  }

  /**
   * Moves to a position: to the entry with a seq, or to an instant after all entries up to then. A newer movement replaces one that
   * has not ended. Settles once the newest has ended.
   *
   * @throws OutsideHistory, RecoveryRefused, LogUnreadable
   */
  move(target: ReplayEnd): Promise<void> {
    return this.#inOrder(async (isSuperseded) => {
      await this.#past.refresh();
      requireInside(this.#past, target);
      await this.#go(target, isSuperseded);
    });
  }

  /**
   * Stops playing, and moves to the next or the previous position of a kind; to the end or the beginning of the past if there is none.
   *
   * @throws RecoveryRefused, LogUnreadable
   */
  step(step: Step, direction: 1 | -1): Promise<void> {
    this.pause();
    return this.#inOrder(async (isSuperseded) => {
      await this.#past.refresh();
      if (step === 'day') await this.#go({ atMs: this.#dayFrom(direction) }, isSuperseded);
      else if (direction === 1) await this.#forward(null, step, isSuperseded);
      else await this.#go({ seq: await this.#seqBefore(step, isSuperseded) }, isSuperseded);
    });
  }

  /** Plays from the present position on. @param speed the last one by default */
  play(speed: number = this.#speed): void {
    this.#fromMs = this.#shown.nowMs;
    this.#sinceMs = this.#elapsedMs();
    this.#speed = speed;
    this.#isPlaying = true;
    this.#wakeIn(0);
  }

  /** Stands still, at the present instant. @param speed of the next time that it plays; the last one by default */
  pause(speed: number = this.#speed): void {
    this.#fromMs = this.#shown.nowMs;
    this.#isPlaying = false;
    this.#speed = speed;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async close(): Promise<void> {
    this.pause();
    this.#movementCount += 1;
    await this.#movements;
    await this.#shown.cursor.close();
    await closeSource(this.#source);
  }

  get #past(): Past {
    return this.#source.past;
  }

  /** Up to the instant that is shown. */
  #rankings(): RankingHistory['samples'] {
    const { latest } = this.timeline;
    if (latest !== this.#ranked.timeline) {
      const samples = latest?.samples.map(({ atMs, ranked }) => ({ atMs, points: pointsOf(ranked) })) ?? [];
      this.#ranked = { timeline: latest, samples };
    }
    const { nowMs } = this.#shown;
    return this.#ranked.samples.filter(({ atMs }) => atMs < nowMs);
  }

  /** World time that has been played to, even if the world does not reach it. */
  get #playedToMs(): number {
    return this.#isPlaying ? this.#fromMs + (this.#elapsedMs() - this.#sinceMs) * this.#speed : this.#fromMs;
  }

  async #inOrder(movement: (isSuperseded: () => boolean) => Promise<void>): Promise<void> {
    this.#movementCount += 1;
    const number = this.#movementCount;
    const isSuperseded = (): boolean => number !== this.#movementCount;
    const before = this.#movements;
    const moved = before.then(async () => {
      if (isSuperseded()) return;
      this.#isMoving = true;
      try {
        await movement(isSuperseded);
      } catch (error) {
        if (!(error instanceof Superseded)) throw error;
      } finally {
        this.#isMoving = false;
        // What has passed by the machine's clock meanwhile is not played.
        this.#sinceMs = this.#elapsedMs();
      }
    });
    this.#movements = moved.catch(() => {});
    this.#waitingCount += 1;
    try {
      await moved;
      // One that was superseded ends with the newest.
      for (let last = null; last !== this.#movements; await last) last = this.#movements;
    } finally {
      this.#waitingCount -= 1;
    }
  }

  async #go(target: ReplayEnd, isSuperseded: () => boolean): Promise<void> {
    const { engine, nowMs } = this.#shown;
    const isBehind = target.seq === undefined ? (target.atMs ?? nowMs) < nowMs : target.seq < engine.seq;
    if (isBehind || (await this.#past.isSnapshotNearer(engine.seq, target))) await this.#jump(target, isSuperseded);
    else await this.#forward(target, null, isSuperseded);
    this.#fromMs = target.atMs ?? this.engine.world.nowMs;
    this.#sinceMs = this.#elapsedMs();
  }

  /** Replaces the world by that of another position. */
  async #jump(target: ReplayEnd, isSuperseded: () => boolean): Promise<void> {
    const past = await this.#past.worldAt(target, () => {
      if (isSuperseded()) throw new Superseded();
    });
    const { cursor } = this.#shown;
    this.#fromMs = past.engine.world.nowMs;
    this.#shown = new ShownWorld(past, () => this.#playedToMs);
    this.onReplaced();
    await cursor.close();
  }

  /** Applies the entries up to a target, or up to the first one that leads to a step. */
  async #forward(target: ReplayEnd | null, step: Step | null, isSuperseded: () => boolean): Promise<void> {
    let sliceEndMs = performance.now() + REPLAY_SLICE_MS;
    const shown = this.#shown;
    while (await shown.cursor.fill()) {
      for (let { next } = shown.cursor; next !== null; next = shown.cursor.next) {
        if (target !== null && isBeyond(next, target)) return;
        const isThere = shown.apply(next, step);
        this.#fromMs = shown.engine.world.nowMs;
        if (isThere) return;
        if (performance.now() < sliceEndMs) continue;
        await nextTurn();
        if (isSuperseded()) throw new Superseded();
        sliceEndMs = performance.now() + REPLAY_SLICE_MS;
      }
    }
  }

  #dayFrom(direction: 1 | -1): number {
    const { first, last } = this.#past;
    return Math.min(Math.max(this.#shown.nowMs + direction * DAY_MS, first.atMs), last.atMs);
  }

  /**
   * Seq of the last entry before the present one that leads to a step. The world keeps its last events; if none of them does, the
   * world at the oldest of them is asked.
   */
  async #seqBefore(step: Step, isSuperseded: () => boolean): Promise<number> {
    const { first } = this.#past;
    let { world } = this.#shown.engine;
    for (;;) {
      const { found, oldestSeq } = lastStepIn(world, step);
      if (found > first.seq) return found;
      if (oldestSeq <= first.seq) return first.seq;
      const { engine, cursor } = await this.#past.worldAt({ seq: oldestSeq });
      await cursor.close();
      if (isSuperseded()) throw new Superseded();
      world = engine.world;
    }
  }

  #wakeIn(delayMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#tick, delayMs);
  }

  readonly #tick = (): void => {
    this.#playOn().then(
      () => {
        if (this.#isPlaying) this.#wakeIn(REPLAY_TICK_MS);
      },
      (error: unknown) => {
        this.pause();
        this.#onFailure(error);
      },
    );
  };

  /** Applies what has fallen due, for a slice of the turn. If that is not enough, the time that is played waits for the world. */
  async #playOn(): Promise<void> {
    const shown = this.#shown;
    const hasNext = this.#isMoving || (await shown.cursor.fill());
    if (this.#isMoving || shown !== this.#shown || !this.#isPlaying) return;
    if (!hasNext) this.pause();
    const endMs = performance.now() + REPLAY_SLICE_MS;
    for (let { next } = shown.cursor; next !== null && next.atMs <= this.#playedToMs; next = shown.cursor.next) {
      shown.apply(next, null);
      if (performance.now() < endMs) continue;
      this.#fromMs = shown.nowMs;
      this.#sinceMs = this.#elapsedMs();
      return;
    }
  }
}

/** The world of one position, and of those after it. */
class ShownWorld implements PastWorld {
  readonly engine: Engine;
  readonly cursor: PastWorld['cursor'];
  readonly sequencer: ReadOnlySequencer;
  hasKeys: boolean;

  /** @param playedToMs returns the world time that has been played to */
  constructor(
    { engine, cursor }: PastWorld,
    private readonly playedToMs: () => number,
  ) {
    this.engine = engine;
    this.cursor = cursor;
    this.hasKeys = haveKeys(engine.world);
    this.sequencer = new ReadOnlySequencer(this);
  }

  get seq(): number {
    return this.engine.seq;
  }

  /**
   * World time that is shown. What a state says of an instant holds only until the next entry, and until the next timer: an entry
   * that fires it may come later.
   */
  get nowMs(): number {
    const { engine } = this;
    const fromMs = engine.world.nowMs;
    const { next } = this.cursor;
    if (next === null) return fromMs;
    return Math.max(fromMs, Math.floor(Math.min(this.playedToMs(), next.atMs, engine.nextDeadlineMs())));
  }

  /** Applies the next entry. @returns whether it leads to a step */
  apply({ atMs, command }: LogEntry, step: Step | null): boolean {
    const { engine, sequencer } = this;
    const events: WorldEvent[] | undefined = step === 'battle' ? [] : undefined;
    applyEntry(engine, atMs, () => command, events);
    this.cursor.take();
    this.hasKeys ||= bringsKeys(command);
    const receivers = engine.eventReceivers;
    if (receivers.length > 0) sequencer.released(receivers);
    if (step === 'battle') return events?.some(({ kind }) => kind === 'battle') === true;
    return step === 'event' && receivers.includes(OPEN_WORLD_TOPIC);
  }
}

/** Seq of the last entry before the world's own that leads to a step, 0 if the events that are kept name none, and of the oldest of them. */
function lastStepIn(world: ReadonlyWorld, step: Step): { readonly found: number; readonly oldestSeq: number } {
  const { eventLog, lineages, seq } = world;
  const oldest = eventLog.oldestSeq(OPEN_WORLD_TOPIC);
  const kept = eventLog.read(OPEN_WORLD_TOPIC, oldest - 1, eventLog.lastSeq(OPEN_WORLD_TOPIC), seq);
  const found = kept.findLast(({ entrySeq, event }) => entrySeq < seq && (step === 'event' || event.kind === 'battle'));
  const first = kept[0]?.entrySeq ?? 0;
  // Without an older event than the present one there is nothing before it.
  return { found: found?.entrySeq ?? 0, oldestSeq: oldest === lineages.base + 1 || first >= seq ? 0 : first };
}

/** @param ranked numbers of players and their points, alternating */
function pointsOf(ranked: readonly number[]): Map<number, number> {
  const points = new Map<number, number>();
  for (let index = 0; index < ranked.length; index += 2)
    points.set(ranked[index] as number, ranked[index + 1] as number);
  return points;
}

function isBeyond({ seq, atMs }: LogEntry, target: ReplayEnd): boolean {
  return seq > (target.seq ?? Number.POSITIVE_INFINITY) || atMs > (target.atMs ?? Number.POSITIVE_INFINITY);
}

/** The world at a seq; at the first one by default. @throws OutsideHistory, RecoveryRefused, LogUnreadable */
async function worldOf(past: Past, seq: number = past.first.seq): Promise<PastWorld> {
  requireInside(past, { seq });
  return past.worldAt({ seq });
}

/** Ends what belongs to the past of a world that is not shown, or no longer. */
export async function closeSource({ past, timeline }: ReplaySource): Promise<void> {
  await timeline.stop();
  await past.close();
}

/** @throws OutsideHistory */
function requireInside({ first, last }: Past, { seq, atMs }: ReplayEnd): void {
  const isInside =
    (seq === undefined || (seq >= first.seq && seq <= last.seq)) &&
    (atMs === undefined || (atMs >= first.atMs && atMs <= last.atMs));
  if (!isInside) throw new OutsideHistory(first, last);
}

function later(one: Position, other: Position): Position {
  return other.seq > one.seq ? other : one;
}

function timeText({ atMs }: Position): string {
  return new Date(atMs).toISOString();
}
