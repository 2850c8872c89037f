// A whole game with everything that the specification describes. Bodies have the fields that the specification shows, and no
// others. Where it shows no body, they have the player's identifier (specification, section 16).
import { deepStrictEqual, ok } from 'node:assert/strict';
import {
  type Building,
  building,
  type Fleet,
  fits,
  fitsPlanet,
  type Planet,
  type Player,
  type Research,
  type SpecificationClient,
  type SystemView,
} from './client.js';
import { BUILDING, RESEARCH, SHIPYARD_ENTRY } from './fields.js';

const RESEARCH_TYPES = ['drive_ion', 'drive_hyper', 'drive_nexus', 'drive_interdim'];
/** What the attack takes along. */
const SHIPS = { fighter: 5, transport: 1, scout: 1 };
/** The specification does not name the type of the building that shipyards are. */
const SHIPYARD = 'shipyard';
/** With the second starter planet and the first, more planets than any shipped rules let fleets take at first. */
const COLONIES = 3;
/** One fighter more than there is. */
const TOO_MANY = [{ type: 'fighter', count: SHIPS.fighter + 1 }];
/** How often each building of the starter planet is upgraded. */
const ROUNDS = 3;

/** Players, planets and the galaxy. */
export async function meet(client: SpecificationClient): Promise<Player> {
  const created = await client.does<Player>('POST', '/api/game/player', { name: 'Ada' }, 201);
  const again = await client.does<Player>('POST', '/api/game/player', { name: 'Ada' }, 200);
  deepStrictEqual(again.id, created.id, 'creating a player returns the existing one');
  const player = await client.state(created.id);
  deepStrictEqual([player.planets.length, player.fleets, player.research], [1, [], []]);
  const home = await client.planet(homeOf(player).id);
  deepStrictEqual(home.owner?.id, player.id);
  ok(home.buildings.length > 0, 'the starter planet has buildings');
  const view = await client.systemOf(home);
  ok(view.planets.some(({ id }) => id === home.id));
  for (const galaxy of [0, 101, 'x']) await client.isRejected('GET', `/api/game/galaxy/${galaxy}/system/0`);
  for (const path of ['state', 'planet', 'planets']) await client.isRejected('GET', `/api/game/${path}/nobody`);
  return player;
}

/** Colonies in development mode, and a second starter planet: the specification limits neither. */
export async function settle(client: SpecificationClient, player: Player): Promise<Planet> {
  const colonyIds: string[] = [];
  for (let taken = 0; taken < COLONIES; taken += 1) {
    const free = await freeNeighbour(client, homeOf(player));
    await client.does('POST', `/api/game/planet/${free}/colonize`, { playerId: player.id });
    await client.isRejected('POST', `/api/game/planet/${free}/colonize`, { playerId: player.id });
    colonyIds.push(free);
  }
  await client.does('POST', `/api/game/planet/starter/${player.id}`);
  const planets = await client.does<Planet[]>('GET', `/api/game/planets/${player.id}`);
  for (const planet of planets) fitsPlanet(planet);
  deepStrictEqual(planets.length, 1 + COLONIES + 1);
  const colony = planets.find(({ id }) => id === colonyIds[0]);
  ok(colony !== undefined);
  return colony;
}

