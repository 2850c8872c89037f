// Has a request that provokes each error of the table, over real HTTP. The record is complete by its type: an error
// without a provocation does not compile.
import type { Test } from 'tap';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { AdminKeys, newApiKey } from '../../../http/admission/identity.js';
import type { ProblemCode } from '../../../http/exchange/problems.js';
import { BODY_BYTES_MAX, HEAD_BYTES_MAX } from '../../../http/limits.js';
import type { OfferBody } from '../../../http/schemas/market.js';
import type { FleetBody } from '../../../http/schemas/player.js';
import { MAX_PENDING_ENTRIES } from '../../../persistence/limits.js';
import { MESSAGES, SPOKEN_RULES } from '../../support/spoken-rules.js';
import { checked, type GameClient, type Reply, withKey } from './game-client.js';
import { firstPlanet } from './play.js';
import { exchange, RawConnection, requestBytes } from './raw-connection.js';
import { beginReplicated, LEADER_URL } from './replicas.js';
import { begin, beginHeld, beginRecovering, beginReplay, type Serving, storeOnDisk } from './serving.js';
import { FAIR, offered, type Trader, taking, traders } from './traders.js';
import { beginGame, beginTurnWorld, GAME, gameOf, inTurn, type Seat, seats, upgrade } from './turn-play.js';
import { until } from './waiting.js';
import { proposal, proposedPact, supportedPlanet } from './write-requests.js';

/** @param serving a running server in the open mode; some need one of their own */
type Provocation = (serving: Serving, t: Test) => Promise<Reply>;

const NO_PLAYER = 'player-999999';
const NO_PLANET = 'planet-1-0-99';

