// The tables of the SQL peer, how they are opened and filled: a write-ahead log, and every commit on disk before it
// returns, as the server under test promises.
import Database from 'libsql';
import type { PeerFilling, PlanetBody } from './peer-filling.js';

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