/** Buildings: (level + 1)^2 x 60 seconds, one upgrade a planet, refunded if it is cancelled. */
export async function build(client: SpecificationClient, player: Player): Promise<void> {
  const planetId = homeOf(player).id;
  const upgrade = { planetId, buildingType: 'iron_mine' };
  const { level } = building(await client.planet(planetId), 'iron_mine');
  await client.isRejected('POST', '/api/building/construct', upgrade);
  const begun = await client.doesOnceAffordable<Planet>('/api/building/upgrade', upgrade);
  fitsPlanet(begun);
  const [entry] = building(begun, 'iron_mine').constructionQueue;
  ok(entry !== undefined);
  deepStrictEqual(entry.targetLevel, level + 1);
  await endsIn(client, entry.upgradeFinishAt, (level + 1) ** 2 * 60_000);
  await client.isRejected('POST', '/api/building/upgrade', { planetId, buildingType: 'zentrale' });
  await client.isRejected('POST', '/api/building/construct', { planetId, buildingType: SHIPYARD });
  const cancel = { planetId, queueId: entry.queueId ?? entry.id };
  const cancelled = await client.does<Planet>('POST', '/api/building/cancel', cancel);
  deepStrictEqual(building(cancelled, 'iron_mine').constructionQueue, []);
  ok(cancelled.iron > begun.iron, 'resources are refunded');
  await client.isRejected('POST', '/api/building/cancel', cancel);
  await cancelConstruction(client, planetId);

  // The agent loop: it acts again at upgradeFinishAt.
  await finished(
    client,
    await client.doesOnceAffordable<Planet>('/api/building/upgrade', upgrade),
    'iron_mine',
    level + 1,
  );
  await client.isRejected('POST', '/api/shipyard/build', { planetId, shipType: 'scout', count: 1 });
  const construct = { planetId, buildingType: SHIPYARD };
  await finished(client, await client.doesOnceAffordable<Planet>('/api/building/construct', construct), SHIPYARD, 1);
}

/** A building whose first construction is cancelled does not exist: it can be constructed, and not upgraded. */
async function cancelConstruction(client: SpecificationClient, planetId: string): Promise<void> {
  const construct = { planetId, buildingType: SHIPYARD };
  const begun = building(await client.doesOnceAffordable<Planet>('/api/building/construct', construct), SHIPYARD);
  const [entry] = begun.constructionQueue;
  deepStrictEqual([begun.level, entry?.targetLevel], [0, 1]);
  await client.does('POST', '/api/building/cancel', { planetId, queueId: entry?.queueId ?? entry?.id });
  await client.isRejected('POST', '/api/building/upgrade', construct);
}

/** Days of the agent loop: each building of the starter planet in turn, each time at upgradeFinishAt. */
export async function grow(client: SpecificationClient, player: Player): Promise<void> {
  const planetId = homeOf(player).id;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { type, level } of (await client.planet(planetId)).buildings) {
      const begun = await client.doesOnceAffordable<Planet>('/api/building/upgrade', { planetId, buildingType: type });
      await endsIn(
        client,
        building(begun, type).constructionQueue[0]?.upgradeFinishAt ?? '',
        (level + 1) ** 2 * 60_000,
      );
      await finished(client, begun, type, level + 1);
    }
  }
}

/** Ships of each type; one type in production at a time; a cancelled order is gone. */
export async function arm(client: SpecificationClient, player: Player): Promise<void> {
  const planetId = homeOf(player).id;
  for (const [shipType, count] of Object.entries(SHIPS)) {
    const order = { planetId, shipType, count };
    const entry = await client.doesOnceAffordable<{ buildFinishAt: string }>('/api/shipyard/build', order);
    fits(entry, SHIPYARD_ENTRY);
    const other = shipType === 'scout' ? 'fighter' : 'scout';
    await client.isRejected('POST', '/api/shipyard/build', { planetId, shipType: other, count: 1 });
    const { queue } = await client.shipyard(planetId);
    deepStrictEqual(
      queue.map((row) => [row.shipType, row.count, row.isBuilding]),
      [[shipType, count, true]],
    );
    await client.clock.waitUntil(Date.parse(entry.buildFinishAt));
  }
  deepStrictEqual(await shipsOf(client, planetId), SHIPS);
  const order = { planetId, shipType: 'scout', count: 1 };
  await client.doesOnceAffordable('/api/shipyard/build', order);
  const cancel = { planetId, shipType: 'scout' };
  deepStrictEqual(await client.does('POST', '/api/shipyard/cancel', cancel), { success: true });
  deepStrictEqual((await client.shipyard(planetId)).queue, []);
  await client.isRejected('POST', '/api/shipyard/cancel', cancel);
}

