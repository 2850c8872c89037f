// What a team would write instead: Fastify over SQLite, offering the same read of a player's state, the same durable upgrade and its
// cancelling. Rows are read for each request, a command is one transaction. It knows as much of the rules as these three need, and takes
// their numbers from the catalogue. Its own process: `peer-server.js FOLDER`, with its filling on standard input.

import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import type Database from 'libsql';
import * as peer from './peer-database.js';

const HOUR_MS = 3_600_000;

/** A refusal, reported with this status. */
class PeerRefusal extends Error {
  constructor(
    readonly status: 404 | 409 | 422,
    readonly code: string,
  ) {
    super(code);
  }
}

class PeerWorld {
  readonly #database: Database.Database;
  readonly #catalog: peer.Catalog;
  readonly #producers: readonly (readonly Producer[])[];
  readonly #ofPlayer: peer.PlanetQueries;
  readonly #byId: peer.PlanetQueries;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #lastQueueNumber = 0;

  constructor(database: Database.Database, catalog: peer.Catalog) {
    this.#database = database;
    this.#catalog = catalog;
    this.#producers = peer.RESOURCE_NAMES.map((_, resource) => producersOf(resource, catalog));
    this.#ofPlayer = new peer.PlanetQueries(database, 'planets.player_id = ?');
    this.#byId = new peer.PlanetQueries(database, 'planets.id = ?');
    this.#statements = prepareStatements(database);
  }

  /** A player with its planets. @throws PeerRefusal */
  state(playerId: string, nowMs: number) {
    this.#completeDue(nowMs);
    const planets = this.#ofPlayer.read(playerId);
    const owner = planets[0]?.row;
    if (owner === undefined) throw new PeerRefusal(404, 'player_not_found');
    const bodies = planets.map((planet) => this.#body(planet, nowMs));
    return {
      id: playerId,
      name: owner.playerName,
      isBot: owner.isBot === 1,
      planets: bodies,
      fleets: [],
      research: [],
      // Instants of the same form are ordered as their texts are.
      nextTimerAt: bodies.flatMap(({ nextTimerAt }) => nextTimerAt ?? []).sort()[0] ?? null,
      lastEventSeq: owner.lastEventSeq,
    };
  }

  /** Begins the next level of a building; returns when it is on disk. @throws PeerRefusal */
  upgrade(planetId: string, buildingType: string, nowMs: number) {
    return this.#database.transaction(() => {
      this.#completeDue(nowMs);
      const planet = this.#planet(planetId);
      const type = this.#catalog.buildings.findIndex((rule) => rule.type === buildingType);
      const level = planet.levels.get(type) ?? 0;
      if (level === 0) throw new PeerRefusal(404, 'building_not_found');
      if (planet.upgrade !== undefined) throw new PeerRefusal(409, 'upgrade_in_progress');
      this.#pay(planet, this.#cost(type, level + 1), -1, nowMs);
      this.#lastQueueNumber += 1;
      const seconds = this.#catalog.buildings[type]?.seconds[level] ?? 0;
      const finishMs = nowMs + Math.ceil((seconds * 1000) / this.#catalog.speed);
      this.#statements.insertUpgrade.run(planetId, this.#lastQueueNumber, type, level + 1, nowMs, finishMs);
      this.#statements.countEvent.run(planetId);
      return this.#body(this.#planet(planetId), nowMs);
    })();
  }

  /** Stops an upgrade and refunds it; returns when it is on disk. @throws PeerRefusal */
  cancel(planetId: string, queueId: string, nowMs: number) {
    return this.#database.transaction(() => {
      this.#completeDue(nowMs);
      const planet = this.#planet(planetId);
      const { upgrade } = planet;
      if (upgrade === undefined || `queue-${upgrade.queueNumber}` !== queueId) {
        throw new PeerRefusal(404, 'queue_entry_not_found');
      }
      this.#pay(planet, this.#cost(upgrade.type, upgrade.targetLevel), 1, nowMs);
      this.#statements.deleteUpgrade.run(planetId);
      this.#statements.countEvent.run(planetId);
      return this.#body(this.#planet(planetId), nowMs);
    })();
  }

  #planet(planetId: string): peer.StoredPlanet {
    const planet = this.#byId.read(planetId)[0];
    if (planet === undefined) throw new PeerRefusal(404, 'planet_not_found');
    return planet;
  }

  #body(planet: peer.StoredPlanet, nowMs: number) {
    return peer.planetBody(planet, this.#catalog, {
      units: (resource) => this.#stock(planet, resource, nowMs),
      perHour: (resource) => this.#perHour(planet, resource),
    });
  }

  /** What fell due since the last request takes effect at its own time. */
  #completeDue(nowMs: number): void {
    for (const { planetId, type, targetLevel, finishMs } of this.#statements.dueUpgrades.all(
      nowMs,
    ) as peer.UpgradeRow[]) {
      this.#setStocks(this.#planet(planetId), finishMs, () => 0);
      this.#statements.setLevel.run(planetId, type, targetLevel);
      this.#statements.deleteUpgrade.run(planetId);
      this.#statements.countEvent.run(planetId);
    }
  }

  #cost(type: number, level: number): readonly number[] {
    return this.#catalog.buildings[type]?.costs[level - 1] ?? [];
  }

  #pay(planet: peer.StoredPlanet, cost: readonly number[], sign: 1 | -1, nowMs: number): void {
    const isShort = cost.some((units, resource) => sign < 0 && this.#stock(planet, resource, nowMs) < units);
    if (isShort) throw new PeerRefusal(422, 'insufficient_resources');
    this.#setStocks(planet, nowMs, (resource) => sign * (cost[resource] ?? 0));
  }

  #setStocks(planet: peer.StoredPlanet, atMs: number, change: (resource: number) => number): void {
    const stocks = peer.RESOURCE_NAMES.map((_, resource) => this.#stock(planet, resource, atMs) + change(resource));
    this.#statements.setStocks.run(...stocks, atMs, planet.row.id);
  }

  /** Units of a resource on a planet. */
  #stock(planet: peer.StoredPlanet, resource: number, atMs: number): number {
    const { row } = planet;
    const name = peer.RESOURCE_NAMES[resource] ?? 'iron';
    return row[name] + (this.#perHour(planet, resource) * (atMs - row.sinceMs)) / HOUR_MS;
  }

  /** Units of a resource that a planet produces in an hour. */
  #perHour({ levels }: peer.StoredPlanet, resource: number): number {
    let perHour = 0;
    for (const { type, unitsPerHour } of this.#producers[resource] ?? [])
      perHour += unitsPerHour[levels.get(type) ?? 0] ?? 0;
    return perHour * this.#catalog.speed;
  }
}

