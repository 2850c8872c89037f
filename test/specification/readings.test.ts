// Each statement with a bold name in docs/specification.md has a check of that name here, which runs under both rule sets, and the
// other way round.
import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { FLEETS_PER_PLAYER_MAX, RESEARCH_LEVEL_MAX, SHIPS_PER_ORDER_MAX } from '../../engine/rules/limits.js';
import type { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1_RULES, STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import type { PlanetBody, ShipyardEntryBody, ShipyardStatusBody, SystemViewBody } from '../../http/schemas/planet.js';
import type { FleetBody, ResearchEntryBody, SimulationBody } from '../../http/schemas/player.js';
import type { CatalogBody } from '../../http/schemas/world.js';
import type { GameClient, Reply } from '../http/support/game-client.js';
import type { PlayerBody } from '../http/support/play.js';
import { begin, type Serving } from '../http/support/serving.js';
import * as specification from './fields.js';

// Seen from dist/test/specification.
const PAGE = readFileSync(new URL('../../../docs/specification.md', import.meta.url), 'utf8');
const STATEMENTS = [...PAGE.matchAll(/^- \*\*(.+?)\.\*\*/gm)].map(([, name]) => name as string);

/** A running world, and a player of it with resources, ships and a colony. */
interface Scene extends Serving {
  readonly rules: Rules;
  readonly name: string;
  readonly playerId: string;
  readonly planetId: string;
  readonly colonyId: string;
  /** A planet of the same system that nobody owns. */
  readonly freeId: string;
}

type Check = (scene: Scene, t: Test) => Promise<unknown>;

const post = (client: GameClient, path: string, body?: unknown): Promise<Reply> =>
  client.request('POST', path, body === undefined ? {} : { body });

/** Checks the status of a reply, and its code if it is a refusal. */
function isReply({ status, body }: Reply, expected: number, code?: string): void {
  deepStrictEqual([status, (body as { code?: string }).code], [expected, code]);
}

const launchOf = ({ playerId, planetId, freeId }: Scene, words: object = {}) => ({
  playerId,
  originPlanetId: planetId,
  targetPlanetId: freeId,
  ships: [{ type: 'transport', count: 1 }],
  mission: 'attack',
  ...words,
});

const planetOf = ({ client }: Serving, planetId: string) => client.read<PlanetBody>(`/api/game/planet/${planetId}`);

const systemOf = async ({ client, planetId }: Scene): Promise<SystemViewBody> => {
  const [, galaxy, system] = planetId.split('-');
  return client.read<SystemViewBody>(`/api/game/galaxy/${galaxy}/system/${system}`);
};

const advanceTo = ({ admin }: Serving, to: string) => admin.command('/api/admin/clock/advance', { to });

/** A building of the planet, which must have it. */
function building(planet: PlanetBody, type: string): PlanetBody['buildings'][number] {
  const found = planet.buildings.find((candidate) => candidate.type === type);
  ok(found !== undefined, type);
  return found;
}

const CHECKS: Readonly<Record<string, Check>> = {
  'More fields': async ({ client, playerId }) => {
    const player = await client.read<PlayerBody>(`/api/game/state/${playerId}`);
    const { faultsOf, PLANET, PLAYER } = specification;
    deepStrictEqual([faultsOf(player, PLAYER), faultsOf(player.planets[0], PLANET)], [[], []]);
    ok('production' in (player.planets[0] ?? {}));
  },
  'Unknown fields': async ({ client, playerId }) => {
    isReply(await post(client, '/api/game/player', { name: 'a', colour: 'red' }), 400, 'invalid_request');
    deepStrictEqual((await client.send('GET', `/api/game/state/${playerId}?colour=red`)).status, 200);
  },
  'Content types': async ({ client, playerId }) => {
    const body = JSON.stringify({ name: 'typed', isBot: true });
    const typed = async (type: string) => {
      const reply = await client.request('POST', '/api/game/player', { body, headers: { 'content-type': type } });
      return reply.status;
    };
    deepStrictEqual(await typed('text/plain'), 415);
    deepStrictEqual([await typed('application/json'), await typed('application/json; charset=utf-8')], [201, 200]);
    isReply(await post(client, `/api/game/planet/starter/${playerId}`), 201);
  },
  Numbers: async (scene) => {
    const { iron } = await planetOf(scene, scene.planetId);
    const resources = { iron: 10.5, silver: 0.999 };
    const { fleet, h2Cost } = await scene.play.launch(launchOf(scene, { resources }));
    deepStrictEqual(fleet.resources, { iron: 10, silver: 0, ember: 0, h2: 0 });
    const after = await planetOf(scene, scene.planetId);
    deepStrictEqual(
      [iron - after.iron, [after.iron, after.silver, after.h2, h2Cost].every(Number.isInteger)],
      [10, true],
    );
    const { results } = await scene.client.command<SimulationBody>(
      '/api/fleet/simulate',
      launchOf(scene, { resources }),
    );
    ok(results[0]?.possible);
  },
  Integers: async ({ client, planetId }) => {
    isReply(
      await post(client, '/api/shipyard/build', { planetId, shipType: 'scout', count: 1.5 }),
      400,
      'invalid_request',
    );
  },
  Timestamps: async (scene) => {
    const { fleet } = await scene.play.launch(launchOf(scene));
    match(fleet.arrivesAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { headers } = await scene.client.request('GET', '/api/status');
    deepStrictEqual(headers['x-world-time'], fleet.launchedAt);
  },
  Identifiers: async ({ client }) => {
    for (const id of ['player-999', 'x', '%20'])
      isReply(await client.request('GET', `/api/game/state/${id}`), 404, 'player_not_found');
  },
  'Player in a body': async ({ client, play, playerId, planetId }) => {
    const other = await play.newcomer('other');
    const upgrade = { planetId, buildingType: 'iron_mine' };
    isReply(await post(client, '/api/building/upgrade', { ...upgrade, playerId: other.id }), 403, 'not_owner');
    isReply(await post(client, '/api/building/upgrade', { ...upgrade, playerId }), 200);
  },

  Created: async ({ client, playerId, planetId, freeId }) => {
    const research = { playerId, researchType: 'drive_ion' };
    const statuses = [
      await post(client, '/api/game/player', { name: 'created', isBot: true }),
      await post(client, `/api/game/planet/starter/${playerId}`),
      await post(client, `/api/game/planet/${freeId}/colonize`, { playerId }),
      await post(client, '/api/shipyard/build', { planetId, shipType: 'scout', count: 1 }),
      await post(client, '/api/building/upgrade', { planetId, buildingType: 'iron_mine' }),
      await post(client, '/api/shipyard/cancel', { planetId, shipType: 'scout' }),
      await post(client, '/api/research/start', research),
    ].map(({ status }) => status);
    deepStrictEqual(statuses, [201, 201, 201, 201, 200, 200, 200]);
  },
  Refusals: async (scene) => {
    const { client, playerId, planetId } = scene;
    const upgrade = { planetId, buildingType: 'iron_mine' };
    isReply(await post(client, '/api/building/upgrade', { planetId }), 400, 'invalid_request');
    isReply(
      await post(client, '/api/fleet/launch', launchOf(scene, { originPlanetId: scene.freeId })),
      403,
      'not_owner',
    );
    isReply(await post(client, '/api/building/upgrade', { ...upgrade, planetId: 'planet-0' }), 404, 'planet_not_found');
    await client.command('/api/building/upgrade', upgrade);
    isReply(await post(client, '/api/building/upgrade', upgrade), 409, 'upgrade_in_progress');
    const short = await post(
      client,
      '/api/fleet/launch',
      launchOf(scene, { ships: [{ type: 'transport', count: 999 }] }),
    );
    isReply(short, 422, 'insufficient_ships');
    deepStrictEqual(short.headers['content-type'], 'application/problem+json');
    isReply(await client.request('GET', `/api/fleet/player/${playerId}x`), 404, 'player_not_found');
  },

  'End of a timer': async (scene) => {
    const { client, planetId, playerId } = scene;
    const upgrade = await client.command<PlanetBody>('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
    const [entry] = building(upgrade, 'iron_mine').constructionQueue;
    const order = await client.command<ShipyardEntryBody>(
      '/api/shipyard/build',
      { planetId, shipType: 'fighter', count: 1 },
      201,
    );
    const research = await client.command<ResearchEntryBody>('/api/research/start', {
      playerId,
      researchType: 'drive_ion',
    });
    const level = async () => building(await planetOf(scene, planetId), 'iron_mine').level;
    const ships = async () =>
      (await planetOf(scene, planetId)).planetShips.find(({ shipType }) => shipType === 'fighter')?.count;
    const learned = async () => (await client.read<ResearchEntryBody[]>(`/api/research/player/${playerId}`))[0]?.level;
    const timers = [
      { at: entry?.upgradeFinishAt ?? '', shown: level, before: 1, after: 2 },
      { at: order.buildFinishAt, shown: ships, before: undefined, after: 1 },
      { at: research.researchFinishAt ?? '', shown: learned, before: 0, after: 1 },
    ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
    for (const { at, shown, before, after } of timers) {
      const justBefore = new Date(Date.parse(at) - 1).toISOString();
      await advanceTo(scene, justBefore);
      deepStrictEqual(await shown(), before);
      await advanceTo(scene, at);
      deepStrictEqual(await shown(), after);
    }
    deepStrictEqual((await client.read<ShipyardStatusBody>(`/api/shipyard/planet/${planetId}`)).queue, []);
  },

  'Items of the system view': async (scene) => {
    const { planets } = await systemOf(scene);
    for (const item of planets)
      deepStrictEqual(Object.keys(item), ['id', 'name', 'slot', 'system', 'visibility', 'owner']);
    ok(planets.some(({ id }) => id === scene.planetId));
  },
  Owner: async (scene) => {
    const { planets } = await systemOf(scene);
    const ownerOf = (planetId: string) => planets.find(({ id }) => id === planetId)?.owner;
    deepStrictEqual(ownerOf(scene.planetId), { id: scene.playerId, name: scene.name, isBot: true });
    deepStrictEqual([ownerOf(scene.freeId), (await planetOf(scene, scene.freeId)).owner], [null, null]);
  },
  'Planets without an owner': async (scene) => {
    const { buildings, planetShips, iron, production } = await planetOf(scene, scene.freeId);
    deepStrictEqual([buildings, planetShips, iron, production.iron], [[], [], 0, 0]);
    deepStrictEqual(await scene.client.read(`/api/building/planet/${scene.freeId}`), []);
    deepStrictEqual(await scene.client.read(`/api/shipyard/planet/${scene.freeId}`), { queue: [], stock: [] });
  },
  'Planets and fleets of a player': async (scene) => {
    const { client, playerId } = scene;
    const { fleet } = await scene.play.launch(launchOf(scene));
    await client.command('/api/research/start', { playerId, researchType: 'drive_ion' });
    const state = await client.read<PlayerBody>(`/api/game/state/${playerId}`);
    deepStrictEqual(await client.read(`/api/game/planets/${playerId}`), state.planets);
    deepStrictEqual([await client.read(`/api/fleet/player/${playerId}`), state.fleets], [[fleet], [fleet]]);
    deepStrictEqual(await client.read(`/api/research/player/${playerId}`), state.research);
    deepStrictEqual(await planetOf(scene, scene.planetId), state.planets[0]);
  },
  'Ships on a planet': async (scene) => {
    const { planetShips } = await planetOf(scene, scene.planetId);
    const { stock } = await scene.client.read<ShipyardStatusBody>(`/api/shipyard/planet/${scene.planetId}`);
    deepStrictEqual([planetShips, stock], [SHIPS, SHIPS]);
    const { fleet } = await scene.play.launch(launchOf(scene));
    deepStrictEqual(fleet.ships, [{ type: 'transport', count: 1 }]);
    const asOnPlanets = launchOf(scene, { ships: [{ shipType: 'transport', count: 1 }] });
    for (const path of ['/api/fleet/simulate', '/api/fleet/launch']) {
      deepStrictEqual((await scene.client.request('POST', path, { body: asOnPlanets })).status, 200);
    }
  },
  Indexes: async ({ client, world }) => {
    const read = async (galaxy: number, system: number) =>
      (await client.request('GET', `/api/game/galaxy/${galaxy}/system/${system}`)).status;
    const { systemsPerGalaxy } = world.engine.world.universe;
    deepStrictEqual([await read(1, 0), await read(100, systemsPerGalaxy - 1)], [200, 200]);
    deepStrictEqual([await read(0, 0), await read(101, 0), await read(1, systemsPerGalaxy)], [400, 400, 404]);
  },
  Star: async (scene) => {
    const { star } = (await systemOf(scene)).system;
    deepStrictEqual(
      [typeof star.name, typeof star.type, Number.isInteger(star.temperature)],
      ['string', 'string', true],
    );
  },

  'One human': async ({ client }) => {
    const first = await post(client, '/api/game/player', { name: 'Human' });
    const again = await post(client, '/api/game/player', { name: 'Somebody else' });
    deepStrictEqual([first.status, again.status], [201, 200]);
    deepStrictEqual((again.body as PlayerBody).name, 'Human');
  },
  Bots: async ({ client, playerId, name }) => {
    const again = await post(client, '/api/game/player', { name, isBot: true });
    deepStrictEqual([again.status, (again.body as PlayerBody).id], [200, playerId]);
  },
  'Second starter planet': async ({ client, playerId, rules }) => {
    const { buildings, iron } = await client.command<PlanetBody>(
      `/api/game/planet/starter/${playerId}`,
      undefined,
      201,
    );
    deepStrictEqual(buildings.map(({ type }) => type).sort(), [...rules.set.starter.buildings].sort());
    deepStrictEqual(iron, rules.set.starter.stock[0]);
    isReply(await post(client, `/api/game/planet/starter/${playerId}`), 409, 'starter_limit_reached');
  },
  'Colonizing in development mode': async ({ client, play, playerId, planetId, rules }) => {
    for (let owned = 2; owned < 5; owned += 1) {
      const id = await play.neighbour(planetId);
      const colony = await client.command<PlanetBody>(`/api/game/planet/${id}/colonize`, { playerId }, 201);
      deepStrictEqual([colony.id, colony.owner?.id], [id, playerId]);
    }
    await client.command(`/api/game/planet/starter/${playerId}`, undefined, 201);
    const { planets, planetsMax } = await client.read<PlayerBody>(`/api/game/state/${playerId}`);
    deepStrictEqual(planets.length, 6);
    deepStrictEqual(planetsMax, rules.colonies === null ? undefined : 3);
  },

  'Identifier of an upgrade': async ({ client, planetId }) => {
    const begun = await client.command<PlanetBody>('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
    const [entry] = building(begun, 'iron_mine').constructionQueue;
    const cancelled = await client.command<PlanetBody>('/api/building/cancel', { planetId, queueId: entry?.queueId });
    deepStrictEqual(building(cancelled, 'iron_mine').constructionQueue, []);
  },
  'First construction': async (scene) => {
    const construct = { planetId: scene.planetId, buildingType: 'anti_spy' };
    const begun = building(await scene.client.command<PlanetBody>('/api/building/construct', construct), 'anti_spy');
    deepStrictEqual([begun.level, begun.constructionQueue[0]?.targetLevel], [0, 1]);
    await advanceTo(scene, begun.constructionQueue[0]?.upgradeFinishAt ?? '');
    deepStrictEqual(building(await planetOf(scene, scene.planetId), 'anti_spy').level, 1);
  },
  'Cancelled construction': async ({ client, planetId }) => {
    const construct = { planetId, buildingType: 'anti_spy' };
    const begun = building(await client.command<PlanetBody>('/api/building/construct', construct), 'anti_spy');
    const { queueId } = begun.constructionQueue[0] ?? {};
    const { buildings } = await client.command<PlanetBody>('/api/building/cancel', { planetId, queueId });
    ok(buildings.every(({ type }) => type !== 'anti_spy'));
    const refused = await post(client, '/api/building/upgrade', construct);
    isReply(refused, 404, 'building_not_found');
    match(refused.text, /POST \/api\/building\/construct/);
    isReply(await post(client, '/api/building/construct', construct), 200);
  },
  Refund: async (scene) => {
    const before = await planetOf(scene, scene.planetId);
    const upgrade = { planetId: scene.planetId, buildingType: 'iron_mine' };
    const begun = await scene.client.command<PlanetBody>('/api/building/upgrade', upgrade);
    ok(begun.iron < before.iron);
    const { queueId } = building(begun, 'iron_mine').constructionQueue[0] ?? {};
    const cancelled = await scene.client.command<PlanetBody>('/api/building/cancel', {
      planetId: scene.planetId,
      queueId,
    });
    deepStrictEqual([cancelled.iron, cancelled.silver, cancelled.energy], [before.iron, before.silver, before.energy]);
  },

  'Further orders': async ({ client, planetId }) => {
    const order = { planetId, shipType: 'scout', count: 1 };
    for (let time = 0; time < 2; time += 1) await client.command('/api/shipyard/build', order, 201);
    const queue = async () => (await client.read<ShipyardStatusBody>(`/api/shipyard/planet/${planetId}`)).queue;
    deepStrictEqual(
      (await queue()).map(({ isBuilding }) => isBuilding),
      [true, false],
    );
    deepStrictEqual(await client.command('/api/shipyard/cancel', { planetId, shipType: 'scout' }), { success: true });
    deepStrictEqual(await queue(), []);
  },

  'Research that was never started': async (scene) => {
    const { client, playerId, planetId } = scene;
    deepStrictEqual(await client.read(`/api/research/player/${playerId}`), []);
    const { iron, silver, ember, h2, energy } = await planetOf(scene, planetId);
    await client.command('/api/research/start', { playerId, researchType: 'drive_nexus' });
    const after = await planetOf(scene, planetId);
    deepStrictEqual([after.iron, after.silver, after.ember, after.h2, after.energy], [iron, silver, ember, h2, energy]);
  },
  'More research types': async ({ client, rules }) => {
    const { research } = await client.read<CatalogBody>('/api/catalog');
    const ofSpecification = ['drive_ion', 'drive_hyper', 'drive_nexus', 'drive_interdim'];
    deepStrictEqual(
      research.slice(0, 4).map(({ type }) => type),
      ofSpecification,
    );
    deepStrictEqual(research.length > 4, rules === STANDARD_2_RULES);
    deepStrictEqual(
      rules.set.drives.map(({ type, research, multiplierTenths }) => [type, research, multiplierTenths]),
      DRIVES,
    );
  },

  'Base of the factors': async (scene) => {
    const far = await scene.play.anyPlanet(1, 1);
    const secondsTo = async (targetPlanetId: string): Promise<Record<string, number>> => {
      const body = { originPlanetId: scene.planetId, targetPlanetId, ships: [{ type: 'transport', count: 1 }] };
      const { results } = await scene.client.command<SimulationBody>('/api/fleet/simulate', body);
      return Object.fromEntries(results.map(({ drive, flightSeconds }) => [drive, flightSeconds]));
    };
    const distanceTo = async (targetPlanetId: string): Promise<number> => {
      const body = { originPlanetId: scene.planetId, targetPlanetId, ships: [{ type: 'transport', count: 1 }] };
      return (await scene.client.command<SimulationBody>('/api/fleet/simulate', body)).distance;
    };
    const speed = (scene.rules.ships.find(({ type }) => type === 'transport')?.speedTenths ?? 0) / 10;
    const near = { combustion: 1, ion: 2.5, hyper: 3, nexus: 3 };
    const between = { combustion: 0.1, ion: 0.8, hyper: 3, nexus: 3 };
    for (const [target, factors] of [
      [scene.freeId, near],
      [far, between],
    ] as const) {
      const distance = await distanceTo(target);
      const seconds = Object.entries(factors).map(([drive, factor]) => [
        drive,
        Math.ceil(distance / (speed * factor) - 1e-9),
      ]);
      deepStrictEqual(await secondsTo(target), { ...Object.fromEntries(seconds), interdim: 0 });
    }
    const other = await secondsTo(await scene.play.anyPlanet(2, 0));
    deepStrictEqual(
      Object.keys(other).filter((drive) => other[drive] !== 0),
      ['interdim'],
    );
  },

  'Optional resources': async (scene) => {
    const carried = async (words: object) => (await scene.play.launch(launchOf(scene, words))).fleet.resources;
    deepStrictEqual(await carried({}), { iron: 0, silver: 0, ember: 0, h2: 0 });
    deepStrictEqual(await carried({ resources: { ember: 1, h2: 2 } }), { iron: 0, silver: 0, ember: 1, h2: 2 });
    isReply(
      await post(scene.client, '/api/fleet/launch', launchOf(scene, { resources: { energy: 1 } })),
      400,
      'invalid_request',
    );
  },
  'Choice of the drive': async (scene) => {
    const { client, play, playerId } = scene;
    for (const researchType of ['drive_ion', 'drive_hyper']) {
      await client.command('/api/research/start', { playerId, researchType });
      await play.advance(120);
    }
    const { results } = await client.command<SimulationBody>('/api/fleet/simulate', launchOf(scene));
    const possible = results.filter((result) => result.possible);
    const [fastest] = possible.toSorted((one, other) => one.flightSeconds - other.flightSeconds);
    deepStrictEqual([possible.length, (await play.launch(launchOf(scene))).drive], [3, fastest?.drive]);
    deepStrictEqual((await play.launch(launchOf(scene, { drive: 'ion' }))).drive, 'ion');
  },
  'Cost of h2': async (scene) => {
    const { h2 } = await planetOf(scene, scene.planetId);
    const { h2Cost, fleet } = await scene.play.launch(launchOf(scene));
    deepStrictEqual((await planetOf(scene, scene.planetId)).h2, h2 - h2Cost);
    await advanceTo(scene, fleet.returnsAt ?? '');
    const { h2: after } = await planetOf(scene, scene.planetId);
    ok(h2Cost > 0 && after >= h2 - h2Cost, 'nothing more is paid for the way back');
  },
  'A target that nobody owns': async (scene) => {
    const { fleet, warnings } = await scene.play.launch(
      launchOf(scene, { mission: 'transport', resources: { iron: 5 } }),
    );
    deepStrictEqual(
      warnings.map(({ code }) => code),
      ['target_unowned'],
    );
    await advanceTo(scene, fleet.arrivesAt);
    const [returning] = await scene.client.read<FleetBody[]>(`/api/fleet/player/${scene.playerId}`);
    deepStrictEqual([returning?.state, returning?.ships, returning?.resources.iron], ['returning', fleet.ships, 5]);
  },
  'A protected target': async (scene) => {
    const newcomer = await scene.play.newcomer('newcomer');
    await scene.client.command(`/api/game/planet/${scene.freeId}/colonize`, { playerId: newcomer.id }, 201);
    const target = { targetPlanetId: scene.freeId };
    const { results } = await scene.client.command<SimulationBody>('/api/fleet/simulate', launchOf(scene, target));
    const { warnings, fleet } = await scene.play.launch(launchOf(scene, target));
    const isProtected = scene.rules.war !== null;
    deepStrictEqual(
      warnings.map(({ code, until }) => [code, until]),
      isProtected ? [['target_protected', newcomer.protectedUntil]] : [],
    );
    deepStrictEqual(results[0]?.warnings, warnings);
    await advanceTo(scene, fleet.arrivesAt);
    const reports = await scene.client.read<{ readonly reports: readonly unknown[] }>(
      `/api/report/player/${scene.playerId}`,
    );
    deepStrictEqual(JSON.stringify(reports).includes('combat'), !isProtected, 'and it was not fought');
  },
  'No return': async (scene) => {
    const { fleet } = await scene.play.launch(launchOf(scene, { mission: 'deploy', targetPlanetId: scene.colonyId }));
    deepStrictEqual(fleet.returnsAt, null);
    await advanceTo(scene, fleet.arrivesAt);
    deepStrictEqual((await planetOf(scene, scene.colonyId)).planetShips, [{ shipType: 'transport', count: 1 }]);
  },
  Possible: async (scene) => {
    const simulated = async (words: object) => {
      const { results } = await scene.client.command<SimulationBody>('/api/fleet/simulate', launchOf(scene, words));
      return [results[0]?.possible, results[0]?.reason?.code, results[0]?.reason?.missing];
    };
    deepStrictEqual(await simulated({}), [true, undefined, undefined]);
    const tooMany = { ships: [{ type: 'transport', count: TRANSPORTS + 2 }] };
    deepStrictEqual(await simulated(tooMany), [false, 'insufficient_ships', { transport: 2 }]);
    isReply(await post(scene.client, '/api/fleet/launch', launchOf(scene, tooMany)), 422, 'insufficient_ships');
    deepStrictEqual((await simulated({ mission: 'deploy' }))[1], 'mission_not_possible');
    deepStrictEqual((await simulated({ resources: { iron: 1_000_000 } }))[1], 'cargo_capacity_exceeded');
  },
  Recall: async (scene) => {
    const { fleet } = await scene.play.launch(launchOf(scene));
    await scene.play.advance(2);
    const recalled = await scene.client.command<FleetBody>(`/api/fleet/${fleet.id}/recall`, {
      playerId: scene.playerId,
    });
    const sinceLaunch = Date.parse(recalled.returnsAt ?? '') - Date.parse(fleet.launchedAt);
    deepStrictEqual([recalled.id, recalled.arrivesAt, sinceLaunch], [fleet.id, fleet.arrivesAt, 4_000]);
  },
  'Fleets at home': async (scene) => {
    const { fleet } = await scene.play.launch(launchOf(scene));
    await advanceTo(scene, fleet.returnsAt ?? '');
    deepStrictEqual(await scene.client.read(`/api/fleet/player/${scene.playerId}`), []);
  },

  Missions: async ({ client, rules }) => {
    const { missions } = await client.read<CatalogBody>('/api/catalog');
    const further = rules === STANDARD_1_RULES ? [] : ['harvest', 'support'];
    deepStrictEqual(missions, ['attack', 'transport', 'deploy', 'colonize', 'espionage', ...further]);
  },

  'Public reads': async ({ rules }, t) => {
    const { client } = await begin(t, { auth: 'key', settings: { rules } });
    const create = async (name: string) => {
      const { id, planets, apiKey } = await client.command<PlayerBody & { apiKey: string }>(
        '/api/game/player',
        { name, isBot: true },
        201,
      );
      return { id, planetId: planets[0]?.id ?? '', client: client.as(apiKey) };
    };
    const [ada, bob] = [await create('ada'), await create('bob')];
    const open = [
      '/api/game/galaxy/1/system/0',
      '/api/game/galaxy/1',
      '/api/leaderboard',
      '/api/catalog',
      '/api/status',
    ];
    for (const path of open) deepStrictEqual((await client.request('GET', path)).status, 200, path);
    const own = [
      `game/state/${ada.id}`,
      `game/planets/${ada.id}`,
      `fleet/player/${ada.id}`,
      `research/player/${ada.id}`,
    ];
    own.push(`building/planet/${ada.planetId}`, `shipyard/planet/${ada.planetId}`);
    for (const path of own) {
      const asked = [client, bob.client, ada.client].map((asker) => asker.request('GET', `/api/${path}`));
      deepStrictEqual(
        (await Promise.all(asked)).map(({ status }) => status),
        [401, 403, 200],
        path,
      );
    }
    const foreign = await bob.client.read<PlanetBody>(`/api/game/planet/${ada.planetId}`);
    deepStrictEqual([foreign.visibility, 'iron' in foreign], ['public', false]);
  },
  'Key of a player': async ({ rules }, t) => {
    const { client } = await begin(t, { auth: 'key', settings: { rules } });
    const human = await client.command<{ apiKey?: string }>('/api/game/player', { name: 'Ada' }, 201);
    match(human.apiKey ?? '', /^gxd_/);
    const second = await post(client, '/api/game/player', { name: 'Bob' });
    isReply(second, 401, 'unauthenticated');
    match((second.body as { detail: string }).detail, /"isBot": true/);
    const asBot = await post(client, '/api/game/player', { name: 'Bob', isBot: true });
    deepStrictEqual([asBot.status, 'apiKey' in (asBot.body as object)], [201, true]);
    const again = await post(client.as(human.apiKey ?? ''), '/api/game/player', { name: 'Ada' });
    deepStrictEqual([again.status, 'apiKey' in (again.body as object)], [200, false]);
  },

  'Limits that it does not name': async ({ client, planetId }) => {
    const { constants } = await client.read<CatalogBody>('/api/catalog');
    deepStrictEqual(
      [constants['FLEETS_PER_PLAYER_MAX'], constants['RESEARCH_LEVEL_MAX'], constants['SHIPS_PER_ORDER_MAX']],
      [FLEETS_PER_PLAYER_MAX, RESEARCH_LEVEL_MAX, SHIPS_PER_ORDER_MAX],
    );
    const order = { planetId, shipType: 'scout', count: 1 };
    isReply(
      await post(client, '/api/shipyard/build', { ...order, count: SHIPS_PER_ORDER_MAX + 1 }),
      400,
      'invalid_request',
    );
    const orders = constants['SHIP_ORDERS_PER_PLANET_MAX'] ?? 0;
    for (let time = 0; time < orders; time += 1) await client.command('/api/shipyard/build', order, 201);
    const { limit, code } = await client.refusal('POST', '/api/shipyard/build', order);
    deepStrictEqual([code, limit], ['limit_reached', { name: 'SHIP_ORDERS_PER_PLANET_MAX', maximum: orders }]);
  },
  'Rate limits': async ({ client, rules }, t) => {
    ok(!('ratelimit' in (await client.request('GET', '/api/status')).headers));
    const limited = await begin(t, { auth: 'key', settings: { rules }, server: { registrationsPerMinute: 1 } });
    ok('ratelimit' in (await limited.client.request('GET', '/api/status')).headers);
    await limited.client.command('/api/game/player', { name: 'a', isBot: true }, 201);
    const refused = await post(limited.client, '/api/game/player', { name: 'b', isBot: true });
    isReply(refused, 429, 'rate_limited');
    ok(Number(refused.headers['retry-after']) > 0);
  },
};

const TRANSPORTS = 3;
const SHIPS = [{ shipType: 'transport', count: TRANSPORTS }];
/** Name, research and speed factors in tenths, within a system, between systems and between galaxies. */
const DRIVES = [
  ['combustion', null, [10, 1, 0]],
  ['ion', 'drive_ion', [25, 8, 0]],
  ['hyper', 'drive_hyper', [30, 30, 0]],
  ['nexus', 'drive_nexus', [30, 30, 0]],
  ['interdim', 'drive_interdim', [0, 0, 500]],
];

t.test('each statement of the page has a check, and each check a statement', async (t) => {
  t.ok(STATEMENTS.length > 0);
  t.same(STATEMENTS, Object.keys(CHECKS), 'in the same order');
});

t.test('the page names every field of the specification', async (t) => {
  const tables = Object.values(specification).filter((value) => typeof value === 'object');
  const fields = new Set(tables.flatMap((table) => Object.keys(table)));
  t.ok(fields.has('researchFinishAt'));
  t.same(
    [...fields].filter((field) => !PAGE.includes(`\`${field}\``)),
    [],
  );
});

for (const rules of [STANDARD_1_RULES, STANDARD_2_RULES]) {
  const serving = await begin(t, { settings: { rules } });
  for (const [index, [title, check]] of Object.entries(CHECKS).entries()) {
    t.test(`${title}, under ${rules.set.name}`, async (t) => {
      const { client, play } = serving;
      const name = `bot-${index}`;
      const { playerId, planetId } = await play.fleetOwner(name, { transport: TRANSPORTS });
      const colonyId = await play.neighbour(planetId);
      await client.command(`/api/game/planet/${colonyId}/colonize`, { playerId }, 201);
      const freeId = await play.neighbour(planetId);
      await check({ ...serving, rules, name, playerId, planetId, colonyId, freeId }, t);
      t.pass();
    });
  }
}
