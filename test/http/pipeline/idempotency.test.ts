// A POST or PUT with an Idempotency-Key takes effect once, however often it is sent: which reply comes back, to whom, for how
// long, and which requests do not count as the same.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { decodeCommand } from '../../../engine/commands/table.js';
import {
  KEPT_REPLIES_PER_PLAYER_MAX,
  KEPT_REPLY_BYTES_PER_PLAYER_MAX,
  SYSTEMS_PER_GALAXY_MAX,
} from '../../../engine/rules/limits.js';
import { BULK_NAME_PREFIX_LENGTH_MAX, BULK_PLAYERS_MAX } from '../../../engine/rules/record-limits.js';
import { canKeep } from '../../../engine/world/kept-replies.js';
import { isWrite } from '../../../http/exchange/exchange.js';
import { PROBLEMS } from '../../../http/exchange/problems.js';
import { BATCH_OPERATIONS_MAX, IDEMPOTENCY_KEY_LENGTH_MAX } from '../../../http/limits.js';
import { ROUTES } from '../../../http/routes/table.js';
import { decodeRecord, entriesOf } from '../../../persistence/log/batch-record.js';
import { storeAt } from '../../../persistence/store-url.js';
import { restoreWorld } from '../../../persistence/upkeep/restore.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { type GameClient, type Reply, withKey } from '../support/game-client.js';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';
import {
  KEPT_BY_NO_WORLD,
  NEED_KEYS,
  NEED_REAL_CLOCK,
  STANDING_MACHINE,
  WRITE_REQUESTS,
} from '../support/write-requests.js';

const isReplay = ({ headers }: Reply): boolean => headers['idempotency-replayed'] === 'true';

const upgrade = (client: GameClient, key: string, planetId: string, buildingType = 'iron_mine'): Promise<Reply> =>
  client.request('POST', '/api/building/upgrade', withKey(key, { planetId, buildingType }));

const createBot = (client: GameClient, key: string, name: string): Promise<Reply> =>
  client.request('POST', '/api/game/player', withKey(key, { name, isBot: true }));

t.test('every write of the route table has a request to try it with', async (t) => {
  const writes = ROUTES.filter(({ method }) => isWrite(method)).map(({ operationId }) => operationId);
  t.same(writes.sort(), Object.keys(WRITE_REQUESTS).sort());
});

for (const [operationId, prepare] of Object.entries(WRITE_REQUESTS).filter(([name]) => !KEPT_BY_NO_WORLD.has(name))) {
  t.test(`${operationId} with a key takes effect once, and after a restart too`, async (t) => {
    const dataFolder = await temporaryFolder(t);
    const auth = NEED_KEYS.has(operationId) ? 'key' : 'none';
    const clock = NEED_REAL_CLOCK.has(operationId) ? STANDING_MACHINE : {};
    const first = await begin(t, { store: storeAt(dataFolder), auth, ...clock });
    const request = await prepare(first);
    const { path, body, apiKey = '', isOperators = false, isRead = false, endsKey = false } = request;
    const key = randomUUID();
    const send = ({ client, admin }: Pick<typeof first, 'client' | 'admin'>): Promise<Reply> =>
      (isOperators ? admin : client.as(apiKey)).request(request.method ?? 'POST', path, withKey(key, body));
    const answer = await send(first);
    t.ok(answer.status < 300);
    t.notOk(isReplay(answer));
    const before = await first.play.hash();
    if (endsKey) {
      t.equal((await send(first)).status, 401, 'a repetition shows that it took effect');
      return;
    }
    const again = await send(first);
    t.same([again.status, again.text], [answer.status, answer.text], 'the same answer, byte for byte');
    t.equal(isReplay(again), !isRead);
    t.same(await first.play.hash(), before, 'and nothing has changed');
    await first.close();
    const second = await begin(t, { store: storeAt(dataFolder), auth });
    const later = await send(second);
    t.same([later.status, later.text], [answer.status, answer.text]);
    t.equal(isReplay(later), !isRead);
    t.same(await second.play.hash(), before);
  });
}

