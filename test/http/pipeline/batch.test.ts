// POST /api/batch: many operations in one request, in order, each as if it had come alone, all in one record of the
// log.
import t from 'tap';
import { WorkQueue } from '../../../http/admission/work-queue.js';
import { BATCH_BODY_BYTES_MAX, BATCH_OPERATIONS_MAX, BATCH_REPLY_LENGTH_MAX } from '../../../http/limits.js';
import type { GameClient } from '../support/game-client.js';
import { begin, beginHeld } from '../support/serving.js';
import { until } from '../support/waiting.js';

interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

interface Result {
  readonly status: number;
  readonly body?: unknown;
  readonly code?: string;
}

async function run(client: GameClient, operations: readonly Operation[]): Promise<readonly Result[]> {
  return (await client.command<{ results: Result[] }>('/api/batch', { operations })).results;
}

const upgrade = (planetId: string, buildingType: string): Operation => ({
  method: 'POST',
  path: '/api/building/upgrade',
  body: { planetId, buildingType },
});

t.test('each operation is answered as it would be alone, in order, whatever the result of the others', async (t) => {
  const { client, play } = await begin(t);
  const { playerId, planetId } = await play.rich('doer');
  const operations: Operation[] = [
    { method: 'POST', path: '/api/research/start', body: { playerId, researchType: 'drive_ion' } },
    { method: 'POST', path: '/api/research/start', body: { playerId, researchType: 'drive_ion' } },
    { method: 'GET', path: `/api/game/state/${playerId}` },
    { method: 'GET', path: '/api/game/state/player-999' },
    { method: 'GET', path: '/api/game/galaxy/0/system/0' },
    { method: 'POST', path: '/api/building/upgrade', body: { planetId } },
    { method: 'POST', path: '/api/building/upgrade' },
    { method: 'GET', path: `/api/report/player/${playerId}?limit=0` },
    { method: 'GET', path: '/api/status', body: {} },
    { method: 'GET', path: '/api/building/upgrade' },
    { method: 'GET', path: '/nowhere' },
  ];
  const results = await run(client, operations);
  t.match(results, [
    { status: 200, body: { type: 'drive_ion', isResearching: true } },
    { status: 409, body: { code: 'research_in_progress' } },
    { status: 200, body: { id: playerId, research: [{ type: 'drive_ion', isResearching: true }] } },
    { status: 404, body: { code: 'player_not_found' } },
    { status: 400, body: { code: 'invalid_request' } },
    { status: 400, body: { code: 'invalid_request' } },
    { status: 400, body: { code: 'invalid_request', errors: [{ path: 'planetId' }, { path: 'buildingType' }] } },
    { status: 400, body: { code: 'invalid_request' } },
    { status: 400, body: { code: 'invalid_request' } },
    { status: 405, body: { code: 'method_not_allowed' } },
    { status: 404, body: { code: 'route_not_found' } },
  ]);
  t.equal(results.length, operations.length);
  const alone = await client.request('GET', `/api/game/state/${playerId}`);
  t.same(results[2]?.body, alone.body, 'a read in a batch is the read alone');
});

t.test('with Prefer: return=minimal it returns short replies, statuses, and the codes of problems', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('doer');
  const operations = [upgrade(planetId, 'iron_mine'), upgrade(planetId, 'silver_mine')];
  for (const prefer of ['return=minimal', 'respond-async, Return="minimal"; wait=1']) {
    const reply = await client.request('POST', '/api/batch', { body: { operations }, headers: { prefer } });
    t.equal(reply.headers['preference-applied'], 'return=minimal');
    t.match(reply.body, { results: [{}, { status: 409, code: 'upgrade_in_progress', body: undefined }] });
  }
  for (const prefer of ['return=representation', 'handling=lenient', 'noreturn=minimalistic']) {
    const reply = await client.request('POST', '/api/batch', { body: { operations }, headers: { prefer } });
    t.notOk('preference-applied' in reply.headers);
    t.match(reply.body, { results: [{ body: { code: 'upgrade_in_progress' } }, {}] }, prefer);
  }
});

t.test('administration and batches themselves are not offered in a batch', async (t) => {
  const { admin } = await begin(t);
  const paths = ['/api/batch', '/api/admin/players', '/api/admin/clock/advance'];
  const results = await run(
    admin,
    paths.map((path) => ({ method: 'POST', path, body: {} })),
  );
  t.match(
    results,
    paths.map(() => ({ status: 404, body: { code: 'route_not_found' } })),
  );
});

