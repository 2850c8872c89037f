// The only output of the writer. Once a record is durable, it informs the watchers of the events of the record, and then sends the
// replies that wait for it. It keeps no history.
import { MAX_HELD_REPLIES } from '../limits.js';
import type { Batch, DurabilityWaiter } from '../log/batch.js';

/** Something that reads the events that a world keeps, once they are durable. */
export interface EventWatcher {
  /**
   * Further events of these receivers have become durable. Receivers are in order and may repeat. Called once for each record that
   * has events, before its replies are sent. Must not throw or block.
   */
  released(receivers: readonly number[]): void;
}

export class Feed {
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

  /** Releases a batch whose record is durable. Watchers come first, so that no reply precedes the events that it depends on. */
  release({ waiters, eventReceivers }: Pick<Batch, 'waiters' | 'eventReceivers'>): void {
    this.#heldReplies -= waiters.length;
    if (eventReceivers.length > 0) for (const watcher of this.#watchers) watcher.released(eventReceivers);
    for (const waiter of waiters) waiter.durable();
  }
}
