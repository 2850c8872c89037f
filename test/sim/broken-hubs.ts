// Hubs of events that are broken on purpose, and sequencers that mislead them: each breaks one thing. Used only by the breakages.
import { EventHub, type EventHubParts } from '../../http/events/event-hub.js';
import type { EventWatcher } from '../../persistence/writer/feed.js';

type WatchedSequencer = EventHubParts['sequencer'];

/** Says that everything is durable. */
export class HastySequencer implements WatchedSequencer {
  readonly durableSeq = Number.MAX_SAFE_INTEGER;

  constructor(private readonly sequencer: WatchedSequencer) {}

  watchEvents(watcher: EventWatcher): () => void {
    return this.sequencer.watchEvents(watcher);
  }
}

/** Keeps each third release to itself. */
export class DeafSequencer implements WatchedSequencer {
  #releases = 0;

  constructor(private readonly sequencer: WatchedSequencer) {}

  get durableSeq(): number {
    return this.sequencer.durableSeq;
  }

  watchEvents(watcher: EventWatcher): () => void {
    return this.sequencer.watchEvents({
      released: (receivers) => {
        this.#releases += 1;
        if (this.#releases % 3 !== 0) watcher.released(receivers);
      },
    });
  }
}

/** Begins with the event at the position of the reader. */
export class EarlyHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    const { oldestSeq, lastSeq } = this.span(receiver);
    const isInside = afterSeq >= oldestSeq && afterSeq < lastSeq;
    return super.read(receiver, isInside ? afterSeq - 1 : afterSeq, limit);
  }
}

/** Leaves out the first of several events. */
export class LateHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    const texts = super.read(receiver, afterSeq, limit);
    return texts !== null && texts.length > 1 ? texts.slice(1) : texts;
  }
}

/** Lets readers wait for events of the future. */
export class ForgivingHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    return afterSeq > this.span(receiver).lastSeq ? [] : super.read(receiver, afterSeq, limit);
  }
}

/** Continues with the oldest event that is kept. */
export class SkippingHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    const { oldestSeq } = this.span(receiver);
    return super.read(receiver, Math.max(afterSeq, oldestSeq - 1), limit);
  }
}
