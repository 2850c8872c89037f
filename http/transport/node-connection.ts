// What is known about one connection to Node's HTTP server.
import type { Socket } from 'node:net';
import { plainAddress } from '../admission/addresses.js';
import { UNSENT_BYTES_PER_CONNECTION_MAX } from '../limits.js';

/** A request that has to be told when its client is gone. */
interface OpenRequest {
  abort(): void;
}

export class NodeConnection {
  /** IP address of the other side, as text. */
  readonly address: string;
  /** Bytes of replies, and of those that wait for their turn, that the operating system has not taken yet. */
  unsentBytes = 0;
  /** Requests whose replies have not left. */
  readonly open = new Set<OpenRequest>();
  #isCut = false;

  constructor(readonly socket: Socket) {
    this.address = plainAddress(socket.remoteAddress ?? '');
  }

  /** True if no further request of this connection is carried out. Node's parser hands them over all the same. */
  get isCut(): boolean {
    return this.#isCut;
  }

  cut(): void {
    this.#isCut = true;
  }

  /** The client is gone. Node closes the response whose turn it is, and forgets those that wait behind it. */
  abort(): void {
    for (const request of this.open) request.abort();
    this.open.clear();
  }

  /** Ends the connection, and lets go of all that was kept for it at once. */
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
