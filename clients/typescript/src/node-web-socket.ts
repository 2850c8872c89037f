// The WebSocket in Node is that of the package ws: Node 20 has none of its own, that of Node 22 does not close after a refused
// connection, and the errors of Node 24 have no message. Browsers get global-web-socket.ts instead (`imports` in package.json), so that no
// bundler puts ws into a page.
import type { Connection, WebSocket as WebSocketOfWs } from 'ws';

/** A global of Node; the client is compiled without its types. */
declare const setImmediate: (callback: () => void) => unknown;

/** A class with the interface of the WebSocket of browsers. */
export async function webSocketClass(): Promise<typeof WebSocket> {
  return gathering((await import('ws')).WebSocket);
}

/** Makes it write the frames of a turn of the event loop together: each by itself is a system call. */
function gathering(base: typeof WebSocketOfWs): typeof WebSocket {
  return class extends base {
    #connection: Connection | null = null;
    #isGathering = false;

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.on('upgrade', ({ socket }) => {
        this.#connection = socket;
      });
    }

    override send(frame: string): void {
      if (!this.#isGathering && this.#connection !== null) {
        this.#isGathering = true;
        this.#connection.cork();
        setImmediate(() => {
          this.#isGathering = false;
          this.#connection?.uncork();
        });
      }
      super.send(frame);
    }
  };
}
