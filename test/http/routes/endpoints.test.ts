// Every endpoint of the specification and of its additions answers with the status and the shape it promises: each reply
// is held to the route table's own schema by the client, and to the specification's tables here.
import t from 'tap';
import * as recordLimits from '../../../engine/rules/record-limits.js';
import { ROUTES } from '../../../http/routes/table.js';
import type { MessageBody } from '../../../http/schemas/diplomacy.js';
import type { PactBody } from '../../../http/schemas/pacts.js';
import type {
  BuildingBody,
  GalaxyOverviewBody,
  PlanetBody,
  ShipyardEntryBody,
  ShipyardStatusBody,
  SystemViewBody,
} from '../../../http/schemas/planet.js';
import type { PlanBody, PlanetOptionsBody } from '../../../http/schemas/planning.js';
import type {
  FleetBody,
  PlayerKeyBody,
  ReportBody,
  ResearchEntryBody,
  SimulationBody,
} from '../../../http/schemas/player.js';
import type { ReplayPositionBody } from '../../../http/schemas/replay.js';
import type { ShocksBody } from '../../../http/schemas/shocks.js';
import type {
  CatalogBody,
  LeaderboardBody,
  RulesIdentityBody,
  SnapshotBody,
  StatusBody,
  WorldClockBody,
  WorldSpeedBody,
} from '../../../http/schemas/world.js';
import * as specification from '../../specification/fields.js';
import { CUSTOM } from '../../support/custom-rules.js';
import { PARTS_RULES } from '../../support/parts-rules.js';
import { PLANNED_RULES } from '../../support/planned-rules.js';
import { RUSH, withShocks } from '../../support/shock-rules.js';
import { writtenTournament } from '../../support/tournament/written-tournament.js';
import type { EventPageBody } from '../support/event-client.js';
import { statusesOf } from '../support/game-client.js';
import { firstPlanet, type PlayerBody } from '../support/play.js';
import { answered } from '../support/reply-check.js';
import { Scrape } from '../support/scrape.js';
import { begin, beginReplay, storeOnDisk } from '../support/serving.js';
import { offered, takes, traders } from '../support/traders.js';
import { beginGame, beginTurnWorld, endOf, gameOver, type Seat, seats, turnOf } from '../support/turn-play.js';
import { proposal, proposedPact, speakers, supportedPlanet } from '../support/write-requests.js';

const { faultsOf } = specification;
const { client, admin, play } = await begin(t, { store: await storeOnDisk(t, { diskFloorBytes: 1 }) });

function fits(t: Tap, value: unknown, table: specification.FieldTable): void {
  t.same(faultsOf(value, table), []);
}
type Tap = Pick<typeof t, 'same'>;

t.test('creating the human answers 201 once and afterwards 200 with the same player, whatever the name', async (t) => {
  const created = await client.command<PlayerBody>('/api/game/player', { name: 'ada' }, 201);
  fits(t, created, specification.PLAYER);
  const again = await client.command<PlayerBody>('/api/game/player', { name: 'grace' }, 200);
  t.same(again, created);
  t.same(await client.command('/api/game/player', { name: 'ada', isBot: false }, 200), created);
});

t.test('creating a bot answers 201, and 200 with the bot of that name', async (t) => {
  const bot = await client.command<PlayerBody>('/api/game/player', { name: 'grace', isBot: true }, 201);
  t.match(bot, { name: 'grace', isBot: true });
  t.same(await client.command('/api/game/player', { name: 'grace', isBot: true }, 200), bot);
  const other = await client.command<PlayerBody>('/api/game/player', { name: 'bob', isBot: true }, 201);
  t.not(other.id, bot.id);
});

t.test('all planets of a player are listed with full details', async (t) => {
  const { playerId, planetId } = await play.rich('lister');
  const second = await play.secondStarter(playerId);
  const planets = await client.read<PlanetBody[]>(`/api/game/planets/${playerId}`);
  t.same(
    planets.map(({ id }) => id),
    [planetId, second.id],
  );
  t.same(planets, (await play.state(playerId)).planets, 'as in the state');
  for (const planet of planets) t.same(await play.planet(planet.id), planet, 'and alone');
});

t.test('a second starter planet can be asked for with an empty body or with {}', async (t) => {
  const { id } = await play.newcomer('second starter');
  const second = await play.secondStarter(id);
  fits(t, second, specification.PLANET);
  t.equal(second.buildings.length, 4);
});

