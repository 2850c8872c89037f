// The state of one connection to Node's HTTP server.
import type { Socket } from 'node:net';
import { plainAddress } from '../../admission/addresses.js';
import type { Owner } from '../../admission/owners.js';
import { REFUSED_CONNECTION_MS, UNSENT_BYTES_PER_CONNECTION_MAX } from '../../limits.js';
import type { WireExchange } from '../wire-exchange.js';

/** A request to abort when its client is gone. */
export interface OpenRequest {
  readonly isHeldBack: boolean;
  readonly awaitsEvents: boolean;
  abort(): void;
}

/** A request whose head has been read. */
export interface ReceivedRequest {
  /** True once its body has been read, too. */
  readonly complete: boolean;
  readonly exchange: WireExchange | null;
}

export class NodeConnection {
  /** IP address of the peer, as text. */
  readonly address: string;
  /** Bytes of replies, including queued ones, that the operating system has not taken yet. */
  unsentBytes = 0;
  /** The client of the last of these replies. */
  owner: Owner = '';
  /** Requests whose replies are not sent yet. */
  readonly open: OpenRequest[] = [];
  /** The request that is being received. A complete one is not kept: an idle connection would keep its reply. */
  current: ReceivedRequest | null = null;
  #isCut = false;
  #deadline: NodeJS.Timeout | null = null;
  #afterReplies: (() => void) | null = null;

  constructor(readonly socket: Socket) {
    this.address = plainAddress(socket.remoteAddress ?? '');
  }

  /** True if no further request of this connection is carried out. Node's parser still delivers them. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** True while one of the open requests waits for events: the connection may be silent. */
  get awaitsEvents(): boolean {
    for (const request of this.open) if (request.awaitsEvents) return true;
    return false;
  }

  /** True while the client has sent all of a request, and nothing of the reply is there yet, as of a snapshot. */
  get awaitsReply(): boolean {
    return this.open.length > 0 && this.current === null && this.unsentBytes === 0;
  }

  /** True while no further request may come: the reply to an open one is a refusal that waits, or waits for events. */
  get holdsBack(): boolean {
    for (const request of this.open) if (request.isHeldBack || request.awaitsEvents) return true;
    return false;
  }

  /** The reply to a request is sent. */
  sent(request: OpenRequest): void {
    const index = this.open.indexOf(request);
    if (index >= 0) this.open.splice(index, 1);
    if (this.#afterReplies === null || this.open.length > 0) return;
    setImmediate(this.#afterReplies);
    this.#afterReplies = null;
  }

  cut(): void {
    this.#isCut = true;
  }

  /** Nothing more is read as a request. What is owed may still be sent, for a while. */
  cutAndEnd(): void {
    this.cut();
    this.#deadline ??= setTimeout(() => this.close(), REFUSED_CONNECTION_MS);
  }

  /**
   * Calls `next` once all replies are sent that were begun before, unless the connection has ended by then. Node lets go of the socket in
   * the turn of the event loop in which the last of them is sent.
   */
  afterReplies(next: () => void): void {
    const go = (): void => {
      if (!this.socket.writableEnded && !this.socket.destroyed) next();
    };
    if (this.open.length === 0) setImmediate(go);
    else this.#afterReplies = go;
  }

  /**
   * Aborts the open requests: the client is gone. Node closes only the current response, and forgets those queued
   * behind it.
   */
  abort(): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    this.#afterReplies = null;
    for (const request of this.open) request.abort();
    this.open.length = 0;
  }

  /** Closes the connection, and releases all that was kept for it at once. */
  close(): void {
    this.cut();
    this.socket.destroy();
    this.abort();
  }

  /** A connection without unsent bytes has room for any reply. */
  hasRoomFor(bytes: number): boolean {
    return this.unsentBytes === 0 || this.unsentBytes + bytes <= UNSENT_BYTES_PER_CONNECTION_MAX;
  }
}
