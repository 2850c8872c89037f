// The tables of the SQL peer: how they are opened, filled and read. A write-ahead log, and every commit on disk before it returns, as the
// server under test promises. What they are filled with comes from the public interface of that server: the states of its players, the
// catalogue with its costs and times, and the schemas of its OpenAPI document.
import Database from 'libsql';

export const RESOURCE_NAMES = ['iron', 'silver', 'ember', 'h2', 'energy'] as const;
export type ResourceUnits = Record<(typeof RESOURCE_NAMES)[number], number>;

/** As much of a planet and of a player's state as the peer keeps. */
export interface PlanetBody extends ResourceUnits {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
  readonly system: { readonly galaxyIndex: number; readonly index: number };
  readonly buildings: readonly { readonly type: string; readonly level: number }[];
  readonly planetShips: readonly { readonly shipType: string; readonly count: number }[];
}

export interface StateBody {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly planets: readonly PlanetBody[];
  readonly lastEventSeq: number;
}

/** As much of GET /api/catalog as the peer uses. Lists by level begin with level 1, amounts are in the order of RESOURCE_NAMES. */
export interface Catalog {
  /** Durations are divided by it, production is multiplied by it. */
  readonly speed: number;
  readonly buildings: readonly {
    readonly type: string;
    readonly costs: readonly (readonly number[])[];
    readonly outputsPerHour: readonly (readonly number[])[];
    readonly seconds: readonly number[];
  }[];
  readonly ships: readonly { readonly type: string }[];
}

export interface PeerFilling {
  readonly catalog: Catalog;
  /** JSON Schemas by name; they refer to each other as `#/components/schemas/NAME`. */
  readonly schemas: Readonly<Record<string, object>>;
  readonly states: readonly StateBody[];
}

const TABLES = `
  CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL, is_bot INTEGER NOT NULL, last_event_seq INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE planets (
    id TEXT PRIMARY KEY, player_id TEXT NOT NULL REFERENCES players, position INTEGER NOT NULL, name TEXT NOT NULL,
    slot INTEGER NOT NULL, galaxy INTEGER NOT NULL, system INTEGER NOT NULL, iron REAL NOT NULL, silver REAL NOT NULL,
    ember REAL NOT NULL, h2 REAL NOT NULL, energy REAL NOT NULL, since_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX planets_of_player ON planets (player_id, position);
  CREATE TABLE buildings (
    planet_id TEXT NOT NULL REFERENCES planets, type INTEGER NOT NULL, level INTEGER NOT NULL,
    PRIMARY KEY (planet_id, type)
  ) WITHOUT ROWID;
  CREATE TABLE ships (
    planet_id TEXT NOT NULL REFERENCES planets, type INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (planet_id, type)
  ) WITHOUT ROWID;
  CREATE TABLE upgrades (
    planet_id TEXT PRIMARY KEY REFERENCES planets, queue_number INTEGER NOT NULL, type INTEGER NOT NULL,
    target_level INTEGER NOT NULL, started_ms INTEGER NOT NULL, finish_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX upgrades_by_finish ON upgrades (finish_ms);
`;

/** Makes a new database. @param path of its file */
export function createDatabase(path: string): Database.Database {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(TABLES);
  return database;
}

/** @param nowMs when the stocks were what the states say */
export function fillDatabase(database: Database.Database, { catalog, states }: PeerFilling, nowMs: number): void {
  const insertPlayer = database.prepare('INSERT INTO players VALUES (?, ?, ?, ?)');
  const insertPlanet = database.prepare(`INSERT INTO planets VALUES (${new Array(13).fill('?').join(', ')})`);
  const insertBuilding = database.prepare('INSERT INTO buildings VALUES (?, ?, ?)');
  const insertShips = database.prepare('INSERT INTO ships VALUES (?, ?, ?)');
  const insertAll = database.transaction(() => {
    for (const { id, name, isBot, planets, lastEventSeq } of states) {
      insertPlayer.run(id, name, isBot ? 1 : 0, lastEventSeq);
      for (const [position, planet] of planets.entries()) {
        insertPlanet.run(...planetValues(planet, id, position, nowMs));
        for (const { type, level } of planet.buildings) {
          insertBuilding.run(planet.id, positionIn(catalog.buildings, type), level);
        }
        for (const { shipType, count } of planet.planetShips) {
          insertShips.run(planet.id, positionIn(catalog.ships, shipType), count);
        }
      }
    }
  });
  insertAll();
  database.exec('ANALYZE');
}

/** Types are kept by their positions in the catalogue, which is also the order in which they are shown. */
function positionIn(rules: readonly { readonly type: string }[], type: string): number {
  return rules.findIndex((rule) => rule.type === type);
}

function planetValues(planet: PlanetBody, playerId: string, position: number, nowMs: number): (string | number)[] {
  const { id, name, slot, system, iron, silver, ember, h2, energy } = planet;
  const place = [slot, system.galaxyIndex, system.index];
  return [id, playerId, position, name, ...place, iron, silver, ember, h2, energy, nowMs];
}