t.test('the galaxy view shows a system with its star and all of its planets', async (t) => {
  const planet = firstPlanet(await play.newcomer('stargazer'));
  const { galaxyIndex, index } = planet.system;
  const view = await client.read<SystemViewBody>(`/api/game/galaxy/${galaxyIndex}/system/${index}`);
  fits(t, view, specification.SYSTEM_VIEW);
  fits(t, view.galaxy, specification.GALAXY);
  fits(t, view.system, specification.SYSTEM);
  t.ok(view.planets.length >= 10 && view.planets.length <= 30);
  const shown = view.planets.find(({ id }) => id === planet.id);
  t.equal(shown?.owner?.name, 'stargazer');
  const free = view.planets.find(({ owner }) => owner === null);
  t.match(await play.planet(free?.id ?? ''), { owner: null, buildings: [], planetShips: [], iron: 0 });
});

t.test('an unoccupied planet is colonized in development mode', async (t) => {
  const { playerId, planetId } = await play.rich('colonist');
  const free = await play.neighbour(planetId);
  const colony = await client.command<PlanetBody>(`/api/game/planet/${free}/colonize`, { playerId }, 201);
  fits(t, colony, specification.PLANET);
  t.match(colony, { id: free, owner: { id: playerId } });
});

t.test('a building is constructed, cancelled with a full refund and constructed again', async (t) => {
  const { planetId } = await play.rich('builder');
  const before = await play.planet(planetId);
  const building = await client.command<PlanetBody>('/api/building/construct', { planetId, buildingType: 'shipyard' });
  const shipyard = building.buildings.find(({ type }) => type === 'shipyard');
  t.match(shipyard, { level: 0, constructionQueue: [{ targetLevel: 1 }] });
  const listed = await client.read<BuildingBody[]>(`/api/building/planet/${planetId}`);
  t.same(listed, building.buildings);
  for (const entry of listed) fits(t, entry, specification.BUILDING);
  const queueId = shipyard?.constructionQueue[0]?.queueId;
  t.same(await client.command('/api/building/cancel', { planetId, queueId }), before, 'as if nothing had been');
  await play.construct(planetId, 'shipyard');
  const built = await client.read<BuildingBody[]>(`/api/building/planet/${planetId}`);
  t.match(
    built.find(({ type }) => type === 'shipyard'),
    { level: 1, constructionQueue: [] },
  );
});

t.test('what planners read: the options of a planet, and the overview of its galaxy', async (t) => {
  const { playerId, planetId } = await play.rich('planner');
  t.match(await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`), { planetId });
  const unowned = await play.neighbour(planetId);
  t.same(await client.read<PlanetOptionsBody>(`/api/game/options/${unowned}`), {
    planetId: unowned,
    nextTimerAt: null,
    options: [],
  });
  t.match(await play.brief(playerId), `# "planner" (${playerId}) at `);
  const { systems } = await client.read<GalaxyOverviewBody>('/api/game/galaxy/1');
  t.ok(systems.some(({ owners }) => owners.some((owner) => owner.playerId === playerId)));
});

t.test('a plan is put, starts what it can and shows the rest; without a plan there are no steps', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PLANNED_RULES } });
  const { planetId } = await play.rich('planner');
  const path = `/api/plan/planet/${planetId}`;
  t.match(await client.read<PlanBody>(path), { planetId, onBlocked: 'wait', steps: [] });
  const upgrade = { action: 'upgrade', buildingType: 'iron_mine' };
  const put = await client.request('PUT', path, { body: { steps: [upgrade, upgrade] } });
  t.match(put, { status: 200, body: { planetId, onBlocked: 'wait', steps: [upgrade] } });
  t.same(await client.read<PlanBody>(path), put.body, 'as a read shows it');
  t.match(await play.planet(planetId), { planSteps: 1 });
  await play.toNextTimer();
  t.same((await client.read<PlanBody>(path)).steps, [], 'the second level is being built');
});

t.test('the status of a world in memory has neither a snapshot nor a history', async (t) => {
  t.match(await client.read<StatusBody>('/api/status'), { history: { coveredFromSeq: 1, isKept: false } }, 'on disk');
  const inMemory = await begin(t);
  t.match(await inMemory.client.read<StatusBody>('/api/status'), { snapshot: null, history: null });
});

