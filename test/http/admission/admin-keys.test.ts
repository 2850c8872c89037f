// Keys of operators: those of kind read see everything and change nothing, and a list of keys is replaced while requests are served.
import t from 'tap';
import { type AdminKey, AdminKeys, newApiKey, OPTION_KEY_NAME } from '../../../http/admission/identity.js';
import { isWrite } from '../../../http/exchange/exchange.js';
import { ROUTES } from '../../../http/routes/table.js';
import { ADMIN_KEY, begin } from '../support/serving.js';
import { beginTurnWorld } from '../support/turn-play.js';
import { NEED_KEYS, NEED_REAL_CLOCK, STANDING_MACHINE, WRITE_REQUESTS } from '../support/write-requests.js';

const { key: readKey, hash } = newApiKey();
const reader: AdminKey = { name: 'grafana', kind: 'read', hash };

t.test('a key of kind read is refused by every command of the operator, and nothing changes', async (t) => {
  const commands = ROUTES.filter(({ access, method }) => access === 'admin' && isWrite(method));
  t.ok(commands.length > 10);
  for (const { operationId, tag } of commands.filter(({ tag }) => tag !== 'replay')) {
    const options = {
      auth: NEED_KEYS.has(operationId) ? 'key' : 'none',
      ...(NEED_REAL_CLOCK.has(operationId) ? STANDING_MACHINE : {}),
      server: { adminKey: new AdminKeys(ADMIN_KEY, [reader]) },
    } as const;
    const serving = await (tag === 'turns' ? beginTurnWorld(t, options) : begin(t, options));
    const { method = 'POST', path, body = {} } = (await WRITE_REQUESTS[operationId]?.(serving)) ?? { path: '' };
    const before = await serving.play.hash();
    const refused = await serving.client.as(readKey).request(method, path, { body });
    t.match(refused, { status: 403, body: { code: 'admin_key_is_read_only' } }, operationId);
    t.same(await serving.play.hash(), before);
    await serving.close();
  }
});

t.test('it reads what the operator reads', async (t) => {
  const { client, play } = await begin(t, { auth: 'key', server: { adminKey: new AdminKeys(ADMIN_KEY, [reader]) } });
  const { id } = await play.newcomer('ada');
  for (const path of ['/api/admin/players', '/api/admin/state-hash', `/api/game/state/${id}`, '/api/event/world']) {
    t.equal((await client.as(readKey).request('GET', path)).status, 200, path);
    t.equal((await client.as(`${readKey}x`).request('GET', path)).status, 401, path);
  }
});

t.test('it takes no planets without a fleet, either', async (t) => {
  const server = { adminKey: new AdminKeys(ADMIN_KEY, [reader]), development: 'on' } as const;
  const { client, play } = await begin(t, { auth: 'key', server });
  const { id, planets } = await play.newcomer('ada');
  const free = await play.neighbour(planets[0]?.id ?? '');
  const body = { playerId: id };
  const taken = await client.as(readKey).request('POST', `/api/game/planet/${free}/colonize`, { body });
  t.match(taken, { status: 403, body: { code: 'admin_key_is_read_only' } });
});

t.test('keys are replaced at once, and the one of the option stays', async (t) => {
  const keys = new AdminKeys(ADMIN_KEY);
  const { client, admin } = await begin(t, { server: { adminKey: keys } });
  const statusWith = async (key: string) => (await client.as(key).request('GET', '/api/admin/players')).status;
  t.equal(await statusWith(readKey), 401);
  keys.replace([reader]);
  t.equal(await statusWith(readKey), 200);
  t.same(keys.listed, [reader]);
  keys.replace([]);
  t.equal(await statusWith(readKey), 401);
  t.equal((await admin.request('GET', '/api/admin/players')).status, 200);
});

t.test('a list of no keys opens the paths to nobody', async (t) => {
  const { client } = await begin(t, { server: { adminKey: new AdminKeys(null) } });
  t.equal((await client.request('GET', '/api/admin/players')).status, 401);
  t.equal((await client.as(OPTION_KEY_NAME).request('GET', '/api/admin/players')).status, 401);
});