/** Research: (level + 1)^2 x 120 seconds, one at a time. */
export async function learn(client: SpecificationClient, player: Player): Promise<void> {
  for (const researchType of RESEARCH_TYPES) {
    const start = { playerId: player.id, researchType };
    const entry = await client.doesOnceAffordable<Research>('/api/research/start', start);
    fits(entry, RESEARCH);
    deepStrictEqual([entry.type, entry.level, entry.isResearching], [researchType, 0, true]);
    const { researchFinishAt } = entry;
    ok(researchFinishAt !== null);
    await endsIn(client, researchFinishAt, 120_000);
    await client.isRejected('POST', '/api/research/start', start);
    await client.clock.waitUntil(Date.parse(researchFinishAt));
  }
  const entries = await client.does<Research[]>('GET', `/api/research/player/${player.id}`);
  for (const entry of entries) fits(entry, RESEARCH);
  deepStrictEqual(
    entries.map(({ type, level, isResearching, researchFinishAt }) => [type, level, isResearching, researchFinishAt]),
    RESEARCH_TYPES.map((type) => [type, 1, false, null]),
  );
}

/** Simulate first, then launch: the only mission that the specification names is the attack. Cargo is numbers, whole or not. */
export async function attack(client: SpecificationClient, player: Player, colony: Planet): Promise<void> {
  const originPlanetId = homeOf(player).id;
  const targetPlanetId = await freeNeighbour(client, homeOf(player));
  const ships = Object.entries(SHIPS).map(([type, count]) => ({ type, count }));
  const flight = { originPlanetId, targetPlanetId, ships };
  const launch = { playerId: player.id, ...flight, mission: 'attack', resources: { iron: 10.5, silver: 0.25 } };
  const { results, flightType } = await client.simulate(flight);
  ok(results.every((result) => result.flightType === flightType));
  await rejectedLaunches(client, launch, colony);
  const missing = await client.simulate({ ...flight, ships: TOO_MANY });
  ok(
    missing.results.every(({ possible }) => !possible),
    'no launch is possible with ships that are not there',
  );

  const before = await client.planet(originPlanetId);
  const { fleet, drive, flightSeconds, h2Cost, distance } = await client.launch(launch);
  const simulated = results.find((result) => result.drive === drive);
  ok(simulated !== undefined);
  deepStrictEqual(
    [simulated.flightSeconds, simulated.h2Cost, simulated.distance, simulated.possible],
    [flightSeconds, h2Cost, distance, true],
  );
  const possible = results.filter((result) => result.possible).map((result) => result.flightSeconds);
  ok(possible.length > 1 && flightSeconds === Math.min(...possible), 'the best of several drives is chosen');
  deepStrictEqual(fleet.mission, 'attack');
  deepStrictEqual(Date.parse(fleet.arrivesAt) - Date.parse(fleet.launchedAt), flightSeconds * 1000);
  const after = await client.planet(originPlanetId);
  deepStrictEqual([before.iron - after.iron, before.silver - after.silver], [10, 0], 'cargo is rounded down');
  deepStrictEqual(await shipsOf(client, originPlanetId), {}, 'the ships leave the origin');
  await client.clock.waitUntil(Date.parse(fleet.arrivesAt));
  await client.isRejected('POST', `/api/fleet/${fleet.id}/recall`, { playerId: player.id });
  await client.clock.waitUntil(Date.parse(fleet.returnsAt));
  deepStrictEqual(await client.does('GET', `/api/fleet/player/${player.id}`), []);
  deepStrictEqual(await shipsOf(client, originPlanetId), SHIPS, 'nobody is there to fight: all come back');
}

