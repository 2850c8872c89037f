// Runs a case on a socket of its own and passes the replies to the judge. It does not decide what is sent.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { TortureCase } from './cases.js';
import { Judge } from './judge.js';
import { NotHttp, ReplySplitter } from './reply-splitter.js';
import type { Transport } from './transports.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Verdict {
  /** The faults, a sentence each. */
  readonly faults: readonly string[];
  readonly statuses: ReadonlyMap<number, number>;
  /** Share of the pieces that were sent: the server may end the connection before the last. */
  readonly sentShare: number;
  /** Why the connection broke off, such as a reset; null if it did not. */
  readonly error: Error | null;
}

/** A sound request that is answered later than this hangs. */
const ANSWER_DEADLINE_MS = 30_000;
/** A case with a broken request waits no longer than this without a byte. It is judged by the replies until then. */
const QUIET_MS = 150;

export async function deliver(torture: TortureCase, address: Address, transport: Transport): Promise<Verdict> {
  const judge = new Judge(torture.requests, transport);
  const conversation = new Conversation(torture, judge, connect(address.port, address.host));
  await conversation.run();
  const { error, sentPieces } = conversation;
  const sentShare = sentPieces / torture.pieces.length;
  return { faults: judge.faults, statuses: judge.statuses, sentShare, error };
}

/**
 * Resets a connection. One that is ending already is closed instead: libuv refuses to reset it, and then never closes
 * it.
 */
export function cutOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

class Conversation {
  error: Error | null = null;
  sentPieces = 0;
  readonly #torture: TortureCase;
  readonly #judge: Judge;
  readonly #splitter: ReplySplitter;
  readonly #socket: Socket;
  #hasEnded = false;
  #lastByteMs = performance.now();
  #wake: () => void = () => {};

  constructor(torture: TortureCase, judge: Judge, socket: Socket) {
    this.#torture = torture;
    this.#judge = judge;
    this.#socket = socket;
    this.#splitter = new ReplySplitter(judge.presenceOf);
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.#split(() => this.#splitter.take(bytes)));
    socket.on('error', (error) => {
      this.error = error;
    });
    socket.on('close', () => this.#end());
    socket.on('end', () => this.#end());
    if (torture.isUnread) socket.pause();
  }

  async run(): Promise<void> {
    await this.#send();
    if (this.#torture.ending === 'read') {
      await this.#read();
      this.#judge.end();
    }
    if (this.#torture.ending === 'closed') this.#socket.destroy();
    else cutOff(this.#socket);
  }

  async #send(): Promise<void> {
    for (const piece of this.#torture.pieces) {
      if (this.#hasEnded || this.#socket.destroyed) return;
      this.#socket.write(piece);
      this.sentPieces += 1;
      // Until the piece has left, the next one would share its segment.
      if (this.#torture.pauseMs > 0) await delay(this.#torture.pauseMs);
      else await turn();
    }
  }

  /** Reads until the end, until all is answered, or until nothing more comes. */
  async #read(): Promise<void> {
    this.#socket.resume();
    this.#lastByteMs = performance.now();
    const deadlineMs = performance.now() + ANSWER_DEADLINE_MS;
    while (!this.#hasEnded && !this.#judge.isSatisfied && performance.now() < deadlineMs) {
      const quietMs = performance.now() - this.#lastByteMs;
      if (!this.#judge.isOwedReply && quietMs >= QUIET_MS) return;
      await this.#change(this.#judge.isOwedReply ? deadlineMs - performance.now() : QUIET_MS - quietMs);
    }
  }

  /** Waits for bytes, for the end, or for a time limit. */
  async #change(waitMs: number): Promise<void> {
    const waiting = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([woken, delay(waitMs, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
  }

  #split(take: () => ReturnType<ReplySplitter['end']>): void {
    this.#lastByteMs = performance.now();
    try {
      for (const reply of take()) this.#judge.take(reply);
    } catch (error) {
      if (!(error instanceof NotHttp)) throw error;
      this.#judge.faults.push(error.message);
      this.#socket.destroy();
    }
    this.#wake();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#judge.faults.length === 0) this.#split(() => this.#splitter.end());
  }
}
