// Gives the viewers of the map frames of what has changed: one for all of them, at most each MAP_FRAME_MS. It reads public events from
// its position on, and renders what they changed as it is at that instant, so a frame waits until that instant is durable. A viewer that
// has missed frames gets one that catches up, and shares it with all who have missed about as much. Without viewers it does nothing.
import { OPEN_WORLD_TOPIC } from '../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import { type EventHub, type EventSpan, isExpired } from '../events/event-hub.js';
import { EventView } from '../events/event-view.js';
import type { ReaderCounts } from '../events/reader-counts.js';
import type { BugReport } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { MAP_CATCH_UP_EVENTS_MAX, MAP_FLEETS_MAX, MAP_READ_MS, MAP_WAKES_PER_TURN, WORK_SLICE_MS } from '../limits.js';
import type { EventSeqs } from '../replica/gate.js';
import { FrameDraft, type FrameParts, type MapFrame } from './frame-draft.js';
import type { OwnedCells } from './owned-cells.js';
import { type MapStride, strideFor } from './stride.js';

/** A viewer of the map. It pulls frames from its position; none is queued for it. */
export interface MapViewer {
  /** There may be a frame for it. Must not throw. */
  wake(): void;
}

/** What viewers get whose position is between `since` and `seq`. */
interface CatchUp {
  readonly since: number;
  readonly seq: number;
  /** Null if they must fetch the map anew. */
  readonly frame: MapFrame | null;
}

export interface MapFeedParts {
  readonly world: ReadonlyWorld;
  readonly sequencer: Pick<ServedSequencer, 'run' | 'holdUntilDurable' | 'nowMs'>;
  readonly hub: Pick<EventHub, 'span' | 'seqs' | 'positionOf'>;
  readonly cells: OwnedCells;
  readonly stride: MapStride;
  readonly counts: ReaderCounts;
  /** Seq of the last public event that frames may name. */
  readonly feedSeq: () => number;
  readonly onBug: BugReport;
  /** MAP_FRAME_MS, except in tests. */
  readonly frameMs: number;
}

