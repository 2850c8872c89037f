// A reply in pieces on the native server. Each part is written inside a cork of its own and fits into it, since the
// library drops bytes when its cork buffer overflows into a full socket (decision 13). The library reports a full socket one
// part late, when it has already buffered that part.

import type { Owner } from '../../admission/owner-queue.js';
import type { StreamListener } from '../../exchange/exchange.js';
import { STREAM_PART_BYTES_MAX } from '../../limits.js';
import type { ByteBudget } from '../body-budget.js';
import { CountedStream } from '../counted-stream.js';

/** The methods of the native response object that a stream uses. */
export interface NativeStreamResponse {
  /** Writes one chunk (RFC 9112, section 7.1). @returns false if earlier ones are still unsent */
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(writes: () => void): unknown;
}

export class NativeStream extends CountedStream {
  #hasEnded = false;

  /** @param close closes the connection, after the library's callback (decision 13) */
  constructor(
    private readonly response: NativeStreamResponse,
    private readonly close: () => void,
    listener: StreamListener,
    budget: ByteBudget,
    owner: Owner,
  ) {
    super(listener, budget, owner);
    response.onWritable(() => {
      // Leaving an empty cork flushes what the library has buffered; if a handler is set, it does not flush by itself.
      response.cork(nothing);
      this.drained();
      return true;
    });
  }

  /** True once the library has sent the end of the reply. A stream that was cut off has not ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  override write(piece: string | Uint8Array): boolean {
    if (this.isOver) return false;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let isTaken = !this.isLagging;
    for (let start = 0; start < bytes.length; start += STREAM_PART_BYTES_MAX) {
      const part = bytes.subarray(start, start + STREAM_PART_BYTES_MAX);
      this.response.cork(() => {
        if (!this.response.write(part)) isTaken = false;
      });
    }
    if (!isTaken) this.keep(bytes.length);
    return isTaken;
  }

  protected override endReply(): void {
    this.#hasEnded = true;
    this.response.cork(() => this.response.end());
  }

  protected override closeConnection(): void {
    this.close();
  }
}

function nothing(): void {}
