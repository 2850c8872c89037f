// Whether a request is handled in this process now, later, or not at all. If only one process serves the world, it handles every
// request at once; replica-gate.ts decides for one process of several (decision 11).
import type { Exchange, WorldUse } from '../exchange/exchange.js';

/** What a gate lets pass: an operation, whose requests are checked. */
export interface GatedOperation {
  /** Path with the names of its parameters. */
  readonly path: string;
  readonly worldUse: Exclude<WorldUse, 'command'>;
  /** Whether a request with this body may change the world. */
  changesWorld(body: unknown): boolean;
  /** Answers the exchange. */
  proceed(exchange: Exchange, body: unknown): void;
}

/** The last events of a receiver. */
export interface EventSeqs {
  readonly durableSeq: number;
  /** Seq of the last entry that is applied. It may not be durable yet. */
  readonly appliedSeq: number;
}

export interface Gate {
  /** True if this process follows another one, which leads. */
  readonly isStandby: boolean;
  /** Has a request handled now or later, or answers it. */
  pass(operation: GatedOperation, exchange: Exchange, body: unknown): void;
  /** Whether a command that has passed may still be carried out after others had their turn; the exchange is answered if not. */
  takesCommand(exchange: Exchange): boolean;
  /** Handles a frame of a WebSocket once an entry is applied. */
  passAfter(exchange: Exchange, minSeq: number, proceed: () => void): void;
  /**
   * Handles a reader that continues after an event, as soon as this process knows the event.
   *
   * @param seqs of the last events here
   */
  passAfterEvent(exchange: Exchange, afterSeq: number, seqs: () => EventSeqs, proceed: () => void): void;
  /** Answers a command that this process cannot take. */
  refuseCommand(exchange: Exchange): void;
  /** Whether a standby is ready to answer reads. @returns false if not; the exchange is answered then */
  isReadyToRead(exchange: Exchange): boolean;
  /** Shows a seq in the reply. @returns the entry that must be durable before the reply is sent */
  stamp(exchange: Exchange, seq: number): number;
}

/** The gate of a process that alone serves its world. */
export const SOLE_PROCESS: Gate = {
  isStandby: false,
  pass(operation, exchange, body) {
    operation.proceed(exchange, body);
  },
  takesCommand: () => true,
  passAfter(_exchange, _minSeq, proceed) {
    proceed();
  },
  passAfterEvent(_exchange, _afterSeq, _seqs, proceed) {
    proceed();
  },
  refuseCommand() {
    throw new Error('a process that alone serves its world takes all commands');
  },
  isReadyToRead: () => true,
  stamp: (_exchange, seq) => seq,
};
