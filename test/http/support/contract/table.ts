// What the contract test needs to know besides the document.
//
// For a new operation: a request that succeeds, in ../write-requests.ts or ../get-requests.ts. The test breaks it in every way
// that does not depend on what the operation does: see breakages.ts.
// For a new error code: a row in ../provocations.ts. For another operation with a known code: a row in FURTHER, named by
// both, as in `upgradeBuilding limit_reached`. If it cannot be provoked, a row in UNREACHED with the reason.
// The test says which rows are missing, and which are no longer needed.
import type { Test } from 'tap';
import {
  FLEETS_PER_PLAYER_MAX,
  GOODS_PER_PLAYER_MAX,
  PLANETS_PER_PLAYER_MAX,
} from '../../../../engine/rules/limits.js';
import type { SystemViewBody } from '../../../../http/schemas/planet.js';
import { deskOf } from '../../../../http/world-server.js';
import { MemoryOperatorRecords } from '../../../../persistence/stores/operator-records.js';
import { TRADING } from '../../../support/market-rules.js';
import { PACT_RULES } from '../../../support/pact-rules.js';
import { PLANNED } from '../../../support/planned-rules.js';
import { MESSAGES } from '../../../support/spoken-rules.js';
import type { GameClient, Reply } from '../game-client.js';
import { firstPlanet, type Play } from '../play.js';
import { taken } from '../provocations.js';
import { begin, type Serving, storeOnDisk } from '../serving.js';
import { FAIR, offered, type Trader, takes, traders } from '../traders.js';
import { beginTurnWorld, GAME } from '../turn-play.js';
import { flight, plannedPlanet, proposal, proposedPact, speakers } from '../write-requests.js';
import { whileStopping } from './breakages.js';

type Provocation = (serving: Serving, t: Test) => Promise<unknown>;

