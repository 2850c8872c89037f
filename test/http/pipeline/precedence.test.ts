// A request that is wrong in two ways gets the error that comes first: transport, 400, 401, 404, 403, 409, 422, and
// among the launch rules their order (specification, sections 3 and 13). Each row breaks two rules at once.
import t from 'tap';
import { PLAN_STEPS_MAX } from '../../../engine/rules/limits.js';
import type { ProblemCode } from '../../../http/exchange/problems.js';
import { BODY_BYTES_MAX } from '../../../http/limits.js';
import { type GameClient, type RequestOptions, withKey } from '../support/game-client.js';
import { begin } from '../support/serving.js';
import { FAIR } from '../support/traders.js';

interface Row {
  readonly wrong: string;
  readonly method?: string;
  readonly path: string;
  readonly options?: RequestOptions;
  readonly gets: ProblemCode;
}

async function hold(t: Tap, client: GameClient, rows: readonly Row[]): Promise<void> {
  for (const { wrong, method = 'POST', path, options = {}, gets } of rows) {
    const reply = await client.request(method, path, options);
    t.match(reply.body, { code: gets }, `${wrong}: ${gets}`);
  }
}
type Tap = Pick<typeof t, 'match'>;

const NO_PLANET = 'planet-1-0-99';

t.test('with keys: shape before key before existence before ownership before conflict', async (t) => {
  const { client, play } = await begin(t, { auth: 'key', server: { development: 'on' } });
  const { players } = await play.bots(2, 'p');
  const [own, foreign] = players;
  await play.advance(1);
  const research = { playerId: own?.id, researchType: 'drive_ion' };
  await client.as(own?.apiKey ?? '').request('POST', '/api/research/start', withKey('taken', research));
  const upgrade = (body: object): RequestOptions => ({ body: { buildingType: 'iron_mine', ...body } });
  await hold(t, client, [
    { wrong: 'path and key', method: 'GET', path: '/api/nowhere', gets: 'route_not_found' },
    { wrong: 'method and key', method: 'PUT', path: '/api/building/upgrade', gets: 'method_not_allowed' },
    {
      wrong: 'size and key',
      path: '/api/building/upgrade',
      options: { body: ' '.repeat(BODY_BYTES_MAX + 1) },
      gets: 'body_too_large',
    },
    {
      wrong: 'type of the body, its JSON and key',
      path: '/api/building/upgrade',
      options: { body: '{', headers: { 'content-type': 'text/plain' } },
      gets: 'unsupported_media_type',
    },
    { wrong: 'JSON and key', path: '/api/building/upgrade', options: { body: '{' }, gets: 'malformed_json' },
    { wrong: 'shape and key', path: '/api/building/upgrade', options: upgrade({}), gets: 'invalid_request' },
    {
      wrong: 'key and unknown planet',
      path: '/api/building/upgrade',
      options: upgrade({ planetId: NO_PLANET }),
      gets: 'unauthenticated',
    },
    { wrong: 'key and unknown player', method: 'GET', path: '/api/game/state/player-99', gets: 'unauthenticated' },
    {
      wrong: 'key and foreign planet',
      path: '/api/building/upgrade',
      options: upgrade({ planetId: foreign?.planetId }),
      gets: 'unauthenticated',
    },
    {
      wrong: 'Idempotency-Key and key',
      path: '/api/building/upgrade',
      options: { ...upgrade({ planetId: foreign?.planetId }), headers: { 'idempotency-key': 'two words' } },
      gets: 'invalid_request',
    },
    {
      wrong: 'shape and Idempotency-Key',
      path: '/api/building/upgrade',
      options: { body: '{', headers: { 'idempotency-key': 'two words' } },
      gets: 'malformed_json',
    },
    {
      wrong: 'key and an Idempotency-Key that is taken',
      path: '/api/building/upgrade',
      options: { ...upgrade({ planetId: own?.planetId }), headers: { 'idempotency-key': 'taken' } },
      gets: 'unauthenticated',
    },
    { wrong: 'shape and admin key', path: '/api/admin/clock/advance', options: { body: {} }, gets: 'invalid_request' },
  ]);
  await hold(t, client.as(own?.apiKey ?? ''), [
    {
      wrong: 'shape and foreign planet',
      path: '/api/building/upgrade',
      options: upgrade({ planetId: foreign?.planetId, buildingType: 'castle' }),
      gets: 'invalid_request',
    },
    {
      wrong: 'an Idempotency-Key that is taken and unknown planet',
      path: '/api/building/upgrade',
      options: { ...upgrade({ planetId: NO_PLANET }), headers: { 'idempotency-key': 'taken' } },
      gets: 'idempotency_key_reused',
    },
    {
      wrong: 'an Idempotency-Key that is taken and foreign planet',
      path: '/api/building/upgrade',
      options: { ...upgrade({ planetId: foreign?.planetId }), headers: { 'idempotency-key': 'taken' } },
      gets: 'idempotency_key_reused',
    },
    {
      wrong: 'shape and an Idempotency-Key that is taken',
      path: '/api/building/upgrade',
      options: { ...upgrade({}), headers: { 'idempotency-key': 'taken' } },
      gets: 'invalid_request',
    },
    {
      wrong: 'foreign player and unknown target',
      path: '/api/fleet/launch',
      options: {
        body: {
          playerId: foreign?.id,
          originPlanetId: foreign?.planetId,
          targetPlanetId: NO_PLANET,
          ships: [{ type: 'scout', count: 1 }],
          mission: 'transport',
        },
      },
      gets: 'planet_not_found',
    },
    {
      wrong: 'foreign player and unknown fleet',
      path: '/api/fleet/fleet-1/recall',
      options: { body: { playerId: foreign?.id } },
      gets: 'fleet_not_found',
    },
    {
      wrong: 'foreign player and unknown fleet that supports',
      path: '/api/fleet/fleet-1/dismiss',
      options: { body: { playerId: foreign?.id } },
      gets: 'fleet_not_found',
    },
    {
      wrong: 'foreign player and unknown receiver',
      path: '/api/message',
      options: { body: { playerId: foreign?.id, to: 'player-9', text: 'hello' } },
      gets: 'player_not_found',
    },
    {
      wrong: 'foreign player and rules without messages',
      path: '/api/message',
      options: { body: { playerId: foreign?.id, to: 'all', text: 'hello' } },
      gets: 'not_owner',
    },
    {
      wrong: 'foreign planet and no market in the rules',
      path: '/api/market/offer',
      options: { body: { playerId: own?.id, planetId: foreign?.planetId, ...FAIR } },
      gets: 'not_owner',
    },
    {
      wrong: 'foreign player and unknown pact',
      path: '/api/pact/pact-1/accept',
      options: { body: { playerId: foreign?.id } },
      gets: 'pact_not_found',
    },
    {
      wrong: 'foreign planet and existing building',
      path: '/api/building/construct',
      options: upgrade({ planetId: foreign?.planetId }),
      gets: 'not_owner',
    },
    {
      wrong: 'foreign planet and no shipyard',
      path: '/api/shipyard/build',
      options: { body: { planetId: foreign?.planetId, shipType: 'scout', count: 1 } },
      gets: 'not_owner',
    },
    {
      wrong: 'shape of a step and foreign planet',
      method: 'PUT',
      path: `/api/plan/planet/${foreign?.planetId}`,
      options: { body: { steps: [{ action: 'upgrade', buildingType: 'castle' }] } },
      gets: 'invalid_request',
    },
    {
      wrong: 'foreign player and unknown planet',
      method: 'PUT',
      path: `/api/plan/planet/${NO_PLANET}`,
      options: { body: { steps: [], playerId: foreign?.id } },
      gets: 'planet_not_found',
    },
    {
      wrong: 'foreign planet and rules without plans',
      method: 'PUT',
      path: `/api/plan/planet/${foreign?.planetId}`,
      options: { body: { steps: [] } },
      gets: 'not_owner',
    },
    {
      wrong: "development mode with a player's key, and unknown planet",
      path: `/api/game/planet/${NO_PLANET}/colonize`,
      options: { body: { playerId: own?.id } },
      gets: 'forbidden',
    },
  ]);
});

