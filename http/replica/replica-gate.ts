// The gate of requests if several processes serve one world: each request is handled now, waits a moment, or is refused with the
// URL of the leader (decision 11). A world of one process has no gate.
import type { Replica } from '../../persistence/replication/replica-view.js';
import { NODE_SCHEDULER } from '../../persistence/time/scheduler.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Admission } from '../admission/admission.js';
import type { BugReport, Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import {
  HANDOVER_HOLD_MS,
  MIN_SEQ_DIGITS_MAX,
  MIN_SEQ_WAIT_MS,
  PAUSED_READERS_MS,
  REPLICA_POLL_MS,
  REPLICA_WAITING_BYTES_MAX,
  REPLICA_WAITING_MAX,
  REPLICA_WAITING_PER_OWNER_MAX,
  STANDBY_READY_LAG_MS_MAX,
  WORK_SLICE_MS,
} from '../limits.js';
import type { EventSeqs, Gate, GatedOperation } from './gate.js';
import { ReplicaPolicy } from './replica-policy.js';
import { type WaitingRequest, WaitingRequests } from './waiting-requests.js';

export interface ReplicaGateParts {
  readonly replica: Replica;
  readonly sequencer: ServedSequencer;
  readonly isRelaxed: boolean;
  readonly admission: Pick<Admission, 'ownerOf'>;
  /** Called if the process has not been sure for PAUSED_READERS_MS that it leads. */
  readonly onPaused: () => void;
  /** Called with what a request threw that had waited. */
  readonly onBug: BugReport;
}

/** Why a request was not handled here. */
export type ReplicaRefusal = 'not_leader' | 'no_leader' | 'replica_behind';

/** What a request waits for before it is handled. */
interface Wait {
  readonly exchange: Exchange;
  readonly waitMs: number;
  isReady(): boolean;
  /** @param isLate true if its time is over, and it was not ready */
  proceed(isLate: boolean): void;
}

const MIN_SEQ = new RegExp(`^\\d{1,${MIN_SEQ_DIGITS_MAX}}$`);

export class ReplicaGate implements Gate {
  readonly replica: Replica;
  readonly refusals: Record<ReplicaRefusal, number> = { not_leader: 0, no_leader: 0, replica_behind: 0 };
  readonly #sequencer: ServedSequencer;
  readonly #admission: Pick<Admission, 'ownerOf'>;
  readonly #onBug: BugReport;
  readonly #policy: ReplicaPolicy;
  #pauseTimer: NodeJS.Timeout | undefined;
  /** What waits for an entry. */
  readonly #behind = waitingRequests();
  /** Commands that wait for the end of a handover: readers that ask for entries to come take none of their places. */
  readonly #held = waitingRequests();

  constructor({ replica, sequencer, isRelaxed, admission, onPaused, onBug }: ReplicaGateParts) {
    this.replica = replica;
    this.#sequencer = sequencer;
    this.#admission = admission;
    this.#onBug = onBug;
    this.#policy = new ReplicaPolicy(replica, sequencer, isRelaxed);
    for (const { check } of [this.#behind, this.#held]) {
      replica.onChange(check);
      replica.onApplied(check);
    }
    replica.onChange(() => this.#watchPause(onPaused));
  }

  #watchPause(onPaused: () => void): void {
    clearTimeout(this.#pauseTimer);
    if (this.replica.mayAnswer) return;
    this.#pauseTimer = setTimeout(onPaused, PAUSED_READERS_MS);
    this.#pauseTimer.unref();
  }

  /** Requests that wait. */
  get waitingCount(): number {
    return this.#behind.size + this.#held.size;
  }

  get isStandby(): boolean {
    return this.replica.role === 'standby';
  }

  pass(operation: GatedOperation, exchange: Exchange, body: unknown): void {
    if (exchange.isPart) {
      operation.proceed(exchange, body);
      return;
    }
    exchange.routePath = operation.path;
    exchange.worldUse = operation.changesWorld(body) ? 'command' : operation.worldUse;
    const minSeq = this.#minSeqOf(exchange);
    if (minSeq !== null) this.#passFrom(exchange, minSeq, () => operation.proceed(exchange, body));
  }

  takesCommand(exchange: Exchange): boolean {
    const verdict = this.#policy.verdict('command', 0);
    if (verdict === 'go') return true;
    this.#refuse(exchange, verdict === 'not_leader' ? verdict : 'no_leader');
    return false;
  }

  passAfter(exchange: Exchange, minSeq: number, proceed: () => void): void {
    exchange.worldUse = 'state';
    this.#passFrom(exchange, minSeq, proceed);
  }

  /** See ReplicaPolicy.knowsEvent(). */
  passAfterEvent(exchange: Exchange, afterSeq: number, seqs: () => EventSeqs, handle: () => void): void {
    const isReady = (): boolean => {
      const { durableSeq, appliedSeq } = seqs();
      return this.#policy.knowsEvent(afterSeq, durableSeq, appliedSeq);
    };
    if (isReady()) {
      handle();
      return;
    }
    const proceed = (isLate: boolean): void => {
      if (isLate) this.#refuse(exchange, 'replica_behind');
      else handle();
    };
    this.#wait({ exchange, waitMs: MIN_SEQ_WAIT_MS, isReady, proceed }, 'replica_behind');
  }

  refuseCommand(exchange: Exchange): void {
    const { leaderUrl, role } = this.replica;
    this.#refuse(exchange, leaderUrl === null || role === 'leader' ? 'no_leader' : 'not_leader');
  }

  isReadyToRead(exchange: Exchange): boolean {
    const { mayAnswer, lag } = this.replica;
    if (mayAnswer && lag.ms <= STANDBY_READY_LAG_MS_MAX) return true;
    this.#refuse(exchange, mayAnswer ? 'replica_behind' : 'no_leader');
    return false;
  }

  /**
   * Shows the seq in the reply; see ReplicaPolicy.worldSeqOf(). What the client asks for in x-min-seq is durable, but that may not have
   * been confirmed to this process yet.
   */
  stamp(exchange: Exchange, seq: number): number {
    if (exchange.worldUse === 'none') return seq;
    const askedSeq = exchange.minSeq === '' ? seq : Math.max(seq, Number(exchange.minSeq));
    exchange.worldSeq = this.#policy.worldSeqOf(askedSeq);
    return askedSeq;
  }

  #passFrom(exchange: Exchange, minSeq: number, handle: () => void): void {
    const use = exchange.worldUse;
    const verdict = this.#policy.verdict(use, minSeq);
    if (verdict === 'go') handle();
    else if (verdict !== 'wait') this.#refuse(exchange, verdict);
    else {
      const isHandover = use === 'command' && minSeq <= this.#sequencer.durableSeq;
      const lateCode = isHandover ? 'no_leader' : 'replica_behind';
      const proceed = (isLate: boolean): void => {
        if (isLate) this.#refuse(exchange, lateCode);
        else this.#passFrom(exchange, minSeq, handle);
      };
      const isReady = (): boolean => this.#policy.verdict(use, minSeq) !== 'wait';
      const waitMs = isHandover ? HANDOVER_HOLD_MS : MIN_SEQ_WAIT_MS;
      this.#wait({ exchange, waitMs, isReady, proceed }, lateCode);
    }
  }

  /** @param lateCode answers at once a request that cannot wait */
  #wait({ exchange, waitMs, isReady, proceed }: Wait, lateCode: ReplicaRefusal): void {
    let end: (() => void) | null = null;
    let isOver = false;
    const settle = (isLate: boolean): void => {
      exchange.resume();
      try {
        if (!exchange.isDone) proceed(isLate);
      } catch (error) {
        this.#onBug(error, exchange.requestId);
        sendProblem(exchange, 'internal_error');
      }
    };
    const waiting = {
      hurry: () => settle(!isReady()),
      over: () => {
        isOver = true;
        end?.();
      },
    };
    if (!exchange.hold(waiting)) {
      this.#refuse(exchange, lateCode);
      return;
    }
    const request: WaitingRequest = { isReady, proceed: settle };
    const places = lateCode === 'no_leader' ? this.#held : this.#behind;
    end = places.add(request, this.#admission.ownerOf(exchange), exchange.heldBytes, waitMs);
    if (end === null) {
      exchange.resume();
      this.#refuse(exchange, lateCode);
    } else if (isOver) end();
    // The server owns the bytes only while the handler runs; the digest of an Idempotency-Key needs them.
    else if (exchange.body !== null) exchange.body = Buffer.from(exchange.body);
  }

  /** @returns null if it is malformed; the exchange is answered then */
  #minSeqOf(exchange: Exchange): number | null {
    const { minSeq, worldUse } = exchange;
    if (minSeq === '' || worldUse === 'none') return 0;
    if (MIN_SEQ.test(minSeq)) return Number(minSeq);
    const message = `must be the seq of an entry, of at most ${MIN_SEQ_DIGITS_MAX} digits`;
    sendProblem(exchange, 'invalid_request', { errors: [{ path: 'x-min-seq', message }] });
    return null;
  }

  #refuse(exchange: Exchange, code: ReplicaRefusal): void {
    const { leaderUrl } = this.replica;
    this.refusals[code] += 1;
    if (code !== 'not_leader') sendProblem(exchange, code);
    else if (leaderUrl === null) sendProblem(exchange, 'no_leader');
    else sendProblem(exchange, code, { headers: ['location', leaderLocation(leaderUrl, exchange)] });
  }
}

