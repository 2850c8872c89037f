// Replies that wait for the disk, by name, in the order in which they are let go.
import type { DurabilityWaiter } from '../../persistence/log/batch.js';

export class Replies {
  readonly sent: string[] = [];

  /** A reply that writes its name down when it may leave. */
  reply(name: string): DurabilityWaiter {
    return { durable: () => this.sent.push(name) };
  }
}
