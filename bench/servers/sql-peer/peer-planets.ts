// Reads planets of the SQL peer with their buildings, ships and upgrades: four queries, however many planets.
import type Database from 'libsql';
import { type Catalog, RESOURCE_NAMES, type ResourceUnits } from './peer-filling.js';

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
  /** By position in the catalogue. */
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
