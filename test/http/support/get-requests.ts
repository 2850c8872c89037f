// Has a request that succeeds for every GET of the route table, in a world of its own, as write-requests.ts does for every
// write.
import type { Route } from '../../../http/pipeline/route.js';
import { ROUTES } from '../../../http/routes/table.js';
import type { FleetBody } from '../../../http/schemas/player.js';
import { FLARE, withShocks } from '../../support/shock-rules.js';
import { SIGHTED } from '../../support/sighted-rules.js';
import { firstPlanet, Play, type PlayerBody } from './play.js';
import type { Serving } from './serving.js';
import { offered, takes, traders } from './traders.js';
import { inTurn } from './turn-play.js';
import { flight, plannedPlanet, proposedPact, speakers } from './write-requests.js';

/** All but those that only a replay or a world of turns answers. */
export const LIVE_ROUTES: readonly Route[] = ROUTES.filter(({ tag }) => tag !== 'replay' && tag !== 'turns');

export interface GetRequest {
  readonly path: string;
  /** API key that it is sent with. */
  readonly apiKey?: string;
  /** Sent with the admin key. */
  readonly isOperators?: boolean;
}

type Preparation = (serving: Serving) => Promise<GetRequest>;

/** A request that needs nothing but a player. */
const afterArrival =
  (path: string): Preparation =>
  async ({ play }) => {
    await play.newcomer('ada');
    return { path };
  };

const DAY_SECONDS = 86_400;
/** The first player of a world of seed 1, and its planet. */
const PLAYER = 'player-1';
const PLANET = 'planet-1-0-26';

