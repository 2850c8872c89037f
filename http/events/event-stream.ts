// One stream of server-sent events (HTML standard, section 9.2). It pulls events from its position whenever the client has read the
// previous ones, and buffers none. A client that does not read is cut off with a reason, and resumes by seq.
import { EVENT_STREAM_TYPE, type Exchange, type ReplyStream, type StreamListener } from '../exchange/exchange.js';
import { type ProblemCode, type ProblemFacts, problemText } from '../exchange/problems.js';
import { EVENT_PART_LENGTH_MAX, EVENT_STREAM_COMMENT_MS, EVENTS_PER_REPLY_MAX, READER_STALL_MS } from '../limits.js';
import type { EventListener, Listening } from './event-hub.js';
import type { EventReadersParts } from './event-readers.js';
import { ReaderPosition } from './late-readers.js';
import type { CutReason } from './reader-counts.js';

/** No cache may store the stream, and no proxy may buffer it. */
const STREAM_HEADERS: readonly string[] = ['cache-control', 'no-store', 'x-accel-buffering', 'no'];
const COMMENT = ':\n\n';

export class EventStream implements StreamListener, EventListener, TimedStream {
  #stream: ReplyStream | null = null;
  #listening: Listening | null = null;
  readonly #position: ReaderPosition;
  /** Ends the stream if its client does not read; null while it reads. */
  #stallTimer: NodeJS.Timeout | null = null;
  #ends: (() => void)[] = [];

  /** @param since seq of the event after which it continues */
  constructor(
    private readonly parts: EventReadersParts,
    private readonly exchange: Exchange,
    private readonly receiver: number,
    since: number,
  ) {
    this.#position = new ReaderPosition(since, parts.hub.span(receiver).lastSeq);
  }

  /** @param ended called once when the stream has ended */
  begin(clock: StreamClock, ended: () => void): void {
    const { exchange, parts } = this;
    const { admission, counts, hub } = parts;
    exchange.status = 200;
    exchange.replyType = EVENT_STREAM_TYPE;
    exchange.extraHeaders = STREAM_HEADERS;
    counts.streamsOpen += 1;
    admission.opened(exchange, 1);
    const listening = hub.listen(this.receiver, this);
    this.#listening = listening;
    this.#ends = [
      listening.end,
      clock.add(this),
      () => {
        counts.streamsOpen -= 1;
        admission.opened(exchange, -1);
      },
      ended,
    ];
    this.#stream = exchange.stream(this);
    // A block without data is not an event, but a client that has seen no event yet resumes from its id.
    this.#write(`id: ${this.#position.seq}\n\n`);
    this.#wakeLater();
  }

  wake(): void {
    this.#whileRead(() => this.#pull());
  }

  /** Keeps proxies from closing an idle connection, and notices that a key has expired. */
  tick(): void {
    this.#whileRead(() => {
      if (this.#mayRead()) this.#write(COMMENT);
    });
  }

  /** Writes, unless the client has not read what was written before. */
  #whileRead(write: () => void): void {
    if (this.#stream === null || this.#stallTimer !== null) return;
    try {
      write();
    } catch (error) {
      this.parts.onBug(error, this.exchange.requestId);
      this.#cut('internal_error');
    }
  }

  drained(): void {
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#stallTimer = null;
    this.#position.resume(this.parts.hub.span(this.receiver).lastSeq);
    this.#wakeLater();
  }

  closed(): void {
    this.#stream = null;
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#stallTimer = null;
    for (const end of this.#ends.splice(0)) end();
  }

  /** Writes the next events. If there are more, they are written after other work had its turn. */
  #pull(): void {
    if (!this.#mayRead()) return;
    const { hub, counts } = this.parts;
    const texts = hub.read(this.receiver, this.#position.seq, EVENTS_PER_REPLY_MAX, EVENT_PART_LENGTH_MAX);
    if (texts === null) {
      this.#cut('events_expired', { oldestSeq: hub.span(this.receiver).oldestSeq });
      return;
    }
    if (texts.length === 0) return;
    let part = '';
    for (const text of texts) {
      this.#position.seq += 1;
      part += `id: ${this.#position.seq}\nevent: ${typeIn(text)}\ndata: ${text}\n\n`;
    }
    counts.delivered.stream += texts.length;
    this.#write(part);
    this.#wakeLater();
  }

  /** Has the next events written in a later turn, if there are more. Thousands of clients may have missed much. */
  #wakeLater(): void {
    const { seq, isCatchingUp } = this.#position;
    if (seq >= this.parts.hub.span(this.receiver).lastSeq) return;
    this.#listening?.wakeLater(isCatchingUp ? this.parts.admission.ownerOf(this.exchange) : null);
  }

  /** Whether the caller may still read; the stream is cut off if not. */
  #mayRead(): boolean {
    const fault = this.parts.access.faultOfReader(this.exchange, this.receiver);
    if (fault !== null) this.#cut(fault);
    return fault === null;
  }

  #write(part: string): void {
    this.parts.admission.sent(this.exchange, part.length);
    if (this.#stream?.write(part) !== false || this.#stream === null) return;
    this.#stallTimer = setTimeout(() => this.#cut('overloaded', STALLED), READER_STALL_MS);
  }

  /** Ends the stream with a reason. */
  #cut(code: ProblemCode, facts: ProblemFacts = {}): void {
    const reason = CUT_REASONS[code];
    if (reason !== undefined) this.parts.counts.cutOff[reason] += 1;
    this.#stream?.write(`event: error\ndata: ${problemText(this.exchange.requestId, code, facts)}\n\n`);
    this.#stream?.end();
  }
}

const STALLED = { detail: 'The client has not read what it was sent.' } as const;

const CUT_REASONS: Readonly<Partial<Record<ProblemCode, CutReason>>> = {
  events_expired: 'expired',
  unauthenticated: 'unauthenticated',
  player_not_found: 'retired',
  overloaded: 'stalled',
};

/** The type of an event, which every text has at the same place. */
function typeIn(text: string): string {
  const start = text.indexOf(TYPE_LABEL) + TYPE_LABEL.length;
  return text.slice(start, text.indexOf('"', start));
}

const TYPE_LABEL = '"type":"';

interface TimedStream {
  /** Called every EVENT_STREAM_COMMENT_MS. */
  tick(): void;
}

/** Ticks of one round, in which each stream is called once. */
const TICKS = 15;

export class StreamClock {
  readonly #shares: readonly Set<TimedStream>[] = Array.from({ length: TICKS }, () => new Set<TimedStream>());
  #nextShare = 0;
  #shareOfNext = 0;
  #count = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @returns a function that removes the stream; called once */
  add(stream: TimedStream): () => void {
    const share = this.#shares[this.#shareOfNext] as Set<TimedStream>;
    this.#shareOfNext = (this.#shareOfNext + 1) % TICKS;
    share.add(stream);
    this.#count += 1;
    this.#timer ??= setInterval(() => this.tick(), EVENT_STREAM_COMMENT_MS / TICKS);
    return () => {
      share.delete(stream);
      this.#count -= 1;
      if (this.#count > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** The turn of the next share. */
  tick(): void {
    const share = this.#shares[this.#nextShare] as Set<TimedStream>;
    this.#nextShare = (this.#nextShare + 1) % TICKS;
    for (const stream of share) stream.tick();
  }
}
