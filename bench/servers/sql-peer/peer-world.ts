// The game as a team would write it over SQL: rows are read for each request, a command is one transaction. It knows as
// much of the rules as a read of a state, an upgrade and its cancelling need, and takes their numbers from the engine.
import type Database from 'libsql';
import { buildingBaseMs } from '../../../engine/rules/rules.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import type { PlanetBody, PlanetRow, StateBody, UpgradeRow } from './peer-shapes.js';
import { RESOURCE_NAMES } from './peer-shapes.js';
import { PlanetReader } from './planet-reader.js';

const HOUR_MS = 3_600_000;

/** A refusal, told with this status. */
export class PeerRefusal extends Error {
  constructor(
    readonly status: 404 | 409 | 422,
    readonly code: string,
  ) {
    super(code);
  }
}

export class PeerWorld {
  readonly #database: Database.Database;
  readonly #speed: number;
  readonly #reader: PlanetReader;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #lastQueueNumber = 0;

  /** @param speed durations are divided by it, production times it */
  constructor(database: Database.Database, speed: number) {
    this.#database = database;
    this.#speed = speed;
    this.#reader = new PlanetReader(database);
    this.#statements = prepareStatements(database);
  }

  /** A player with its planets. @throws PeerRefusal */
  state(playerId: string, nowMs: number): StateBody {
    this.#completeDue(nowMs);
    const planets = this.#reader.ofPlayer(playerId);
    const owner = planets[0]?.row;
    if (owner === undefined) throw new PeerRefusal(404, 'player_not_found');
    return {
      id: playerId,
      name: owner.playerName,
      isBot: owner.isBot === 1,
      planets: planets.map((planet) =>
        this.#reader.body(planet, (resource) => this.#stock(planet.row, planet.levels, resource, nowMs)),
      ),
      fleets: [],
      research: [],
    };
  }

  /** Begins the next level of a building; returns when it is on disk. @throws PeerRefusal */
  upgrade(planetId: string, buildingType: string, nowMs: number): PlanetBody {
    return this.#database.transaction(() => {
      this.#completeDue(nowMs);
      const planet = this.#reader.byId(planetId);
      if (planet === undefined) throw new PeerRefusal(404, 'planet_not_found');
      const type = STANDARD_1.buildings.findIndex((rule) => rule.type === buildingType);
      const level = planet.levels.get(type) ?? 0;
      if (level === 0) throw new PeerRefusal(404, 'building_not_found');
      if (planet.upgrade !== undefined) throw new PeerRefusal(409, 'upgrade_in_progress');
      this.#pay(planet.row, planet.levels, STANDARD_1_RULES.buildingCost(type, level + 1), -1, nowMs);
      this.#lastQueueNumber += 1;
      const finishMs = nowMs + Math.ceil(buildingBaseMs(level) / this.#speed);
      this.#statements.insertUpgrade.run(planetId, this.#lastQueueNumber, type, level + 1, nowMs, finishMs);
      return this.#planetBody(planetId, nowMs);
    })();
  }

  /** Stops an upgrade and refunds it; returns when it is on disk. @throws PeerRefusal */
  cancel(planetId: string, queueId: string, nowMs: number): PlanetBody {
    return this.#database.transaction(() => {
      this.#completeDue(nowMs);
      const planet = this.#reader.byId(planetId);
      if (planet === undefined) throw new PeerRefusal(404, 'planet_not_found');
      const { upgrade } = planet;
      if (upgrade === undefined || `queue-${upgrade.queueNumber}` !== queueId) {
        throw new PeerRefusal(404, 'queue_entry_not_found');
      }
      this.#pay(planet.row, planet.levels, STANDARD_1_RULES.buildingCost(upgrade.type, upgrade.targetLevel), 1, nowMs);
      this.#statements.deleteUpgrade.run(planetId);
      return this.#planetBody(planetId, nowMs);
    })();
  }

  #planetBody(planetId: string, nowMs: number): PlanetBody {
    const planet = this.#reader.byId(planetId);
    if (planet === undefined) throw new PeerRefusal(404, 'planet_not_found');
    return this.#reader.body(planet, (resource) => this.#stock(planet.row, planet.levels, resource, nowMs));
  }

  /** What fell due since the last request takes effect at its own time. */
  #completeDue(nowMs: number): void {
    for (const upgrade of this.#statements.dueUpgrades.all(nowMs) as UpgradeRow[]) {
      const planet = this.#reader.byId(upgrade.planetId);
      if (planet === undefined) continue;
      this.#setStocks(planet.row, planet.levels, upgrade.finishMs, () => 0);
      this.#statements.setLevel.run(upgrade.planetId, upgrade.type, upgrade.targetLevel);
      this.#statements.deleteUpgrade.run(upgrade.planetId);
    }
  }

  #pay(
    planet: PlanetRow,
    levels: ReadonlyMap<number, number>,
    cost: readonly number[],
    sign: 1 | -1,
    nowMs: number,
  ): void {
    const isShort = RESOURCE_NAMES.some((_, resource) => {
      return sign < 0 && this.#stock(planet, levels, resource, nowMs) < (cost[resource] ?? 0);
    });
    if (isShort) throw new PeerRefusal(422, 'insufficient_resources');
    this.#setStocks(planet, levels, nowMs, (resource) => sign * (cost[resource] ?? 0));
  }

  #setStocks(
    planet: PlanetRow,
    levels: ReadonlyMap<number, number>,
    atMs: number,
    change: (resource: number) => number,
  ): void {
    const stocks = RESOURCE_NAMES.map((_, resource) => this.#stock(planet, levels, resource, atMs) + change(resource));
    this.#statements.setStocks.run(...stocks, atMs, planet.id);
  }

  /** Units of a resource on a planet. */
  #stock(planet: PlanetRow, levels: ReadonlyMap<number, number>, resource: number, atMs: number): number {
    let perHour = 0;
    for (const { type, unitsPerHour } of STANDARD_1_RULES.producers[resource] ?? [])
      perHour += unitsPerHour[levels.get(type) ?? 0] ?? 0;
    const name = RESOURCE_NAMES[resource] ?? 'iron';
    return planet[name] + (perHour * this.#speed * (atMs - planet.sinceMs)) / HOUR_MS;
  }
}

function prepareStatements(database: Database.Database) {
  return {
    dueUpgrades: database.prepare(
      `SELECT planet_id AS planetId, type, target_level AS targetLevel, finish_ms AS finishMs
       FROM upgrades WHERE finish_ms <= ? ORDER BY finish_ms`,
    ),
    insertUpgrade: database.prepare('INSERT INTO upgrades VALUES (?, ?, ?, ?, ?, ?)'),
    deleteUpgrade: database.prepare('DELETE FROM upgrades WHERE planet_id = ?'),
    setLevel: database.prepare('INSERT OR REPLACE INTO buildings VALUES (?, ?, ?)'),
    setStocks: database.prepare(
      'UPDATE planets SET iron = ?, silver = ?, ember = ?, h2 = ?, energy = ?, since_ms = ? WHERE id = ?',
    ),
  };
}
