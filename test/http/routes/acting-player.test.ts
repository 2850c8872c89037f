// A body may say which player it acts for wherever it names a planet. What it names must then belong to that player, also in the
// open mode, where nobody is asked for a key.
import t from 'tap';
import type { SimulationBody } from '../../../http/schemas/player.js';
import { firstPlanet, type PlayerBody } from '../support/play.js';
import { begin } from '../support/serving.js';
import { WRITE_REQUESTS } from '../support/write-requests.js';

/** The operations whose body names a planet or nothing, so that the player is optional. */
const OPERATIONS = [
  'constructBuilding',
  'upgradeBuilding',
  'cancelBuilding',
  'buildShips',
  'cancelShips',
  'simulateLaunch',
  'putPlan',
  'createSecondStarter',
] as const;

for (const operationId of OPERATIONS) {
  t.test(`${operationId} is done for the owner that its body names, and for nobody else`, async (t) => {
    const serving = await begin(t);
    const { client, play } = serving;
    const prepare = WRITE_REQUESTS[operationId];
    if (prepare === undefined) return t.fail('there is no such operation');
    const { method = 'POST', path, body } = await prepare(serving);
    const bodyFor = (playerId: string) => Object.assign({}, body, { playerId });
    const other = await play.newcomer('other');
    const before = await play.hash();
    for (const [playerId, status, code] of [
      [other.id, 403, 'not_owner'],
      ['player-999', 404, 'player_not_found'],
      ['nonsense', 404, 'player_not_found'],
    ] as const) {
      const refused = await client.request(method, path, { body: bodyFor(playerId) });
      t.match(refused, { status, body: { code } }, `for ${playerId}`);
    }
    t.same(await play.hash(), before, 'a refusal changes nothing');
    const done = await client.request(method, path, { body: bodyFor('player-1') });
    t.ok(done.status < 300, 'and for its owner it is done');
    return undefined;
  });
}

t.test('with keys, the player that a body names must be the caller', async (t) => {
  const { client, play } = await begin(t, { auth: 'key' });
  const create = async (name: string) => {
    const player = await client.command<PlayerBody & { apiKey: string }>(
      '/api/game/player',
      { name, isBot: true },
      201,
    );
    return { id: player.id, key: player.apiKey, planetId: firstPlanet(player).id };
  };
  const [ada, bob] = [await create('ada'), await create('bob')];
  await play.grant(ada.planetId);
  const upgrade = (key: string, playerId: string) => {
    const body = { planetId: ada.planetId, buildingType: 'iron_mine', playerId };
    return client.as(key).request('POST', '/api/building/upgrade', { body });
  };
  t.match(await upgrade(ada.key, bob.id), { status: 403, body: { code: 'not_owner' } });
  t.match(await upgrade(bob.key, bob.id), { status: 403 });
  t.match(await upgrade(ada.key, ada.id), { status: 200 });
});

t.test('a launch with a drive flies with it, or says why not', async (t) => {
  const { client, play } = await begin(t);
  const { playerId, planetId } = await play.fleetOwner('pilot', { scout: 3 });
  await play.research(playerId);
  await play.toNextTimer();
  const targetPlanetId = await play.neighbour(planetId);
  const ships = [{ type: 'scout', count: 1 }];
  const flight = { playerId, originPlanetId: planetId, targetPlanetId, ships, mission: 'espionage' };
  const { results } = await client.command<SimulationBody>('/api/fleet/simulate', flight);
  t.match(results, [
    { drive: 'combustion', possible: true },
    { drive: 'ion', possible: true },
    { drive: 'hyper', possible: false, reason: { code: 'no_drive_available', detail: /research drive_hyper/ } },
    { drive: 'nexus', possible: false },
    { drive: 'interdim', possible: false, reason: { code: 'no_drive_available', detail: /flight type/ } },
  ]);
  t.equal((await play.launch(flight)).drive, 'ion');
  t.equal((await play.launch({ ...flight, drive: 'combustion' })).drive, 'combustion');
  const refused = await client.refusal('POST', '/api/fleet/launch', { ...flight, drive: 'hyper' });
  t.match(refused, { status: 422, code: 'no_drive_available', detail: /needs the research drive_hyper/ });
  const unknown = await client.refusal('POST', '/api/fleet/launch', { ...flight, drive: 'warp' });
  t.match(unknown, { status: 400, code: 'invalid_request', errors: [{ path: '/drive' }] });
});