/** Indexed by operation, and error code or status of success. Each has a new world in the open mode. */
export const FURTHER: Readonly<Record<string, Provocation>> = {
  'createSecondStarter universe_full': async (_, t) => {
    const { client } = await fullWorld(t);
    return client.request('POST', '/api/game/planet/starter/player-1');
  },

  'colonizePlanet limit_reached': async ({ client, play }) => {
    const { id: playerId } = await play.newcomer('ada');
    const planets = await freePlanets(client, PLANETS_PER_PLAYER_MAX);
    const paths = planets.map((planet) => `/api/game/planet/${planet}/colonize`);
    await batch(client, paths.slice(1), { playerId });
    return client.request('POST', paths[0] as string, { body: { playerId } });
  },

  'launchFleet limit_reached': async (serving) => {
    const launch = await flight(serving);
    await serving.play.ships(launch.originPlanetId, 'transport', FLEETS_PER_PLAYER_MAX);
    await batch(serving.client, Array(FLEETS_PER_PLAYER_MAX).fill('/api/fleet/launch'), launch);
    return serving.client.request('POST', '/api/fleet/launch', { body: launch });
  },

  'proposePact limit_reached': async (serving) => {
    const { client, ada, bob } = await proposedPact(serving);
    const tooLong = { ...proposal(ada, bob), kind: 'shared_sight', durationSeconds: 1 + PACT_RULES.durationSecondsMax };
    return client.request('POST', '/api/pact', { body: tooLong });
  },
  'acceptPact limit_reached': async (serving) => {
    const { client, bob, pact } = await proposedPact(serving);
    for (let count = 0; count < PACT_RULES.openMax; count += 1) {
      const { id } = await serving.play.newcomer(`another ${count}`);
      await client.command('/api/pact', proposal(bob, id));
    }
    return client.request('POST', `/api/pact/${pact.id}/accept`, { body: { playerId: bob } });
  },
  'acceptPact not_owner': async (serving) => {
    const { client, ada, pact } = await proposedPact(serving);
    return client.request('POST', `/api/pact/${pact.id}/accept`, { body: { playerId: ada } });
  },
  'declinePact not_owner': async (serving) => {
    const { client, ada, pact } = await proposedPact(serving);
    return client.request('POST', `/api/pact/${pact.id}/decline`, { body: { playerId: ada } });
  },
  'cancelPact not_owner': async (serving) => {
    const { client, bob, pact } = await proposedPact(serving);
    return client.request('POST', `/api/pact/${pact.id}/cancel`, { body: { playerId: bob } });
  },
  'cancelPact pact_not_found': async ({ client, play }) => {
    const { id: playerId } = await play.newcomer('ada');
    return client.request('POST', '/api/pact/pact-999999/cancel', { body: { playerId } });
  },

  'sendMessage limit_reached': async (serving) => {
    const [playerId, to] = await speakers(serving);
    const text = 'x'.repeat(MESSAGES.charactersMax + 1);
    return serving.client.request('POST', '/api/message', { body: { playerId, to, text } });
  },

  'sendMessage player_not_found': async ({ client, play }) => {
    const { id: playerId } = await play.newcomer('ada');
    return client.request('POST', '/api/message', { body: { playerId, to: 'player-9', text: 'hello' } });
  },

  'blockPlayer player_not_found': async ({ client, play }) => {
    const { id: playerId } = await play.newcomer('ada');
    return client.request('POST', '/api/message/block', {
      body: { playerId, blockedPlayerId: 'player-9', blocked: true },
    });
  },

  'sendMessage messages_not_in_rules': async ({ client, play }) => {
    const { id: playerId } = await play.newcomer('ada');
    return client.request('POST', '/api/message', { body: { playerId, to: 'all', text: 'hello' } });
  },

  'blockPlayer limit_reached': async (serving) => {
    const { client, play } = serving;
    const [playerId, bob] = await speakers(serving);
    const body = (blockedPlayerId: string) => ({ playerId, blockedPlayerId, blocked: true });
    for (const blocked of [bob, (await play.newcomer('cid')).id])
      await client.command('/api/message/block', body(blocked));
    return client.request('POST', '/api/message/block', { body: body((await play.newcomer('dan')).id) });
  },

  'blockPlayer messages_not_in_rules': async ({ client, play }) => {
    const [ada, bob] = [await play.newcomer('ada'), await play.newcomer('bob')];
    const body = { playerId: ada.id, blockedPlayerId: bob.id, blocked: true };
    return client.request('POST', '/api/message/block', { body });
  },

  // What the page of players has is the same as long as none sends a key.
  'getTraffic 304': async ({ admin }) => {
    const path = '/api/admin/traffic?by=player';
    const { headers } = await admin.request('GET', path);
    return admin.request('GET', path, { headers: { 'if-none-match': headers['etag'] ?? '' } });
  },

  // A starter planet has no ember.
  'launchFleet insufficient_resources': async ({ client, play }) => {
    const { id: playerId, planets } = await play.newcomer('ada');
    const originPlanetId = firstPlanet({ planets }).id;
    await play.grant(originPlanetId, { iron: 10_000, silver: 10_000, energy: 1_000 });
    await play.construct(originPlanetId, 'shipyard');
    await play.ships(originPlanetId, 'transport', 1);
    const ships = [{ type: 'transport', count: 1 }];
    const targetPlanetId = await play.neighbour(originPlanetId);
    const launch = { playerId, originPlanetId, targetPlanetId, ships, mission: 'transport', resources: { ember: 1 } };
    return client.request('POST', '/api/fleet/launch', { body: launch });
  },

  'constructBuilding upgrade_in_progress': async ({ client, play }) => {
    const { planetId } = await play.rich('ada');
    await play.upgrade(planetId);
    return client.request('POST', '/api/building/construct', { body: { planetId, buildingType: 'shipyard' } });
  },

  'upgradeBuilding insufficient_resources': async ({ client, play }) => {
    const planetId = firstPlanet(await play.newcomer('ada')).id;
    const body = { planetId, buildingType: 'iron_mine' };
    return untilRefused(play, () => client.request('POST', '/api/building/upgrade', { body }));
  },

  'upgradeBuilding limit_reached': async ({ client, play }) => {
    const { planetId } = await play.rich('ada');
    const body = { planetId, buildingType: 'iron_mine' };
    return untilRefused(play, async () => {
      await play.grant(planetId, { iron: 1_000_000_000_000, silver: 1_000_000_000_000, energy: 1_000_000_000_000 });
      return client.request('POST', '/api/building/upgrade', { body });
    });
  },

  'buildShips insufficient_resources': async ({ client, play }) => {
    const planetId = firstPlanet(await play.newcomer('ada')).id;
    await play.construct(planetId, 'shipyard');
    const body = { planetId, shipType: 'fighter', count: 100 };
    return client.request('POST', '/api/shipyard/build', { body });
  },

  'startResearch limit_reached': async ({ client, play }) => {
    const { id: playerId } = await play.newcomer('ada');
    const body = { playerId, researchType: 'drive_ion' };
    return untilRefused(play, () => client.request('POST', '/api/research/start', { body }));
  },

  'putPlan limit_reached': async (serving) => {
    const { method, path } = await plannedPlanet(serving);
    const steps = Array(PLANNED.plans?.stepsMax ?? 0).fill({ action: 'upgrade', buildingType: 'iron_mine' });
    return serving.client.request(method, path, { body: { steps: [...steps, steps[0]] } });
  },

  'makeOffer limit_reached': async (serving) => {
    const [ada] = await traders(serving);
    for (let open = 0; open < TRADING.market.offersPerPlayer; open += 1) await offered(ada);
    const { playerId, planetId } = ada;
    return ada.client.request('POST', '/api/market/offer', { body: { playerId, planetId, ...FAIR } });
  },

  'makeOffer insufficient_resources': async (serving) => {
    const [{ client, playerId, planetId }] = await traders(serving);
    const body = { playerId, planetId, ...FAIR, h2Max: 1_000_000_000 };
    return client.request('POST', '/api/market/offer', { body });
  },

  'makeOffer offer_out_of_reach': async (serving) => {
    const [{ client, playerId, planetId }, bob] = await traders(serving);
    const body = { playerId, planetId, ...FAIR, h2Max: 0, toPlayerId: bob.playerId };
    return client.request('POST', '/api/market/offer', { body });
  },

  'makeOffer market_not_in_rules': async ({ client, play }) => {
    const body = { ...(await play.rich('ada')), ...FAIR };
    return client.request('POST', '/api/market/offer', { body });
  },

  'takeOffer market_not_in_rules': async ({ client, play }) => {
    const body = await play.rich('ada');
    return client.request('POST', '/api/market/offer/offer-1/take', { body });
  },

  'takeOffer offer_not_found': async (serving) => {
    const [ada] = await traders(serving);
    return taken(ada, { id: 'offer-999999' });
  },

  'takeOffer limit_reached': async (serving) => {
    const [ada, bob] = await traders(serving);
    const small = { give: { resource: 'iron', units: 3 }, want: { resource: 'silver', units: 2 } };
    for (let load = 0; load < GOODS_PER_PLAYER_MAX; load += 1) await takes(ada, await offered(bob, small));
    return taken(ada, await offered(bob, small));
  },

  'takeOffer trade_not_possible': async (serving) => {
    const [ada] = await traders(serving);
    return taken(ada, await offered(ada));
  },

  'takeOffer no_drive_available': async (serving) => {
    // Bob can send goods to other galaxies, and Ada cannot.
    const { admin, play } = serving;
    const [ada, bob] = await traders(serving);
    await play.research(bob.playerId, 'drive_interdim');
    await play.advance(3_600);
    const planetId = await play.anyPlanet(2, 1);
    await admin.command(`/api/game/planet/${planetId}/colonize`, { playerId: ada.playerId }, 201);
    return taken({ ...ada, planetId }, await offered(bob, { h2Max: 1_000_000 }));
  },

  'takeOffer insufficient_h2': async (serving) => {
    const [ada, planetId] = await poor(serving, {});
    return taken({ ...ada, planetId }, await offered(ada.partner));
  },

  'takeOffer insufficient_resources': async (serving) => {
    const [ada, planetId] = await poor(serving, { h2: 1_000 });
    return taken({ ...ada, planetId }, await offered(ada.partner));
  },

  'withdrawOffer market_not_in_rules': async ({ client, play }) => {
    const { playerId } = await play.rich('ada');
    return client.request('POST', '/api/market/offer/offer-1/withdraw', { body: { playerId } });
  },

  'getPlayerMarket market_not_in_rules': async ({ client, play }) => {
    const { playerId } = await play.rich('ada');
    return client.request('GET', `/api/market/player/${playerId}`);
  },

  'streamPlayerEvents events_expired': async ({ client, play }) => {
    const { id } = await play.newcomer('ada');
    return client.request('GET', `/api/event/player/${id}/stream?since=1000`);
  },

  'getWorldEvents events_expired': ({ client }) => client.request('GET', '/api/event/world?since=1000'),
  'streamWorldEvents events_expired': ({ client }) => client.request('GET', '/api/event/world/stream?since=1000'),

  // Sent twice, for the headers of a replay and of a preference.
  'runBatch 200': async ({ client, play }) => {
    const { planetId } = await play.rich('ada');
    const operation = { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } };
    const headers = { 'idempotency-key': 'one', prefer: 'return=minimal' };
    const options = { body: { operations: [operation] }, headers };
    await client.request('POST', '/api/batch', options);
    return client.request('POST', '/api/batch', options);
  },

  'advanceClock forbidden': async (_, t) => {
    const { admin } = await begin(t, { clock: 'real' });
    return admin.request('POST', '/api/admin/clock/advance', { body: { seconds: 1 } });
  },

  'pauseClock forbidden': ({ admin }) => admin.request('POST', '/api/admin/clock/pause'),
  'resumeClock forbidden': ({ admin }) => admin.request('POST', '/api/admin/clock/resume'),

  'blockAddress forbidden': async (_, t) => {
    const { admin } = await begin(t, { server: { trustedProxies: ['127.0.0.1'] } });
    const body = { address: '203.0.113.7', seconds: 60 };
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    return admin.request('POST', '/api/admin/address/block', { body, headers });
  },

  'blockAddress limit_reached': async (_, t) => {
    const desk = deskOf(new MemoryOperatorRecords());
    desk.blocks.block = async () => null;
    const { admin } = await begin(t, { server: { desk } });
    return admin.request('POST', '/api/admin/address/block', { body: { address: '203.0.113.7', seconds: 60 } });
  },

  'blockAddress storage_unavailable': async (_, t) =>
    (await withoutStore(t)).request('POST', '/api/admin/address/block', {
      body: { address: '203.0.113.7', seconds: 60 },
    }),
  'unblockAddress storage_unavailable': async (_, t) =>
    (await withoutStore(t)).request('POST', '/api/admin/address/unblock', { body: { address: '203.0.113.7' } }),
  'getAudit storage_unavailable': async (_, t) => (await withoutStore(t)).request('GET', '/api/admin/audit'),

  'renamePlayer name_taken': async ({ admin, play }) => {
    const { id } = await play.newcomer('ada');
    await play.newcomer('bob');
    return admin.request('POST', `/api/admin/player/${id}/rename`, { body: { name: 'bob' } });
  },

  'renamePlayer limit_reached': async ({ admin, play }) => {
    const { id } = await play.newcomer('ada');
    let name = 1;
    return untilRefused(play, () => {
      name += 1;
      return admin.request('POST', `/api/admin/player/${id}/rename`, { body: { name: `name ${name}` } });
    });
  },

  'createPlayers name_taken': async ({ admin, play }) => {
    await play.newcomer('ada');
    return admin.request('POST', '/api/admin/players', { body: { names: ['\u0430da'] } });
  },

  'createPlayers universe_full': async (_, t) => {
    const { admin } = await fullWorld(t);
    return admin.request('POST', '/api/admin/players', { body: { count: 1, namePrefix: 'late' } });
  },

  'grantResources not_owner': async ({ admin, play }) => {
    const free = await play.neighbour(firstPlanet(await play.newcomer('ada')).id);
    return admin.request('POST', `/api/admin/planet/${free}/grant`, { body: { iron: 1 } });
  },

  'getLeaderboardHistory player_not_found': ({ client }) =>
    client.request('GET', '/api/leaderboard/history?playerId=player-999'),
  'beginTurns player_not_found': async (_, t) => {
    const { admin } = await beginTurnWorld(t);
    const body = { ...GAME, entrants: [{ playerId: 'player-999' }] };
    return admin.request('POST', '/api/admin/turns', { body });
  },

  'getReplay forbidden': ({ client }) => client.request('GET', '/api/replay'),
  'moveReplay forbidden': ({ client }) => client.request('POST', '/api/replay', { body: { seq: 1 } }),
  'getTimeline forbidden': ({ client }) => client.request('GET', '/api/replay/timeline'),
  'getTournament forbidden': ({ client }) => client.request('GET', '/api/tournament'),
  'getTournamentTrace forbidden': ({ client }) => client.request('GET', '/api/tournament/trace?entrant=ada'),

  'takeSnapshot forbidden': ({ admin }) => admin.request('POST', '/api/admin/snapshot'),
  'takeSnapshot storage_unavailable': async (_, t) => {
    const store = await storeOnDisk(t, { diskFloorBytes: Number.MAX_SAFE_INTEGER });
    const { admin } = await begin(t, { store });
    return admin.request('POST', '/api/admin/snapshot');
  },

  'takeSnapshot shutting_down': async (_, t) => {
    const serving = await begin(t, { store: await storeOnDisk(t, { diskFloorBytes: 1 }) });
    return whileStopping(serving, [
      { method: 'POST', path: '/api/admin/snapshot', body: {}, isOperators: true, apiKey: '' },
    ]);
  },
};