t.test('an upgrade from each level takes (level + 1)^2 x 60 s', async (t) => {
  const { planetId } = await play.rich('upgrader');
  for (const level of [1, 2, 3]) {
    const { worldTime } = await client.read<StatusBody>('/api/status');
    const planet = await play.upgrade(planetId, 'zentrale');
    const [entry] = planet.buildings.find(({ type }) => type === 'zentrale')?.constructionQueue ?? [];
    fits(t, entry, specification.CONSTRUCTION_ENTRY);
    t.match(entry, { targetLevel: level + 1, startedAt: worldTime });
    t.equal(Date.parse(entry?.upgradeFinishAt ?? '') - Date.parse(worldTime), (level + 1) ** 2 * 60 * 1000);
    t.equal((await play.toNextTimer()).worldTime, entry?.upgradeFinishAt);
  }
});

t.test('ships are ordered with 201, queue up, are delivered together, and cancelled without refund', async (t) => {
  const { planetId } = await play.rich('wright');
  await play.construct(planetId, 'shipyard');
  const { worldTime } = await client.read<StatusBody>('/api/status');
  const order = { planetId, shipType: 'fighter', count: 3 };
  const first = await client.command<ShipyardEntryBody>('/api/shipyard/build', order, 201);
  fits(t, first, specification.SHIPYARD_ENTRY);
  t.equal(Date.parse(first.buildFinishAt) - Date.parse(worldTime), 60 * 3 * 1000, 'baseTime x count x 0.9^0');
  const second = await client.command<ShipyardEntryBody>('/api/shipyard/build', order, 201);
  t.match([first, second], [{ isBuilding: true }, { isBuilding: false }]);
  await play.toNextTimer();
  const status = await client.read<ShipyardStatusBody>(`/api/shipyard/planet/${planetId}`);
  fits(t, status, specification.SHIPYARD);
  t.same(status, { queue: [{ ...second, isBuilding: true }], stock: [{ shipType: 'fighter', count: 3 }] });
  for (const entry of status.stock) fits(t, entry, specification.STOCK_ENTRY);
  const before = await play.planet(planetId);
  t.same(await client.command('/api/shipyard/cancel', { planetId, shipType: 'fighter' }), { success: true });
  t.same(await play.planet(planetId), { ...before, shipyardQueue: [], nextTimerAt: null }, 'nothing is refunded');
});

t.test('research is created at level 0 and reaches level 1 after 120 s', async (t) => {
  const { id } = await play.newcomer('scholar');
  t.same(await client.read(`/api/research/player/${id}`), []);
  const { worldTime } = await client.read<StatusBody>('/api/status');
  const started = await play.research(id);
  fits(t, started, specification.RESEARCH);
  t.match(started, { level: 0, isResearching: true });
  t.equal(Date.parse(started.researchFinishAt ?? '') - Date.parse(worldTime), 120 * 1000);
  t.same(await client.read(`/api/research/player/${id}`), [started]);
  await play.toNextTimer();
  const [finished] = await client.read<ResearchEntryBody[]>(`/api/research/player/${id}`);
  t.same(finished, { ...started, level: 1, isResearching: false, researchFinishAt: null });
});

t.test('a flight is simulated, launched as simulated, and recalled; the way back mirrors the way out', async (t) => {
  const { playerId, planetId } = await play.fleetOwner('pilot', { transport: 1 });
  const target = await play.secondStarter(playerId);
  const flight = { originPlanetId: planetId, targetPlanetId: target.id, ships: [{ type: 'transport', count: 1 }] };
  const simulation = await client.command<SimulationBody>('/api/fleet/simulate', flight);
  fits(t, simulation, specification.SIMULATION);
  for (const result of simulation.results) fits(t, result, specification.SIMULATION_ENTRY);
  t.equal(simulation.results.length, 5, 'one entry a drive');
  const launched = await play.launch({
    ...flight,
    playerId,
    mission: 'transport',
    resources: { iron: 100, silver: 50 },
  });
  fits(t, launched, specification.LAUNCH);
  fits(t, launched.fleet, specification.FLEET);
  for (const ship of launched.fleet.ships) fits(t, ship, specification.FLEET_SHIP);
  const { drive, flightSeconds, h2Cost, distance, fleet } = launched;
  const expected = simulation.results.find((result) => result.drive === drive);
  t.match(expected, { flightSeconds, h2Cost, distance, possible: true });
  t.equal(Date.parse(fleet.arrivesAt) - Date.parse(fleet.launchedAt), flightSeconds * 1000);
  t.same(await client.read(`/api/fleet/player/${playerId}`), [fleet]);
  const position = await play.advance(17);
  const recalled = await client.command<FleetBody>(`/api/fleet/${fleet.id}/recall`, { playerId });
  t.match(recalled, { state: 'returning', recalledAt: position.worldTime });
  t.equal(Date.parse(recalled.returnsAt ?? '') - Date.parse(position.worldTime), 17 * 1000);
});

