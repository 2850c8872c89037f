// Has a request that succeeds for every POST and PUT of the route table, in a world of its own: properties of every write are tested
// on all of them. A test compares the names with the table, so that a new route is not forgotten.

import type { PactBody } from '../../../http/schemas/pacts.js';
import { MANUAL_START_MS } from '../../../persistence/time/clock.js';
import { CUSTOM } from '../../support/custom-rules.js';
import { WITH_PACTS } from '../../support/pact-rules.js';
import { PLANNED } from '../../support/planned-rules.js';
import { SPOKEN } from '../../support/spoken-rules.js';
import { SUPPORTED } from '../../support/supported-rules.js';
import { firstPlanet, Play, type PlayerBody } from './play.js';
import type { Serving } from './serving.js';
import { FAIR, offered, taking, traders } from './traders.js';
import { GAME, inTurn, type Seat, seats } from './turn-play.js';

export interface WriteRequest {
  /** POST by default. */
  readonly method?: 'PUT';
  readonly path: string;
  readonly body?: unknown;
  /** API key that it is sent with. */
  readonly apiKey?: string;
  /** The key is invalid afterwards. */
  readonly endsKey?: boolean;
  /** Sent with the admin key. */
  readonly isOperators?: boolean;
  /** The operation does not change the world, so no reply is kept. */
  readonly isRead?: boolean;
}

type Preparation = (serving: Serving) => Promise<WriteRequest>;

/** Operations that exist only with --auth key. */
export const NEED_KEYS: ReadonlySet<string> = new Set([
  'rotateKey',
  'revokeKeys',
  'rotateKeyOfPlayer',
  'revokeKeysOfPlayer',
  'getTurn',
  'endTurn',
  'getTurns',
  'beginTurns',
  'withdrawEntrant',
]);

/** Operations that need a real clock, and its machine, on which no time passes. */
export const NEED_REAL_CLOCK: ReadonlySet<string> = new Set(['pauseClock', 'resumeClock']);
export const STANDING_MACHINE = {
  clock: 'real',
  source: { wallMs: () => MANUAL_START_MS, elapsedMs: () => 0 },
} as const;

/** Operations whose replies are kept by no world: nothing is kept in a replay, and games of turns are state of the process. */
export const KEPT_BY_NO_WORLD: ReadonlySet<string> = new Set([
  'moveReplay',
  'endTurn',
  'beginTurns',
  'withdrawEntrant',
  // They answer with real time, and with what was before.
  'blockAddress',
  'unblockAddress',
]);

/**
 * By operation id; each with a manual clock, and in the open mode unless it needs keys. What is sent and answered is the
 * example of the documents.
 */