/** What is documented and cannot be provoked here, with the reason. */
export const UNREACHED: Readonly<Record<string, string>> = {
  'runBatch overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'simulateLaunch overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'moveReplay overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'blockAddress overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'unblockAddress overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'endTurn overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'beginTurns overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'withdrawEntrant overloaded': 'needs 16,384 queued requests; test/http/admission/work-queue.test.ts fills a queue',
  'takeSnapshot overloaded':
    'the log of a world with snapshots cannot be held back; the check is that of every command',
};

/** A world of one system per galaxy, in which every place is taken. */
async function fullWorld(t: Test): Promise<Serving> {
  const serving = await begin(t, { settings: { systemsPerGalaxy: 1 } });
  await serving.play.bots(10_000, 'everybody');
  return serving;
}

/** A second planet of Ada, with next to nothing. @returns Ada, whose partner is Bob, and the planet */
async function poor(
  serving: Serving,
  granted: object,
): Promise<readonly [ada: Trader & { readonly partner: Trader }, planetId: string]> {
  const { admin, play } = serving;
  const [ada, partner] = await traders(serving);
  const planetId = await play.neighbour(ada.planetId);
  await admin.command(`/api/game/planet/${planetId}/colonize`, { playerId: ada.playerId }, 201);
  await play.grant(planetId, { iron: 1, ...granted });
  return [{ ...ada, partner }, planetId];
}

async function freePlanets(client: GameClient, count: number): Promise<string[]> {
  const planets: string[] = [];
  for (let system = 1; planets.length < count; system += 1) {
    const view = await client.read<SystemViewBody>(`/api/game/galaxy/1/system/${system}`);
    planets.push(...view.planets.filter(({ owner }) => owner === null).map(({ id }) => id));
  }
  return planets.slice(0, count);
}

/** The same body to many paths. */
async function batch(client: GameClient, paths: readonly string[], body: object): Promise<void> {
  const operations = paths.map((path) => ({ method: 'POST', path, body }));
  await client.request('POST', '/api/batch', { body: { operations }, headers: { prefer: 'return=minimal' } });
}

/** Repeats a command, each time after what it began has ended. */
/** The operator of a world whose records cannot be read or written. */
async function withoutStore(t: Test): Promise<GameClient> {
  const records = new MemoryOperatorRecords();
  const fail = async (): Promise<never> => {
    throw new Error('no room');
  };
  records.putDocument = fail;
  records.lines = fail;
  return (await begin(t, { server: { desk: deskOf(records) } })).admin;
}

async function untilRefused(play: Play, ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask();
    if (reply.status >= 400) return reply;
    await play.toNextTimer();
  }
}