t.test('an attack and a scouting appear in reports, and points in the leaderboard', async (t) => {
  const { playerId, planetId } = await play.fleetOwner('raider', { fighter: 40, transport: 2, scout: 1 });
  const victim = firstPlanet(await play.newcomer('victim'));
  const raid = { playerId, originPlanetId: planetId, targetPlanetId: victim.id };
  const ships = [
    { type: 'fighter', count: 40 },
    { type: 'transport', count: 2 },
  ];
  await play.launch({ ...raid, ships, mission: 'attack' });
  await play.launch({ ...raid, ships: [{ type: 'scout', count: 1 }], mission: 'espionage' });
  await play.advance(24 * 3600);
  const reports = await client.read<ReportBody[]>(`/api/report/player/${playerId}`);
  t.same(reports.map(({ type }) => type).sort(), ['combat', 'espionage']);
  const path = `/api/report/player/${playerId}`;
  const [newest, oldest] = reports;
  t.same(await client.read(`${path}?limit=1`), [newest], 'the newest, if fewer are wanted');
  t.same(await client.read(`${path}?since=${oldest?.id}`), [newest], 'those that are newer than one that is known');
  t.same(await client.read(`${path}?since=${newest?.id}&limit=5`), []);
  const ofVictim = await client.read<ReportBody[]>(`/api/report/player/${victim.owner?.id}`);
  t.same(ofVictim.map(({ type }) => type).sort(), ['combat', 'espionage_detected']);
  const { players, playerCount } = await client.read<LeaderboardBody>('/api/leaderboard');
  t.equal(players.length, playerCount);
  t.ok(players.every(({ points }, index) => points <= (players[index - 1]?.points ?? Number.POSITIVE_INFINITY)));
  t.match(await client.read('/api/player?name=raid'), { players: [{ id: playerId, name: 'raider' }] });
});

t.test('events of a player and of the world are read page by page, and as streams', async (t) => {
  const { playerId, planetId } = await play.rich('witness');
  const path = `/api/event/player/${playerId}`;
  const { lastEventSeq } = await play.state(playerId);
  t.same(await client.read(path), { events: [], lastSeq: lastEventSeq, oldestSeq: 1 });
  await play.upgrade(planetId);
  const { events } = await client.read<EventPageBody>(`${path}?since=${lastEventSeq}&wait=30`);
  t.match(events, [{ seq: lastEventSeq + 1, type: 'building_started', playerId, data: { planetId, targetLevel: 2 } }]);
  t.same((await client.read<EventPageBody>(`${path}?since=0&limit=1`)).events[0]?.type, 'player_created');
  t.match((await client.request('GET', `${path}/stream?since=0`)).text, /^id: 0\n\n/);
  const world = await client.read<EventPageBody>('/api/event/world');
  const [joined] = (await client.read<EventPageBody>('/api/event/world?since=0&limit=1')).events;
  t.equal(joined?.type, 'player_joined');
  t.match((await client.request('GET', '/api/event/world/stream')).text, `id: ${world.lastSeq}\n\n`);
});

t.test('catalogue, errors, status, health and readiness tell of the world', async (t) => {
  const catalog = await client.read<CatalogBody>('/api/catalog');
  const named = Object.keys(recordLimits).filter((name) => name in catalog.constants);
  t.same(named, [], 'limits of what is stored are not constants of the game');
  t.equal(catalog.rulesVersion, 1);
  const status = await client.read<StatusBody>('/api/status');
  t.match(status, { clock: 'manual', auth: 'none', speed: 1, systemsPerGalaxy: 300 });
  t.same(await client.read('/healthz'), { status: 'ok' });
  t.same(await client.read('/readyz'), { status: 'ready' });
  t.match(await client.read('/openapi.json'), { openapi: /^3\.1\./ });
  t.match(await client.read('/asyncapi.json'), { asyncapi: '3.0.0' });
  t.match((await client.request('GET', '/metrics')).text, /^galaxyd_seq \d+$/m);
  t.ok((await client.read<{ errors: unknown[] }>('/api/errors')).errors.length > 20);
  t.match(await client.read('/api/limits'), { requests: null, registrations: null, connections: { idleSeconds: 10 } });
});