export const WRITE_REQUESTS: Readonly<Record<string, Preparation>> = {
  createPlayer: async () => ({ path: '/api/game/player', body: { name: 'ada', isBot: true } }),

  createSecondStarter: async ({ play }) => ({
    path: `/api/game/planet/starter/${(await play.newcomer('ada')).id}`,
  }),

  colonizePlanet: async ({ play }) => {
    const player = await play.newcomer('ada');
    const free = await play.neighbour(firstPlanet(player).id);
    return { path: `/api/game/planet/${free}/colonize`, body: { playerId: player.id } };
  },

  launchFleet: async (serving) => ({ path: '/api/fleet/launch', body: await flight(serving) }),

  recallFleet: async (serving) => {
    const { fleet } = await serving.play.launch(await flight(serving));
    await serving.play.advance(1);
    return { path: `/api/fleet/${fleet.id}/recall`, body: { playerId: fleet.playerId } };
  },

  proposePact: async ({ admin, play }) => {
    await admin.command('/api/admin/rules', WITH_PACTS);
    const [{ id: playerId }, { id: partnerId }] = [await play.newcomer('ada'), await play.newcomer('bob')];
    return { path: '/api/pact', body: { ...proposal(playerId, partnerId), kind: 'shared_sight' } };
  },

  acceptPact: async (serving) => answer(await proposedPact(serving), 'accept'),

  declinePact: async (serving) => answer(await proposedPact(serving), 'decline'),

  cancelPact: async (serving) => {
    const { client, bob, pact } = await proposedPact(serving);
    await client.command(`/api/pact/${pact.id}/accept`, { playerId: bob });
    return { path: `/api/pact/${pact.id}/cancel`, body: { playerId: bob } };
  },

  dismissFleet: async (serving) => {
    const { host, fleet } = await supportedPlanet(serving);
    return { path: `/api/fleet/${fleet.id}/dismiss`, body: { playerId: host.playerId } };
  },

  makeOffer: async (serving) => {
    const [{ playerId, planetId }] = await traders(serving);
    return { path: '/api/market/offer', body: { playerId, planetId, ...FAIR } };
  },

  takeOffer: async (serving) => {
    const [ada, bob] = await traders(serving);
    return taking(await offered(bob), ada);
  },

  withdrawOffer: async (serving) => {
    const [maker] = await traders(serving);
    const { id } = await offered(maker);
    return { path: `/api/market/offer/${id}/withdraw`, body: { playerId: maker.playerId } };
  },

  simulateLaunch: async (serving) => {
    const { originPlanetId, targetPlanetId, ships } = await flight(serving);
    return { path: '/api/fleet/simulate', body: { originPlanetId, targetPlanetId, ships }, isRead: true };
  },

  constructBuilding: async ({ play }) => {
    const { planetId } = await play.rich('ada');
    return { path: '/api/building/construct', body: { planetId, buildingType: 'shipyard' } };
  },

  upgradeBuilding: async ({ play }) => {
    const { planetId } = await play.rich('ada');
    return { path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } };
  },

  cancelBuilding: async ({ play }) => {
    const { planetId } = await play.rich('ada');
    await play.upgrade(planetId);
    return { path: '/api/building/cancel', body: { planetId, queueId: 'queue-1' } };
  },

  buildShips: async ({ play }) => {
    const { planetId } = await play.fleetOwner('ada', {});
    return { path: '/api/shipyard/build', body: { planetId, shipType: 'scout', count: 2 } };
  },

  cancelShips: async ({ play }) => {
    const { planetId } = await play.fleetOwner('ada', {});
    await play.order(planetId, 'scout', 2);
    return { path: '/api/shipyard/cancel', body: { planetId, shipType: 'scout' } };
  },

  startResearch: async ({ play }) => {
    const { id } = await play.newcomer('ada');
    return { path: '/api/research/start', body: { playerId: id, researchType: 'drive_ion' } };
  },

  putPlan: async (serving) => plannedPlanet(serving),

  sendMessage: async (serving) => {
    const [ada, bob] = await speakers(serving);
    return {
      path: '/api/message',
      body: { playerId: ada, to: bob, text: 'Shall we leave each other alone for three days?' },
    };
  },

  blockPlayer: async (serving) => {
    const [ada, bob] = await speakers(serving);
    return { path: '/api/message/block', body: { playerId: ada, blockedPlayerId: bob, blocked: true } };
  },

  switchRules: async () => ({ path: '/api/admin/rules', body: CUSTOM, isOperators: true }),

  setSpeed: async () => ({ path: '/api/admin/clock/speed', body: { speed: 2.5 }, isOperators: true }),

  pauseClock: async () => ({ path: '/api/admin/clock/pause', isOperators: true }),

  resumeClock: async ({ admin }) => {
    await admin.command('/api/admin/clock/pause', {});
    return { path: '/api/admin/clock/resume', isOperators: true };
  },

  runBatch: async ({ play }) => {
    const { planetId } = await play.rich('ada');
    const upgrade = (buildingType: string) => ({
      method: 'POST',
      path: '/api/building/upgrade',
      body: { planetId, buildingType },
    });
    return { path: '/api/batch', body: { operations: [upgrade('iron_mine'), upgrade('silver_mine')] } };
  },

  advanceClock: async ({ play }) => {
    const { id } = await play.newcomer('ada');
    await play.research(id);
    return { path: '/api/admin/clock/advance', body: { seconds: 3_600 }, isOperators: true };
  },

  createPlayers: async () => ({
    path: '/api/admin/players',
    body: { count: 2, namePrefix: 'bot' },
    isOperators: true,
  }),

  // It does not change the world, so no reply is kept; a repetition finds the same snapshot.
  takeSnapshot: async ({ play }) => {
    await play.newcomer('ada');
    return { path: '/api/admin/snapshot', isOperators: true, isRead: true };
  },

  moveReplay: async () => ({ path: '/api/replay', body: { seq: 3 }, isOperators: true, isRead: true }),

  beginTurns: async (serving) => {
    const [ada, bob] = (await seats(serving, 'ada', 'bob')) as [Seat, Seat];
    const entrants = [{ playerId: ada.id }, { playerId: bob.id, wakeupsPerDay: 1 }];
    return { path: '/api/admin/turns', body: { ...GAME, entrants }, isOperators: true };
  },

  endTurn: async (serving) => {
    const { key } = await inTurn(serving);
    const body = { wakeAt: '2000-01-01T06:00:00Z', wakeOn: ['building_completed', 'incoming_fleet'] };
    return { path: '/api/turn/end', body, apiKey: key };
  },

  withdrawEntrant: async (serving) => {
    const { id } = await inTurn(serving);
    return { path: '/api/admin/turns/withdraw', body: { playerId: id }, isOperators: true };
  },

  rotateKey: async (serving) => {
    const { id, apiKey } = await keyHolder(serving);
    return { path: `/api/game/player/${id}/key`, body: { expiresInSeconds: 3_600 }, apiKey };
  },

  revokeKeys: async (serving) => {
    const { id, apiKey } = await keyHolder(serving);
    return { path: `/api/game/player/${id}/key/revoke`, apiKey, endsKey: true };
  },

  rotateKeyOfPlayer: async (serving) => {
    const { id } = await keyHolder(serving);
    return { path: `/api/admin/player/${id}/key`, isOperators: true };
  },

  revokeKeysOfPlayer: async (serving) => {
    const { id } = await keyHolder(serving);
    return { path: `/api/admin/player/${id}/key/revoke`, isOperators: true };
  },

  retirePlayer: async ({ play }) => {
    const { id } = await play.newcomer('leaver');
    return { path: `/api/admin/player/${id}/retire`, isOperators: true };
  },

  suspendPlayer: async ({ play }) => {
    const { id } = await play.newcomer('ada');
    return { path: `/api/admin/player/${id}/suspend`, isOperators: true };
  },

  resumePlayer: async ({ admin, play }) => {
    const { id } = await play.newcomer('ada');
    await admin.command(`/api/admin/player/${id}/suspend`);
    return { path: `/api/admin/player/${id}/resume`, isOperators: true };
  },

  renamePlayer: async ({ play }) => {
    const { id } = await play.newcomer('ada');
    return { path: `/api/admin/player/${id}/rename`, body: { name: 'grace' }, isOperators: true };
  },

  announce: async () => ({
    path: '/api/admin/announce',
    body: { text: 'The world is paused at 18:00 UTC for an hour.', untilSeconds: 7_200 },
    isOperators: true,
  }),

  blockAddress: async () => ({
    path: '/api/admin/address/block',
    body: { address: '203.0.113.7', seconds: 3_600 },
    isOperators: true,
    isRead: true,
  }),

  unblockAddress: async ({ admin }) => {
    await admin.command('/api/admin/address/block', { address: '203.0.113.7', seconds: 3_600 });
    return { path: '/api/admin/address/unblock', body: { address: '203.0.113.7' }, isOperators: true, isRead: true };
  },

  retireInactivePlayers: async ({ play }) => {
    await play.newcomer('sleeper');
    await play.advance(3_600);
    return { path: '/api/admin/players/retire', body: { inactiveForSeconds: 3_600 }, isOperators: true };
  },

  grantResources: async ({ play }) => {
    const { planetId } = await play.rich('ada');
    return { path: `/api/admin/planet/${planetId}/grant`, body: { iron: 7 }, isOperators: true };
  },
};