/** A planet with what a reply shows of its owner. */
export interface PlanetRow extends ResourceUnits {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
  readonly galaxy: number;
  readonly system: number;
  readonly sinceMs: number;
  readonly playerId: string;
  readonly playerName: string;
  readonly isBot: number;
  readonly lastEventSeq: number;
}

export interface UpgradeRow {
  readonly planetId: string;
  readonly queueNumber: number;
  readonly type: number;
  readonly targetLevel: number;
  readonly startedMs: number;
  readonly finishMs: number;
}

export interface StoredPlanet {
  readonly row: PlanetRow;
  /** Indexed by position in the catalogue. */
  readonly levels: ReadonlyMap<number, number>;
  readonly ships: readonly { readonly type: number; readonly count: number }[];
  readonly upgrade: UpgradeRow | undefined;
}

/** The four queries for the planets that a condition selects. */
export class PlanetQueries {
  readonly #planets: Database.Statement;
  readonly #buildings: Database.Statement;
  readonly #ships: Database.Statement;
  readonly #upgrades: Database.Statement;

  /** @param condition SQL with one placeholder */
  constructor(database: Database.Database, condition: string) {
    this.#planets = database.prepare(
      `SELECT planets.id, planets.name, slot, galaxy, system, iron, silver, ember, h2, energy, since_ms AS sinceMs,
         player_id AS playerId, players.name AS playerName, is_bot AS isBot,
         last_event_seq AS lastEventSeq
       FROM planets JOIN players ON players.id = player_id WHERE ${condition} ORDER BY position`,
    );
    this.#buildings = database.prepare(
      `SELECT planet_id AS planetId, type, level FROM planets JOIN buildings ON planet_id = planets.id
       WHERE ${condition} ORDER BY planet_id, type`,
    );
    this.#ships = database.prepare(
      `SELECT planet_id AS planetId, type, count FROM planets JOIN ships ON planet_id = planets.id
       WHERE ${condition} ORDER BY planet_id, type`,
    );
    this.#upgrades = database.prepare(
      `SELECT planet_id AS planetId, queue_number AS queueNumber, type, target_level AS targetLevel,
         started_ms AS startedMs, finish_ms AS finishMs
       FROM planets JOIN upgrades ON planet_id = planets.id WHERE ${condition}`,
    );
  }

  read(key: string): StoredPlanet[] {
    // The rows have the shapes that the queries name.
    const rows = this.#planets.all(key) as PlanetRow[];
    const buildings = this.#buildings.all(key) as { planetId: string; type: number; level: number }[];
    const ships = this.#ships.all(key) as { planetId: string; type: number; count: number }[];
    const upgrades = this.#upgrades.all(key) as UpgradeRow[];
    return rows.map((row) => ({
      row,
      levels: new Map(buildings.filter(({ planetId }) => planetId === row.id).map(({ type, level }) => [type, level])),
      ships: ships.filter(({ planetId }) => planetId === row.id),
      upgrade: upgrades.find(({ planetId }) => planetId === row.id),
    }));
  }
}

/** Units of a resource: those that a planet has now, and those that it produces in an hour. */
export interface Stocks {
  units(resource: number): number;
  perHour(resource: number): number;
}

/** A planet as a reply shows it. */
export function planetBody({ row, levels, ships, upgrade }: StoredPlanet, catalog: Catalog, stocks: Stocks) {
  const [iron = 0, silver = 0, ember = 0, h2 = 0, energy = 0] = RESOURCE_NAMES.map((_, index) =>
    Math.floor(stocks.units(index)),
  );
  const { id, name, slot, galaxy, system, playerId, playerName, isBot } = row;
  return {
    ...{ id, name, slot, iron, silver, ember, h2, energy },
    system: { galaxyIndex: galaxy, index: system },
    production: Object.fromEntries(RESOURCE_NAMES.map((resource, index) => [resource, stocks.perHour(index)])),
    nextTimerAt: upgrade === undefined ? null : new Date(upgrade.finishMs).toISOString(),
    visibility: 'full',
    buildings: Array.from(levels, ([position, level]) => {
      const type = catalog.buildings[position]?.type ?? '';
      const constructionQueue = upgrade?.type === position ? [queueEntry(upgrade)] : [];
      return { id: `${id}.${type}`, type, level, constructionQueue };
    }),
    planetShips: ships.map(({ type, count }) => ({ shipType: catalog.ships[type]?.type ?? '', count })),
    shipyardQueue: [],
    owner: { id: playerId, name: playerName, isBot: isBot === 1 },
  };
}

function queueEntry({ queueNumber, targetLevel, startedMs, finishMs }: UpgradeRow) {
  return {
    queueId: `queue-${queueNumber}`,
    targetLevel,
    startedAt: new Date(startedMs).toISOString(),
    upgradeFinishAt: new Date(finishMs).toISOString(),
  };
}
