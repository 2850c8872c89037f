// The part of a connection that an exchange needs to write its reply, the same over both transports.

import type { Owner } from './body-budget.js';

/** The status line and header fields of a reply. A wire adds the fields that frame the body. */
export interface ReplyHead {
  /** The client that gets it, whose share of memory it uses. Finding it takes time; not to be asked once the connection is closed. */
  readonly owner: Owner;
  readonly status: number;
  /** '' if the reply has no content type. */
  readonly replyType: string;
  readonly requestId: string;
  /** ISO 8601. */
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

/** Receives the events of a stream; implemented by the code that writes it. */
export interface StreamListener {
  /** The client has taken what was written; called only after write() returned false. */
  drained(): void;
  /** The stream has ended, from either side. Called once. */
  closed(): void;
}

/** A reply that is written in pieces. The head is sent with the first piece. Either side can end it. */
export interface ReplyStream {
  /**
   * Writes a piece. A stream whose client lags by more than STREAM_UNSENT_BYTES_MAX is closed.
   *
   * @returns false if the client lags: write no more before drained()
   */
  write(piece: string | Uint8Array): boolean;
  /** Ends the reply as a complete one. Further calls do nothing. */
  end(): void;
}

export interface Wire {
  /**
   * IP address of the peer as text, an IPv4-mapped one as IPv4; '' once the connection is closed. Reading it costs the
   * native transport a system call.
   */
  readonly address: string;
  /** True if the bytes of a reply must stay unchanged after end() has returned. */
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
