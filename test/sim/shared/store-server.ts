// The machine of the shared store: it carries out requests one at a time, each at one instant, and it may crash. What it
// has acknowledged survives; what it was working on is there afterwards, or is not.
import type { Stage } from '../stage.js';
import { VirtualScheduler } from '../virtual-scheduler.js';
import type { StoreRequest } from './store-link.js';

/** Maximum time that a request takes: a flush, and the answer of the synchronous standby. */
const WORK_MS = 6;

export class StoreServer {
  /** Its own devices, and everything that is on its way to it. */
  readonly scheduler: VirtualScheduler;
  readonly #stage: Stage;
  #inWork: StoreRequest[] = [];
  #downUntilMs = 0;
  #isMended = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.scheduler = new VirtualScheduler(stage.time);
  }

  get isDown(): boolean {
    return this.#stage.time.elapsedMs() < this.#downUntilMs;
  }

  /** The same for something that may be lost, once there are no more faults. */
  tellLate(delayMs: number, call: () => void): void {
    this.tellAfter(delayMs, () => {
      if (!this.#isMended) call();
    });
  }

  tellAfter(delayMs: number, call: () => void): void {
    this.scheduler.tellAfter(delayMs, call);
  }

  receive(request: StoreRequest): void {
    if (this.isDown) {
      request.reset();
      return;
    }
    this.#inWork.push(request);
    this.tellAfter(this.#stage.draws.below(WORK_MS), () => {
      const at = this.#inWork.indexOf(request);
      if (at === -1) return;
      this.#inWork.splice(at, 1);
      request.execute();
      request.answer();
    });
  }

  /** Everything that it works on may be done or not; nobody gets an answer. */
  crash(downMs: number): void {
    const { draws } = this.#stage;
    let doneCount = 0;
    for (const request of this.#inWork.splice(0)) {
      if (draws.oneIn(2)) {
        request.execute();
        doneCount += 1;
      }
      request.reset();
    }
    this.#stage.tell(`the store crashes, with ${doneCount} unacknowledged requests done`);
    this.#downUntilMs = this.#stage.time.elapsedMs() + downMs;
  }

  /** No more faults: what is still on its way although it is late is lost. */
  mend(): void {
    this.#isMended = true;
    this.#downUntilMs = 0;
  }
}
