// Does what docs/events.md says: sends its requests to the world that it starts and compares the answers, streams included.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { WorldServer } from '../../http/world-server.js';
import { openWorld } from '../../persistence/open-world.js';
import { MemoryStore } from '../../persistence/stores/memory-store.js';
import { curlSteps, playCurlSteps } from './curl-steps.js';

const DOCUMENT = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');

t.test('the requests of docs/events.md get the answers that it shows', async (t) => {
  t.match(DOCUMENT, '--clock manual --admin-key let-me-advance-time', 'the world is the one that the page starts');
  const world = await openWorld({ store: new MemoryStore(), clock: 'manual' });
  const server = await WorldServer.start({ world, host: '127.0.0.1', port: 0, adminKey: 'let-me-advance-time' });
  t.teardown(async () => {
    await server.stop();
    await world.close();
  });
  const steps = curlSteps(t, DOCUMENT);
  t.ok(steps.length >= 6);
  await playCurlSteps(t, steps, server.url);
});