t.test('a kept reply is recovered from a snapshot, and in a world that was restored from it', async (t) => {
  const dataFolder = await temporaryFolder(t);
  const first = await begin(t, { store: storeAt(dataFolder) });
  const { planetId } = await first.play.rich('doer');
  const answer = await upgrade(first.client, 'one', planetId);
  await first.admin.command('/api/admin/snapshot', {}, 201);
  const { seq } = await first.play.hash();
  await first.play.newcomer('later');
  await first.close();
  const to = join(await temporaryFolder(t), 'restored');
  await restoreWorld({ kind: 'restore', source: { store: storeAt(dataFolder), snapshot: seq }, to: storeAt(to) });
  for (const folder of [dataFolder, to]) {
    const { client } = await begin(t, { store: storeAt(folder) });
    const again = await upgrade(client, 'one', planetId);
    t.ok(isReplay(again));
    t.equal(again.text, answer.text);
  }
});

t.test('a command and its kept reply are in one record of the log', async (t) => {
  const { client, play, log } = await beginHeld(t);
  const { planetId } = await play.rich('doer');
  const { seq } = await play.hash();
  await upgrade(client, 'one', planetId);
  const newest = await log.last();
  if (newest === undefined) throw new Error('the log is empty');
  const previousHash = Buffer.from(newest.bytes).subarray(28, 44);
  const record = decodeRecord(newest.bytes, { firstSeq: seq + 1, previousHash });
  if (typeof record === 'string') throw new Error(record);
  const types: string[] = [];
  for (const [, row] of entriesOf(record)) types.push(decodeCommand(row).type);
  t.same(types, ['upgrade_building', 'keep_reply']);
});

t.test('commands with keys that arrive together are written together', async (t) => {
  const { client, play, log, world } = await beginHeld(t);
  await play.newcomer('doer');
  const { seq } = await play.hash();
  log.hold();
  const first = createBot(client, 'first', 'first');
  await until(() => log.isWaiting);
  const others = ['a', 'b', 'c'].map((name) => createBot(client, name, name));
  await until(() => world.sequencer.lastSeq === seq + 8);
  log.release();
  for (const reply of await Promise.all([first, ...others])) t.equal(reply.status, 201);
  t.equal((await log.last())?.firstSeq, seq + 3, 'one record for the three that waited');
});

t.test('another request with a used key is refused, and changes nothing', async (t) => {
  const { client, play } = await begin(t);
  const { playerId, planetId } = await play.rich('doer');
  await upgrade(client, 'one', planetId);
  const before = await play.hash();
  t.match((await upgrade(client, 'one', planetId, 'silver_mine')).body, { code: 'idempotency_key_reused' }, 'body');
  const spaced = `{"planetId": "${planetId}", "buildingType": "iron_mine"}`;
  const respaced = await client.request('POST', '/api/building/upgrade', withKey('one', spaced));
  t.match(respaced.body, { code: 'idempotency_key_reused' }, 'bytes of the body');
  const sameBody = { planetId, buildingType: 'iron_mine' };
  const construct = await client.request('POST', '/api/building/construct', withKey('one', sameBody));
  t.match(construct.body, { code: 'idempotency_key_reused' }, 'path');
  const starter = await client.request('POST', `/api/game/planet/starter/${playerId}`, withKey('one'));
  t.match(starter.body, { code: 'idempotency_key_reused' }, 'a path without a body');
  const read = { originPlanetId: planetId, targetPlanetId: planetId, ships: [{ type: 'scout', count: 1 }] };
  const simulation = await client.request('POST', '/api/fleet/simulate', withKey('one', read));
  t.match(simulation.body, { code: 'idempotency_key_reused' }, 'a read');
  t.same(await play.hash(), before);
});

t.test('a parameter of the path is part of the request, however it is encoded', async (t) => {
  const { client, play } = await begin(t);
  const { id } = await play.newcomer('settler');
  const first = await client.request('POST', `/api/game/planet/starter/${id}`, withKey('one'));
  t.equal(first.status, 201);
  const encoded = await client.send('POST', `/api/game/planet/starter/${id.replace('-', '%2D')}`, withKey('one'));
  t.equal(encoded.text, first.text);
  const { planetId } = await play.rich('builder');
  const free = await play.neighbour(planetId);
  const colonize = (planet: string) =>
    client.request('POST', `/api/game/planet/${planet}/colonize`, withKey('two', { playerId: id }));
  t.equal((await colonize(free)).status, 201);
  t.match((await colonize(planetId)).body, { code: 'idempotency_key_reused' });
});

