// The course of the leaderboard: the points of its players at regular instants since the process began. It is not part of the state. A
// replay has all of the past, and provides it through the same interface.
import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { LEADERBOARD_COURSES_MAX, LEADERBOARD_SAMPLE_MS, LEADERBOARD_SAMPLES_MAX } from '../limits.js';

/** The points of the first players at an instant. */
export interface LeaderboardSample {
  /** World time. */
  readonly atMs: number;
  /** Indexed by player number. */
  readonly points: ReadonlyMap<number, number>;
}

export interface LeaderboardHistory {
  /** Oldest first; without the present. */
  readonly samples: readonly LeaderboardSample[];
  /** Differs whenever `samples` differs. */
  readonly version: string;
}

export const NO_HISTORY: LeaderboardHistory = { samples: [], version: '' };

/** The course of one player: null for the samples in which it was not among the first. */
export interface LeaderboardCourse {
  readonly playerNumber: number;
  readonly points: readonly (number | null)[];
}

/** The first players at present. */
export function leaderboardSample({ leaderboard, players }: ReadonlyWorld, atMs: number): LeaderboardSample {
  const numbers = leaderboard.first(LEADERBOARD_ENTRIES_MAX);
  return { atMs, points: new Map(numbers.map((number) => [number, players.get(number)?.points ?? 0])) };
}

/** The course of a player. */
export function leaderboardCourse(samples: readonly LeaderboardSample[], playerNumber: number): LeaderboardCourse {
  return { playerNumber, points: samples.map(({ points }) => points.get(playerNumber) ?? null) };
}

/** The courses of the first players of the last sample. */
export function leaderboardCourses(samples: readonly LeaderboardSample[]): LeaderboardCourse[] {
  const numbers = [...(samples.at(-1)?.points.keys() ?? [])].slice(0, LEADERBOARD_COURSES_MAX);
  return numbers.map((playerNumber) => leaderboardCourse(samples, playerNumber));
}

export interface LeaderboardSamplerParts {
  readonly world: ReadonlyWorld;
  /** World time in milliseconds. */
  readonly nowMs: () => number;
  /** Whether the server stops: then no further sample is taken. */
  readonly isStopping: () => boolean;
}

/** Takes samples while it runs. */
export class LeaderboardSampler implements LeaderboardHistory {
  #samples: LeaderboardSample[] = [];
  #taken = 0;
  #intervalMs = LEADERBOARD_SAMPLE_MS;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly parts: LeaderboardSamplerParts) {}

  get samples(): readonly LeaderboardSample[] {
    return this.#samples;
  }

  get version(): string {
    return this.#taken.toString(36);
  }

  start(): void {
    this.take();
    this.#restart();
  }

  /** Takes a sample. One of the same world time replaces the last one: a manual clock may stand still. */
  take(): void {
    const sample = leaderboardSample(this.parts.world, this.parts.nowMs());
    if (this.#samples.at(-1)?.atMs === sample.atMs) this.#samples.pop();
    this.#samples.push(sample);
    this.#taken += 1;
    if (this.#samples.length < LEADERBOARD_SAMPLES_MAX) return;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
    this.#intervalMs *= 2;
    if (this.#timer !== null) this.#restart();
  }

  #tick(): void {
    if (!this.parts.isStopping()) this.take();
    else if (this.#timer !== null) clearInterval(this.#timer);
  }

  #restart(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tick(), this.#intervalMs);
    this.#timer.unref();
  }
}
