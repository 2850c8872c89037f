// What a server answers while its world is recovered, and that it serves the world afterwards at the same port and on the same connections.
import t from 'tap';
import { WebSocket } from 'ws';
import { RECOVERY_RATE_MS_MIN, RECOVERY_RETRY_AFTER_MS_MAX } from '../../../http/limits.js';
import { RecoveryMeter } from '../../../http/server/recovering.js';
import { CannotListen, WorldServer } from '../../../http/world-server.js';
import type { ProblemBody } from '../support/game-client.js';
import { beginRecovering, transport } from '../support/serving.js';

t.test('each request gets 503 with how far it is; then the world is served on the same connection', async (t) => {
  let nowMs = 0;
  const meter = new RecoveryMeter(() => nowMs);
  const { client, port, serve } = await beginRecovering(t, meter, { auth: 'key' });
  const asked = async (method: string, path: string, body?: object) => {
    const reply = await client.request(method, path, body === undefined ? {} : { body });
    t.equal(reply.status, 503, `${method} ${path}`);
    t.notOk('x-world-time' in reply.headers, 'the time of the world is not known yet');
    return { problem: reply.body as ProblemBody, retryAfter: reply.headers['retry-after'] };
  };
  const opening = await asked('GET', '/healthz');
  t.match(opening.problem, { code: 'recovering', recovery: { phase: 'opening', done: 0, total: null } });
  t.equal(opening.retryAfter, '1');
  meter.note('rows', 4, 8);
  t.match((await asked('GET', '/readyz')).problem, {
    detail: /^The newest snapshot is being read: 4 of 8 rows\. /,
    recovery: { phase: 'reading_snapshot', done: 4, total: 8, secondsLeft: null },
  });
  nowMs = 50_000;
  meter.note('entries', 1, 1_000);
  nowMs += RECOVERY_RATE_MS_MIN;
  meter.note('entries', 250, 1_000);
  const replaying = await asked('POST', '/api/game/player', { name: 'ada' });
  t.match(replaying.problem, {
    recovery: { phase: 'replaying_log', done: 250, total: 1_000, secondsLeft: (3 * RECOVERY_RATE_MS_MIN) / 1_000 },
    retryAfterMs: 3 * RECOVERY_RATE_MS_MIN,
  });
  t.equal(replaying.retryAfter, '3');
  meter.note('entries', 2, 1_000_000);
  const { problem } = await asked('GET', '/metrics');
  t.equal(problem.retryAfterMs, RECOVERY_RETRY_AFTER_MS_MAX, 'it may end sooner than was thought');
  t.equal((await client.send('HEAD', '/healthz')).status, 503);
  const headers = { origin: 'https://example.org', 'access-control-request-method': 'POST' };
  t.equal((await client.send('OPTIONS', '/api/game/player', { headers })).status, 204, 'a page may read the refusal');
  t.equal(await upgraded(port), 503);

  await serve();
  t.equal((await client.request('GET', '/healthz')).status, 200);
  t.equal((await client.request('POST', '/api/game/player', { body: { name: 'ada', isBot: true } })).status, 201);
  t.equal((await client.request('GET', '/api/nowhere')).status, 404);
  t.equal(await upgraded(port), 101);
});

t.test('a port that is taken is refused before there is a world, and one that is freed can be taken', async (t) => {
  const { port } = await beginRecovering(t);
  const address = { host: '127.0.0.1', port, transport };
  await t.rejects(WorldServer.listen(address, new RecoveryMeter()), CannotListen);
  const listener = await WorldServer.listen({ ...address, port: 0 }, new RecoveryMeter());
  const freed = Number(new URL(listener.url).port);
  await listener.close();
  const next = await WorldServer.listen({ ...address, port: freed }, new RecoveryMeter());
  await next.close();
});

/** The status of a request that opens a WebSocket. */
function upgraded(port: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'galaxyd.v1');
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (request, { statusCode = 0 }) => {
      request.destroy();
      resolve(statusCode);
    });
    socket.on('error', () => {});
  });
}