t.test('a refusal leaves the key free: the same request runs again, and another one can use the key', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('doer');
  await play.upgrade(planetId, 'zentrale');
  const before = await play.hash();
  t.match((await upgrade(client, 'one', planetId)).body, { code: 'upgrade_in_progress' });
  t.same(await play.hash(), before, 'a refusal keeps nothing');
  await play.toNextTimer();
  const accepted = await upgrade(client, 'one', planetId);
  t.equal(accepted.status, 200);
  t.notOk(isReplay(accepted));
  t.ok(isReplay(await upgrade(client, 'one', planetId)));
});

t.test('an existing player is rendered afresh, and no reply is kept', async (t) => {
  const { client, play } = await begin(t);
  await play.newcomer('ada');
  const before = await play.hash();
  for (let time = 1; time <= 2; time += 1) {
    const reply = await createBot(client, 'one', 'ada');
    t.equal(reply.status, 200);
    t.notOk(isReplay(reply));
  }
  t.same(await play.hash(), before);
});

t.test('keys are each player’s own', async (t) => {
  const { client, play } = await begin(t);
  const [ada, bob] = [await play.rich('ada'), await play.rich('bob')];
  const [first, second] = [await upgrade(client, 'one', ada.planetId), await upgrade(client, 'one', bob.planetId)];
  t.same([first.status, second.status], [200, 200]);
  t.notOk(isReplay(second));
  t.equal((await upgrade(client, 'one', ada.planetId)).text, first.text);
  t.equal((await upgrade(client, 'one', bob.planetId)).text, second.text);
  t.equal((await createBot(client, 'one', 'cleo')).status, 201);
  t.equal((await createBot(client, 'one', 'dora')).status, 201);
});

t.test('a request for a player or a thing that does not exist is refused as without a key', async (t) => {
  const { client, admin, play } = await begin(t);
  await play.grant((await play.rich('ada')).planetId);
  await admin.request('POST', '/api/admin/players', withKey('one', { count: 1, namePrefix: 'bot' }));
  t.match((await upgrade(client, 'one', 'planet-1-0-99')).body, { code: 'planet_not_found' });
  t.match((await upgrade(client, 'one', 'nonsense')).body, { code: 'planet_not_found' });
  const starter = await client.request('POST', '/api/game/planet/starter/player-99', withKey('one'));
  t.match(starter.body, { code: 'player_not_found' });
  const research = { playerId: 'nobody', researchType: 'drive_ion' };
  const refused = await client.request('POST', '/api/research/start', withKey('one', research));
  t.match(refused.body, { code: 'player_not_found' });
});

t.test('a flood of one player does not push out the kept replies of another', async (t) => {
  const { client, play } = await begin(t);
  const [quiet, loud] = [await play.rich('quiet'), await play.rich('loud')];
  const kept = await upgrade(client, 'one', quiet.planetId);
  for (let round = 0; round <= KEPT_REPLIES_PER_PLAYER_MAX; round += 1) {
    const started = await upgrade(client, `start ${round}`.replace(' ', '-'), loud.planetId);
    const { buildings } = started.body as { buildings: { constructionQueue: { queueId: string }[] }[] };
    const [entry] = buildings.flatMap(({ constructionQueue }) => constructionQueue);
    await client.command('/api/building/cancel', { planetId: loud.planetId, queueId: entry?.queueId });
  }
  t.equal((await upgrade(client, 'one', quiet.planetId)).text, kept.text);
  const forgotten = await upgrade(client, 'start-0', loud.planetId);
  t.notOk(isReplay(forgotten), 'its own oldest reply is dropped');
  t.ok(isReplay(await upgrade(client, `start-${KEPT_REPLIES_PER_PLAYER_MAX}`, loud.planetId)));
});

t.test('as long as the first reply is not durable, a repetition gets a retry time', async (t) => {
  const { client, play, log } = await beginHeld(t);
  const { planetId } = await play.rich('doer');
  log.hold();
  const first = upgrade(client, 'one', planetId);
  await until(() => log.isWaiting);
  const early = await upgrade(client, 'one', planetId);
  t.match(early.body, { code: 'idempotency_key_in_flight', retryAfterMs: Number });
  const other = await upgrade(client, 'one', planetId, 'silver_mine');
  t.match(
    other.body,
    { code: 'idempotency_key_in_flight' },
    'nothing shows of what is not durable, not even which request it was',
  );
  log.release();
  const reply = await first;
  t.equal(reply.status, 200);
  t.equal((await upgrade(client, 'one', planetId)).text, reply.text);
});

