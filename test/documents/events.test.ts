// Does what docs/events.md says: sends its requests to the world that it starts and compares the answers, streams included, and
// plays its exchange of frames over a WebSocket.
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { WorldServer } from '../../http/world-server.js';
import { openWorld } from '../../persistence/open-world.js';
import { MemoryStore } from '../support/stores/memory-store.js';
import { curlSteps, playCurlSteps } from './curl-steps.js';

const DOCUMENT = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');
/** Lines of frames: what the client sends, and what it receives, abridged. */
const EXCHANGE = /```\n((?:[<>] \{.*\}\n)+)```/.exec(DOCUMENT)?.[1]?.trimEnd().split('\n') ?? [];

t.test('requests and frames of docs/events.md get the answers that it shows', async (t) => {
  t.match(DOCUMENT, '--clock manual --admin-key let-me-advance-time', 'the world is the one that the page starts');
  const world = await openWorld({ store: new MemoryStore(), clock: 'manual' });
  const server = await WorldServer.start({ world, host: '127.0.0.1', port: 0, adminKey: 'let-me-advance-time' });
  t.teardown(async () => {
    await server.stop();
    await world.close();
  });
  const steps = curlSteps(t, DOCUMENT);
  t.ok(steps.length >= 6);
  await playCurlSteps(t, steps, server.url, 'docs/events.md');
  await playFrames(t, EXCHANGE, `ws://127.0.0.1:${server.port}/ws`);
});

async function playFrames(t: Test, lines: readonly string[], url: string): Promise<void> {
  t.ok(lines.length >= 6);
  const socket = new WebSocket(url, 'galaxyd.v1');
  const received: unknown[] = [];
  let wake = (): void => undefined;
  socket.on('message', (bytes: Buffer) => {
    received.push(JSON.parse(bytes.toString()));
    wake();
  });
  for (const line of lines) {
    const frame = line.slice(2);
    if (line.startsWith('>')) {
      socket.send(frame);
      continue;
    }
    while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    t.match(received.shift(), JSON.parse(frame), frame);
  }
  socket.close();
}
