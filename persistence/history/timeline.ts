// What happened in a history, at a glance: how much in each part of it, the largest battles, and the ranking at instants of equal
// distance. Its size is bounded, however long the history is.

import { EVENT_KINDS, type EventOf } from '../../engine/events/kinds.js';
import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { TIMELINE_BATTLES_MAX, TIMELINE_BUCKETS_MAX, TIMELINE_SAMPLES_MAX } from '../limits.js';
import type { ReplayedEntry } from '../recovery/replay.js';
import type { Position } from './past.js';

/** A part of the history. */
export interface TimelineBucket {
  /** World time at which it begins, in milliseconds. */
  readonly fromMs: number;
  /** Seq of its first entry. */
  firstSeq: number;
  entries: number;
  /** Public events, as in topic `world` of a world without keys. */
  events: number;
  battles: number;
}

export interface TimelineBattle {
  /** Seq of the entry that caused it. */
  readonly seq: number;
  readonly atMs: number;
  readonly planetKey: number;
  readonly attackerNumber: number;
  readonly defenderNumber: number;
  /** Ships that both lost. */
  readonly lostCount: number;
}

/** The ranking at an instant. */
export interface RankingSample {
  readonly atMs: number;
  /** The first LEADERBOARD_ENTRIES_MAX players: number and points, alternating. */
  readonly ranked: readonly number[];
}

export interface Timeline {
  readonly indexedTo: Position;
  readonly buckets: readonly TimelineBucket[];
  /** In the order of the history. */
  readonly battles: readonly TimelineBattle[];
  readonly samples: readonly RankingSample[];
}

/** Where a timeline comes from. It is made while it can already be read. */
export interface TimelineSource {
  /** What is known so far; null before the first report. */
  readonly latest: Timeline | null;
  /** Ends making it. */
  stop(): Promise<void>;
}

export class TimelineMaker {
  #bucketMs: number;
  #buckets: TimelineBucket[] = [];
  #battles: TimelineBattle[] = [];
  /** Battles with fewer losses are not among the largest. */
  #lostMin = 0;
  #sampleMs: number;
  #samples: RankingSample[] = [];
  #indexedTo: Position;

  /** @param first where the history begins @param last where it ends now */
  constructor(
    private readonly first: Position,
    last: Position,
  ) {
    const durationMs = Math.max(last.atMs - first.atMs, 1);
    this.#bucketMs = Math.ceil((durationMs + 1) / TIMELINE_BUCKETS_MAX);
    this.#sampleMs = Math.ceil((durationMs + 1) / (TIMELINE_SAMPLES_MAX / 2));
    this.#indexedTo = first;
  }

  get timeline(): Timeline {
    const battles = this.#largest().sort((a, b) => a.seq - b.seq);
    return { indexedTo: this.#indexedTo, buckets: this.#buckets, battles, samples: this.#samples };
  }

  /** Adds the entries of a record. @param world after them */
  add(entries: readonly ReplayedEntry[], world: ReadonlyWorld): void {
    for (const entry of entries) this.#addEntry(entry);
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#indexedTo = { seq: last.seq, atMs: last.atMs };
    this.#sample(last.atMs, world);
  }

  #addEntry({ seq, atMs, events }: ReplayedEntry): void {
    const bucket = this.#bucketOf(atMs, seq);
    bucket.entries += 1;
    for (const event of events) {
      if (EVENT_KINDS[event.kind].audience.openWorld) bucket.events += 1;
      if (event.kind !== 'battle') continue;
      bucket.battles += 1;
      this.#addBattle(seq, event);
    }
  }

  #addBattle(seq: number, battle: EventOf<'battle'>): void {
    const { atMs, planetKey, playerNumber: attackerNumber, defenderNumber } = battle;
    const lostCount = battle.attackerLostCount + battle.defenderLostCount;
    if (lostCount < this.#lostMin) return;
    this.#battles.push({ seq, atMs, planetKey, attackerNumber, defenderNumber, lostCount });
    if (this.#battles.length >= 2 * TIMELINE_BATTLES_MAX) this.#battles = this.#largest();
  }

  #largest(): TimelineBattle[] {
    const largest = this.#battles.toSorted((a, b) => b.lostCount - a.lostCount).slice(0, TIMELINE_BATTLES_MAX);
    if (largest.length === TIMELINE_BATTLES_MAX) this.#lostMin = largest.at(-1)?.lostCount ?? 0;
    return largest;
  }

  #bucketOf(atMs: number, seq: number): TimelineBucket {
    while (atMs - this.first.atMs >= this.#bucketMs * TIMELINE_BUCKETS_MAX) this.#mergeBuckets();
    const index = Math.floor((atMs - this.first.atMs) / this.#bucketMs);
    // A part in which nothing happened begins with the entry after it.
    for (let next = this.#buckets.length; next <= index; next += 1) {
      const fromMs = this.first.atMs + next * this.#bucketMs;
      this.#buckets.push({ fromMs, firstSeq: seq, entries: 0, events: 0, battles: 0 });
    }
    return this.#buckets[index] as TimelineBucket;
  }

  /** Each pair of buckets becomes one. */
  #mergeBuckets(): void {
    this.#bucketMs *= 2;
    this.#buckets = this.#buckets.flatMap((bucket, index) => {
      if (index % 2 === 1) return [];
      const { entries = 0, events = 0, battles = 0 } = this.#buckets[index + 1] ?? {};
      return [
        {
          ...bucket,
          entries: bucket.entries + entries,
          events: bucket.events + events,
          battles: bucket.battles + battles,
        },
      ];
    });
  }

  #sample(atMs: number, { leaderboard, players }: ReadonlyWorld): void {
    const previousMs = this.#samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    if (atMs - previousMs < this.#sampleMs) return;
    const numbers = leaderboard.first(LEADERBOARD_ENTRIES_MAX);
    this.#samples.push({ atMs, ranked: numbers.flatMap((number) => [number, players.get(number)?.points ?? 0]) });
    if (this.#samples.length < TIMELINE_SAMPLES_MAX) return;
    this.#sampleMs *= 2;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
  }
}