/** A building that produces a resource, with its units an hour by level. */
interface Producer {
  readonly type: number;
  readonly unitsPerHour: readonly number[];
}

function producersOf(resource: number, { buildings }: peer.Catalog): Producer[] {
  return buildings
    .map(({ outputsPerHour }, type) => ({
      type,
      unitsPerHour: [0, ...outputsPerHour.map((units) => units[resource] ?? 0)],
    }))
    .filter(({ unitsPerHour }) => unitsPerHour.some((units) => units > 0));
}

function prepareStatements(database: Database.Database) {
  return {
    dueUpgrades: database.prepare(
      `SELECT planet_id AS planetId, type, target_level AS targetLevel, finish_ms AS finishMs
       FROM upgrades WHERE finish_ms <= ? ORDER BY finish_ms`,
    ),
    insertUpgrade: database.prepare('INSERT INTO upgrades VALUES (?, ?, ?, ?, ?, ?)'),
    deleteUpgrade: database.prepare('DELETE FROM upgrades WHERE planet_id = ?'),
    countEvent: database.prepare(
      `UPDATE players SET last_event_seq = last_event_seq + 1
       WHERE id = (SELECT player_id FROM planets WHERE planets.id = ?)`,
    ),
    setLevel: database.prepare('INSERT OR REPLACE INTO buildings VALUES (?, ?, ?)'),
    setStocks: database.prepare(
      'UPDATE planets SET iron = ?, silver = ?, ember = ?, h2 = ?, energy = ?, since_ms = ? WHERE id = ?',
    ),
  };
}

/** Shapes are checked and replies written by Fastify's own compiled schemas, from those of the server under test. */
function peerServer(world: PeerWorld, schemas: peer.PeerFilling['schemas']): FastifyInstance {
  const app = fastify({ logger: false });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof PeerRefusal) return reply.code(error.status).send({ status: error.status, code: error.code });
    return reply.send(error);
  });
  const named = (name: string) => inlined(schemas[name], schemas);
  app.get<{ Params: { playerId: string } }>(
    '/api/game/state/:playerId',
    { schema: { response: { 200: named('Player') } } },
    async ({ params }) => world.state(params.playerId, Date.now()),
  );
  app.post<{ Body: { planetId: string; buildingType: string } }>(
    '/api/building/upgrade',
    { schema: { body: named('BuildingRequest'), response: { 200: named('Planet') } } },
    async ({ body }) => world.upgrade(body.planetId, body.buildingType, Date.now()),
  );
  app.post<{ Body: { planetId: string; queueId: string } }>(
    '/api/building/cancel',
    { schema: { body: named('CancelBuildingRequest'), response: { 200: named('Planet') } } },
    async ({ body }) => world.cancel(body.planetId, body.queueId, Date.now()),
  );
  return app;
}

/** A schema in which every reference to another one is replaced by it. */
function inlined(node: unknown, schemas: peer.PeerFilling['schemas']): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => inlined(item, schemas));
  const name = '$ref' in node ? String(node.$ref).split('/').at(-1) : undefined;
  if (name !== undefined) return inlined(schemas[name], schemas);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inlined(value, schemas)]));
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('the peer needs a folder for its database');
const filling: peer.PeerFilling = JSON.parse(await text(process.stdin));
const database = peer.createDatabase(join(folder, 'peer.sqlite'));
peer.fillDatabase(database, filling, Date.now());
const server = peerServer(new PeerWorld(database, filling.catalog), filling.schemas);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
console.log(`Fastify with SQLite serves ${url}`);
process.once('SIGTERM', () => {
  database.close();
  process.exit(0);
});