t.test(
  'in the open mode: shape before existence before ownership before conflict before what cannot be done',
  async (t) => {
    const serving = await begin(t);
    const { client, play } = serving;
    const owner = await play.fleetOwner('owner', { transport: 2, fighter: 1 });
    const { id: other } = await play.newcomer('other');
    const poor = await play.newcomer('poor');
    const poorPlanet = poor.planets[0]?.id ?? '';
    await play.upgrade(poorPlanet);
    await play.order(owner.planetId, 'scout', 1);
    const scouts = { ships: [{ type: 'scout', count: 1 }], mission: 'transport' };
    const flight = { playerId: other, originPlanetId: owner.planetId, targetPlanetId: poorPlanet, ...scouts };
    const neighbour = await play.neighbour(owner.planetId);
    const launched = await play.launch({
      ...flight,
      playerId: owner.playerId,
      ships: [{ type: 'transport', count: 1 }],
    });
    await play.advance(1);
    await client.command(`/api/fleet/${launched.fleet.id}/recall`, { playerId: owner.playerId });
    await hold(t, client, [
      {
        wrong: 'shape and unknown planet',
        path: '/api/shipyard/build',
        options: { body: { planetId: NO_PLANET, shipType: 'scout', count: 0 } },
        gets: 'invalid_request',
      },
      {
        wrong: 'number of a galaxy and of a system',
        method: 'GET',
        path: '/api/game/galaxy/101/system/9999',
        gets: 'invalid_request',
      },
      {
        wrong: 'unknown player and unknown planets',
        path: '/api/fleet/launch',
        options: { body: { ...flight, playerId: 'player-99', originPlanetId: NO_PLANET, targetPlanetId: NO_PLANET } },
        gets: 'player_not_found',
      },
      {
        wrong: 'foreign origin and unknown target',
        path: '/api/fleet/launch',
        options: { body: { ...flight, targetPlanetId: NO_PLANET } },
        gets: 'planet_not_found',
      },
      { wrong: 'foreign origin and no ships', path: '/api/fleet/launch', options: { body: flight }, gets: 'not_owner' },
      {
        wrong: 'foreign fleet that has turned round',
        path: `/api/fleet/${launched.fleet.id}/recall`,
        options: { body: { playerId: other } },
        gets: 'fleet_not_found',
      },
      {
        wrong: 'fleet at the planet of another player, where it does not stay',
        path: `/api/fleet/${launched.fleet.id}/dismiss`,
        options: { body: { playerId: other } },
        gets: 'fleet_not_found',
      },
      {
        wrong: "nobody's planet and building that exists nowhere",
        path: '/api/building/upgrade',
        options: { body: { planetId: neighbour, buildingType: 'shipyard' } },
        gets: 'building_not_found',
      },
      {
        wrong: 'existing building and another upgrade',
        path: '/api/building/construct',
        options: { body: { planetId: poorPlanet, buildingType: 'iron_mine' } },
        gets: 'building_exists',
      },
      {
        wrong: 'another upgrade and too few resources',
        path: '/api/building/construct',
        options: { body: { planetId: poorPlanet, buildingType: 'planetary_shield' } },
        gets: 'upgrade_in_progress',
      },
      {
        wrong: 'another ship type and too few resources',
        path: '/api/shipyard/build',
        options: { body: { planetId: owner.planetId, shipType: 'colony_ship', count: 10_000 } },
        gets: 'other_ship_in_production',
      },
      {
        wrong: "rules without plans and nobody's planet",
        method: 'PUT',
        path: `/api/plan/planet/${neighbour}`,
        options: { body: { steps: [] } },
        gets: 'not_owner',
      },
      {
        wrong: 'rules without plans and too many steps',
        method: 'PUT',
        path: `/api/plan/planet/${poorPlanet}`,
        options: { body: { steps: Array(PLAN_STEPS_MAX).fill({ action: 'research', researchType: 'drive_ion' }) } },
        gets: 'plans_not_in_rules',
      },
      {
        wrong: 'no shipyard and too few resources',
        path: '/api/shipyard/build',
        options: { body: { planetId: poorPlanet, shipType: 'colony_ship', count: 10_000 } },
        gets: 'shipyard_required',
      },
    ]);
  },
);

