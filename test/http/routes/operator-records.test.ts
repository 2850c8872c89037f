// The trail of what operators do, and addresses that are blocked for a time, over HTTP and WebSocket, behind a trusted proxy as well.
import t, { type Test } from 'tap';
import { AddressBlocks } from '../../../http/admission/address-blocks.js';
import type { AuditRecord } from '../../../http/admission/audit.js';
import {
  ADDRESS_BLOCKS_MAX,
  ADDRESS_BLOCKS_POLL_MS,
  AUDIT_BODY_LENGTH_MAX,
  AUDITED_REFUSALS_BURST,
} from '../../../http/limits.js';
import { deskOf } from '../../../http/world-server.js';
import { MemoryOperatorRecords } from '../../../persistence/stores/operator-records.js';
import { StreamReader } from '../support/event-client.js';
import { FrameClient } from '../support/frame-client.js';
import type { GameClient } from '../support/game-client.js';
import { begin, type ServingOptions } from '../support/serving.js';
import { until } from '../support/waiting.js';

const PROXY = { trustedProxies: ['127.0.0.1'] };

interface AuditBody {
  readonly records: readonly AuditRecord[];
  readonly nextCursor: string | null;
}

/** A world whose records a test can look at. */
async function withDesk(t: Test, options: ServingOptions = {}) {
  const records = new MemoryOperatorRecords();
  const told: AuditRecord[] = [];
  const desk = deskOf(records, { onRecord: (record) => told.push(record) });
  const serving = await begin(t, { ...options, server: { ...PROXY, ...options.server, desk } });
  return { ...serving, desk, records, told };
}

const ofAddress = (address: string) => ({ headers: { 'x-forwarded-for': address } });

async function block(admin: GameClient, address: string, seconds = 60) {
  return await admin.command<{ network: string; until: string }>('/api/admin/address/block', { address, seconds });
}

t.test('requests of a blocked address are refused, and nobody else’s', async (t) => {
  const { admin, client } = await withDesk(t);
  t.match(await block(admin, '203.0.113.7'), { network: '203.0.113.7', until: String });
  const paths = ['/api/status', '/healthz', '/dashboard', '/api/nowhere'];
  for (const path of paths) {
    const refused = await client.send('GET', path, ofAddress('203.0.113.7'));
    t.match(refused, { status: 403, body: { code: 'address_blocked' } }, path);
    t.equal(refused.headers['connection'], 'close', 'its connection is closed');
    t.not((await client.send('GET', path, ofAddress('203.0.113.8'))).status, 403);
  }
  const lies = await client.send('GET', '/api/status', ofAddress('198.51.100.1, 203.0.113.7'));
  t.equal(lies.status, 403, 'what the client claims makes no difference');
  t.match(await admin.read('/api/admin/addresses'), { blocks: [{ network: '203.0.113.7' }] });
  t.match(await admin.command('/api/admin/address/unblock', { address: '203.0.113.7' }), { wasBlocked: true });
  t.match(await admin.command('/api/admin/address/unblock', { address: '203.0.113.7' }), { wasBlocked: false });
  t.equal((await client.send('GET', '/api/status', ofAddress('203.0.113.7'))).status, 200);
});

t.test('of an IPv6 address the network of a subscriber is blocked', async (t) => {
  const { admin, client } = await withDesk(t);
  const { network } = await block(admin, '2001:DB8:1:2::5');
  t.equal(network, '2001:db8:1:2::/64');
  t.equal((await client.send('GET', '/api/status', ofAddress('2001:db8:1:2:9:9:9:9'))).status, 403);
  t.equal((await client.send('GET', '/api/status', ofAddress('2001:db8:1:3::5'))).status, 200);
  t.match(
    await admin.command('/api/admin/address/unblock', { address: network }),
    { wasBlocked: true },
    'as the list shows it',
  );
  await block(admin, '::ffff:203.0.113.9');
  t.equal((await client.send('GET', '/api/status', ofAddress('203.0.113.9'))).status, 403);
});

