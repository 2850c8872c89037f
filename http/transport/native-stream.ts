// A reply in pieces on the native server. Each part is written inside a cork of its own and fits into it, since the library
// drops bytes when its cork buffer overflows into a full socket (ADR 23). It reports a full socket one part late: then the
// part is kept by the library already.
import { STREAM_PART_BYTES_MAX, STREAM_UNSENT_BYTES_MAX } from '../limits.js';
import type { ByteBudget } from './byte-budget.js';
import type { ReplyStream, StreamListener } from './wire.js';

/** What a stream uses of the native response object. */
export interface NativeStreamResponse {
  /** Writes one chunk (RFC 9112, section 7.1). @returns false if earlier ones are still unsent */
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  close(): unknown;
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(writes: () => void): unknown;
}

export class NativeStream implements ReplyStream {
  #isClosed = false;
  /** Bytes written since the client began to lag. */
  #unsentBytes = 0;

  constructor(
    private readonly response: NativeStreamResponse,
    private readonly listener: StreamListener,
    private readonly budget: ByteBudget,
  ) {
    response.onWritable(() => {
      // Leaving an empty cork writes what the library has kept; with a handler it does not do that by itself.
      response.cork(nothing);
      this.#drained();
      return true;
    });
  }

  /** True once the response must not be touched any more. */
  get isOver(): boolean {
    return this.#isClosed;
  }

  write(piece: string | Uint8Array): boolean {
    if (this.#isClosed) return false;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let isTaken = this.#unsentBytes === 0;
    for (let start = 0; start < bytes.length; start += STREAM_PART_BYTES_MAX) {
      const part = bytes.subarray(start, start + STREAM_PART_BYTES_MAX);
      this.response.cork(() => {
        if (!this.response.write(part)) isTaken = false;
      });
    }
    if (!isTaken) this.#keep(bytes.length);
    return isTaken && !this.#isClosed;
  }

  end(): void {
    if (this.#isClosed) return;
    this.response.cork(() => this.response.end());
    this.gone();
  }

  /** The connection is closed, or the reply has ended. */
  gone(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#release();
    this.listener.closed();
  }

  #keep(bytes: number): void {
    if (this.#unsentBytes + bytes <= STREAM_UNSENT_BYTES_MAX && this.budget.take(bytes)) this.#unsentBytes += bytes;
    else {
      this.response.close();
      // The library's abort handler is not there yet while the handler of the request runs.
      this.gone();
    }
  }

  #drained(): void {
    if (this.#unsentBytes === 0) return;
    this.#release();
    this.listener.drained();
  }

  #release(): void {
    this.budget.give(this.#unsentBytes);
    this.#unsentBytes = 0;
  }
}

function nothing(): void {}