t.test('a client that lost its connection gets the reply on another one', async (t) => {
  const { port, play, log } = await beginHeld(t);
  const { planetId } = await play.rich('doer');
  const body = JSON.stringify({ planetId, buildingType: 'iron_mine' });
  const bytes = requestBytes('POST', '/api/building/upgrade', ['Idempotency-Key: one'], body);
  log.hold();
  const lost = await RawConnection.open(port);
  lost.send(bytes);
  await until(() => log.isWaiting);
  lost.close();
  await turns();
  log.release();
  await turns();
  const retry = await RawConnection.open(port);
  retry.send(bytes);
  const reply = await retry.reply();
  t.equal(reply.status, 200);
  t.ok(reply.fields.some(([name, value]) => name === 'idempotency-replayed' && value === 'true'));
  retry.close();
});

t.test('under relaxed durability a repetition does not wait for the disk either', async (t) => {
  const { client, play, log } = await beginHeld(t, { durability: 'relaxed' });
  log.hold();
  const { planetId } = await play.rich('doer');
  const first = await upgrade(client, 'one', planetId);
  const again = await upgrade(client, 'one', planetId);
  t.ok(isReplay(again));
  t.equal(again.text, first.text);
});

t.test('a key is 1 to 255 visible ASCII characters, quotes included', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('doer');
  for (const key of ['', 'a b', 'x'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX + 1), 'na\u00efve']) {
    const { status, body } = await upgrade(client, key, planetId);
    t.equal(status, 400, key);
    t.match(body, { code: 'invalid_request', errors: [{ path: 'Idempotency-Key' }] });
  }
  const longest = 'x'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX);
  t.equal((await upgrade(client, longest, planetId)).status, 200);
  t.ok(isReplay(await upgrade(client, longest, planetId)));
  t.match((await upgrade(client, `"${'x'.repeat(9)}"`, planetId)).body, { code: 'upgrade_in_progress' });
});

t.test('a key that occurs twice is refused, and one on a read is ignored', async (t) => {
  const { port, client, play } = await begin(t);
  const { playerId, planetId } = await play.rich('doer');
  const body = JSON.stringify({ planetId, buildingType: 'iron_mine' });
  const twice = await RawConnection.open(port);
  twice.send(requestBytes('POST', '/api/building/upgrade', ['Idempotency-Key: one', 'idempotency-key: one'], body));
  t.equal((await twice.reply()).status, 400);
  twice.close();
  const headers = { 'idempotency-key': 'two words' };
  t.equal((await client.request('GET', `/api/game/state/${playerId}`, { headers })).status, 200);
  t.notOk(isReplay(await upgrade(client, 'one', planetId)));
});

t.test('the key of a request does not apply to the next one on the connection', async (t) => {
  const { port, play } = await begin(t);
  const { planetId } = await play.rich('doer');
  const body = (buildingType: string) => JSON.stringify({ planetId, buildingType });
  const connection = await RawConnection.open(port);
  connection.send(requestBytes('POST', '/api/building/upgrade', ['Idempotency-Key: one'], body('iron_mine')));
  t.equal((await connection.reply()).status, 200);
  connection.send(requestBytes('POST', '/api/building/upgrade', [], body('iron_mine')));
  t.equal((await connection.reply()).status, 409);
  connection.close();
});

t.test('the key of a batch covers all of it', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('doer');
  const build = { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } };
  const create = { method: 'POST', path: '/api/game/player', body: { name: 'bot', isBot: true } };
  const run = (key: string, operations: object[], headers: Readonly<Record<string, string>> = {}) =>
    client.request('POST', '/api/batch', { body: { operations }, headers: { 'idempotency-key': key, ...headers } });
  const first = await run('one', [create, build, build]);
  t.match(first.body, { results: [{ status: 201 }, { status: 200 }, { status: 409 }] });
  const before = await play.hash();
  const again = await run('one', [create, build, build]);
  t.ok(isReplay(again));
  t.equal(again.text, first.text, 'the operation that was refused is refused in the replay too');
  t.notOk('preference-applied' in again.headers);
  t.match((await run('one', [build])).body, { code: 'idempotency_key_reused' });
  t.same(await play.hash(), before);
  const refused = await run('two', [build]);
  t.notOk(isReplay(refused));
  t.notOk(isReplay(await run('two', [build])), 'a batch that changed nothing runs again');
  const minimal = await run('three', [{ ...create, body: { name: 'other', isBot: true } }], {
    prefer: 'return=minimal',
  });
  const minimalAgain = await run('three', [{ ...create, body: { name: 'other', isBot: true } }]);
  t.ok(isReplay(minimalAgain));
  t.equal(minimalAgain.text, minimal.text);
  t.equal(minimalAgain.headers['preference-applied'], 'return=minimal');
});

