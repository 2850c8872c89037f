// The WebSocket of browsers, Deno and Bun.

/** The global class. */
export async function webSocketClass(): Promise<typeof WebSocket> {
  return globalThis.WebSocket;
}
