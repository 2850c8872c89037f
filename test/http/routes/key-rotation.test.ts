// With --auth key: players and the operator rotate and revoke API keys. A client that loses a reply is not locked out; an old,
// expired or revoked key opens nothing; all of it survives restarts and snapshots.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { OLD_KEY_VALID_SECONDS } from '../../../http/limits.js';
import type { PlayerKeyBody } from '../../../http/schemas/player.js';
import { storeAt } from '../../../persistence/store-url.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { type GameClient, statusesOf, withKey } from '../support/game-client.js';
import { ADMIN_KEY, begin, type Serving } from '../support/serving.js';

interface Member {
  readonly id: string;
  readonly apiKey: string;
}

function member({ client }: Serving, name = 'ada'): Promise<Member> {
  return client.command<Member>('/api/game/player', { name, isBot: true }, 201);
}

const rotate = (client: GameClient, id: string, body: object = {}) =>
  client.command<PlayerKeyBody>(`/api/game/player/${id}/key`, body, 201);

/** The status of a read with a key, and the detail if it is refused. */
async function look(serving: Serving, { id }: Member, key: string): Promise<readonly [number, string | undefined]> {
  const { status, body } = await serving.client.as(key).request('GET', `/api/game/state/${id}`);
  return [status, (body as { detail?: string }).detail];
}

const EXPIRED = [
  401,
  'The key has expired, or was replaced. Send the key that replaced it, or ask the operator for a new one.',
] as const;
const UNKNOWN = [
  401,
  'A valid key is required. Send the header Authorization: Bearer KEY; the reply to POST /api/game/player that creates a player has its key.',
] as const;
const OPEN = [200, undefined] as const;

t.test('a rotated key is valid at once, and the old one for a while', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const ada = await member(serving);
  const { apiKey: second, ...rest } = await rotate(serving.client.as(ada.apiKey), ada.id);
  t.same(rest, { playerId: ada.id, expiresAt: null });
  t.match(second, /^gxd_[\w-]{43}$/);
  t.same(await look(serving, ada, second), OPEN);
  await serving.play.advance(OLD_KEY_VALID_SECONDS - 1);
  t.same(await look(serving, ada, ada.apiKey), OPEN);
  await serving.play.advance(1);
  t.same(await look(serving, ada, ada.apiKey), EXPIRED);
  const { apiKey: third } = await rotate(serving.client.as(second), ada.id, { oldKeyValidSeconds: 0 });
  t.same(await look(serving, ada, ada.apiKey), UNKNOWN, 'of the keys before, only the last one is known');
  t.same(await look(serving, ada, second), UNKNOWN);
  t.same(await look(serving, ada, third), OPEN);
});

t.test(
  'a client whose reply was lost gets the same new key with the old one, by the same Idempotency-Key',
  async (t) => {
    const serving = await begin(t, { auth: 'key' });
    const ada = await member(serving);
    const client = serving.client.as(ada.apiKey);
    const path = `/api/game/player/${ada.id}/key`;
    const first = await client.request('POST', path, withKey('one', {}));
    const again = await client.request('POST', path, withKey('one', {}));
    t.same([again.status, again.text], [201, first.text]);
    t.equal(again.headers['idempotency-replayed'], 'true');
    const other = await client.request('POST', path, withKey('two', {}));
    t.match([other.status, other.body], [403, { code: 'forbidden' }], 'an old key makes no other new key');
    t.match(await client.refusal('POST', `${path}/revoke`), { code: 'forbidden' }, 'and revokes none');
    const { apiKey } = first.body as PlayerKeyBody;
    t.equal((await serving.client.as(apiKey).request('POST', path, withKey('two', {}))).status, 201);
  },
);

t.test('a key expires in world time, and only the operator can give its player another', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const ada = await member(serving);
  const { apiKey, expiresAt } = await rotate(serving.client.as(ada.apiKey), ada.id, {
    expiresInSeconds: 60,
    oldKeyValidSeconds: 3_600,
  });
  t.equal(expiresAt, '2000-01-01T00:01:00.000Z');
  t.same(await look(serving, ada, apiKey), OPEN);
  await serving.play.advance(60);
  const reply = await serving.client.as(apiKey).request('GET', `/api/game/state/${ada.id}`);
  t.equal(reply.headers['www-authenticate'], 'Bearer');
  t.same(await look(serving, ada, apiKey), EXPIRED);
  const given = await serving.admin.command<PlayerKeyBody>(`/api/admin/player/${ada.id}/key`, {}, 201);
  t.same(await look(serving, ada, given.apiKey), OPEN);
  t.same(await look(serving, ada, apiKey), UNKNOWN, 'an expired key does not become valid again');
  t.same(await look(serving, ada, ada.apiKey), UNKNOWN);
});