/** Indexed by operation id; each in the open mode with a manual clock. */
export const GET_REQUESTS: Readonly<Record<string, Preparation>> = {
  getState: afterArrival(`/api/game/state/${PLAYER}`),
  getPlanets: afterArrival(`/api/game/planets/${PLAYER}`),
  getPlanet: afterArrival(`/api/game/planet/${PLANET}`),
  getSystem: afterArrival('/api/game/galaxy/1/system/0'),
  getGalaxy: afterArrival('/api/game/galaxy/1'),
  getOptions: afterArrival(`/api/game/options/${PLANET}`),
  getFields: afterArrival(`/api/game/fields/${PLANET}`),
  getShocks: async ({ admin, play }) => {
    await play.newcomer('ada');
    await admin.command('/api/admin/rules', withShocks(FLARE));
    await play.advance(DAY_SECONDS);
    return { path: '/api/game/shocks' };
  },
  getPacts: async (serving) => ({ path: `/api/game/pacts/${(await proposedPact(serving)).bob}` }),
  getKnownPlanets: afterArrival(`/api/game/richness/${PLAYER}`),
  getPlan: async (serving) => {
    const { method, path, body } = await plannedPlanet(serving);
    await serving.client.request(method, path, { body });
    return { path };
  },
  getBrief: afterArrival(`/api/brief/player/${PLAYER}`),
  getPlayerEvents: afterArrival(`/api/event/player/${PLAYER}?since=0`),
  streamPlayerEvents: afterArrival(`/api/event/player/${PLAYER}/stream?since=0`),
  getWorldEvents: afterArrival('/api/event/world?since=0'),
  streamWorldEvents: afterArrival('/api/event/world/stream?since=0'),
  getLimits: afterArrival('/api/limits'),
  getBuildings: afterArrival(`/api/building/planet/${PLANET}`),
  getLeaderboard: afterArrival('/api/leaderboard'),
  findPlayers: afterArrival('/api/player?name=a'),
  getLeaderboardHistory: afterArrival('/api/leaderboard/history'),
  getMap: afterArrival('/api/map'),
  getCatalog: afterArrival('/api/catalog'),
  getErrors: afterArrival('/api/errors'),
  getStatus: afterArrival('/api/status'),
  getHealth: afterArrival('/healthz'),
  getReadiness: afterArrival('/readyz'),
  getOpenApi: afterArrival('/openapi.json'),
  getAsyncApi: afterArrival('/asyncapi.json'),
  getMetrics: afterArrival('/metrics'),

  // With keys, only the operator may read a replay.
  getReplay: async () => ({ path: '/api/replay', isOperators: true }),
  getTimeline: async () => ({ path: '/api/replay/timeline', isOperators: true }),
  getTournament: async () => ({ path: '/api/tournament', isOperators: true }),
  getTournamentTrace: async () => ({ path: '/api/tournament/trace?game=1&entrant=builder', isOperators: true }),

  getTurn: async (serving) => ({ path: '/api/turn', apiKey: (await inTurn(serving)).key }),
  getTurns: async (serving) => {
    await inTurn(serving);
    return { path: '/api/admin/turns', isOperators: true };
  },

  getStart: afterArrival('/'),
  getDocs: afterArrival('/docs'),
  getDocsScript: afterArrival('/docs/viewer.js'),
  getDocsStyle: afterArrival('/docs/viewer.css'),
  getDashboard: afterArrival('/dashboard'),
  getDashboardScript: afterArrival('/dashboard/dashboard.js'),
  getDashboardStyle: afterArrival('/dashboard/dashboard.css'),
  getLanguageModelText: afterArrival('/llms.txt'),

  getFleets: async (serving) => {
    const { fleet } = await serving.play.launch(await flight(serving));
    return { path: `/api/fleet/player/${fleet.playerId}` };
  },

  getMarket: async (serving) => {
    const [ada, bob] = await traders(serving);
    await takes(ada, await offered(bob));
    await offered(ada);
    return { path: '/api/market/galaxy/1' };
  },

  getPlayerMarket: async (serving) => {
    const [ada, bob] = await traders(serving);
    const { playerId: toPlayerId, apiKey } = ada;
    await takes(ada, await offered(bob, { toPlayerId }));
    await offered(bob, { toPlayerId });
    await offered(ada);
    return { path: `/api/market/player/${toPlayerId}`, apiKey };
  },

  getSeenFleets: async (serving) => {
    const { planetId } = await sightedPlanet(serving);
    return { path: `/api/fleet/seen/${planetId}` };
  },

  getMessages: async (serving) => {
    const [ada, bob] = await speakers(serving);
    for (const to of [bob, 'all'])
      await serving.client.command('/api/message', { playerId: ada, to, text: 'Who has ember to spare?' });
    return { path: `/api/message/player/${ada}` };
  },

  getMapFleets: async (serving) => {
    await serving.play.launch(await flight(serving));
    return { path: '/api/map/fleets' };
  },

  getShipyard: async ({ play }) => {
    const { planetId } = await play.fleetOwner('ada', { transport: 1 });
    await play.order(planetId, 'scout', 2);
    return { path: `/api/shipyard/planet/${planetId}` };
  },

  getResearch: async ({ play }) => {
    const { id } = await play.newcomer('ada');
    await play.research(id);
    return { path: `/api/research/player/${id}` };
  },

  getReports: async ({ client, play }) => {
    const { playerId, planetId } = await play.fleetOwner('ada', { fighter: 2, transport: 1 });
    const prey = firstPlanet(await play.newcomer('prey'));
    const ships = ['fighter', 'transport'].map((type) => ({ type, count: type === 'fighter' ? 2 : 1 }));
    const launch = { playerId, originPlanetId: planetId, targetPlanetId: prey.id, ships, mission: 'attack' };
    const { fleet } = await client.command<{ fleet: FleetBody }>('/api/fleet/launch', launch);
    await play.advanceTo(fleet.arrivesAt);
    return { path: `/api/report/player/${playerId}` };
  },

  getTraffic: async ({ play }) => {
    await play.newcomer('ada');
    return { path: '/api/admin/traffic?by=address', isOperators: true };
  },

  getMetricHistory: async () => ({ path: '/api/metrics/history' }),

  listPlayers: async ({ play }) => {
    await play.newcomer('ada');
    return { path: '/api/admin/players?sort=activity', isOperators: true };
  },

  listBlockedAddresses: async ({ admin }) => {
    await admin.command('/api/admin/address/block', { address: '203.0.113.7', seconds: 3_600 });
    return { path: '/api/admin/addresses', isOperators: true };
  },

  getAudit: async ({ admin }) => {
    await admin.command('/api/admin/announce', { text: 'hello' });
    return { path: '/api/admin/audit', isOperators: true };
  },

  getStateHash: async ({ play }) => {
    await play.newcomer('ada');
    return { path: '/api/admin/state-hash', isOperators: true };
  },
};

/** A planet of a world that changes to rules with sight first. It sees a fleet of another player, which flies to its system. */
export async function sightedPlanet({ admin, client, play }: Pick<Serving, 'admin' | 'client' | 'play'>) {
  await admin.command('/api/admin/rules', SIGHTED);
  const ada = await play.rich('ada');
  await client.command('/api/research/start', { playerId: ada.playerId, researchType: SIGHTED.sight.research });
  const bob = await client.command<PlayerBody & { apiKey?: string }>(
    '/api/game/player',
    { name: 'bob', isBot: true },
    201,
  );
  const ofBob = new Play(client.as(bob.apiKey ?? ''), admin);
  const { id: originPlanetId } = firstPlanet(bob);
  await ofBob.grant(originPlanetId);
  await ofBob.construct(originPlanetId, 'shipyard');
  await ofBob.ships(originPlanetId, 'scout', 1);
  await play.advance(600);
  const { fleet } = await ofBob.launch({
    playerId: bob.id,
    originPlanetId,
    targetPlanetId: await play.neighbour(ada.planetId),
    ships: [{ type: 'scout', count: 1 }],
    mission: 'transport',
  });
  return { ...ada, fleet };
}