t.test('the operator creates players in bulk, grants, moves the clock and reads the state hash', async (t) => {
  const bulk = await play.bots(3, 'swarm');
  t.same(
    bulk.players.map(({ name, created }) => [name, created]),
    [
      ['swarm-1', true],
      ['swarm-2', true],
      ['swarm-3', true],
    ],
  );
  const planetId = bulk.players[0]?.planetId ?? '';
  const before = await play.planet(planetId);
  const granted = await play.grant(planetId, { iron: 7, ember: 1 });
  t.same(granted, { ...before, iron: before.iron + 7, ember: before.ember + 1 });
  const { worldTime } = await play.advance(5);
  t.equal((await play.advanceTo(worldTime)).advancedMs, 0);
  t.match(await play.hash(), { hash: /^[0-9a-f]{16}$/ });
});

t.test('the operator switches the rules, and everything that tells of them tells of the new ones', async (t) => {
  const { id: playerId, planets } = await play.newcomer('subject');
  const home = firstPlanet({ planets }).id;
  const launch = {
    playerId,
    originPlanetId: home,
    targetPlanetId: home,
    ships: [{ type: 'destroyer', count: 1 }],
    mission: 'deploy',
  };
  const unknown = await client.request('POST', '/api/fleet/launch', { body: launch });
  t.match(unknown, { status: 400, body: { errors: [{ path: '/ships/0/type', message: /^must be one of scout, / }] } });
  const entries = {
    '/ships/0': { count: 1 },
    '/ships/0/shipType': { type: 'scout', shipType: 'scout', count: 1 },
    '/ships/0/count': { shipType: 'scout' },
  };
  for (const [path, entry] of Object.entries(entries)) {
    const body = { ...launch, ships: [entry] };
    const refused = await client.request('POST', '/api/fleet/launch', { body });
    t.match(refused, { status: 400, body: { errors: [{ path }] } }, path);
  }
  const before = await client.request('GET', '/api/catalog');
  const identity = await admin.command<RulesIdentityBody>('/api/admin/rules', CUSTOM);
  t.match(identity, { name: 'custom', version: 3, digest: /^[0-9a-f]{16}$/ });
  const after = await client.request('GET', '/api/catalog');
  t.not(after.headers['etag'], before.headers['etag']);
  const catalog = after.body as CatalogBody;
  t.same(catalog.rules, identity);
  t.same((await client.read<StatusBody>('/api/status')).rules, identity);
  t.same(
    catalog.ships.map(({ type }) => type),
    CUSTOM.ships.map(({ type }) => type),
  );
  t.match(await client.read('/openapi.json'), {
    components: {
      schemas: { ShipType: { enum: CUSTOM.ships.map(({ type }) => type) } },
    },
  });
  t.equal(
    (await client.request('POST', '/api/fleet/launch', { body: launch })).status,
    422,
    'a ship that is known, and not there',
  );
  await play.grant(home, { iron: 100_000, silver: 100_000, ember: 10_000, h2: 1_000, energy: 10_000 });
  const planet = await client.command<PlanetBody>('/api/building/construct', {
    planetId: home,
    buildingType: 'smelter',
  });
  t.match(planet.buildings.at(-1), { id: `${home}.smelter`, type: 'smelter', level: 0 });
});

t.test('the operator can have a snapshot taken, and the status tells of it', async (t) => {
  const { seq, hash } = await play.hash();
  const snapshot = await admin.command<SnapshotBody>('/api/admin/snapshot', undefined, 201);
  t.match(snapshot, { seq, stateHash: hash });
  t.same(await admin.command('/api/admin/snapshot', {}, 201), snapshot, 'where nothing has changed, the same again');
  t.same((await client.read<StatusBody>('/api/status')).snapshot, snapshot);
});

t.test('a batch of operations is answered one by one, in one reply', async (t) => {
  const { playerId, planetId } = await play.rich('batcher');
  const operations = [
    { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'zentrale' } },
    { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'zentrale' } },
    { method: 'GET', path: `/api/game/state/${playerId}` },
  ];
  const results = await client.batch(operations);
  t.same(statusesOf(results), [200, 409, 200]);
  t.same(results[2]?.body, await play.state(playerId));
});

t.test('keys are rotated and revoked, by their player and by the operator', async (t) => {
  const keyed = await begin(t, { auth: 'key' });
  const { id, apiKey } = await keyed.client.command<PlayerBody & { apiKey: string }>(
    '/api/game/player',
    { name: 'ada' },
    201,
  );
  const own = await keyed.client.as(apiKey).command<PlayerKeyBody>(`/api/game/player/${id}/key`, {}, 201);
  await keyed.client.as(own.apiKey).command(`/api/game/player/${id}/key/revoke`);
  const given = await keyed.admin.command<PlayerKeyBody>(`/api/admin/player/${id}/key`, {}, 201);
  t.equal((await keyed.client.as(given.apiKey).read<PlayerBody>(`/api/game/state/${id}`)).id, id);
  await keyed.admin.command(`/api/admin/player/${id}/key/revoke`);
});

