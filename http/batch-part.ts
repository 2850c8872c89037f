// One operation of a batch, seen by its handler as any other exchange. Its reply goes nowhere: the batch collects it, and
// waits for the disk once for all of its parts.
import { Exchange } from './exchange.js';

export class BatchPart extends Exchange {
  /** @param batch the request that the operation came in
   *  @param index position of the operation, from 0
   */
  constructor(
    private readonly batch: Exchange,
    private readonly index: number,
  ) {
    super();
    this.authorization = batch.authorization;
  }

  /** The request id of the batch and the position in it. */
  override get requestId(): string {
    return `${this.batch.requestId}.${this.index}`;
  }

  override send(): void {
    this.isDone = true;
  }

  override sendWhenDurable(): void {
    this.isDone = true;
    // Bytes belong to a cache that the next operation may write over.
    if (typeof this.reply !== 'string') this.reply = Buffer.from(this.reply).toString();
  }
}