/** A planet of a world that changes to rules with plans first. */
export async function plannedPlanet({ admin, play }: Pick<Serving, 'admin' | 'play'>) {
  await admin.command('/api/admin/rules', PLANNED);
  const { planetId } = await play.rich('ada');
  const steps = [
    { action: 'construct', buildingType: 'shipyard' },
    { action: 'upgrade', buildingType: 'iron_mine' },
    { action: 'build_ships', shipType: 'scout', count: 2 },
    { action: 'research', researchType: 'drive_ion' },
    { action: 'research', researchType: 'drive_hyper' },
  ];
  return { method: 'PUT', path: `/api/plan/planet/${planetId}`, body: { steps } } as const;
}

/** Ids of two players in a world that changes to rules with messages first. */
export async function speakers({ admin, play }: Pick<Serving, 'admin' | 'play'>): Promise<readonly [string, string]> {
  await admin.command('/api/admin/rules', SPOKEN);
  const { id: ada } = await play.newcomer('ada');
  const { id: bob } = await play.newcomer('bob');
  return [ada, bob];
}

/** A planet at which another player has stationed a fleet, in a world that changes to rules with support first. */
export async function supportedPlanet({ admin, client, play }: Pick<Serving, 'admin' | 'client' | 'play'>) {
  await admin.command('/api/admin/rules', SUPPORTED);
  const host = await play.rich('ada');
  const {
    id: playerId,
    planets,
    apiKey = '',
  } = await client.command<PlayerBody & { apiKey?: string }>('/api/game/player', { name: 'bob', isBot: true }, 201);
  const ofBob = new Play(client.as(apiKey), admin);
  const originPlanetId = planets[0]?.id ?? '';
  await ofBob.grant(originPlanetId);
  await ofBob.construct(originPlanetId, 'shipyard');
  await ofBob.ships(originPlanetId, 'scout', 1);
  const ships = [{ type: 'scout', count: 1 }];
  const { fleet } = await ofBob.launch({
    playerId,
    originPlanetId,
    targetPlanetId: host.planetId,
    ships,
    mission: 'support',
  });
  await play.advanceTo(fleet.arrivesAt);
  return { host, fleet };
}