t.test('a newcomer finds the documents', async (t) => {
  const pages = ['/docs', '/docs/viewer.js', '/docs/viewer.css', '/dashboard', '/dashboard/dashboard.js'];
  for (const path of ['/', ...pages, '/dashboard/dashboard.css', '/llms.txt'])
    t.equal((await client.request('GET', path)).status, 200, path);
});

t.test('players are retired by name, and in bulk', async (t) => {
  const { id } = await play.newcomer('leaver');
  t.match(await admin.read('/api/admin/players?name=leaver'), { players: [{ id, fleets: 0, key: 'none' }] });
  t.match(await admin.command(`/api/admin/player/${id}/retire`), { id, name: 'leaver', planets: 1, fleets: 0 });
  const inactive = { inactiveForSeconds: 3_600, dryRun: true };
  t.match(await admin.command('/api/admin/players/retire', inactive), { dryRun: true });
});

t.test('who watches reads the map, the fleets and the course of the leaderboard', async (t) => {
  const { client, play } = await begin(t);
  await play.rich('ada');
  t.match(await client.read('/api/map'), { planets: 1, players: 1 });
  t.match(await client.read('/api/map/fleets'), { total: 0, stride: 1, legs: [] });
  t.match(await client.read('/api/leaderboard/history'), { players: [{ name: 'ada' }] });
});

t.test('a replay is read and moved', async (t) => {
  const { client, replay } = await beginReplay(t);
  const { last } = await client.read<ReplayPositionBody>('/api/replay');
  t.match(await client.command('/api/replay', { seq: last.seq }), { seq: last.seq, isPlaying: false });
  t.equal(replay.engine.seq, last.seq);
  t.match(await client.read('/api/replay/timeline'), { indexedShare: 1 });
  const scrape = await Scrape.of(client);
  t.equal(scrape.value('http_requests_total{route="/api/replay",method="POST",code="200"}'), 1);
});

t.test('the games of a tournament are shown in one replay', async (t) => {
  const { folder, result } = await writtenTournament(t);
  const { client, replay } = await beginReplay(t, { tournament: folder });
  t.same(await client.read('/api/tournament'), result);
  t.match(await client.read('/api/tournament/trace?entrant=idler'), { game: 1, label: 'idler', lines: [] });
  t.match(await client.read('/api/replay'), { game: 1, seq: 1 });
  for (const { number, seq, stateHash } of result.games.toReversed()) {
    t.match(await client.command('/api/replay', { game: number, atSeq: seq }), { game: number, seq });
    t.equal(replay.engine.stateHash(), stateHash);
  }
});

t.test('a game of turns is begun, played, left and followed', async (t) => {
  const serving = await beginTurnWorld(t);
  const [ada, bob] = (await seats(serving, 'ada', 'bob')) as [Seat, Seat];
  t.match(await beginGame(serving, [ada, bob]), { state: 'running', turn: 0, activePlayerId: null });
  t.match(await turnOf(ada), { state: 'active', turn: 1, wakeupsLeft: 99 });
  t.match(await endOf(ada, { wakeAt: null }), { state: 'waiting' });
  t.match(await serving.admin.command('/api/admin/turns/withdraw', { playerId: bob.id }), { state: 'running' });
  t.match(await gameOver(serving), { state: 'over', entrants: [{ isWithdrawn: false }, { isWithdrawn: true }] });
});

t.test('another speed shows in status and catalogue, and holds for what begins from now on', async (t) => {
  const { client, admin, play } = await begin(t);
  const { id, planets } = await play.newcomer('ada');
  const planetId = firstPlanet({ planets }).id;
  const before = await client.request('GET', '/api/catalog');
  const { speed, worldTime } = await admin.command<WorldSpeedBody>('/api/admin/clock/speed', { speed: 2.0004 });
  t.equal(speed, 2, 'rounded to thousandths');
  const after = await client.request('GET', '/api/catalog');
  t.not(after.headers['etag'], before.headers['etag']);
  t.match(after.body, { speed: 2 });
  t.match(await client.read('/api/status'), { speed: 2, worldTime });
  t.match(await client.read(`/api/game/state/${id}`), { planets: [{ production: { iron: 170 } }] });
  await play.grant(planetId, { iron: 1_000, silver: 1_000 });
  const { nextTimerAt } = await play.upgrade(planetId);
  t.equal(Date.parse(String(nextTimerAt)) - Date.parse(worldTime), 120_000, 'half of four minutes');
});

