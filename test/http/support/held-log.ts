// A log that reaches the disk only when the test lets it: appends wait while it is held.
import type { Append } from '../../../persistence/log/log.js';
import { MemoryLog } from '../../../persistence/log/memory-log.js';

export class HeldLog extends MemoryLog {
  #waiting: (() => void)[] = [];
  #isHeld = false;

  /** Appends from now on wait for release(). */
  hold(): void {
    this.#isHeld = true;
  }

  /** All waiting appends reach the disk. */
  release(): void {
    this.#isHeld = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** The waiting append reaches the disk; those after it wait again. */
  releaseOne(): void {
    this.#waiting.shift()?.();
  }

  /** An append has begun and waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  override async append(append: Append): Promise<void> {
    if (this.#isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await super.append(append);
  }
}
