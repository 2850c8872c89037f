// Servers that a load is sent to in tests: they keep what they were sent, and answer as the test says.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FakeReply {
  readonly status?: number;
  readonly body?: string;
}

export interface FakeServer {
  readonly url: string;
  /** In the order in which they came. */
  readonly seen: readonly SeenRequest[];
}

/**
 * Serves on a free loopback port until the test is over.
 *
 * @param answer `broken` closes the connection without a reply
 */
export async function serveFake(
  t: Test,
  answer: (request: SeenRequest, index: number) => FakeReply | 'broken' | Promise<FakeReply>,
): Promise<FakeServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const seenRequest = { method, path, headers, body };
    const index = seen.push(seenRequest) - 1;
    const reply = await answer(seenRequest, index);
    if (reply === 'broken') {
      request.socket.destroy();
      return;
    }
    const replyBody = reply.body ?? '{}';
    response.writeHead(reply.status ?? 200, { 'content-length': Buffer.byteLength(replyBody) });
    response.end(replyBody);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A game that knows nothing but upgrades and their cancelling, and refuses what the real one would refuse. */
export class UpgradeDesk {
  /** The queue entry of the upgrade of each planet. */
  readonly running = new Map<string, string>();
  refused = 0;
  cancelled = 0;
  #lastQueueNumber = 0;

  answer({ path, body }: SeenRequest): FakeReply {
    const { planetId, queueId } = JSON.parse(body) as { planetId: string; queueId?: string };
    if (path === '/api/building/upgrade' && !this.running.has(planetId)) {
      this.#lastQueueNumber += 1;
      const entry = `queue-${this.#lastQueueNumber}`;
      this.running.set(planetId, entry);
      return { body: `{"id":"${planetId}","buildings":[{"constructionQueue":[{"queueId":"${entry}"}]}]}` };
    }
    if (path === '/api/building/cancel' && this.running.get(planetId) === queueId) {
      this.running.delete(planetId);
      this.cancelled += 1;
      return { body: `{"id":"${planetId}","buildings":[{"constructionQueue":[]}]}` };
    }
    this.refused += 1;
    return { status: 409, body: '{"code":"refused"}' };
  }
}
