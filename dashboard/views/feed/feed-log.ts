// The public events that the feed knows: what was before, read page by page, and what the frames of the map bring. Both may have the
// same events under different seqs, since a world with keys counts the events that show no fleets apart.
import { computed, signal } from '@preact/signals';
import type { GameEvent } from 'galaxyd-client';
import { FEED_EVENTS_MAX } from '../../limits.js';

export class FeedLog {
  /** The newest first. */
  readonly #events = signal<readonly GameEvent[]>([]);
  readonly #known = new Set<string>();
  readonly events = computed(() => this.#events.value);

  /** Adds events in any order. Those that are known already, and the oldest if there are too many, are left out. */
  add(events: readonly GameEvent[]): void {
    const news = events.filter((event) => {
      const key = keyOf(event);
      if (this.#known.has(key)) return false;
      this.#known.add(key);
      return true;
    });
    if (news.length === 0) return;
    const all = [...news, ...this.#events.peek()].sort(newestFirst);
    for (const event of all.slice(FEED_EVENTS_MAX)) this.#known.delete(keyOf(event));
    this.#events.value = all.slice(0, FEED_EVENTS_MAX);
  }

  clear(): void {
    this.#known.clear();
    this.#events.value = [];
  }
}

/** What makes an event the same in both sequences. */
export function keyOf({ at, type, playerId, data }: GameEvent): string {
  return JSON.stringify([at, type, playerId, data]);
}

/** World time is written in a form whose order is that of time. */
function newestFirst(one: GameEvent, other: GameEvent): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return other.seq - one.seq;
}
