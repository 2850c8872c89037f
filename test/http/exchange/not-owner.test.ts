// A refusal with not_owner names what is foreign, whose it is as far as that is public, and the player who asks.
import t from 'tap';
import type { LaunchBody } from '../../../http/schemas/player.js';
import { firstPlanet, type PlayerBody } from '../support/play.js';
import { begin } from '../support/serving.js';

for (const auth of ['none', 'key'] as const) {
  t.test(`with --auth ${auth}`, async (t) => {
    const { client, play } = await begin(t, { auth });
    const create = async (name: string) => {
      const player = await client.command<PlayerBody & { apiKey?: string }>(
        '/api/game/player',
        { name, isBot: true },
        201,
      );
      const own = player.apiKey === undefined ? client : client.as(player.apiKey);
      return { id: player.id, planetId: firstPlanet(player).id, client: own };
    };
    const [ada, bob] = [await create('Ada'), await create('Bob')];
    const owner = { id: ada.id, name: 'Ada', isBot: true };
    const upgrade = (planetId: string) =>
      bob.client.refusal('POST', '/api/building/upgrade', { planetId, buildingType: 'iron_mine', playerId: bob.id });
    const detail = (reason: string) =>
      `${reason} Name the player's own planets and fleets, as GET /api/game/state/:playerId lists them.`;

    const belongs = detail(`${ada.planetId} belongs to ${ada.id}, not to ${bob.id}.`);
    t.match(await upgrade(ada.planetId), { code: 'not_owner', detail: belongs, owner });
    const free = 'planet-2-0-1';
    t.match(await upgrade(free), { code: 'not_owner', detail: detail(`Nobody owns ${free}.`) });

    await play.grant(ada.planetId);
    await ada.client.command('/api/building/construct', { planetId: ada.planetId, buildingType: 'shipyard' });
    await play.advance(60);
    await ada.client.command('/api/shipyard/build', { planetId: ada.planetId, shipType: 'scout', count: 2 }, 201);
    await play.advance(3_600);
    const flight = { targetPlanetId: bob.planetId, ships: [{ type: 'scout', count: 1 }], mission: 'espionage' };
    const launch = { playerId: ada.id, originPlanetId: ada.planetId, ...flight };
    const { fleet } = await ada.client.command<LaunchBody>('/api/fleet/launch', launch);
    const launched = { playerId: bob.id, originPlanetId: ada.planetId, ...flight };
    t.match(await bob.client.refusal('POST', '/api/fleet/launch', launched), {
      code: 'not_owner',
      detail: belongs,
      owner,
    });
    const recalled = await bob.client.refusal('POST', `/api/fleet/${fleet.id}/recall`, { playerId: bob.id });
    const none = await bob.client.refusal('POST', '/api/fleet/fleet-999999/recall', { playerId: bob.id });
    t.equal(none.code, 'fleet_not_found');
    t.same({ ...recalled, requestId: none.requestId }, none, 'a fleet of others is none');

    if (auth === 'none') return;
    const acts = detail(`The request names ${ada.id}, and acts for ${bob.id}.`);
    t.match(await bob.client.refusal('GET', `/api/game/state/${ada.id}`), { code: 'not_owner', detail: acts });
    const forAda = { planetId: bob.planetId, buildingType: 'iron_mine', playerId: ada.id };
    t.match(await bob.client.refusal('POST', '/api/building/upgrade', forAda), { code: 'not_owner', detail: acts });
  });
}