export class MapFeed {
  readonly #parts: MapFeedParts;
  readonly #frameParts: FrameParts;
  readonly #frameMs: number;
  readonly #viewers = new Set<MapViewer>();
  /** Seq up to which viewers can have got everything. */
  #base = 0;
  /** The last frame for all, up to #base; null before the first. */
  #latest: MapFrame | null = null;
  /** What has changed since the last frame for all was made. */
  #draft: FrameDraft;
  #framedAtMs = Number.NEGATIVE_INFINITY;
  /** That frame, while it waits for the disk. */
  #held: MapFrame | null = null;
  /** The frames for those who have missed some, made since the last frame for all. */
  #catchUps: CatchUp[] = [];
  /** Viewers that wait for such a frame, and their positions. */
  readonly #behind = new Map<MapViewer, number>();
  #isCatchingUp = false;
  /** The viewers that are still to be woken; null if none is. */
  #waking: Iterator<MapViewer> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: MapFeedParts) {
    this.#parts = parts;
    const { world, cells } = parts;
    this.#frameParts = { world, cells, events: new EventView(world) };
    this.#frameMs = parts.frameMs;
    this.#draft = new FrameDraft(this.#frameParts, 0, 1);
  }

  /** Which positions a viewer can catch up from: `oldestSeq - 1` to `lastSeq`. */
  span(): EventSpan {
    const { oldestSeq, lastSeq } = this.#parts.hub.span(OPEN_WORLD_TOPIC);
    return { oldestSeq: Math.max(oldestSeq, lastSeq - MAP_CATCH_UP_EVENTS_MAX + 1), lastSeq };
  }

  /** The position of a viewer, as this world counts; null if it must fetch the map anew. See EventHub.positionOf(). */
  positionOf(since: number): number | null {
    const position = this.#parts.hub.positionOf(OPEN_WORLD_TOPIC, since);
    return position === null || isExpired(this.span(), position) ? null : position;
  }

  /** The last events behind the frames. */
  seqs(): EventSeqs {
    return this.#parts.hub.seqs(OPEN_WORLD_TOPIC);
  }

  /**
   * Adds a viewer.
   *
   * @param position within span()
   * @returns a function that removes it
   */
  add(viewer: MapViewer, position: number): () => void {
    if (this.#viewers.size === 0) this.#begin(position);
    this.#viewers.add(viewer);
    return () => {
      this.#viewers.delete(viewer);
      // No frame is made for a viewer that has gone.
      this.#behind.delete(viewer);
      if (this.#viewers.size === 0) this.#end();
    };
  }

  /**
   * The next frame of a viewer.
   *
   * @param position seq up to which it has got everything
   * @returns null if there is none yet: the viewer is woken once there is; `expired` if the viewer must fetch the map anew
   */
  frameAfter(viewer: MapViewer, position: number): MapFrame | null | 'expired' {
    this.#behind.delete(viewer);
    if (position >= this.#base) return null;
    if (this.#latest !== null && position >= this.#latest.since) return this.#latest;
    if (isExpired(this.span(), position)) return 'expired';
    const caughtUp = this.#catchUps.find(({ since, seq }) => {
      return since <= position && position < seq && seq - since <= CATCH_UP_FACTOR * (this.#base - position);
    });
    if (caughtUp !== undefined) return caughtUp.frame ?? 'expired';
    this.#behind.set(viewer, position);
    this.#catchUpSoon();
    return null;
  }

  /**
   * Where a frame that a viewer catches up with begins: as many events before #base as it has missed, rounded up to a power of two. So
   * there are only a few of these frames, however many viewers there are at however many positions, and nobody waits for those of others.
   */
  #catchUpStart(position: number): number {
    const missedCount = 2 ** (32 - Math.clz32(this.#base - position - 1));
    return Math.max(this.#base - missedCount, this.span().oldestSeq - 1);
  }

  #begin(position: number): void {
    const { stride, world } = this.#parts;
    stride.reset(world.fleets.size);
    this.#base = position;
    this.#draft = new FrameDraft(this.#frameParts, position, stride.value);
    this.#timer = setInterval(() => this.#step(), Math.min(MAP_READ_MS, this.#frameMs));
    this.#timer.unref();
  }

  #end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#latest = null;
    this.#held = null;
    this.#waking = null;
    this.#catchUps = [];
    this.#behind.clear();
  }

  #step(): void {
    try {
      this.#parts.sequencer.run(() => {
        this.#read();
        if (performance.now() - this.#framedAtMs >= this.#frameMs) this.#beat();
      });
    } catch (error) {
      this.#parts.onBug(error, '');
    }
  }

  /** Adds the events that there are since the last call. */
  #read(): void {
    const { eventLog, seq: entrySeq } = this.#parts.world;
    const lastSeq = this.#parts.feedSeq();
    const { seq } = this.#draft;
    if (seq === lastSeq) return;
    if (seq < eventLog.oldestSeq(OPEN_WORLD_TOPIC) - 1) {
      this.#startOver(lastSeq);
      return;
    }
    const events = eventLog.read(OPEN_WORLD_TOPIC, seq, lastSeq - seq, entrySeq);
    this.#parts.cells.take(events);
    this.#draft.add(events);
  }

  /** Each MAP_FRAME_MS: a frame if there is something new. */
  #beat(): void {
    this.#framedAtMs = performance.now();
    this.#catchUps = [];
    this.#catchUpSoon();
    if (this.#draft.isEmpty || this.#held !== null) return;
    if (this.#draft.isTooLarge) this.#startOver(this.#draft.seq);
    else if (this.#parts.cells.advance(performance.now() + WORK_SLICE_MS)) this.#frame();
  }

  #frame(): void {
    const { sequencer, world, stride, counts } = this.#parts;
    const draft = this.#draft;
    stride.raiseTo(Math.max(draft.stride, strideFor(world.fleets.size, MAP_FLEETS_MAX)));
    draft.raiseTo(stride.value);
    const frame = draft.frame(isoText(sequencer.nowMs));
    // With relaxed durability it is published before the call returns.
    this.#held = frame;
    this.#draft = new FrameDraft(this.#frameParts, frame.seq, stride.value);
    if (!sequencer.holdUntilDurable(world.seq, { durable: () => this.#publish(frame) })) {
      this.#held = null;
      this.#draft = draft;
      return;
    }
    counts.mapFramesMade.shared += 1;
    stride.framed(world.fleets.size, draft.changedCount);
  }

  #publish(frame: MapFrame): void {
    // Otherwise there are no viewers any more, or others.
    if (this.#held !== frame) return;
    this.#held = null;
    this.#base = frame.seq;
    this.#latest = frame;
    this.#wakeAll();
  }

  /** Too much has changed: the positions of all viewers expire. */
  #startOver(seq: number): void {
    this.#draft = new FrameDraft(this.#frameParts, seq, this.#parts.stride.value);
    this.#base = seq;
    this.#latest = null;
    this.#held = null;
    this.#wakeAll();
  }

  #wakeAll(): void {
    if (this.#waking === null) setImmediate(this.#wakeSome);
    this.#waking = this.#viewers.values();
  }

  readonly #wakeSome = (): void => {
    for (let count = 0; count < MAP_WAKES_PER_TURN && this.#waking !== null; count += 1) {
      const { done, value: viewer } = this.#waking.next();
      if (done === true) this.#waking = null;
      else viewer.wake();
    }
    if (this.#waking !== null) setImmediate(this.#wakeSome);
  };

  #catchUpSoon(): void {
    if (this.#isCatchingUp || this.#behind.size === 0) return;
    this.#isCatchingUp = true;
    setImmediate(this.#catchUp);
  }

  readonly #catchUp = (): void => {
    this.#isCatchingUp = false;
    try {
      const [first] = this.#behind;
      if (first === undefined) return;
      if (this.#parts.cells.advance(performance.now() + WORK_SLICE_MS)) {
        let isHeld = false;
        this.#parts.sequencer.run(() => {
          isHeld = this.#catchUpFrom(this.#catchUpStart(first[1]));
        });
        // Otherwise too much waits for the disk: until the next beat.
        if (!isHeld) return;
      }
      this.#catchUpSoon();
    } catch (error) {
      this.#parts.onBug(error, '');
    }
  };

  /** Makes a frame that ends where the last frame for all ended, for all who wait for it. @returns false if it cannot be kept */
  #catchUpFrom(start: number): boolean {
    const { world, sequencer, stride, counts } = this.#parts;
    const viewers = [...this.#behind].filter(([, position]) => this.#catchUpStart(position) === start);
    for (const [viewer] of viewers) this.#behind.delete(viewer);
    const seq = this.#base;
    const wake = (frame: MapFrame | null): void => {
      this.#catchUps.push({ since: start, seq, frame });
      for (const [viewer] of viewers) viewer.wake();
    };
    const draft = new FrameDraft(this.#frameParts, start, stride.value);
    draft.add(world.eventLog.read(OPEN_WORLD_TOPIC, start, seq - start, world.seq));
    // Fetching the map is cheaper than a frame with most of it.
    if (draft.isTooLarge || draft.stride > stride.value) {
      wake(null);
      return true;
    }
    const frame = draft.frame(isoText(sequencer.nowMs));
    if (!sequencer.holdUntilDurable(world.seq, { durable: () => wake(frame) })) {
      for (const [viewer, position] of viewers) this.#behind.set(viewer, position);
      return false;
    }
    counts.mapFramesMade.own += 1;
    return true;
  }
}

/** A viewer gets a frame of at most this many times the events that it has missed. */
const CATCH_UP_FACTOR = 2;
