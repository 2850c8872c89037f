// The only output of the writer: once a record is durable, its entries and events are released together, in order of
// seq, to the followers of the world, and then the replies that wait for it are sent. It keeps no history: a replay of
// the log gives that to the same Follower.
import type { WorldEvent } from '../../engine/events/kinds.js';
import { MAX_HELD_REPLIES } from '../limits.js';
import type { Batch, DurabilityWaiter } from '../log/batch.js';
import type { LogEntry } from '../recovery/log-entries.js';

/** An entry of the log, and its events. */
export interface FeedEntry extends LogEntry {
  readonly events: readonly WorldEvent[];
}

/** Something that follows a world: an event stream, a standby, a viewer. */
export interface Follower {
  /**
   * Receives the entries of one durable record, so a unit is always complete. Seqs continue from call to call without a
   * gap. Must not throw, must not change the entries, and must not block.
   */
  take(entries: readonly FeedEntry[]): void;
}

/** Something that reads the events that a world keeps, once they are durable. */
export interface EventWatcher {
  /**
   * Further events of these receivers have become durable. Receivers are in order and may repeat. Called once for each record that
   * has events, before its replies are sent. Must not throw or block.
   */
  released(receivers: readonly number[]): void;
}

export class Feed {
  /** Each follower with the seq after which it follows. */
  readonly #followers = new Map<Follower, number>();
  readonly #watchers = new Set<EventWatcher>();
  #heldReplies = 0;

  /** Replies that wait for a record. */
  get heldReplies(): number {
    return this.#heldReplies;
  }

  /** Whether no further reply can wait. */
  get isFull(): boolean {
    return this.#heldReplies >= MAX_HELD_REPLIES;
  }

  /** Whether entries must be kept with their events until they are released. */
  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /**
   * Releases to a follower all entries after a seq, from the next record on.
   *
   * @param afterSeq seq of the last applied entry: the events of earlier ones were not recorded
   * @returns a function that ends it; nothing is released to the follower afterwards
   */
  follow(follower: Follower, afterSeq: number): () => void {
    this.#followers.set(follower, afterSeq);
    return () => {
      this.#followers.delete(follower);
    };
  }

  /** Informs a watcher of events, from the next record on. @returns a function that ends it */
  watch(watcher: EventWatcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  /**
   * Holds a reply until a batch is released.
   *
   * @returns false if too many wait already: the waiter is dropped
   */
  hold(batch: Batch, waiter: DurabilityWaiter): boolean {
    if (this.isFull) return false;
    batch.waiters.push(waiter);
    this.#heldReplies += 1;
    return true;
  }

  /**
   * Releases a batch whose record is durable: to followers and watchers first, so that no reply precedes the events it depends on.
   */
  release({ followed, waiters, eventReceivers }: Pick<Batch, 'followed' | 'waiters' | 'eventReceivers'>): void {
    this.#heldReplies -= waiters.length;
    const last = followed.at(-1);
    if (last !== undefined) {
      for (const [follower, afterSeq] of this.#followers) {
        if (last.seq > afterSeq) follower.take(entriesAfter(followed, afterSeq));
      }
    }
    if (eventReceivers.length > 0) for (const watcher of this.#watchers) watcher.released(eventReceivers);
    for (const waiter of waiters) waiter.durable();
  }
}

function entriesAfter(entries: readonly FeedEntry[], afterSeq: number): readonly FeedEntry[] {
  const [first] = entries;
  if (first !== undefined && first.seq > afterSeq) return entries;
  return entries.filter(({ seq }) => seq > afterSeq);
}
