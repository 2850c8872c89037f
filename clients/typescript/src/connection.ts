// One WebSocket from its opening to its end: sends the key, waits for the welcome, and detects a silent server. It is never opened
// again; shared-socket.ts opens the next one.
import { webSocketClass } from '#web-socket';
import { isProblem, type Problem } from './errors.js';
import type { GameEvent, MapFrame } from './events.js';
import { SILENCE_MS_MAX } from './limits.js';
import { isUnreachable, reasonOf } from './retries.js';

export interface ConnectionOptions {
  /** Time that the connection may take until the server has accepted it. */
  readonly openingMs: number;
  /** Replaces the WebSocket of the platform. */
  readonly webSocket: typeof WebSocket | undefined;
}

/** Why a connection has ended. */
export interface Loss {
  readonly reason: string;
  /** The problem that the server sent as the reason; null if it sent none. */
  readonly problem: Problem | null;
  /** Nobody listens where the server should be. */
  readonly isUnreachable: boolean;
}

/** What a connection reports to its owner. `lost` is the last call. */
export interface ConnectionListener {
  welcomed(welcome: Welcome): void;
  /** Only after the welcome, and no pong. */
  received(frame: ServerFrame): void;
  lost(loss: Loss): void;
}

export class Connection {
  /** Brings its first key. */
  readonly #hello: ClientFrame | null;
  readonly #url: string;
  readonly #options: ConnectionOptions;
  readonly #listener: ConnectionListener;
  #socket: WebSocket | null = null;
  #isWelcome = false;
  #isOver = false;
  #reason = 'the connection was closed';
  #isUnreachable = false;
  #problem: Problem | null = null;
  #heardAtMs = 0;
  #silenceTimer: ReturnType<typeof setTimeout>;

  /** @param hello brings the key that it is opened with; null for none */
  constructor(url: string, options: ConnectionOptions, hello: ClientFrame | null, listener: ConnectionListener) {
    this.#url = url;
    this.#hello = hello;
    this.#options = options;
    this.#listener = listener;
    this.#silenceTimer = setTimeout(() => this.#lose(`no welcome in ${options.openingMs} ms`), options.openingMs);
    void this.#open();
  }

  /** A socket that the server is closing takes nothing more. Browsers would print an error. */
  send(frame: ClientFrame): void {
    const socket = this.#socket;
    if (socket !== null && socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  }

  /** Closes it; the listener is not called any more. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#silenceTimer);
    this.#socket?.close();
  }

  async #open(): Promise<void> {
    const { webSocket } = this.#options;
    try {
      const socketClass = webSocket ?? (await webSocketClass());
      if (this.#isOver) return;
      const socket = new socketClass(this.#url, SUBPROTOCOL);
      this.#socket = socket;
      socket.onopen = () => this.#opened();
      socket.onmessage = ({ data }) => this.#heard(String(data));
      socket.onerror = (event) => {
        // Browsers give no reason.
        if ('message' in event) this.#reason = reasonOf(event);
        this.#isUnreachable = isUnreachable(event);
      };
      socket.onclose = ({ code, reason }) => this.#lose(reason === '' ? `${this.#reason} (${code})` : reason);
    } catch (error) {
      this.#lose(String(error));
    }
  }

  #opened(): void {
    if (this.#hello !== null) this.send(this.#hello);
  }

  #heard(text: string): void {
    if (this.#isOver) return;
    const frame = frameOf(text);
    if (frame === null) {
      this.#lose(`the server sent something that is not a frame: ${text.slice(0, 100)}`);
      return;
    }
    this.#heardAtMs = performance.now();
    try {
      this.#take(frame);
    } catch (error) {
      // Only its `op` was checked. An error here would end the program.
      this.#lose(`the server sent a frame that galaxyd does not send: ${String(error)}`);
    }
  }

  #take(frame: ServerFrame): void {
    if (frame.op === 'welcome') {
      // A world without keys welcomes before it has seen the key, and again after; further keys are welcomed, too.
      if (this.#isWelcome) return;
      this.#isWelcome = true;
      this.#watch(SILENCE_MS_MAX);
      this.#listener.welcomed(frame);
    } else if (frame.op === 'error' && concernsAll(frame)) {
      this.#problem = isProblem(frame.problem) ? frame.problem : null;
      if (!this.#isWelcome) this.#lose(this.#problem?.code ?? 'the server has refused the connection');
    } else if (frame.op !== 'pong') {
      this.#listener.received(frame);
    }
  }

  #watch(delayMs: number): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.#checkSilence(), delayMs);
  }

  /** Sends a ping after SILENCE_MS_MAX of silence, and gives the connection up after as long again. */
  #checkSilence(): void {
    const silenceMs = performance.now() - this.#heardAtMs;
    if (silenceMs >= 2 * SILENCE_MS_MAX) {
      this.#lose(`the server was silent for ${Math.round(silenceMs)} ms`);
    } else if (silenceMs >= SILENCE_MS_MAX) {
      this.send({ op: 'ping' });
      this.#watch(2 * SILENCE_MS_MAX - silenceMs);
    } else {
      this.#watch(SILENCE_MS_MAX - silenceMs);
    }
  }

