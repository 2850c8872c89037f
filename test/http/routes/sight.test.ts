// What a planet sees of the flights of others, in replies and in a brief.
import t from 'tap';
import { SEEN_FLEETS_PER_REPLY_MAX } from '../../../http/limits.js';
import type { SeenFleetsBody } from '../../../http/schemas/player.js';
import { SIGHTED } from '../../support/sighted-rules.js';
import { sightedPlanet } from '../support/get-requests.js';
import { begin } from '../support/serving.js';

t.test('a planet shows who flies where and when, and neither the ships nor what they are for', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const { playerId, planetId, fleet } = await sightedPlanet(serving);
  const path = `/api/fleet/seen/${planetId}`;
  const { id, originPlanetId, targetPlanetId, arrivesAt, returnsAt, recalledAt } = fleet;
  const shown = { id, playerId: fleet.playerId, originPlanetId, targetPlanetId, arrivesAt, returnsAt, recalledAt };
  const { distancePerLevel } = SIGHTED.sight;
  const seen = (state: string) => ({
    planetId,
    reach: distancePerLevel,
    fleets: [{ ...shown, state }],
    nextCursor: null,
  });
  t.same(await client.read(path), seen('outbound'));
  const line = `- ${id} of ${fleet.playerId}`;
  const returns = `returns to ${originPlanetId} at ${returnsAt}`;
  t.match(await play.brief(playerId), `${line} reaches ${targetPlanetId} at ${arrivesAt}, ${returns}`);
  await play.advanceTo(arrivesAt);
  t.same(await client.read(path), seen('returning'));
  t.match(await play.brief(playerId), `${line} ${returns}`);
  const { headers } = await client.request('GET', path);
  const again = await client.request('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
  t.equal(again.status, 304);
  await play.advanceTo(String(returnsAt));
  t.same(await client.read(path), { ...seen(''), fleets: [] });
  t.notMatch(await play.brief(playerId), 'that your planets see');
});

t.test('more fleets than fit come in pages, each fleet once', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const { planetId, fleet } = await sightedPlanet(serving);
  const { playerId, originPlanetId, targetPlanetId } = fleet;
  await play.ships(originPlanetId, 'scout', SEEN_FLEETS_PER_REPLY_MAX);
  const launch = { playerId, originPlanetId, targetPlanetId, mission: 'transport' };
  for (let count = 0; count < SEEN_FLEETS_PER_REPLY_MAX; count += 1)
    await play.launch({ ...launch, ships: [{ type: 'scout', count: 1 }] });
  const first = await client.read<SeenFleetsBody>(`/api/fleet/seen/${planetId}`);
  t.equal(first.fleets.length, SEEN_FLEETS_PER_REPLY_MAX);
  const second = await client.read<SeenFleetsBody>(`/api/fleet/seen/${planetId}?cursor=${first.nextCursor}`);
  t.match(second, { fleets: { length: 1 }, nextCursor: null });
  const ids = [...first.fleets, ...second.fleets].map(({ id }) => id);
  t.equal(new Set(ids).size, SEEN_FLEETS_PER_REPLY_MAX + 1);
  t.match(await client.request('GET', `/api/fleet/seen/${planetId}?cursor=x`), { status: 400 });
});

t.test('only its owner sees what a planet sees, and nobody if the rules have no sight', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  const created = (name: string) =>
    client.command<{ apiKey: string; planets: { id: string }[] }>('/api/game/player', { name, isBot: true }, 201);
  const [ada, bob] = [await created('ada'), await created('bob')];
  const path = `/api/fleet/seen/${ada.planets[0]?.id}`;
  t.match(await client.as(bob.apiKey).request('GET', path), { status: 403, body: { code: 'not_owner' } });
  t.match(await client.as(ada.apiKey).request('GET', path), { status: 409, body: { code: 'sight_not_in_rules' } });
});

t.test("nobody's planet sees nothing", async (t) => {
  const { client, play, admin } = await begin(t);
  await admin.command('/api/admin/rules', SIGHTED);
  const { planetId } = await play.rich('ada');
  const free = await play.neighbour(planetId);
  t.same(await client.read(`/api/fleet/seen/${free}`), { planetId: free, reach: 0, fleets: [], nextCursor: null });
});