function waitingRequests(): WaitingRequests {
  return new WaitingRequests({
    scheduler: NODE_SCHEDULER,
    elapsedMs: () => performance.now(),
    limits: {
      requestsMax: REPLICA_WAITING_MAX,
      requestsPerOwnerMax: REPLICA_WAITING_PER_OWNER_MAX,
      bytesMax: REPLICA_WAITING_BYTES_MAX,
      pollMs: REPLICA_POLL_MS,
      sliceMs: WORK_SLICE_MS,
    },
  });
}

/**
 * @param leaderUrl as the leader reports it: a path in it precedes that of the request
 * @param request with the path of its route; its parameters are decoded
 * @returns a URL of visible ASCII
 */
function leaderLocation(
  leaderUrl: string,
  { routePath, parameters, query }: Pick<Exchange, 'routePath' | 'parameters' | 'query'>,
): string {
  let index = 0;
  const path = routePath.replace(/:\w+/g, () => {
    const parameter = parameters[index] ?? '';
    index += 1;
    return escaped(encodeURIComponent(wellFormed(parameter)));
  });
  return leaderUrl.replace(/\/+$/, '') + path + (query === '' ? '' : `?${escaped(query)}`);
}

/** Percent-encodes what may not be in a header field. */
function escaped(text: string): string {
  return text.replace(/[^!-~]/gu, (character) => encodeURIComponent(wellFormed(character)));
}

/** Frames of a WebSocket may have halves of surrogate pairs, which encodeURIComponent refuses. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
