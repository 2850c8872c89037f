// Replies that wait for the disk, by name, in the order in which they leave.
import type { DurabilityWaiter } from '../../../persistence/log/batch-record.js';

export class Replies {
  readonly sent: string[] = [];

  /** A reply that records its name when it may leave. */
  reply(name: string): DurabilityWaiter {
    return { durable: () => this.sent.push(name) };
  }
}
