// The native response object behind the same few methods as the JavaScript one. The library would take any number of
// replies into memory for a client that asks and does not read. Here every few replies one is written only as far as
// the socket takes it and waits for the rest; a client that sends its next request before that is cut off by the library.

import { REPLIES_BETWEEN_PROBES_MAX, UNPROBED_REPLY_LENGTH_MAX } from './limits.js';
import type { Wire } from './wire-exchange.js';

/** What the native response object offers. */
export interface NativeResponse {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  end(body: string | Uint8Array, closesConnection: boolean): unknown;
  /** Writes as much as the socket takes. @returns whether it took everything, and whether the reply is complete */
  tryEnd(body: Uint8Array, totalBytes: number): [isTaken: boolean, isEnded: boolean];
  /** Bytes of the reply that were taken so far. */
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  endWithoutBody(): unknown;
  cork(writes: () => void): unknown;
  close(): unknown;
}

export class NativeWire implements Wire {
  constructor(private readonly response: NativeResponse) {}

  writeStatus(status: string): void {
    this.response.writeStatus(status);
  }

  writeHeader(name: string, value: string): void {
    this.response.writeHeader(name, value);
  }

  end(body: string | Uint8Array, closesConnection: boolean): void {
    // Asking the socket costs as much as the rest of a small reply, and one that is stuck is found out soon enough.
    const isProbe = repliesSinceProbe >= REPLIES_BETWEEN_PROBES_MAX || body.length > UNPROBED_REPLY_LENGTH_MAX;
    if (closesConnection || !isProbe) {
      repliesSinceProbe += 1;
      this.response.end(body, closesConnection);
      return;
    }
    repliesSinceProbe = 0;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const [, isEnded] = this.response.tryEnd(bytes, bytes.length);
    if (!isEnded) this.#endWhenWritable(bytes);
  }

  endWithoutBody(): void {
    this.response.endWithoutBody();
  }

  cork(writes: () => void): void {
    this.response.cork(writes);
  }

  close(): void {
    this.response.close();
  }

  /** Keeps what the socket did not take, the only reply that is kept for this connection, and goes on as it drains. */
  #endWhenWritable(bytes: Uint8Array): void {
    const takenBytes = this.response.getWriteOffset();
    const rest = Buffer.from(bytes.subarray(takenBytes));
    this.response.onWritable((offset) => {
      const [isTaken] = this.response.tryEnd(rest.subarray(offset - takenBytes), bytes.length);
      return isTaken;
    });
  }
}

/** Over all connections: whoever sends many requests at once is sure to meet a probe among them. */
let repliesSinceProbe = 0;