t.test('a paused world takes reads and the operator, and no commands of players', async (t) => {
  const PAUSED_AT = '1970-01-01T01:23:21.000Z';
  const machine = { wall: 5_000_000, elapsed: 0 };
  const source = { wallMs: () => machine.wall, elapsedMs: () => machine.elapsed };
  const pass = (ms: number): void => {
    machine.wall += ms;
    machine.elapsed += ms;
  };
  const { client, admin, play } = await begin(t, { clock: 'real', source });
  const { id, planets } = await play.newcomer('ada');
  const planetId = firstPlanet({ planets }).id;
  await play.upgrade(planetId);
  const finishAt = async () => (await client.read<PlayerBody>(`/api/game/state/${id}`)).planets[0]?.nextTimerAt;
  const promised = await finishAt();
  pass(1_000);
  const paused = await admin.command<WorldClockBody>('/api/admin/clock/pause', {});
  t.same(paused, { worldTime: PAUSED_AT, pausedAt: PAUSED_AT, lagMs: 0 });
  pass(3_600_000);
  t.same(await admin.command('/api/admin/clock/pause', {}), paused, 'it may be paused already');
  t.match(await client.read('/api/status'), { worldTime: paused.worldTime, pausedAt: paused.pausedAt });
  t.equal(await finishAt(), promised, 'nothing fell due');
  t.equal((await client.request('GET', '/readyz')).status, 200);
  const launch = { name: 'bob', isBot: true };
  const refused = await client.request('POST', '/api/game/player', { body: launch });
  t.match([refused.status, refused.body, refused.headers], [503, { code: 'world_paused' }, { 'retry-after': /^\d+$/ }]);
  await play.grant(planetId, { iron: 5 });
  const resumed = await admin.command<WorldClockBody>('/api/admin/clock/resume', {});
  t.same(resumed, { worldTime: paused.worldTime, pausedAt: null, lagMs: 3_600_000 });
  t.same(await admin.command('/api/admin/clock/resume', {}), resumed, 'it may run already');
  t.equal((await client.request('POST', '/api/game/player', { body: launch })).status, 201);
  pass(Date.parse(String(promised)) - 5_001_000 - 1);
  t.equal(await finishAt(), promised, 'a millisecond before');
  pass(1);
  t.equal(await finishAt(), null, 'and at the promised instant');
});

t.test('the operator suspends, resumes and renames a player, and announces something', async (t) => {
  const { admin, play } = await begin(t);
  const { id } = await play.newcomer('ada');
  const path = `/api/admin/player/${id}`;
  t.match(await admin.command(`${path}/suspend`), { id, suspendedAt: String });
  t.match(await admin.command(`${path}/resume`), { id, suspendedAt: null });
  t.match(await admin.command(`${path}/rename`, { name: 'grace' }), { name: 'grace', formerNames: ['ada'] });
  t.match(await admin.command('/api/admin/announce', { text: 'hello' }), {
    announcement: { text: 'hello', until: null },
  });
});

t.test('the operator sees who sends how much, and the course of the metrics', async (t) => {
  const { admin } = await begin(t);
  t.match(await admin.read('/api/admin/traffic'), { clients: Array });
  t.match(await admin.read('/api/metrics/history'), { points: Array });
});

t.test('the operator blocks an address, and sees what operators have done', async (t) => {
  const { admin } = await begin(t);
  const address = '203.0.113.7';
  t.match(await admin.command('/api/admin/address/block', { address, seconds: 60 }), { network: address });
  t.match(await admin.read('/api/admin/addresses'), { blocks: [{ network: address }] });
  t.match(await admin.command('/api/admin/address/unblock', { address }), { wasBlocked: true });
  t.match(await admin.read('/api/admin/audit'), {
    records: [{ operation: 'unblockAddress' }, { operation: 'blockAddress' }],
  });
});

t.test('what lies near, who flies there and how rich planets are is read', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { playerId, planetId } = await play.rich('looker');
  for (const path of ['game/fields', 'fleet/seen'])
    t.match(await client.read<object>(`/api/${path}/${planetId}`), {}, path);
  t.ok(await client.read<object>(`/api/game/richness/${playerId}`));
});