/** A flight to the next galaxy, which takes the drive of drive_interdim. */
export async function cross(client: SpecificationClient, player: Player): Promise<void> {
  const { id: originPlanetId, system } = homeOf(player);
  const view = await client.does<SystemView>('GET', `/api/game/galaxy/${system.galaxyIndex + 1}/system/0`);
  const targetPlanetId = view.planets[0]?.id ?? '';
  const flight = { originPlanetId, targetPlanetId, ships: [{ type: 'scout', count: 1 }] };
  const near = await client.simulate({ ...flight, targetPlanetId: await freeNeighbour(client, homeOf(player)) });
  const far = await client.simulate(flight);
  ok(far.flightType !== near.flightType && far.distance > near.distance);
  const launch = { playerId: player.id, ...flight, mission: 'attack', resources: { iron: 0, silver: 0 } };
  const { fleet, drive, distance } = await client.launch(launch);
  deepStrictEqual(distance, far.distance);
  ok((await client.simulate(flight)).results.some((result) => result.drive === drive));
  await client.clock.waitUntil(Date.parse(fleet.returnsAt));
  deepStrictEqual(await shipsOf(client, originPlanetId), SHIPS);
}

/** A fleet in transit is recalled: it is back after the time that it has flown, and cannot be recalled again. */
export async function recall(client: SpecificationClient, player: Player): Promise<void> {
  const originPlanetId = homeOf(player).id;
  const targetPlanetId = await freeNeighbour(client, homeOf(player));
  const ships = [{ type: 'scout', count: 1 }];
  const resources = { iron: 0, silver: 0 };
  const launch = { playerId: player.id, originPlanetId, targetPlanetId, ships, mission: 'attack', resources };
  const { fleet } = await client.launch(launch);
  const path = `/api/fleet/${fleet.id}/recall`;
  await client.isRejected('POST', path, { playerId: 'nobody' });
  await client.clock.waitUntil(Date.parse(fleet.launchedAt) + 1000);
  await client.does('POST', path, { playerId: player.id });
  const [returning] = await client.does<Fleet[]>('GET', `/api/fleet/player/${player.id}`);
  deepStrictEqual(returning?.id, fleet.id);
  await endsIn(client, returning?.returnsAt ?? '', 1000);
  await client.isRejected('POST', path, { playerId: player.id });
  await client.clock.waitUntil((await client.clock.nowMs()) + 1000);
  deepStrictEqual(await shipsOf(client, originPlanetId), SHIPS);
}

/** The launch validation rules; of the drives one always flies within a galaxy. */
async function rejectedLaunches(client: SpecificationClient, launch: object, colony: Planet): Promise<void> {
  const rejected: readonly object[] = [
    { originPlanetId: colony.id, targetPlanetId: colony.id },
    { playerId: 'nobody' },
    { ships: TOO_MANY },
    { ships: [{ type: 'fighter', count: 5 }] },
    { resources: { iron: 1_000_000_000, silver: 0 } },
    { ships: [] },
    { mission: 'no mission' },
  ];
  for (const change of rejected) await client.isRejected('POST', '/api/fleet/launch', { ...launch, ...change });
}

function homeOf({ planets: [home] }: Player): Planet {
  ok(home !== undefined, 'the player has a planet');
  return home;
}

async function freeNeighbour(client: SpecificationClient, planet: Planet): Promise<string> {
  const { planets } = await client.systemOf(planet);
  const free = planets.find(({ owner }) => owner === null);
  ok(free !== undefined, 'the system has a planet that nobody owns');
  return free.id;
}

async function shipsOf(client: SpecificationClient, planetId: string): Promise<Record<string, number>> {
  const { stock } = await client.shipyard(planetId);
  return Object.fromEntries(stock.map(({ shipType, count }) => [shipType, count]));
}

/** Waits for what a planet builds. */
async function finished(client: SpecificationClient, planet: Planet, type: string, level: number): Promise<void> {
  const [entry] = building(planet, type).constructionQueue;
  await client.clock.waitUntil(Date.parse(entry?.upgradeFinishAt ?? ''));
  const buildings = await client.does<Building[]>('GET', `/api/building/planet/${planet.id}`);
  for (const found of buildings) fits(found, BUILDING);
  const found = buildings.find((candidate) => candidate.type === type);
  deepStrictEqual([found?.level, found?.constructionQueue], [level, []]);
}

async function endsIn(client: SpecificationClient, finishAt: string, durationMs: number): Promise<void> {
  deepStrictEqual(Date.parse(finishAt) - (await client.clock.nowMs()), durationMs);
}
