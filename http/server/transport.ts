// The contract of the two HTTP servers: uWebSockets.js, and Node's own for every platform without a native build. A transport binds the
// port; a wire is the part of one of its connections that an exchange needs to write its reply.
import type { Owner } from '../admission/owners.js';
import type { ReplyStream, StreamListener } from '../exchange/exchange.js';
import type { Receiver } from './receiver.js';

export const TRANSPORT_KINDS = ['native', 'javascript'] as const;
export type TransportKind = (typeof TRANSPORT_KINDS)[number];

/** The address cannot be bound; the libraries do not always report why. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';

  constructor(host: string, port: number) {
    super(
      `cannot listen on ${host}:${port} (in use, or not an address of this machine); --port and --host name another one`,
    );
  }
}

export interface Transport {
  /**
   * Hands requests to this receiver from now on. Call it before listen(). The one before it, if any, must have had no endpoints: a
   * library may be unable to take routes back.
   */
  serve(receiver: Receiver): void;

  /**
   * Binds the port exclusively; 0 selects a free one.
   *
   * @returns the port
   * @throws CannotListen
   */
  listen(host: string, port: number): Promise<number>;

  /** Stops accepting connections. Open ones continue. */
  stopListening(): void;

  /** Closes all connections, and forgets the receiver. It has stopped listening before. */
  release(): void;
}

/** Where the open connections are counted. */
export interface CountedConnections {
  connections: number;
}

/** Limits on connections. */
export interface ConnectionLimits {
  /** Over all clients. */
  readonly connectionsMax: number;
  /** Limit of one IP address; loopback addresses have none. */
  readonly connectionsPerAddressMax: number;
}

/** The status line and header fields of a reply. A wire adds the fields that frame the body. */
export interface ReplyHead {
  /** The client that gets it, whose share of memory it uses. Finding it takes time; not to be asked once the connection is closed. */
  readonly owner: Owner;
  readonly status: number;
  /** '' if the reply has no content type. */
  readonly replyType: string;
  readonly requestId: string;
  /** ISO 8601; '' if it is not known yet. */
  readonly worldTime: string;
  /** Negative for none. */
  readonly worldSeq: number;
  /** '' for none. */
  readonly entityTag: string;
  /** Alternating names and values, without line breaks. */
  readonly extraHeaders: readonly string[];
  /** '' for no rate limit. */
  readonly rateLimitPolicy: string;
  readonly rateLimit: string;
  /** Alternating names and values, without line breaks. */
  readonly originHeaders: readonly string[];
}

export interface Wire {
  /**
   * IP address of the peer as text, an IPv4-mapped one as IPv4; '' once the connection is closed. Reading it costs the
   * native transport a system call.
   */
  readonly address: string;
  /**
   * Before end(): true if it is known that the bytes of the reply must stay unchanged after end() has returned. After it: true if they
   * must.
   */
  readonly keepsBytes: boolean;
  /** Ends with a body. */
  end(head: ReplyHead, body: string | Uint8Array, closesConnection: boolean): void;
  /** Ends after the head, for HEAD and 304. @param length of the omitted body; null omits Content-Length */
  endWithoutBody(head: ReplyHead, length: number | null, closesConnection: boolean): void;
  /** Begins a reply that is written in pieces. */
  stream(head: ReplyHead, listener: StreamListener): ReplyStream;
  /** True if a reply without a body must state the length of the omitted one. */
  readonly needsLength: boolean;
  /** Batches the writes of a reply into one. */
  cork(writes: () => void): void;
  /** Closes the connection without a reply. */
  close(): void;
  /**
   * Ensures that no further request on this connection is carried out.
   *
   * @returns false if the reply must therefore not be sent before this turn of the event loop is over
   */
  cutWhatFollows(): boolean;
  /** True once nothing is left to write or to wait for: the response must not be used any more. */
  readonly isOver: boolean;
  /** Releases what was kept for the connection, which is closed. */
  gone(): void;
}