  #lose(reason: string): void {
    if (this.#isOver) return;
    this.close();
    this.#listener.lost({ reason, problem: this.#problem, isUnreachable: this.#isUnreachable });
  }
}

/** @returns null if the text is not an object with an `op`; the rest of it is not checked */
function frameOf(text: string): ServerFrame | null {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' && frame !== null && 'op' in frame ? (frame as ServerFrame) : null;
  } catch {
    return null;
  }
}

/** Whether an error ends the connection, and not only a call or a subscription. */
function concernsAll({ id, playerId, topic }: ErrorFrame): boolean {
  return id === undefined && playerId === undefined && topic === undefined;
}

// The frames: one JSON object each. GET /asyncapi.json describes them.

/** The subprotocol of the WebSocket /ws. */
const SUBPROTOCOL = 'galaxyd.v1';

/** What a subscription is about: the events of a player or of topic `world`, or frames of the map. */
export type Receiver = { readonly playerId: string } | { readonly topic: 'world' | 'map' };

export interface CallFrame {
  readonly op: 'call';
  readonly id: number;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly prefer?: 'return=minimal';
  /** Whose key it uses; without it, that of the last hello. */
  readonly playerId?: string;
  readonly minSeq?: number;
}

export interface HelloFrame {
  readonly op: 'hello';
  readonly id?: string;
  readonly key: string;
  readonly minSeq?: number;
}

export type ClientFrame =
  | HelloFrame
  | ({ readonly op: 'subscribe'; readonly id: number; readonly since?: number } & Receiver)
  | ({ readonly op: 'unsubscribe'; readonly id: number } & Receiver)
  | CallFrame
  | { readonly op: 'ping' };

export interface Welcome {
  readonly op: 'welcome';
  readonly callsMax: number;
}

export interface ReplyFrame {
  readonly op: 'reply';
  readonly id: number;
  readonly status: number;
  readonly body?: unknown;
  readonly code?: string;
  readonly worldSeq?: number;
  /** Where the leader takes the call, if the status is 421. */
  readonly location?: string;
}

/** An event of a player, or of the topic that it names. */
export type EventFrame = { readonly op: 'event'; readonly topic?: 'world' } & GameEvent;

/** A frame of the map. */
export type MapFrameFrame = { readonly op: 'frame'; readonly topic: 'map' } & MapFrame;

export interface ErrorFrame {
  readonly op: 'error';
  /** Id of the frame that was refused, a text for a hello; absent if the error concerns more than one. */
  readonly id?: number | string;
  readonly playerId?: string;
  readonly topic?: 'world' | 'map';
  readonly problem: Problem;
}

export type ServerFrame =
  | Welcome
  | { readonly op: 'subscribed'; readonly id: number; readonly lastSeq: number }
  | { readonly op: 'unsubscribed' }
  | EventFrame
  | MapFrameFrame
  | ReplyFrame
  | ErrorFrame
  | { readonly op: 'pong' };
