// A request that is wrong in two ways gets the error that comes first: transport, 400, 401, 404, 403, 409, 422, and
// among the launch rules their order (specification, sections 3 and 13). Each row breaks two rules at once.
import t from 'tap';
import { PLAN_STEPS_MAX } from '../../../engine/rules/limits.js';
import type { ProblemCode } from '../../../http/exchange/problems.js';
import { BODY_BYTES_MAX } from '../../../http/limits.js';
import { type GameClient, type RequestOptions, withKey } from '../support/game-client.js';
import { begin } from '../support/serving.js';

/** What is wrong, which of its errors the request gets, and its method and path. */
type Row = readonly [wrong: string, gets: ProblemCode, request: `${string} ${string}`, options?: RequestOptions];

async function hold(t: Tap, client: GameClient, rows: readonly Row[]): Promise<void> {
  for (const [wrong, gets, request, options] of rows) {
    const [method, path] = request.split(' ') as [string, string];
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
  const UPGRADE = 'POST /api/building/upgrade';
  const upgrade = (body: object): RequestOptions => ({ body: { buildingType: 'iron_mine', ...body } });
  const keyed = (key: string, body: object) => withKey(key, { buildingType: 'iron_mine', ...body });
  await hold(t, client, [
    ['path and key', 'route_not_found', 'GET /api/nowhere'],
    ['method and key', 'method_not_allowed', 'PUT /api/building/upgrade'],
    ['size and key', 'body_too_large', UPGRADE, { body: ' '.repeat(BODY_BYTES_MAX + 1) }],
    [
      'type of the body, its JSON and key',
      'unsupported_media_type',
      UPGRADE,
      { body: '{', headers: { 'content-type': 'text/plain' } },
    ],
    ['JSON and key', 'malformed_json', UPGRADE, { body: '{' }],
    ['shape and key', 'invalid_request', UPGRADE, upgrade({})],
    ['key and unknown planet', 'unauthenticated', UPGRADE, upgrade({ planetId: NO_PLANET })],
    ['key and unknown player', 'unauthenticated', 'GET /api/game/state/player-99'],
    ['key and foreign planet', 'unauthenticated', UPGRADE, upgrade({ planetId: foreign?.planetId })],
    ['Idempotency-Key and key', 'invalid_request', UPGRADE, keyed('two words', { planetId: foreign?.planetId })],
    [
      'shape and Idempotency-Key',
      'malformed_json',
      UPGRADE,
      { body: '{', headers: { 'idempotency-key': 'two words' } },
    ],
    [
      'key and an Idempotency-Key that is taken',
      'unauthenticated',
      UPGRADE,
      keyed('taken', { planetId: own?.planetId }),
    ],
    ['shape and admin key', 'invalid_request', 'POST /api/admin/clock/advance', { body: {} }],
  ]);
  await hold(t, client.as(own?.apiKey ?? ''), [
    [
      'shape and foreign planet',
      'invalid_request',
      UPGRADE,
      upgrade({ planetId: foreign?.planetId, buildingType: 'castle' }),
    ],
    [
      'an Idempotency-Key that is taken and unknown planet',
      'idempotency_key_reused',
      UPGRADE,
      keyed('taken', { planetId: NO_PLANET }),
    ],
    [
      'an Idempotency-Key that is taken and foreign planet',
      'idempotency_key_reused',
      UPGRADE,
      keyed('taken', { planetId: foreign?.planetId }),
    ],
    ['shape and an Idempotency-Key that is taken', 'invalid_request', UPGRADE, keyed('taken', {})],
    [
      'foreign player and unknown target',
      'planet_not_found',
      'POST /api/fleet/launch',
      {
        body: {
          playerId: foreign?.id,
          originPlanetId: foreign?.planetId,
          targetPlanetId: NO_PLANET,
          ships: [{ type: 'scout', count: 1 }],
          mission: 'transport',
        },
      },
    ],
    [
      'foreign player and unknown fleet',
      'fleet_not_found',
      'POST /api/fleet/fleet-1/recall',
      { body: { playerId: foreign?.id } },
    ],
    [
      'foreign planet and existing building',
      'not_owner',
      'POST /api/building/construct',
      upgrade({ planetId: foreign?.planetId }),
    ],
    [
      'foreign planet and no shipyard',
      'not_owner',
      'POST /api/shipyard/build',
      { body: { planetId: foreign?.planetId, shipType: 'scout', count: 1 } },
    ],
    [
      'shape of a step and foreign planet',
      'invalid_request',
      `PUT /api/plan/planet/${foreign?.planetId}`,
      { body: { steps: [{ action: 'upgrade', buildingType: 'castle' }] } },
    ],
    [
      'foreign player and unknown planet',
      'planet_not_found',
      `PUT /api/plan/planet/${NO_PLANET}`,
      { body: { steps: [], playerId: foreign?.id } },
    ],
    [
      'foreign planet and rules without plans',
      'not_owner',
      `PUT /api/plan/planet/${foreign?.planetId}`,
      { body: { steps: [] } },
    ],
    [
      "development mode with a player's key, and unknown planet",
      'forbidden',
      `POST /api/game/planet/${NO_PLANET}/colonize`,
      { body: { playerId: own?.id } },
    ],
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
      [
        'shape and unknown planet',
        'invalid_request',
        'POST /api/shipyard/build',
        { body: { planetId: NO_PLANET, shipType: 'scout', count: 0 } },
      ],
      ['number of a galaxy and of a system', 'invalid_request', 'GET /api/game/galaxy/101/system/9999'],
      [
        'unknown player and unknown planets',
        'player_not_found',
        'POST /api/fleet/launch',
        { body: { ...flight, playerId: 'player-99', originPlanetId: NO_PLANET, targetPlanetId: NO_PLANET } },
      ],
      [
        'foreign origin and unknown target',
        'planet_not_found',
        'POST /api/fleet/launch',
        { body: { ...flight, targetPlanetId: NO_PLANET } },
      ],
      ['foreign origin and no ships', 'not_owner', 'POST /api/fleet/launch', { body: flight }],
      [
        'foreign fleet that has turned round',
        'not_owner',
        `POST /api/fleet/${launched.fleet.id}/recall`,
        { body: { playerId: other } },
      ],
      [
        "nobody's planet and building that exists nowhere",
        'building_not_found',
        'POST /api/building/upgrade',
        { body: { planetId: neighbour, buildingType: 'shipyard' } },
      ],
      [
        'existing building and another upgrade',
        'building_exists',
        'POST /api/building/construct',
        { body: { planetId: poorPlanet, buildingType: 'iron_mine' } },
      ],
      [
        'another upgrade and too few resources',
        'upgrade_in_progress',
        'POST /api/building/construct',
        { body: { planetId: poorPlanet, buildingType: 'planetary_shield' } },
      ],
      [
        'another ship type and too few resources',
        'other_ship_in_production',
        'POST /api/shipyard/build',
        { body: { planetId: owner.planetId, shipType: 'colony_ship', count: 10_000 } },
      ],
      [
        "rules without plans and nobody's planet",
        'not_owner',
        `PUT /api/plan/planet/${neighbour}`,
        { body: { steps: [] } },
      ],
      [
        'rules without plans and too many steps',
        'plans_not_in_rules',
        `PUT /api/plan/planet/${poorPlanet}`,
        { body: { steps: Array(PLAN_STEPS_MAX).fill({ action: 'research', researchType: 'drive_ion' }) } },
      ],
      [
        'no shipyard and too few resources',
        'shipyard_required',
        'POST /api/shipyard/build',
        { body: { planetId: poorPlanet, shipType: 'colony_ship', count: 10_000 } },
      ],
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
  const launches = (wrong: string, body: object, gets: ProblemCode): Row => [
    wrong,
    gets,
    'POST /api/fleet/launch',
    { body: { ...base, ...body } },
  ];
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
