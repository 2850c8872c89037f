// One operation of a batch. Its handler sees it as any other exchange. Its reply is not sent: the batch collects it,
// and waits for the disk once for all of its parts.

import type { ReplyStream } from '../exchange/exchange.js';
import { Exchange } from '../exchange/exchange.js';
import type { ShapeErrorBudget } from '../exchange/shape-error-budget.js';

export class BatchPart extends Exchange {
  override readonly isPart = true;

  /** @param batch the request that the operation came in
   *  @param index position of the operation, from 0
   */
  constructor(
    private readonly batch: Exchange,
    private readonly index: number,
    override readonly shapeErrors: ShapeErrorBudget,
  ) {
    super();
    this.authorization = batch.authorization;
    this.keyHash = batch.keyHash;
    this.forwardedFor = batch.forwardedFor;
  }

  /** The request id of the batch and the position in it. */
  override get requestId(): string {
    return `${this.batch.requestId}.${this.index}`;
  }

  override get peerAddress(): string {
    return this.batch.peerAddress;
  }

  override stream(): ReplyStream {
    throw new Error('an operation of a batch cannot be streamed');
  }

  override send(): void {
    this.isDone = true;
  }

  override sendWhenDurable(): void {
    this.isDone = true;
    // The bytes belong to a cache that the next operation may overwrite.
    if (typeof this.reply !== 'string') this.reply = Buffer.from(this.reply).toString();
  }
}
