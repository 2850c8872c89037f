// The contract of WebSockets (RFC 6455) over both transports: a connection carries text frames in both directions, and a
// listener above decides what they mean. A socket must not be used inside a callback of its library: answers to frames
// are written later in the same turn of the event loop.

import type { Owner } from '../admission/owners.js';
import type { Exchange } from '../exchange/exchange.js';

/** Path of the WebSocket. */
export const SOCKET_PATH = '/ws';
/** The subprotocol that this server speaks. */
export const SUBPROTOCOL = 'galaxyd.v1';

/** Why a connection is closed (RFC 6455, section 7.4.1, and the registry of close codes). */
export const CLOSE_CODES = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  tryAgainLater: 1013,
} as const;
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];

/** The head of the request that opened a connection. */
export interface SocketOpening {
  readonly authorization: string;
  /** X-Forwarded-For. */
  readonly forwardedFor: string;
  /** IP address of the peer, as text. */
  readonly address: string;
  /** The client among whose WebSockets it counts. */
  readonly owner: Owner;
}

export interface FrameSocket {
  /** Bytes written that the client has not taken. */
  readonly unsentBytes: number;
  /**
   * Writes text frames, in order, with as few system calls as possible. What the kernel does not take is kept and written later.
   *
   * @param frames an array that is not used any more by the caller
   * @returns false if the client lags: drained() is called once it has taken everything
   */
  send(frames: string[]): boolean;
  /** Closes after what is written has been sent, at the latest SOCKET_CLOSE_MS later. closed() is called. */
  close(code: CloseCode, reason: string): void;
  /** Closes at once. closed() is called. */
  destroy(): void;
}

export interface FrameListener {
  /**
   * A frame has come.
   *
   * @param text null if it is binary
   * @returns null, or the last frame that the client gets if it has sent too many: the connection must be closed at once
   */
  received(text: string | null): string | null;
  /** The same for a ping or a pong, which the transport answers. */
  controlled(kind: 'ping' | 'pong'): string | null;
  /** The client has not read the answer to a ping: it lags. */
  lagged(): void;
  /** A frame is not complete after CLIENT_SILENCE_MS. */
  late(): void;
  /** The client has taken everything that was written. */
  drained(): void;
  /** The connection is closed, by either side; the socket must not be used any more. */
  closed(): void;
}

/** What a transport hands its connections to. */
export interface SocketHost {
  /** Whether a client may open one more. @returns the client; null if not, and the exchange is answered then */
  admit(exchange: Exchange): Owner | null;
  /** Takes a connection that has just been opened; it may be written to from the next turn of the event loop on. */
  open(socket: FrameSocket, opening: SocketOpening): FrameListener;
}

/** True if a list of subprotocols names ours. @param offered value of Sec-WebSocket-Protocol */
export function offersSubprotocol(offered: string): boolean {
  return offered.split(',').some((name) => name.trim() === SUBPROTOCOL);
}