t.test('the rules of a launch are checked in the order of the specification', async (t) => {
  const { client, play } = await begin(t);
  const owner = await play.fleetOwner('owner', { transport: 2, fighter: 1 });
  const abroad = await play.anyPlanet(2, 0);
  const near = await play.neighbour(owner.planetId);
  const base = { playerId: owner.playerId, originPlanetId: owner.planetId, mission: 'transport' };
  const transports = (count: number) => ({ ships: [{ type: 'transport', count }] });
  const fighter = { ships: [{ type: 'fighter', count: 1 }] };
  const tooMuch = { resources: { iron: 1_000_000 } };
  const launches = (wrong: string, body: object, gets: ProblemCode): Row => ({
    wrong,
    path: '/api/fleet/launch',
    options: { body: { ...base, ...body } },
    gets,
  });
  await hold(t, client, [
    launches('ships and drive', { ...transports(3), targetPlanetId: abroad }, 'insufficient_ships'),
    launches('drive and hangar', { ...fighter, targetPlanetId: abroad }, 'no_drive_available'),
    launches('hangar and cargo', { ...fighter, targetPlanetId: near, ...tooMuch }, 'hangar_capacity_exceeded'),
    launches('cargo and mission', { ...transports(1), targetPlanetId: near, ...tooMuch }, 'cargo_capacity_exceeded'),
  ]);
  const poor = await play.newcomer('poor');
  const planetId = poor.planets[0]?.id ?? '';
  await play.grant(planetId, { iron: 10_000, silver: 10_000, energy: 1_000 });
  await play.construct(planetId, 'shipyard');
  await play.ships(planetId, 'transport', 20);
  const far = { playerId: poor.id, originPlanetId: planetId, targetPlanetId: await play.anyPlanet(1, 299) };
  const excess = { resources: { iron: 1_000_000_000 } };
  const cargo = { resources: { iron: 15_000 } };
  await hold(t, client, [
    launches('h2 and cargo', { ...far, ...transports(20), ...excess }, 'insufficient_h2'),
    launches(
      'resources and mission',
      { ...far, targetPlanetId: await play.neighbour(planetId), ...transports(20), ...cargo },
      'insufficient_resources',
    ),
  ]);
});
