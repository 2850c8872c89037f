// A reply in pieces whose unsent bytes are counted, per client and over all clients. This is the part that both servers
// share.

import type { Owner, SharedBudget } from '../admission/owners.js';
import type { ReplyStream, StreamListener } from '../exchange/exchange.js';
import { STREAM_UNSENT_BYTES_MAX } from '../limits.js';

export abstract class CountedStream implements ReplyStream {
  #isOver = false;
  /** Bytes written since the client began to lag. */
  #unsentBytes = 0;

  constructor(
    private readonly listener: StreamListener,
    private readonly budget: SharedBudget,
    private readonly owner: Owner,
  ) {}

  abstract write(piece: string | Uint8Array): boolean;
  protected abstract endReply(): void;
  protected abstract closeConnection(): void;

  /** True once the response must not be used any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  protected get isLagging(): boolean {
    return this.#unsentBytes > 0;
  }

  end(): void {
    if (this.#isOver) return;
    this.endReply();
    this.gone();
  }

  /** The connection is closed, or the reply has ended. */
  gone(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#release();
    this.listener.closed();
  }

  /** Counts bytes that the server buffers for the client, and closes the connection if they are too many. */
  protected keep(bytes: number): void {
    if (this.#unsentBytes + bytes <= STREAM_UNSENT_BYTES_MAX && this.budget.take(this.owner, bytes))
      this.#unsentBytes += bytes;
    else {
      this.closeConnection();
      // While the handler of the request runs, nothing else would report that the connection is closed.
      this.gone();
    }
  }

  /** The client has received everything. */
  protected drained(): void {
    if (!this.isLagging) return;
    this.#release();
    this.listener.drained();
  }

  #release(): void {
    this.budget.give(this.owner, this.#unsentBytes);
    this.#unsentBytes = 0;
  }
}
