// A client of the WebSocket for tests: it sends any frame, and keeps what comes until a test asks for it.
import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A frame of the server. */
export interface Frame {
  readonly op: string;
  readonly id?: string | number;
  readonly status?: number;
  readonly code?: string;
  readonly seq?: number;
  readonly type?: string;
  readonly topic?: string;
  readonly playerId?: string;
  readonly lastSeq?: number;
  readonly replayed?: true;
  readonly body?: unknown;
  readonly problem?: { readonly code: string; readonly status: number };
}

export interface FrameClientOptions {
  /** Sent in the Authorization header of the upgrade. */
  readonly key?: string;
}

export class FrameClient {
  /** What has come and was not asked for, oldest first. */
  readonly frames: Frame[] = [];
  /** Code of the close frame; undefined while the connection is open. */
  closeCode: number | undefined;
  #waiting: (() => void)[] = [];

  private constructor(readonly webSocket: WebSocket) {
    webSocket.on('message', (data) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      this.#wake();
    });
    webSocket.on('error', () => {});
    webSocket.on('close', (code) => {
      this.closeCode = code;
      this.#wake();
    });
  }

  static async open(port: number, { key }: FrameClientOptions = {}): Promise<FrameClient> {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const client = new FrameClient(new WebSocket(`ws://127.0.0.1:${port}/ws`, 'galaxyd.v1', { headers }));
    await once(client.webSocket, 'open');
    return client;
  }

  send(frame: object): void {
    this.webSocket.send(JSON.stringify(frame));
  }

  /** Takes the first frame that fits, which may still have to come. @throws Error if the connection is closed first */
  async take(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const index = this.frames.findIndex(fits);
      if (index !== -1) return this.frames.splice(index, 1)[0] as Frame;
      if (this.closeCode !== undefined) throw new Error(`closed with ${this.closeCode} before the frame came`);
      await this.#something();
    }
  }

  /** Sends a frame and takes the answer with its id. */
  ask(frame: { readonly id: string | number; readonly [field: string]: unknown }): Promise<Frame> {
    this.send(frame);
    return this.take(({ id }) => id === frame.id);
  }

  /** Waits until the connection is closed. @returns the code of the close frame, 1006 without one */
  async closed(): Promise<number> {
    while (this.closeCode === undefined) await this.#something();
    return this.closeCode;
  }

  close(): void {
    this.webSocket.terminate();
  }

  #something(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
