// A WebSocket without a network: a test plays the server, frame by frame, and decides when the connection is lost.
import { until } from '../../http/support/waiting.js';

/** A frame of the client. */
export interface SentFrame {
  readonly op: string;
  readonly id?: number;
  readonly [member: string]: unknown;
}

export class FakeWebSocket {
  /** What the client sent and the test has not taken. */
  readonly sent: SentFrame[] = [];
  isClosed = false;
  /** True from when the server closes the connection until the client learns that it is lost. */
  isClosing = false;
  readonly OPEN = 1;
  onopen: () => void = () => {};
  onmessage: (message: { readonly data: string }) => void = () => {};
  onerror: (event: object) => void = () => {};
  onclose: (event: { readonly code: number; readonly reason: string }) => void = () => {};

  constructor(readonly url: string) {}

  get readyState(): number {
    if (this.isClosed) return 3;
    return this.isClosing ? 2 : this.OPEN;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as SentFrame);
  }

  close(): void {
    this.isClosed = true;
  }

  /** The server sends frames. */
  receive(...frames: readonly object[]): void {
    for (const frame of frames) this.onmessage({ data: JSON.stringify(frame) });
  }

  /** The connection is open, and the server takes calls. */
  welcome(callsMax = 100): void {
    this.onopen();
    this.receive({ op: 'welcome', callsMax });
  }

  /** The connection is lost. */
  lose(code = 1006, reason = ''): void {
    this.isClosed = true;
    this.onclose({ code, reason });
  }
}

/** A network of fake connections, in the order in which the client opens them. */
export class FakeNetwork {
  readonly connections: FakeWebSocket[] = [];
  /** Takes the place of the class WebSocket. */
  readonly webSocket: typeof WebSocket;

  constructor() {
    const { connections } = this;
    class Opened extends FakeWebSocket {
      constructor(url: string) {
        super(url);
        connections.push(this);
      }
    }
    this.webSocket = Opened as unknown as typeof WebSocket;
  }

  /** The next connection that the client opens and no call of this method has returned before. */
  async next(): Promise<FakeWebSocket> {
    const index = this.#taken;
    this.#taken += 1;
    await until(() => this.connections.length > index);
    return this.connections[index] as FakeWebSocket;
  }

  #taken = 0;
}