export const PROVOCATIONS: Readonly<Record<ProblemCode, Provocation>> = {
  malformed_request: async (_, t) => {
    const bytes = requestBytes('GET', '/healthz', ['Content-Length: 0', 'Content-Length: 0']);
    return provoked(await javascriptPort(t), bytes);
  },
  request_timeout: async (_, t) => provoked(await javascriptPort(t), 'GET /healthz HTTP/1.1\r\n'),
  head_too_large: async (_, t) => {
    return provoked(await javascriptPort(t), requestBytes('GET', '/healthz', [`X: ${'a'.repeat(HEAD_BYTES_MAX)}`]));
  },
  not_implemented: async (_, t) => provoked(await javascriptPort(t), requestBytes('BREW', '/healthz')),
  http_version_not_supported: async (_, t) => {
    return provoked(await javascriptPort(t), 'GET /healthz HTTP/2.0\r\n\r\n');
  },

  malformed_json: ({ client }) => post(client, '/api/game/player', '{"name":'),
  invalid_request: ({ client }) => post(client, '/api/game/player', { name: 7 }),

  unauthenticated: async (_, t) => {
    const { client } = await begin(t, { auth: 'key' });
    return client.request('GET', '/api/game/state/player-1');
  },

  forbidden: async (_, t) => {
    const { client } = await begin(t, { auth: 'key', server: { development: 'on' } });
    const { id, apiKey } = await client.command<{ id: string; apiKey: string }>('/api/game/player', { name: 'a' }, 201);
    return post(client.as(apiKey), `/api/game/planet/${NO_PLANET}/colonize`, { playerId: id });
  },

  admin_key_is_read_only: async (_, t) => {
    const { key, hash } = newApiKey();
    const adminKey = new AdminKeys(null, [{ name: 'grafana', kind: 'read', hash }]);
    const { client } = await begin(t, { server: { adminKey } });
    return post(client.as(key), '/api/admin/snapshot', {});
  },

  read_only: async (_, t) => {
    const { client } = await beginReplay(t);
    return post(client, '/api/game/player', { name: 'late' });
  },

  registration_closed: async (_, t) => {
    const { client } = await begin(t, { server: { registration: 'closed' } });
    return post(client, '/api/game/player', { name: 'a' });
  },

  rate_limited: async (_, t) => {
    const { client } = await begin(t, { server: { registrationsPerMinute: 1 } });
    await client.command('/api/game/player', { name: 'a', isBot: true }, 201);
    return post(client, '/api/game/player', { name: 'b', isBot: true });
  },

  not_your_turn: async (_, t) => {
    const serving = await beginTurnWorld(t);
    const [ada, bob] = (await seats(serving, 'ada', 'bob')) as [Seat, Seat];
    await beginGame(serving, [ada, bob]);
    const { activePlayerId } = await gameOf(serving);
    return post((activePlayerId === ada.id ? bob : ada).client, '/api/turn/end', {});
  },

  command_budget_spent: async (_, t) => upgrade(await inTurn(await beginTurnWorld(t), { commandsPerDay: 0 })),

  turns_running: async (_, t) => {
    const serving = await beginTurnWorld(t);
    const { id } = await inTurn(serving);
    return post(serving.admin, '/api/admin/turns', { ...GAME, entrants: [{ playerId: id }] });
  },

  route_not_found: ({ client }) => client.request('GET', '/api/nowhere'),
  method_not_allowed: ({ client }) => client.request('DELETE', '/api/game/player'),
  body_too_large: ({ client }) => post(client, '/api/game/player', ' '.repeat(BODY_BYTES_MAX + 1)),
  unsupported_media_type: async ({ client }) => {
    await client.request('POST', '/api/game/player', { body: '{}', headers: { 'content-encoding': 'gzip' } });
    return client.request('POST', '/api/game/player', { body: '{}', headers: { 'content-type': 'text/plain' } });
  },

  player_not_found: ({ client }) => client.request('GET', `/api/game/state/${NO_PLAYER}`),
  planet_not_found: ({ client }) => client.request('GET', `/api/game/planet/${NO_PLANET}`),
  system_not_found: ({ client }) => client.request('GET', '/api/game/galaxy/1/system/300'),

  precondition_failed: async (serving) => {
    const { planetId } = await serving.play.rich('precondition_failed');
    const headers = { 'if-match': '"another"' };
    return serving.client.request('PUT', `/api/plan/planet/${planetId}`, { body: { steps: [] }, headers });
  },

  events_expired: async ({ client, play }) => {
    const { id } = await play.newcomer('events_expired');
    return client.request('GET', `/api/event/player/${id}?since=1000`);
  },

  plans_not_in_rules: async ({ client, play }) => {
    const { planetId } = await play.rich('plans_not_in_rules');
    const body = JSON.stringify({ onBlocked: 'wait', steps: [] });
    return client.request('PUT', `/api/plan/planet/${planetId}`, { body });
  },

  sight_not_in_rules: async ({ client, play }) => {
    const { planetId } = await play.rich('sight_not_in_rules');
    return client.request('GET', `/api/fleet/seen/${planetId}`);
  },

  messages_not_in_rules: async ({ client, play }) => {
    const { id } = await play.newcomer('messages_not_in_rules');
    return client.request('GET', `/api/message/player/${id}`);
  },

  blocked_by_receiver: async (_, t) => {
    const { client, play } = await begin(t, { settings: { rules: SPOKEN_RULES } });
    const [{ id: playerId }, { id: to }] = [await play.newcomer('ada'), await play.newcomer('bob')];
    await client.command('/api/message/block', { playerId: to, blockedPlayerId: playerId, blocked: true });
    return post(client, '/api/message', { playerId, to, text: 'hello' });
  },

  message_limit_reached: async (_, t) => {
    const { client, play } = await begin(t, { settings: { rules: SPOKEN_RULES } });
    const { id: playerId } = await play.newcomer('ada');
    const message = { playerId, to: 'all', text: 'hello' };
    for (let sent = 0; sent < MESSAGES.broadcastsMax; sent += 1) await client.command('/api/message', message);
    return post(client, '/api/message', message);
  },

  market_not_in_rules: ({ client }) => client.request('GET', '/api/market/galaxy/1'),

  offer_not_found: async (_, t) => {
    const [{ client, playerId }] = await traders(await begin(t));
    return post(client, '/api/market/offer/offer-999999/withdraw', { playerId });
  },

  trade_not_possible: async (_, t) => {
    const [{ client, playerId, planetId }] = await traders(await begin(t));
    return post(client, '/api/market/offer', { playerId, planetId, ...FAIR, want: FAIR.give });
  },

  offer_out_of_reach: async (_, t) => {
    const [ada, bob] = await traders(await begin(t));
    return taken(ada, await offered(bob, { h2Max: 0 }));
  },

  deliveries_used_up: async (_, t) => {
    const [ada, bob] = await traders(await begin(t));
    const gift = { give: { resource: 'iron', units: 30_000 }, want: { resource: 'silver', units: 1 }, h2Max: 100_000 };
    return taken(ada, await offered(bob, gift));
  },

  shocks_not_in_rules: ({ client }) => client.send('GET', '/api/game/shocks'),
  pacts_not_in_rules: async ({ client, play }) => {
    const [one, other] = [await play.newcomer('pacts_not_in_rules'), await play.newcomer('another')];
    return post(client, '/api/pact', proposal(one.id, other.id));
  },
  pact_not_found: async ({ client, play }) => {
    const { id } = await play.newcomer('pact_not_found');
    return post(client, '/api/pact/pact-999999/accept', { playerId: id });
  },
  pact_exists: async (_, t) => {
    const { client, bob, pact } = await proposedPact(await begin(t));
    return post(client, '/api/pact', proposal(bob, pact.proposerId));
  },
  pact_in_force: async (_, t) => {
    const { client, bob, pact } = await proposedPact(await begin(t));
    await client.command(`/api/pact/${pact.id}/accept`, { playerId: bob });
    return post(client, `/api/pact/${pact.id}/decline`, { playerId: bob });
  },
  pact_ending: async (_, t) => {
    const { client, bob, pact } = await proposedPact(await begin(t));
    for (const verb of ['accept', 'cancel']) await client.command(`/api/pact/${pact.id}/${verb}`, { playerId: bob });
    return post(client, `/api/pact/${pact.id}/cancel`, { playerId: bob });
  },
  pact_with_oneself: async (_, t) => {
    const { client, bob } = await proposedPact(await begin(t));
    return post(client, '/api/pact', proposal(bob, bob));
  },

  rules_not_compatible: ({ admin }) => post(admin, '/api/admin/rules', STANDARD_1),

  fleet_not_found: async ({ client, play }) => {
    const { id } = await play.newcomer('fleet_not_found');
    return post(client, '/api/fleet/fleet-999999/recall', { playerId: id });
  },

  building_not_found: async ({ client, play }) => {
    const { planetId } = await play.rich('building_not_found');
    return post(client, '/api/building/upgrade', { planetId, buildingType: 'shipyard' });
  },

  queue_entry_not_found: async ({ client, play }) => {
    const { planetId } = await play.rich('queue_entry_not_found');
    return post(client, '/api/building/cancel', { planetId, queueId: 'queue-1' });
  },

  not_owner: async (serving) => {
    const { id } = await serving.play.newcomer('not_owner');
    return launch(serving, { playerId: id });
  },

  address_blocked: async (_, t) => {
    const { admin, client } = await begin(t, { server: { trustedProxies: ['127.0.0.1'] } });
    await admin.command('/api/admin/address/block', { address: '203.0.113.7', seconds: 60 });
    return client.request('GET', '/api/status', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  },

  player_suspended: async ({ admin, client, play }) => {
    const { planetId, playerId } = await play.rich('player_suspended');
    await admin.command(`/api/admin/player/${playerId}/suspend`);
    return post(client, '/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  },

  building_exists: async ({ client, play }) => {
    const { planetId } = await play.rich('building_exists');
    return post(client, '/api/building/construct', { planetId, buildingType: 'iron_mine' });
  },

  name_taken: async ({ client, play }) => {
    await play.newcomer('name_taken');
    return post(client, '/api/game/player', { name: 'n\u0430me_taken', isBot: true });
  },

  upgrade_in_progress: async ({ client, play }) => {
    const { planetId } = await play.rich('upgrade_in_progress');
    await play.upgrade(planetId, 'zentrale');
    return post(client, '/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  },

  other_ship_in_production: async ({ client, play }) => {
    const { planetId } = await play.fleetOwner('other_ship_in_production', {});
    await play.order(planetId, 'scout', 1);
    return post(client, '/api/shipyard/build', { planetId, shipType: 'fighter', count: 1 });
  },

  research_in_progress: async ({ client, play }) => {
    const { id } = await play.newcomer('research_in_progress');
    await play.research(id);
    return post(client, '/api/research/start', { playerId: id, researchType: 'drive_hyper' });
  },

  planet_occupied: async ({ client, play }) => {
    const { playerId, planetId } = await play.rich('planet_occupied');
    return post(client, `/api/game/planet/${planetId}/colonize`, { playerId });
  },

  starter_limit_reached: async ({ client, play }) => {
    const { id } = await play.newcomer('starter_limit_reached');
    await play.secondStarter(id);
    return client.request('POST', `/api/game/planet/starter/${id}`);
  },

  fleet_not_in_transit: async (serving) => {
    const { client, play } = serving;
    const { fleet } = (await launch(serving, {})).body as { fleet: FleetBody };
    await play.advance(5);
    await client.command(`/api/fleet/${fleet.id}/recall`, { playerId: fleet.playerId });
    return post(client, `/api/fleet/${fleet.id}/recall`, { playerId: fleet.playerId });
  },

  fleet_not_stationed: async (_, t) => {
    const serving = await begin(t);
    const { host, fleet } = await supportedPlanet(serving);
    const path = `/api/fleet/${fleet.id}/dismiss`;
    await serving.client.command(path, { playerId: host.playerId });
    return post(serving.client, path, { playerId: host.playerId });
  },

  universe_full: async (_, t) => {
    const { client, play } = await begin(t, { settings: { systemsPerGalaxy: 1 } });
    await play.bots(10_000, 'everybody');
    return post(client, '/api/game/player', { name: 'one more' });
  },

  limit_reached: async ({ client, play }) => {
    const { planetId } = await play.fleetOwner('limit_reached', {});
    const order = { planetId, shipType: 'scout', count: 1 };
    for (let count = 0; count < 50; count += 1) await client.command('/api/shipyard/build', order, 201);
    return post(client, '/api/shipyard/build', order);
  },

  insufficient_ships: (serving) => launch(serving, { ships: [{ type: 'transport', count: 3 }] }),

  no_drive_available: async (serving) => {
    const target = await serving.play.anyPlanet(2, 0);
    return launch(serving, { targetPlanetId: target });
  },

  hangar_capacity_exceeded: (serving) => launch(serving, { ships: [{ type: 'fighter', count: 1 }] }),

  insufficient_h2: async (serving) => {
    const { client, play } = serving;
    const player = await play.newcomer('insufficient_h2');
    const planetId = firstPlanet(player).id;
    await play.grant(planetId, { iron: 10_000, silver: 10_000, energy: 1_000 });
    await play.construct(planetId, 'shipyard');
    await play.ships(planetId, 'transport', 20);
    const ships = [{ type: 'transport', count: 20 }];
    const targetPlanetId = await play.anyPlanet(1, 299);
    const flight = { playerId: player.id, originPlanetId: planetId, targetPlanetId, ships, mission: 'transport' };
    return post(client, '/api/fleet/launch', flight);
  },

  cargo_capacity_exceeded: (serving) => launch(serving, { resources: { iron: 751 } }),

  shipyard_required: async ({ client, play }) => {
    const { planetId } = await play.rich('shipyard_required');
    return post(client, '/api/shipyard/build', { planetId, shipType: 'scout', count: 1 });
  },

  nothing_in_production: async ({ client, play }) => {
    const { planetId } = await play.rich('nothing_in_production');
    return post(client, '/api/shipyard/cancel', { planetId, shipType: 'scout' });
  },

  insufficient_resources: async ({ client, play }) => {
    const [planet] = (await play.newcomer('insufficient_resources')).planets;
    return post(client, '/api/building/construct', { planetId: planet?.id, buildingType: 'planetary_shield' });
  },

  mission_not_possible: (serving) => launch(serving, { mission: 'attack' }),

  idempotency_key_in_flight: async (_, t) => {
    const { client, log } = await beginHeld(t);
    log.hold();
    const create = () => client.request('POST', '/api/game/player', withKey('one', { name: 'in flight', isBot: true }));
    const first = create();
    await until(() => log.isWaiting);
    const reply = await create();
    log.release();
    await first;
    return reply;
  },

  idempotency_key_reused: async ({ client, play }) => {
    const { planetId } = await play.rich('idempotency_key_reused');
    const upgrade = (buildingType: string) =>
      client.request('POST', '/api/building/upgrade', withKey('one', { planetId, buildingType }));
    await upgrade('iron_mine');
    return upgrade('silver_mine');
  },

  internal_error: async (_, t) => {
    const serving = await begin(t);
    serving.world.engine.stateHash = () => {
      throw new Error('broken on purpose');
    };
    const reply = await serving.admin.request('GET', '/api/admin/state-hash');
    serving.bugs.length = 0;
    return reply;
  },

  overloaded: async (_, t) => {
    const { client, world, log } = await beginHeld(t);
    log.hold();
    for (let entry = 0; entry < MAX_PENDING_ENTRIES; entry += 1) world.sequencer.advanceTo(world.sequencer.nowMs + 1);
    return post(client, '/api/game/player', { name: 'too late' });
  },

  storage_unavailable: async (_, t) => {
    const store = await storeOnDisk(t, { diskFloorBytes: Number.MAX_SAFE_INTEGER });
    const { client } = await begin(t, { store });
    return post(client, '/api/game/player', { name: 'nowhere to write' });
  },

  world_paused: async (_, t) => {
    const { admin, client } = await begin(t, { clock: 'real' });
    await admin.command('/api/admin/clock/pause', {});
    return post(client, '/api/game/player', { name: 'in a pause' });
  },

  snapshot_failed: async (_, t) => {
    const store = await storeOnDisk(t, { diskFloorBytes: 1 });
    const lock = await store.lockSnapshots();
    t.teardown(() => lock.release());
    const { admin } = await begin(t, { store });
    return admin.request('POST', '/api/admin/snapshot');
  },

  not_leader: async (_, t) => {
    const { client, replica } = await beginReplicated(t);
    replica.becomes({ role: 'standby', leaderUrl: LEADER_URL });
    return post(client, '/api/game/player', { name: 'a' });
  },

  no_leader: async (_, t) => {
    const { client, replica } = await beginReplicated(t);
    replica.becomes({ role: 'standby', leaderUrl: null });
    return post(client, '/api/game/player', { name: 'a' });
  },

  replica_behind: async (_, t) => {
    const { client } = await beginReplicated(t);
    return client.request('GET', '/api/leaderboard', { headers: { 'x-min-seq': '1000' } });
  },

  recovering: async (_, t) => (await beginRecovering(t)).client.request('GET', '/healthz'),

  shutting_down: async (_, t) => {
    const { client, port, server, log } = await beginHeld(t);
    const late = await RawConnection.open(port);
    const bytes = requestBytes('POST', '/api/game/player', [], '{"name":"too late","isBot":true}');
    // The first half arrives together with a whole request, whose answer shows that it has arrived.
    late.send(Buffer.concat([requestBytes('GET', '/healthz'), bytes.subarray(0, 20)]));
    await late.reply();
    log.hold();
    const held = post(client, '/api/game/player', { name: 'in flight' });
    await until(() => log.isWaiting);
    const stopped = server.stop();
    late.send(bytes.subarray(20));
    const reply = checked('POST', '/api/game/player', await late.reply());
    log.release();
    await Promise.all([held, stopped]);
    return reply;
  },
};

/** A launch that succeeds except for the given changes: 1 transport of 2 flies from one starter planet to the other. */
async function launch(serving: Serving, change: object): Promise<Reply> {
  const { client, play } = serving;
  ownerCount += 1;
  const { playerId, planetId } = await play.fleetOwner(`owner ${ownerCount}`, { fighter: 1, transport: 2 });
  const target = await play.secondStarter(playerId);
  const ships = [{ type: 'transport', count: 1 }];
  const flight = { playerId, originPlanetId: planetId, targetPlanetId: target.id, ships, mission: 'transport' };
  return post(client, '/api/fleet/launch', { ...flight, ...change });
}

let ownerCount = 0;

/** The port of a server that answers what its library refuses. */
async function javascriptPort(t: Test): Promise<number> {
  return (await begin(t, { server: { transport: 'javascript' } })).port;
}

async function provoked(port: number, bytes: string | Uint8Array): Promise<Reply> {
  return checked('GET', '*', await exchange(port, bytes));
}

/** The reply to taking an offer. */
export function taken(taker: Trader, offer: Pick<OfferBody, 'id'>): Promise<Reply> {
  const { path, body } = taking(offer, taker);
  return post(taker.client, path, body);
}

function post(client: GameClient, path: string, body: unknown): Promise<Reply> {
  return client.request('POST', path, { body });
}
