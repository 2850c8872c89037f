// Returns the durable events of a player or a topic as JSON texts, and wakes readers that wait for more. A reader pulls from the
// position that it has reached; the hub keeps no queue for it.
import type { KeptEvent, ReadonlyEventLog } from '../../engine/events/event-log.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { EventWatcher } from '../../persistence/writer/group-commit.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Owner } from '../admission/owners.js';
import { EVENT_REPLY_LENGTH_MAX, READER_SLICE_MS, TOPIC_TEXTS_MAX } from '../limits.js';
import type { EventSeqs } from '../replica/gate.js';
import { EventView } from './event-view.js';
import { type LateReader, LateReaders, SlicedQueue } from './late-readers.js';

/** A reader that waits for events of a receiver. */
export interface EventListener {
  /** There may be new durable events. Must not throw. */
  wake(): void;
}

/** That a listener listens. */
export interface Listening {
  /**
   * Wakes the listener in a later turn, because it has not taken all events at once.
   *
   * @param lateOwner whose turns it uses if it catches up (ReaderPosition): then it comes behind those that do not; else null
   */
  wakeLater(lateOwner: Owner | null): void;
  end(): void;
}

export interface EventHubParts {
  readonly world: ReadonlyWorld;
  readonly sequencer: Pick<ServedSequencer, 'durableSeq' | 'watchEvents'>;
  /** Runs the next slice of wakes, after the replies of the record that was released; setImmediate by default. */
  readonly soon?: (slice: () => void) => void;
  /** Runs the next slice of readers that catch up, after a delay in milliseconds; setTimeout by default. */
  readonly later?: (slice: () => void, delayMs: number) => void;
  /** Measures the slices; performance.now by default. */
  readonly elapsedMs?: () => number;
}

/** Which events of a receiver can be read. */
export interface EventSpan {
  /** Seq of the oldest event that is kept. */
  readonly oldestSeq: number;
  /** Seq of the last durable event; `oldestSeq - 1` if none is kept. */
  readonly lastSeq: number;
}

/** Whether a reader has missed events after this seq, as this world counts, or names the seq of an event that does not exist. */
export function isExpired({ oldestSeq, lastSeq }: EventSpan, afterSeq: number): boolean {
  return afterSeq < oldestSeq - 1 || afterSeq > lastSeq;
}

