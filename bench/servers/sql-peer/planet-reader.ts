// Reads planets of the SQL peer with their buildings, ships and upgrades: four queries, however many planets.
import type Database from 'libsql';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { type PlanetBody, type PlanetRow, RESOURCE_NAMES, type UpgradeRow } from './peer-shapes.js';

export interface StoredPlanet {
  readonly row: PlanetRow;
  /** By position in STANDARD_1.buildings. */
  readonly levels: ReadonlyMap<number, number>;
  readonly ships: readonly { readonly shipType: string; readonly count: number }[];
  readonly upgrade: UpgradeRow | undefined;
}

interface BuildingRow {
  readonly planetId: string;
  readonly type: number;
  readonly level: number;
}

interface ShipRow {
  readonly planetId: string;
  readonly type: number;
  readonly count: number;
}

export class PlanetReader {
  readonly #ofPlayer: PlanetQueries;
  readonly #byId: PlanetQueries;

  constructor(database: Database.Database) {
    this.#ofPlayer = new PlanetQueries(database, 'planets.player_id = ?');
    this.#byId = new PlanetQueries(database, 'planets.id = ?');
  }

  ofPlayer(playerId: string): StoredPlanet[] {
    return this.#ofPlayer.read(playerId);
  }

  byId(planetId: string): StoredPlanet | undefined {
    return this.#byId.read(planetId)[0];
  }

  /** @param stock units of a resource now */
  body({ row, levels, ships, upgrade }: StoredPlanet, stock: (resource: number) => number): PlanetBody {
    const [iron, silver, ember, h2, energy] = RESOURCE_NAMES.map((_, resource) => Math.floor(stock(resource)));
    const { id, name, slot, galaxy, system, playerId, playerName, isBot } = row;
    return {
      ...{ id, name, slot, iron: iron ?? 0, silver: silver ?? 0, ember: ember ?? 0, h2: h2 ?? 0, energy: energy ?? 0 },
      system: { galaxyIndex: galaxy, index: system },
      buildings: Array.from(levels, ([type, level]) => ({
        id: `${id}.${STANDARD_1.buildings[type]?.type}`,
        type: STANDARD_1.buildings[type]?.type ?? '',
        level,
        constructionQueue: upgrade?.type === type ? [queueEntry(upgrade)] : [],
      })),
      planetShips: ships,
      shipyardQueue: [],
      owner: { id: playerId, name: playerName, isBot: isBot === 1 },
    };
  }
}

/** The four queries for planets that a condition chooses. */
class PlanetQueries {
  readonly #planets: Database.Statement;
  readonly #buildings: Database.Statement;
  readonly #ships: Database.Statement;
  readonly #upgrades: Database.Statement;

  constructor(database: Database.Database, condition: string) {
    this.#planets = database.prepare(
      `SELECT planets.id, planets.name, slot, galaxy, system, iron, silver, ember, h2, energy, since_ms AS sinceMs,
         player_id AS playerId, players.name AS playerName, is_bot AS isBot
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
    const buildings = this.#buildings.all(key) as BuildingRow[];
    const ships = this.#ships.all(key) as ShipRow[];
    const upgrades = this.#upgrades.all(key) as UpgradeRow[];
    return rows.map((row) => ({
      row,
      levels: new Map(buildings.filter(({ planetId }) => planetId === row.id).map(({ type, level }) => [type, level])),
      ships: ships
        .filter(({ planetId }) => planetId === row.id)
        .map(({ type, count }) => ({ shipType: STANDARD_1.ships[type]?.type ?? '', count })),
      upgrade: upgrades.find(({ planetId }) => planetId === row.id),
    }));
  }
}

function queueEntry({ queueNumber, targetLevel, startedMs, finishMs }: UpgradeRow) {
  return {
    queueId: `queue-${queueNumber}`,
    targetLevel,
    startedAt: new Date(startedMs).toISOString(),
    upgradeFinishAt: new Date(finishMs).toISOString(),
  };
}