t.test('WebSockets and streams of a blocked address end', async (t) => {
  // No proxy: this client’s own address is a loopback one, so the block is put into the desk itself.
  const { desk, port } = await withDesk(t, { server: { trustedProxies: [] } });
  const socket = await FrameClient.open(port);
  const stream = await StreamReader.open(port, '/api/event/world/stream');
  await desk.blocks.block('127.0.0.1', 60_000);
  await socket.closed();
  t.match(socket.frames.at(-1), { op: 'error', problem: { code: 'address_blocked' } });
  await stream.rest();
  t.pass('the stream has ended');
  await t.rejects(FrameClient.open(port), /403/);
});

t.test('nobody locks itself out by accident', async (t) => {
  const { admin, client } = await withDesk(t);
  const seconds = 60;
  for (const address of ['127.0.0.1', '::1', '127.9.9.9', 'example.org', '203.0.113.0/24', '']) {
    t.match(
      await admin.refusal('POST', '/api/admin/address/block', { address, seconds }),
      { code: 'invalid_request' },
      address,
    );
  }
  const own = { body: { address: '203.0.113.7', seconds }, ...ofAddress('203.0.113.7') };
  const refused = await admin.request('POST', '/api/admin/address/block', own);
  t.match(refused, { status: 403, body: { code: 'forbidden', detail: /"isOwn": true/ } });
  t.equal((await client.send('GET', '/api/status', ofAddress('203.0.113.7'))).status, 200);
  const meant = await admin.request('POST', '/api/admin/address/block', { ...own, body: { ...own.body, isOwn: true } });
  t.equal(meant.status, 200);
  t.equal((await admin.send('GET', '/api/admin/addresses', ofAddress('203.0.113.7'))).status, 403);
});

t.test('a block ends by itself, is kept, and there are only so many', async (t) => {
  const records = new MemoryOperatorRecords();
  let nowMs = 1_000;
  const blocks = new AddressBlocks(records, () => nowMs);
  await blocks.block('203.0.113.1', 500);
  await blocks.block('203.0.113.1', 1_000);
  t.same(blocks.list(), [{ network: '203.0.113.1', untilMs: 2_000 }], 'the second one replaces the first');
  const next = new AddressBlocks(records, () => nowMs);
  await next.load();
  t.equal(next.untilMsOf('203.0.113.1'), 2_000, 'a restart knows it');
  nowMs = 2_000;
  t.equal(next.untilMsOf('203.0.113.1'), null);
  t.same(next.list(), []);
  for (let index = 0; index < ADDRESS_BLOCKS_MAX; index += 1)
    await next.block(`10.0.${index >> 8}.${index & 255}`, 1_000);
  t.equal(await next.block('203.0.113.2', 1_000), null);
  t.not(await next.block('10.0.0.1', 2_000), null, 'one that is there may be changed');
  for (const text of ['ships', '{}', '{"formatVersion":2,"blocks":[]}']) {
    await records.putDocument(text);
    await t.rejects(new AddressBlocks(records).load(), { name: 'BlocksUnreadable' });
  }
});

t.test('the limit of blocks is a refusal', async (t) => {
  const { admin, desk } = await withDesk(t);
  for (let index = 0; index < ADDRESS_BLOCKS_MAX; index += 1)
    await desk.blocks.block(`10.0.${index >> 8}.${index & 255}`, 60_000);
  t.match(await admin.refusal('POST', '/api/admin/address/block', { address: '203.0.113.2', seconds: 1 }), {
    code: 'limit_reached',
    limit: { name: 'ADDRESS_BLOCKS_MAX', maximum: ADDRESS_BLOCKS_MAX },
  });
});

t.test('processes that share a store learn of each other’s blocks', async (t) => {
  const records = Object.assign(new MemoryOperatorRecords(), { isShared: true });
  const [one, other] = [new AddressBlocks(records), new AddressBlocks(records)];
  t.teardown(() => {
    one.close();
    other.close();
  });
  await Promise.all([one.load(), other.load()]);
  await one.block('203.0.113.1', 600_000);
  await other.block('203.0.113.2', 600_000);
  t.equal(other.list().length, 2, 'a change is made to what is kept now');
  t.ok(ADDRESS_BLOCKS_POLL_MS <= 10_000);
  await until(() => one.list().length === 2);
});

