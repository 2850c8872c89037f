// GET /api/admin/traffic over real HTTP and WebSockets: each way to send counts for the player whose key it carries, and for its address.
import t from 'tap';
import type { ClientTrafficBody } from '../../../http/schemas/world.js';
import { StreamReader } from '../support/event-client.js';
import { FrameClient } from '../support/frame-client.js';
import { begin } from '../support/serving.js';
import { turns } from '../support/waiting.js';

t.test('players by name: requests, commands, those of batches, and refusals', async (t) => {
  const { client, admin } = await begin(t, { auth: 'key' });
  const create = (name: string) =>
    client.command<{ id: string; apiKey: string; planets: { id: string }[] }>(
      '/api/game/player',
      { name, isBot: true },
      201,
    );
  const [ada, bob] = [await create('ada'), await create('bob')];
  const planetId = ada.planets[0]?.id ?? '';
  const asAda = client.as(ada.apiKey);
  await asAda.command('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  await asAda.command('/api/batch', {
    operations: [
      { method: 'POST', path: '/api/building/cancel', body: { planetId, queueId: 'queue-1' } },
      { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } },
    ],
  });
  await client.as(bob.apiKey).request('GET', `/api/game/state/${ada.id}`);
  const { clients, total } = await admin.read<ClientTrafficBody>('/api/admin/traffic');
  t.match(clients, [
    { playerId: ada.id, name: 'ada', address: null, requests: 2, commands: 3, refusals: 0 },
    { playerId: bob.id, name: 'bob', requests: 1, commands: 0, refusals: 1 },
  ]);
  t.ok((clients[0]?.bytesIn ?? 0) > 100 && (clients[0]?.bytesOut ?? 0) > 100);
  t.equal(total.requests, 3, 'requests without a key of a player are not among them');

  const bySize = await admin.read<ClientTrafficBody>('/api/admin/traffic?sort=refusals&limit=1&window=hour');
  t.match(bySize, {
    window: 'hour',
    clients: [{ name: 'bob' }],
    others: { requests: 2, commands: 3 },
    total: { requests: 3 },
  });
  t.equal(bySize.clients.length, 1);

  const addresses = await admin.read<ClientTrafficBody>('/api/admin/traffic?by=address');
  t.match(addresses.clients, [{ playerId: null, name: null, address: '127.0.0.1', commands: 5 }]);
  t.equal(addresses.clients[0]?.requests, 7, 'the two of the operator as well');
});

t.test('clients behind a trusted proxy, and those whose requests come too fast', async (t) => {
  const rateLimits = { perSecond: 0.001, burst: 1 };
  const { client, admin } = await begin(t, { server: { trustedProxies: ['127.0.0.1'], rateLimits } });
  const from = (address: string) =>
    client.request('GET', '/api/leaderboard', { headers: { 'x-forwarded-for': address } });
  await from('203.0.113.1');
  await from('203.0.113.1');
  await from('2001:db8:1:2:3::4');
  const { clients } = await admin.read<ClientTrafficBody>('/api/admin/traffic?by=address');
  const byAddress = new Map(clients.map(({ address, ...counts }) => [address, counts]));
  t.match(byAddress.get('203.0.113.1'), { requests: 2, refusals: 1, rateLimited: 1 });
  t.match(byAddress.get('2001:db8:1:2::/64'), { requests: 1, refusals: 0 });
});

t.test('who asks with another key, or for what does not exist, is refused', async (t) => {
  const { client, admin } = await begin(t);
  t.equal((await client.request('GET', '/api/admin/traffic')).status, 401);
  for (const query of ['by=planet', 'window=day', 'sort=name', 'limit=0', 'limit=101']) {
    t.equal((await admin.request('GET', `/api/admin/traffic?${query}`)).status, 400, query);
  }
  t.equal((await client.request('GET', '/api/metrics/history?seconds=3601')).status, 400);
});

t.test('calls and events over a WebSocket count for its player, and it is open until it is closed', async (t) => {
  const { client, admin, port } = await begin(t, { auth: 'key' });
  const body = { name: 'ada', isBot: true };
  const ada = await client.command<{ id: string; apiKey: string; planets: { id: string }[] }>(
    '/api/game/player',
    body,
    201,
  );
  const socket = await FrameClient.open(port);
  await socket.ask({ op: 'hello', id: 1, key: ada.apiKey });
  await socket.ask({ op: 'subscribe', id: 2, playerId: ada.id });
  const ofAda = async () => {
    const { clients } = await admin.read<ClientTrafficBody>('/api/admin/traffic');
    return clients.find(({ playerId }) => playerId === ada.id);
  };
  const before = await ofAda();
  t.match(before, { commands: 0, connections: 1 });
  const upgrade = { planetId: ada.planets[0]?.id, buildingType: 'iron_mine' };
  await socket.ask({ op: 'call', id: 3, method: 'POST', path: '/api/building/upgrade', body: upgrade });
  await socket.ask({ op: 'call', id: 4, method: 'GET', path: '/api/nothing' });
  const after = await ofAda();
  t.match(after, { commands: 1, refusals: 1, connections: 1 });
  t.equal((after?.requests ?? 0) - (before?.requests ?? 0), 2, 'the two calls');
  t.ok((after?.bytesIn ?? 0) - (before?.bytesIn ?? 0) > 100, 'the frames of calls');
  socket.close();
  // A hang is a failure.
  while ((await ofAda())?.connections !== 0) await turns();
});

t.test('a stream of events counts for its player', async (t) => {
  const { client, admin, port } = await begin(t, { auth: 'key' });
  const ada = await client.command<{ id: string; apiKey: string; planets: { id: string }[] }>(
    '/api/game/player',
    { name: 'ada', isBot: true },
    201,
  );
  const path = `/api/event/player/${ada.id}/stream`;
  const stream = await StreamReader.open(port, path, { authorization: `Bearer ${ada.apiKey}` });
  const ofAda = async () => (await admin.read<ClientTrafficBody>('/api/admin/traffic')).clients[0];
  const upgrade = { planetId: ada.planets[0]?.id, buildingType: 'iron_mine' };
  await client.as(ada.apiKey).command('/api/building/upgrade', upgrade);
  const { bytesOut = 0 } = (await ofAda()) ?? {};
  await admin.command('/api/admin/clock/advance', { nextTimer: true });
  while (((await ofAda())?.bytesOut ?? 0) === bytesOut) await turns();
  t.match(await ofAda(), { name: 'ada', requests: 2, connections: 1 });
  stream.close();
  while ((await ofAda())?.connections !== 0) await turns();
});