t.test('revocation makes all keys invalid, by the player or by the operator', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  for (const by of ['player', 'operator'] as const) {
    const name = `revoked-by-${by}`;
    const player = await member(serving, name);
    const { apiKey } = await rotate(serving.client.as(player.apiKey), player.id);
    const revoked =
      by === 'player'
        ? serving.client.as(apiKey).command(`/api/game/player/${player.id}/key/revoke`)
        : serving.admin.command(`/api/admin/player/${player.id}/key/revoke`);
    t.same(await revoked, { success: true });
    for (const key of [apiKey, player.apiKey]) t.same(await look(serving, player, key), UNKNOWN);
    const existing = { body: { name, isBot: true } };
    t.equal((await serving.client.as(apiKey).request('POST', '/api/game/player', existing)).status, 401);
    const body = { oldKeyValidSeconds: 60 };
    const given = await serving.admin.command<PlayerKeyBody>(`/api/admin/player/${player.id}/key`, body, 201);
    t.same(await look(serving, player, given.apiKey), OPEN);
    t.same(await look(serving, player, apiKey), UNKNOWN);
  }
});

t.test('only its own player and the operator change a key', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const [ada, bob] = [await member(serving, 'ada'), await member(serving, 'bob')];
  for (const path of [`/api/game/player/${ada.id}/key`, `/api/game/player/${ada.id}/key/revoke`]) {
    t.match(await serving.client.as(bob.apiKey).refusal('POST', path), { code: 'not_owner' });
    t.match(await serving.client.refusal('POST', path), { code: 'unauthenticated' });
    t.match(await serving.admin.refusal('POST', path), { code: 'unauthenticated' }, 'the operator has its own path');
  }
  for (const path of [`/api/admin/player/${ada.id}/key`, `/api/admin/player/${ada.id}/key/revoke`]) {
    t.match(await serving.client.as(ada.apiKey).refusal('POST', path), { code: 'unauthenticated' });
  }
  t.match(await serving.client.as(bob.apiKey).refusal('POST', '/api/game/player/player-99/key'), {
    code: 'player_not_found',
  });
  t.match(await serving.admin.refusal('POST', '/api/admin/player/player-99/key'), { code: 'player_not_found' });
  t.same(await look(serving, ada, ada.apiKey), OPEN);
});

t.test('in a batch a key that is replaced ends what follows it', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const ada = await member(serving);
  const read = { method: 'GET', path: `/api/game/state/${ada.id}` };
  const change = (body: object) => ({ method: 'POST', path: `/api/game/player/${ada.id}/key`, body });
  const operations = [read, change({}), read, change({ oldKeyValidSeconds: 0 })];
  const { results } = await serving.client
    .as(ada.apiKey)
    .command<{ results: { status: number; body: PlayerKeyBody }[] }>('/api/batch', { operations });
  t.same(statusesOf(results), [200, 201, 200, 403]);
  const { apiKey = '' } = results[1]?.body ?? {};
  const ending = { operations: [read, change({ oldKeyValidSeconds: 0 }), read] };
  const lost = await serving.client.as(apiKey).request('POST', '/api/batch', withKey('one', ending));
  t.same(statusesOf((lost.body as { results: { status: number }[] }).results), [200, 201, 401]);
});

t.test('a batch that ends its own key keeps its reply for its player, not for everybody', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const ada = await member(serving);
  const rotation = { method: 'POST', path: `/api/game/player/${ada.id}/key`, body: { oldKeyValidSeconds: 0 } };
  const batch = withKey('1', { operations: [rotation] });
  const first = await serving.client.as(ada.apiKey).request('POST', '/api/batch', batch);
  const { results } = first.body as { results: { body: PlayerKeyBody }[] };
  const { apiKey = '' } = results[0]?.body ?? {};
  t.match(apiKey, /^gxd_/);
  for (const client of [serving.client, serving.client.as(ada.apiKey)]) {
    const { text, headers } = await client.request('POST', '/api/batch', batch);
    t.notOk('idempotency-replayed' in headers);
    t.notOk(text.includes(apiKey));
    t.match(text, '"status":401');
  }
  const again = await serving.client.as(apiKey).request('POST', '/api/batch', batch);
  t.same([again.text, again.headers['idempotency-replayed']], [first.text, 'true']);
});

