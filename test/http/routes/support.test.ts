// Fleets that support another player, in replies and in briefs.
import t from 'tap';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import { begin } from '../support/serving.js';
import { supportedPlanet } from '../support/write-requests.js';

t.test('the host sees who defends its planet until it sends them home', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const { host, fleet } = await supportedPlanet(serving);
  const path = `/api/game/planet/${host.planetId}`;
  const ships = [{ type: 'scout', count: 1 }];
  const { supporters } = await client.read<PlanetBody>(path);
  t.match(supporters, [{ fleetId: fleet.id, playerId: fleet.playerId, ships }]);
  t.match(await play.brief(host.playerId), `Defended also by ${fleet.id} of ${fleet.playerId}`);
  t.match(await play.brief(fleet.playerId), `- ${fleet.id} support: stationed at ${host.planetId}; scout 1`);
  t.match(await play.state(fleet.playerId), { fleets: [{ state: 'stationed', returnsAt: null }] });
  t.match(await client.read<object>('/api/map/fleets'), { total: 0, legs: [] }, 'it is not in flight');
  const { headers } = await client.request('GET', path);
  await client.command(`/api/fleet/${fleet.id}/dismiss`, { playerId: host.playerId });
  const again = await client.request('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
  t.equal(again.status, 200, 'it has changed');
  t.equal((await client.read<PlanetBody>(path)).supporters, undefined);
  t.notMatch(await play.brief(host.playerId), 'Defended also');
  t.match(await play.brief(fleet.playerId), `- ${fleet.id} support: returns to ${fleet.originPlanetId}`);
});

t.test('nobody but the host sends a fleet home that stays at its planet', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const { host, fleet } = await supportedPlanet(serving);
  const path = `/api/fleet/${fleet.id}/dismiss`;
  t.match(await client.refusal('POST', path, { playerId: fleet.playerId }), { code: 'not_owner' });
  const { id: playerId } = await play.newcomer('third');
  const none = await client.refusal('POST', '/api/fleet/fleet-999999/dismiss', { playerId });
  t.equal(none.code, 'fleet_not_found');
  t.same(
    { ...(await client.refusal('POST', path, { playerId })), requestId: none.requestId },
    none,
    'for others it is none',
  );
  await client.command(path, { playerId: host.playerId });
  t.match(await client.refusal('POST', path, { playerId: host.playerId }), { code: 'fleet_not_stationed' });
});
