// A server that is not galaxyd: it answers every request with the same bytes.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** Headers of a reply of a galaxyd. */
export const REPLY_HEADERS = { 'content-type': 'application/json', 'x-world-time': '2000-01-01T00:00:00.000Z' };

/** @returns its URL */
export async function hostileServer(t: Test, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