t.test('a batch whose reply is too long to be kept is replayed in its minimal form', async (t) => {
  const { client, play } = await begin(t, { auth: 'key' });
  const created = await client.command<{ id: string; apiKey: string }>('/api/game/player', { name: 'reader' }, 201);
  const own = client.as(created.apiKey);
  const research = {
    method: 'POST',
    path: '/api/research/start',
    body: { playerId: created.id, researchType: 'drive_ion' },
  };
  const read = { method: 'GET', path: `/api/game/state/${created.id}` };
  const operations = [research, research, ...Array.from({ length: 100 }, () => read)];
  const run = () => own.request('POST', '/api/batch', withKey('one', { operations }));
  const first = await run();
  t.ok(first.text.length > KEPT_REPLY_BYTES_PER_PLAYER_MAX);
  const { seq } = await play.hash();
  const again = await run();
  t.ok(isReplay(again));
  t.equal(again.headers['preference-applied'], 'return=minimal');
  const results = [{ status: 200 }, { status: 409, code: 'research_in_progress' }];
  t.same(again.body, { results: [...results, ...Array.from({ length: 100 }, () => ({ status: 200 }))] });
  t.equal((await play.hash()).seq, seq);
});

t.test('the clock is advanced once, with all that falls due', async (t) => {
  const { admin, play, log } = await beginHeld(t);
  const { id } = await play.newcomer('scholar');
  await play.research(id);
  const { seq } = await play.hash();
  const advance = () => admin.request('POST', '/api/admin/clock/advance', withKey('one', { seconds: 600 }));
  const first = await advance();
  t.match(first.body, { advancedMs: 600_000 });
  t.equal((await log.last())?.firstSeq, seq + 1, 'ticks and the kept reply are one record');
  const again = await advance();
  t.equal(again.text, first.text);
  t.equal(again.headers['x-world-time'], first.headers['x-world-time']);
  t.match(await play.state(id), { research: [{ level: 1 }] });
});

t.test('a request whose reply failed after the change is not executed again', async (t) => {
  const { client, play, world, bugs } = await begin(t);
  const { planetId } = await play.rich('doer');
  const { submit } = world.sequencer;
  world.sequencer.submit = function (this: typeof world.sequencer, command) {
    const outcome = submit.call(this, command);
    if (command.type === 'upgrade_building') throw new Error('broken on purpose');
    return outcome;
  } as typeof submit;
  const first = await upgrade(client, 'one', planetId);
  t.match(first.body, { code: 'internal_error' });
  t.notOk(isReplay(first));
  world.sequencer.submit = submit;
  const before = await play.hash();
  const again = await upgrade(client, 'one', planetId);
  t.match(again.body, { code: 'internal_error' });
  t.ok(isReplay(again));
  t.match((await upgrade(client, 'one', planetId, 'silver_mine')).body, { code: 'idempotency_key_reused' });
  t.same(await play.hash(), before);
  bugs.length = 0;
});

t.test('the longest reply to the operator can be kept', async (t) => {
  const { admin } = await begin(t, { auth: 'key', settings: { systemsPerGalaxy: SYSTEMS_PER_GALAXY_MAX } });
  const bulk = { count: BULK_PLAYERS_MAX, namePrefix: '\u{1f680}'.repeat(BULK_NAME_PREFIX_LENGTH_MAX) };
  const create = () => admin.request('POST', '/api/admin/players', withKey('one', bulk));
  const created = await create();
  t.equal(created.status, 201);
  const again = await create();
  t.ok(isReplay(again));
  t.equal(again.text, created.text);
});

t.test('the minimal form of every batch can be kept', async (t) => {
  const codes = [...PROBLEMS.keys()].sort((a, b) => b.length - a.length);
  const result = { status: 422, code: codes[0] };
  const reply = JSON.stringify({ results: Array.from({ length: BATCH_OPERATIONS_MAX }, () => result) });
  t.ok(canKeep(1, reply), `${reply.length} characters`);
});