t.test('with keys, each operation is allowed what its caller is allowed', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  const create = (name: string) =>
    client.command<{ id: string; apiKey: string }>('/api/game/player', { name, isBot: true }, 201);
  const [own, foreign] = [await create('own'), await create('foreign')];
  const operations: Operation[] = [own, foreign].map(({ id }) => ({ method: 'GET', path: `/api/game/state/${id}` }));
  t.match(await run(client, operations), [{ status: 401 }, { status: 401 }], 'without a key');
  t.match(await run(client.as(own.apiKey), operations), [
    { status: 200 },
    { status: 403, body: { code: 'not_owner' } },
  ]);
});

t.test('a batch that changes the world is one record, and is answered when the record is durable', async (t) => {
  const { client, play, log, world } = await beginHeld(t);
  const names = Array.from({ length: 40 }, (_, index) => `bot ${index}`);
  const { seq } = await play.hash();
  log.hold();
  const operations = names.map(
    (name): Operation => ({ method: 'POST', path: '/api/game/player', body: { name, isBot: true } }),
  );
  let isAnswered = false;
  const batch = run(client, operations).then((results) => {
    isAnswered = true;
    return results;
  });
  await until(() => log.isWaiting);
  t.equal(world.sequencer.lastSeq, seq + names.length);
  t.equal(world.sequencer.durableSeq, seq);
  t.notOk(isAnswered);
  log.release();
  t.same(
    (await batch).map(({ status }) => status),
    names.map(() => 201),
  );
  const newest = await log.last();
  t.equal(newest?.firstSeq, seq + 1, 'one record contains all of it');
});

t.test('the limits of a batch', async (t) => {
  const { client, play } = await begin(t);
  const { playerId } = await play.rich('reader');
  const read: Operation = { method: 'GET', path: `/api/game/state/${playerId}` };
  const refusal = async (operations: readonly unknown[]) => client.refusal('POST', '/api/batch', { operations });
  const many = (count: number) => Array.from({ length: count }, () => ({ method: 'GET', path: '/healthz' }) as const);
  t.equal((await run(client, many(BATCH_OPERATIONS_MAX))).length, BATCH_OPERATIONS_MAX);
  t.match(await refusal(many(BATCH_OPERATIONS_MAX + 1)), { code: 'invalid_request' });
  t.match(await refusal([]), { code: 'invalid_request' });
  t.match(await refusal([{ method: 'DELETE', path: '/healthz' }]), { code: 'invalid_request' });
  t.match(await refusal([{ method: 'GET', path: '/healthz', extra: 1 }]), { code: 'invalid_request' });
  const long = { method: 'POST', path: '/x', body: 'x'.repeat(BATCH_BODY_BYTES_MAX) };
  t.match(await refusal([long]), { code: 'body_too_large' });
  const catalogLength = (await client.request('GET', '/api/catalog')).text.length;
  const enough = Math.ceil(BATCH_REPLY_LENGTH_MAX / catalogLength) + 5;
  const catalogs = Array.from({ length: enough }, () => ({ method: 'GET', path: '/api/catalog' }) as const);
  const results = await run(client, [...catalogs, read]);
  t.equal(results[0]?.status, 200);
  t.match(
    results.at(-1),
    { status: 503, body: { code: 'overloaded' } },
    'beyond the maximum size of a reply no operation runs',
  );
});

t.test('a batch of reads is done in turns, with an Idempotency-Key and without', async (t) => {
  const { client } = await begin(t);
  // On Node's own server a new connection takes a turn, too.
  await client.request('GET', '/healthz');
  const add = t.capture(WorkQueue.prototype, 'add', WorkQueue.prototype.add);
  const body = { operations: Array.from({ length: 3 }, () => ({ method: 'GET', path: '/api/errors' })) };
  for (const headers of [{}, { 'idempotency-key': 'reads' }, { 'idempotency-key': 'reads' }]) {
    const { status, text } = await client.request('POST', '/api/batch', { body, headers });
    t.equal(status, 200);
    t.equal(JSON.parse(text).results.length, 3);
    t.equal(add().length, 1);
  }
});