export class EventHub implements EventWatcher {
  readonly #log: ReadonlyEventLog;
  readonly #sequencer: Pick<ServedSequencer, 'durableSeq'>;
  readonly #view: EventView;
  readonly #soon: (slice: () => void) => void;
  readonly #elapsedMs: () => number;
  /** Indexed by receiver. */
  readonly #listening = new Map<number, Set<HubListening>>();
  /** Texts of the topics, which many read at the same position. */
  readonly #texts = new Map([
    [WORLD_TOPIC, new KeptTexts()],
    [OPEN_WORLD_TOPIC, new KeptTexts()],
  ]);
  /** Woken listeners, each once here or among the late readers. */
  readonly #woken = new SlicedQueue<HubListening>(wake);
  /** The listeners and WebSockets that catch up. */
  readonly lateReaders: LateReaders;
  #isSliceDue = false;
  #listenerCount = 0;

  constructor({
    world,
    sequencer,
    soon = setImmediate,
    later = setTimeout,
    elapsedMs = () => performance.now(),
  }: EventHubParts) {
    this.#log = world.eventLog;
    this.#sequencer = sequencer;
    this.#view = new EventView(world);
    this.#soon = soon;
    this.#elapsedMs = elapsedMs;
    this.lateReaders = new LateReaders({ world, soon, later, elapsedMs });
    sequencer.watchEvents(this);
  }

  /** Listeners of all receivers. */
  get listenerCount(): number {
    return this.#listenerCount;
  }

  span(receiver: number): EventSpan {
    const lastSeq = this.#log.lastSeqUpTo(receiver, this.#sequencer.durableSeq);
    return { oldestSeq: this.#log.oldestSeq(receiver), lastSeq };
  }

  /**
   * The position of a reader, as this world counts.
   *
   * @param since seq of the last event that it has; it may be from before the world was restored or forked
   * @returns null if the events after it are no longer kept, or if it is the seq of no event of this world
   */
  positionOf(receiver: number, since: number): number | null {
    const seq = this.#log.presentSeq(receiver, since);
    return seq === null || isExpired(this.span(receiver), seq) ? null : seq;
  }

  /** The last events of a receiver. */
  seqs(receiver: number): EventSeqs {
    return { durableSeq: this.span(receiver).lastSeq, appliedSeq: this.#log.lastSeq(receiver) };
  }

  /**
   * JSON texts of the durable events after a position, oldest first, at most `limit`.
   *
   * @param afterSeq see positionOf()
   * @param lengthMax of all texts in characters; a longer text comes alone
   * @returns null if events after `afterSeq` are no longer kept, or if no event has this seq yet
   */
  read(
    receiver: number,
    afterSeq: number,
    limit: number,
    lengthMax = EVENT_REPLY_LENGTH_MAX,
  ): readonly string[] | null {
    const span = this.span(receiver);
    if (isExpired(span, afterSeq)) return null;
    if (afterSeq === span.lastSeq) return NONE;
    const kept = this.#log.read(receiver, afterSeq, limit, this.#sequencer.durableSeq);
    const texts: string[] = [];
    let length = 0;
    for (const event of kept) {
      const text = this.#textOf(receiver, event);
      length += text.length;
      if (length > lengthMax && texts.length > 0) break;
      texts.push(text);
    }
    return texts;
  }

  /** Calls `listener.wake()` at most once a release if the receiver has new durable events. */
  listen(receiver: number, listener: EventListener): Listening {
    const listening: HubListening = {
      listener,
      isWoken: false,
      hasEnded: false,
      wakeLater: (lateOwner) => this.#wakeLater(listening, lateOwner),
      catchUp: () => wake(listening),
      end: () => {
        if (!listening.hasEnded) this.#end(receiver, listening);
      },
    };
    const others = this.#listening.get(receiver);
    if (others === undefined) this.#listening.set(receiver, new Set([listening]));
    else others.add(listening);
    this.#listenerCount += 1;
    return listening;
  }

  /** Replies wait for this call, so it only notes which listeners are to be woken. */
  released(receivers: readonly number[]): void {
    if (this.#listening.size === 0) return;
    // One record may have a thousand events of a topic, which has ten thousand listeners.
    for (const receiver of new Set(receivers)) {
      const all = this.#listening.get(receiver);
      if (all === undefined) continue;
      for (const listening of all) this.#wakeLater(listening, null);
    }
  }

  #wakeLater(listening: HubListening, lateOwner: Owner | null): void {
    if (listening.isWoken) return;
    listening.isWoken = true;
    if (lateOwner !== null) {
      this.lateReaders.add(lateOwner, listening);
      return;
    }
    this.#woken.add(listening);
    if (this.#isSliceDue) return;
    this.#isSliceDue = true;
    this.#soon(this.#wakeSlice);
  }

  /** Wakes listeners for a slice of the turn, so that requests are answered between the slices. */
  readonly #wakeSlice = (): void => {
    this.#woken.run(this.#elapsedMs, this.#elapsedMs() + READER_SLICE_MS);
    this.#isSliceDue = !this.#woken.isEmpty;
    if (this.#isSliceDue) this.#soon(this.#wakeSlice);
  };

  #end(receiver: number, listening: HubListening): void {
    listening.hasEnded = true;
    this.#listenerCount -= 1;
    const others = this.#listening.get(receiver);
    others?.delete(listening);
    if (others?.size === 0) this.#listening.delete(receiver);
  }

  #textOf(receiver: number, { seq, event }: KeptEvent): string {
    const texts = this.#texts.get(receiver);
    if (texts === undefined) return this.#view.text(seq, event);
    const known = texts.of(seq);
    if (known !== undefined) return known;
    const text = this.#view.text(seq, event);
    texts.keep(seq, text);
    return text;
  }
}

interface HubListening extends Listening, LateReader {
  readonly listener: EventListener;
  isWoken: boolean;
  hasEnded: boolean;
}

function wake(listening: HubListening): void {
  listening.isWoken = false;
  if (!listening.hasEnded) listening.listener.wake();
}

const NONE: readonly string[] = Object.freeze([]);

/** The texts of the latest events of a topic, so that each is rendered once for all readers. */
class KeptTexts {
  readonly #seqs: number[] = [];
  readonly #texts: string[] = [];

  of(seq: number): string | undefined {
    const place = seq % TOPIC_TEXTS_MAX;
    return this.#seqs[place] === seq ? this.#texts[place] : undefined;
  }

  /** Replaces an older text only, so that a reader that lags does not push out the latest. */
  keep(seq: number, text: string): void {
    const place = seq % TOPIC_TEXTS_MAX;
    if ((this.#seqs[place] ?? 0) > seq) return;
    this.#seqs[place] = seq;
    this.#texts[place] = text;
  }
}