t.test('each action leaves a record, with its key, its address, its body and its result', async (t) => {
  const { admin, client, play, told } = await withDesk(t, { auth: 'key' });
  const { id } = await play.newcomer('ada');
  const { seq } = await admin.read<{ seq: number }>('/api/status');
  await admin.request('POST', `/api/admin/player/${id}/suspend`, ofAddress('198.51.100.7'));
  await admin.command(`/api/admin/player/${id}/suspend`);
  await admin.refusal('POST', '/api/admin/player/player-99/suspend');
  const secret = 'a secret of sixteen characters';
  await admin.command('/api/admin/players', { names: ['bob'], keySecret: secret }, 201);
  await admin.command('/api/admin/announce', { text: 'x'.repeat(500) });
  await admin.read('/api/admin/players');
  const { records, nextCursor } = await admin.read<AuditBody>('/api/admin/audit');
  t.equal(nextCursor, null);
  t.same(
    records.map(({ operation }) => operation).reverse(),
    told.map(({ operation }) => operation),
  );
  const own = records.filter(({ operation }) => operation === 'suspendPlayer').reverse();
  t.match(own[0], {
    key: 'admin-key',
    address: '198.51.100.7',
    method: 'POST',
    path: `/api/admin/player/${id}/suspend`,
    status: 200,
    code: null,
    seq: seq + 1,
  });
  t.match(own[1], { address: '127.0.0.1', status: 200, seq: null }, 'it has changed nothing');
  t.match(own[2], { status: 404, code: 'player_not_found', seq: null });
  const created = records.find(({ operation }) => operation === 'createPlayers');
  t.match(created, { body: '{"names":["bob"],"keySecret":"[secret]"}', status: 201 });
  t.notMatch(JSON.stringify(records), new RegExp(secret));
  t.notOk(
    records.some(({ operation }) => operation === 'listPlayers'),
    'reads are no actions',
  );
  t.ok(records.every(({ body }) => body === null || body.length <= AUDIT_BODY_LENGTH_MAX + 1));
  t.notOk(JSON.stringify(records).includes(admin.as('').port === 0 ? '' : 'Bearer'));
  await client.refusal('POST', '/api/admin/players', { names: ['eve'] });
  const [refused] = (await admin.read<AuditBody>('/api/admin/audit?limit=1')).records;
  t.match(refused, { key: null, body: null, status: 401, code: 'unauthenticated', operation: 'createPlayers' });
});

t.test('pages of the trail follow each other, and a cursor that is gone ends them', async (t) => {
  const { admin } = await withDesk(t);
  for (let index = 0; index < 5; index += 1) await admin.command('/api/admin/announce', { text: `number ${index}` });
  const seen: string[] = [];
  let path: string | null = '/api/admin/audit?limit=2';
  while (path !== null) {
    const page: AuditBody = await admin.read<AuditBody>(path);
    seen.push(...page.records.map(({ body }) => body ?? ''));
    path = page.nextCursor === null ? null : `/api/admin/audit?limit=2&cursor=${page.nextCursor}`;
  }
  t.same(
    seen,
    [4, 3, 2, 1, 0].map((index) => `{"text":"number ${index}"}`),
  );
  t.same(await admin.read('/api/admin/audit?cursor=gone'), { records: [], nextCursor: null });
});

t.test('whoever guesses keys cannot fill the trail', async (t) => {
  const { client, admin, records, told } = await withDesk(t);
  const guess = client.as('a guess');
  const guesses = AUDITED_REFUSALS_BURST + 20;
  for (let index = 0; index < guesses; index += 1)
    await guess.request('POST', '/api/admin/players', { body: { names: ['x'] } });
  t.equal((await records.lines('refusals')).length, AUDITED_REFUSALS_BURST);
  t.equal(told.length, AUDITED_REFUSALS_BURST);
  await admin.command('/api/admin/announce', { text: 'one' });
  t.equal((await records.lines('actions')).length, 1, 'actions are recorded all the same');
});

t.test(
  'an action is recorded although its client does not wait for the reply, and a trail that fails stops nothing',
  async (t) => {
    const failures: unknown[] = [];
    const records = new MemoryOperatorRecords();
    records.append = async () => {
      throw new Error('no room');
    };
    const desk = deskOf(records, { onFailure: (error) => failures.push(error) });
    const { admin } = await begin(t, { server: { desk } });
    await admin.command('/api/admin/announce', { text: 'one' });
    await until(() => failures.length === 1);
    t.match(failures, [{ message: 'no room' }]);
  },
);
