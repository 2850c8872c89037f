// The WebSocket of Node: its own, which Node 20 does not have, else that of the package ws. Browsers get global-web-socket.ts
// instead (`imports` in package.json), so that no bundler puts ws into a page.

/** A class with the interface of the WebSocket of browsers. */
export async function webSocketClass(): Promise<typeof WebSocket> {
  return globalThis.WebSocket ?? (await import('ws')).WebSocket;
}
