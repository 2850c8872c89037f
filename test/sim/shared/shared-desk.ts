// Takes the place of HTTP in a process that shares its world with others: whether it may answer, waits, or sends the client to
// the leader is decided as in the server (http/replica/).

import type { WorldUse } from '../../../http/exchange/exchange.js';
import { HANDOVER_HOLD_MS, MIN_SEQ_WAIT_MS } from '../../../http/limits.js';
import { ReplicaPolicy, type Verdict } from '../../../http/replica/replica-policy.js';
import { WaitingRequests } from '../../../http/replica/waiting-requests.js';
import type { Replica } from '../../../persistence/replication/replica-view.js';
import { type Answer, FrontDesk, type FrontDeskOptions, type Send } from '../front-desk.js';
import type { ProcessLoop } from './process-loop.js';

const NO_LIMITS = { requestsMax: 1_000, requestsPerOwnerMax: 1_000, bytesMax: 1_000, pollMs: 100, sliceMs: 10 };

export interface SharedDeskOptions extends FrontDeskOptions {
  readonly replica: Replica;
  readonly loop: ProcessLoop;
}

/** Of a request as it arrives. */
export interface Visit {
  readonly use: WorldUse;
  /** As in `x-min-seq`. */
  readonly minSeq: number;
  /** Answers it. */
  readonly handle: () => void;
  /** Sends it away; `wait`: it has waited for too long. */
  readonly refuse: (why: Exclude<Verdict, 'go'>) => void;
}

export class SharedDesk extends FrontDesk {
  readonly #policy: ReplicaPolicy;
  readonly #waiting: WaitingRequests;

  constructor({ replica, loop, ...options }: SharedDeskOptions) {
    super(options);
    this.#policy = this.standingOf(replica, options);
    this.#waiting = new WaitingRequests({ scheduler: loop, elapsedMs: loop.elapsedNowMs, limits: NO_LIMITS });
    replica.onChange(this.#waiting.check);
    replica.onApplied(this.#waiting.check);
  }

  /** Handles a request now, later, or not at all. */
  receive(visit: Visit): void {
    const { use, minSeq, handle, refuse } = visit;
    const verdict = this.#policy.verdict(use, minSeq);
    if (verdict === 'go') handle();
    else if (verdict !== 'wait') refuse(verdict);
    else {
      const isReady = (): boolean => this.#policy.verdict(use, minSeq) !== 'wait';
      const proceed = (isLate: boolean): void => (isLate ? refuse('wait') : this.receive(visit));
      this.#waiting.add({ isReady, proceed }, 0, 0, use === 'command' ? HANDOVER_HOLD_MS : MIN_SEQ_WAIT_MS);
    }
  }

  override answer(answer: Answer, seq: number, send: Send): void {
    super.answer({ ...answer, worldSeq: this.#policy.worldSeqOf(seq) }, seq, send);
  }

  protected standingOf(replica: Replica, { sequencer }: FrontDeskOptions): ReplicaPolicy {
    return new ReplicaPolicy(replica, sequencer, false);
  }
}