t.test('without keys there is none to change', async (t) => {
  const { client, admin, play } = await begin(t);
  const { id } = await play.newcomer('ada');
  t.match(await client.refusal('POST', `/api/game/player/${id}/key`), { code: 'forbidden', detail: /--auth none/ });
  t.match(await client.refusal('POST', `/api/game/player/${id}/key/revoke`), { code: 'forbidden' });
  t.match(await admin.refusal('POST', `/api/admin/player/${id}/key`), { code: 'forbidden' });
  t.match(await admin.refusal('POST', `/api/admin/player/${id}/key/revoke`), { code: 'forbidden' });
});

t.test('keys are what they were after a restart from the log, and from a snapshot', async (t) => {
  const dataFolder = await temporaryFolder(t);
  let serving = await begin(t, { auth: 'key', store: storeAt(dataFolder) });
  const ada = await member(serving);
  const bob = await member(serving, 'bob');
  const { apiKey } = await rotate(serving.client.as(ada.apiKey), ada.id, { expiresInSeconds: 600 });
  await serving.client.as(bob.apiKey).command(`/api/game/player/${bob.id}/key/revoke`);
  const known = async () => [
    await look(serving, ada, ada.apiKey),
    await look(serving, ada, apiKey),
    await look(serving, bob, bob.apiKey),
  ];
  for (const isSnapshotTaken of [false, true]) {
    if (isSnapshotTaken) await serving.admin.command('/api/admin/snapshot', {}, 201);
    const hash = await serving.play.hash();
    await serving.close();
    serving = await begin(t, { auth: 'key', store: storeAt(dataFolder) });
    t.same(await serving.play.hash(), hash);
    t.same(await known(), [OPEN, OPEN, UNKNOWN]);
  }
  await serving.play.advance(300);
  t.same(await known(), [EXPIRED, OPEN, UNKNOWN]);
  await serving.play.advance(300);
  t.same(await known(), [EXPIRED, EXPIRED, UNKNOWN]);
});

t.test('neither the log nor a snapshot holds a key, only hashes', async (t) => {
  const dataFolder = await temporaryFolder(t);
  const serving = await begin(t, { auth: 'key', store: storeAt(dataFolder) });
  const ada = await member(serving);
  const { apiKey } = await rotate(serving.client.as(ada.apiKey), ada.id, { expiresInSeconds: 600 });
  const { keyHash, oldKeyHash } = serving.world.engine.world.players.get(1) ?? {};
  t.not(keyHash, oldKeyHash);
  await serving.admin.command('/api/admin/snapshot', {}, 201);
  await serving.close();
  const bytes = await bytesIn(dataFolder);
  // The hashes are found, so a key would be found, too.
  for (const hash of [keyHash, oldKeyHash]) t.ok(bytes.includes(hash ?? 'no hash'));
  for (const key of [apiKey, ada.apiKey, ADMIN_KEY]) t.notOk(bytes.includes(key));
});

/** The contents of all files in a folder. */
async function bytesIn(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
}

t.test('with registration closed only the operator creates players', async (t) => {
  const { client, play } = await begin(t, { server: { registration: 'closed' } });
  t.match(await client.refusal('POST', '/api/game/player', { name: 'ada' }), {
    code: 'registration_closed',
    status: 403,
  });
  await play.bots(1, 'bot');
  await client.command('/api/game/player', { name: 'bot-1', isBot: true }, 200);
  t.match(await client.read('/api/status'), { registration: 'closed', players: 1 });
});

t.test('the paths for development exist only with development on', async (t) => {
  const cases = [
    { auth: 'none', development: undefined, shown: 'on', status: 404, code: 'player_not_found' },
    { auth: 'none', development: 'off', shown: 'off', status: 404, code: 'route_not_found' },
    { auth: 'key', development: undefined, shown: 'off', status: 404, code: 'route_not_found' },
    { auth: 'key', development: 'on', shown: 'on', status: 401, code: 'unauthenticated' },
  ] as const;
  for (const { auth, development, shown, status, code } of cases) {
    const { client } = await begin(t, { auth, server: development === undefined ? {} : { development } });
    t.match(await client.read('/api/status'), { development: shown });
    const path = '/api/game/planet/planet-1-0-26/colonize';
    const body = { playerId: 'player-1' };
    t.match(await client.send('POST', path, { body }), { status, body: { code } }, `${auth} ${development}`);
    const { results } = await client.command<{ results: object[] }>('/api/batch', {
      operations: [{ method: 'POST', path, body }],
    });
    t.match(results, [{ status, body: { code } }], 'in a batch too');
  }
});