t.test('a host sends home a fleet that defends its planet', async (t) => {
  const serving = await begin(t);
  const { host, fleet } = await supportedPlanet(serving);
  const path = `/api/fleet/${fleet.id}/dismiss`;
  t.match(await serving.client.command(path, { playerId: host.playerId }), { finishAt: String });
});

t.test('a player writes to another one, blocks it, and reads what was said', async (t) => {
  const serving = await begin(t);
  const [playerId, to] = await speakers(serving);
  const message = await serving.client.command<MessageBody>('/api/message', { playerId, to, text: 'hello' });
  t.match(await serving.client.read(`/api/message/player/${to}`), { messages: [message] });
  const block = { playerId, blockedPlayerId: to, blocked: true };
  t.same(await serving.client.command('/api/message/block', block), { blockedPlayerIds: [to] });
});

t.test('players trade', async (t) => {
  const [ada, bob] = await traders(await begin(t));
  const { client } = ada;
  const [first, second] = [await offered(bob), await offered(bob)];
  t.match(await client.read<object>('/api/market/galaxy/1'), { offers: [{ id: first.id }, { id: second.id }] });
  await takes(ada, first);
  await client.command(`/api/market/offer/${second.id}/withdraw`, { playerId: bob.playerId });
  t.match(await client.read<object>(`/api/market/player/${ada.playerId}`), { goods: [{ offerId: first.id }] });
});

t.test('pacts are proposed, accepted, declined and cancelled', async (t) => {
  const serving = await begin(t);
  const { client, ada, bob, pact } = await proposedPact(serving);
  t.match(pact, {
    kind: 'non_aggression',
    state: 'proposed',
    proposerId: ada,
    partnerId: bob,
    durationSeconds: 86_400,
  });
  t.match(await client.command(`/api/pact/${pact.id}/accept`, { playerId: bob }), {
    state: 'in_force',
    cancelledBy: null,
  });
  t.match(await client.read(`/api/game/pacts/${ada}`), [{ id: pact.id, state: 'in_force' }]);
  t.match(await client.command(`/api/pact/${pact.id}/cancel`, { playerId: ada }), { cancelledBy: ada });
  const other = await client.command<PactBody>('/api/pact', { ...proposal(bob, ada), kind: 'shared_sight' });
  t.match(await client.command(`/api/pact/${other.id}/decline`, { playerId: ada }), { state: 'ended' });
});

t.test('shocks are announced, begin, and are told in the brief', async (t) => {
  const { admin, client, play } = await begin(t);
  const { id: playerId } = await play.newcomer('ada');
  await admin.command('/api/admin/rules', withShocks({ ...RUSH, resource: 'silver' }));
  const before = await client.read<ShocksBody>('/api/game/shocks');
  t.same(before.shocks, []);
  await play.advanceTo(before.nextAnnouncementAt ?? '');
  const { shocks, nextAnnouncementAt } = await client.read<ShocksBody>('/api/game/shocks');
  t.equal(Date.parse(nextAnnouncementAt ?? '') - Date.parse(before.nextAnnouncementAt ?? ''), 86_400_000);
  const [shock] = shocks;
  if (shock === undefined) throw new Error('no shock was announced');
  t.match(shock, {
    ...{ galaxyIndex: 1, effect: 'output', resource: 'silver', percent: 200, playerId: null, idleSeconds: null },
    announcedAt: before.nextAnnouncementAt,
    hasBegun: false,
  });
  t.match(
    await play.brief(playerId),
    `## Shocks\n- output_0 in galaxy 1 from ${shock.startsAt} to ${shock.endsAt}: planets produce 200 % of their silver\n`,
  );
  const silver = async (): Promise<number> => {
    const [planet] = await client.read<PlanetBody[]>(`/api/game/planets/${playerId}`);
    return planet?.production.silver ?? 0;
  };
  const usual = await silver();
  await play.advanceTo(shock.startsAt);
  t.match((await client.read<ShocksBody>('/api/game/shocks')).shocks, [{ id: shock.id, hasBegun: true }]);
  t.equal(await silver(), 2 * usual, 'planets show what they produce now');
  await play.advanceTo(shock.endsAt);
  t.equal(await silver(), usual);
  t.same((await client.read<ShocksBody>('/api/game/shocks')).shocks, []);
});

t.test('nothing of the route table is left that was not answered here', async (t) => {
  const expected = ROUTES.flatMap(({ operationId, replies }) =>
    replies.map(({ status }) => `${operationId} ${status}`),
  );
  t.same(
    expected.filter((row) => !answered.has(row)),
    [],
  );
});