function keyHolder({ client }: Serving): Promise<{ id: string; apiKey: string }> {
  return client.command('/api/game/player', { name: 'ada', isBot: true }, 201);
}

export async function flight({ play }: Serving) {
  const { playerId, planetId } = await play.fleetOwner('ada', { transport: 1 });
  const { id: targetPlanetId } = await play.secondStarter(playerId);
  const ships = [{ type: 'transport', count: 1 }];
  return { playerId, originPlanetId: planetId, targetPlanetId, ships, mission: 'transport' };
}

export function proposal(playerId: string, partnerId: string) {
  return { playerId, partnerId, kind: 'non_aggression', durationSeconds: 86_400 };
}

/** In a world that changes to rules with pacts first, Ada proposes a pact to Bob. */
export async function proposedPact({ admin, client, play }: Pick<Serving, 'admin' | 'client' | 'play'>) {
  await admin.command('/api/admin/rules', WITH_PACTS);
  const { id: bob } = await play.newcomer('bob');
  const { id: ada, apiKey = '' } = await client.command<PlayerBody & { apiKey?: string }>(
    '/api/game/player',
    { name: 'ada', isBot: true },
    201,
  );
  const pact = await client.as(apiKey).command<PactBody>('/api/pact', proposal(ada, bob));
  return { client, ada, bob, pact };
}

function answer({ bob, pact }: Awaited<ReturnType<typeof proposedPact>>, verb: 'accept' | 'decline') {
  return { path: `/api/pact/${pact.id}/${verb}`, body: { playerId: bob } };
}
