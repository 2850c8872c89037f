// What an exchange writes its reply to: the little that it needs of a connection, the same over both transports.

/** The status line and header fields of a reply. A wire adds the fields that frame the body. */
export interface ReplyHead {
  readonly status: number;
  /** '' if the reply has no content type. */
  readonly replyType: string;
  readonly requestId: string;
  /** ISO 8601. */
  readonly worldTime: string;
  /** '' for none. */
  readonly entityTag: string;
  /** Alternating names and values, without line breaks. */
  readonly extraHeaders: readonly string[];
}

/** Who is told about a stream: the code that writes it. */
export interface StreamListener {
  /** The client has taken what was written; called only after write() returned false. */
  drained(): void;
  /** The stream has ended, whoever ended it. Called once. */
  closed(): void;
}

/** A reply that is written in pieces. The head leaves with the first piece. It ends when either side ends it. */
export interface ReplyStream {
  /**
   * Writes a piece. A stream whose client lags by more than STREAM_UNSENT_BYTES_MAX is closed.
   *
   * @returns false if the client lags: write no more before drained()
   */
  write(piece: string | Uint8Array): boolean;
  /** Ends the reply as a whole one. More than once does nothing. */
  end(): void;
}

export interface Wire {
  /**
   * IP address of the other side of the connection as text, an IPv4-mapped one as IPv4; '' once the connection is closed.
   * Reading it costs the native transport a system call.
   */
  readonly address: string;
  /** True if the bytes of a reply must stay unchanged after end() has returned. */
  readonly keepsBytes: boolean;
  /** Ends with a body. */
  end(head: ReplyHead, body: string | Uint8Array, closesConnection: boolean): void;
  /** Ends after the head, for HEAD and 304. @param length of the body that is left out; null: it is not sent */
  endWithoutBody(head: ReplyHead, length: number | null, closesConnection: boolean): void;
  /** Begins a reply that is written in pieces. */
  stream(head: ReplyHead, listener: StreamListener): ReplyStream;
  /** True if a reply without a body has to say the length of the one that is left out. */
  readonly needsLength: boolean;
  /** Runs the writes of a reply as one. */
  cork(writes: () => void): void;
  /** Closes the connection without a reply. */
  close(): void;
  /**
   * Makes sure that nothing that follows this request on its connection is carried out.
   *
   * @returns false if that requires that the reply is not sent before this turn of the event loop is over
   */
  cutWhatFollows(): boolean;
  /** True once nothing is left to write or to wait for: the response must not be touched any more. */
  readonly isOver: boolean;
  /** The connection is closed: releases what was kept for it. */
  gone(): void;
}
