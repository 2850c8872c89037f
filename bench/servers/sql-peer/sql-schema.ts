// The tables of the SQL peer, and how its database is opened: a write-ahead log, and every commit on disk before it
// returns, as the server under test promises.
import Database from 'libsql';

const TABLES = `
  CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL, is_bot INTEGER NOT NULL) WITHOUT ROWID;
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

/** What the pragmas are: a test holds the peer to them. */
export function durabilityOf(database: Database.Database): { journalMode: string; synchronous: number } {
  const [mode] = database.pragma('journal_mode') as { journal_mode: string }[];
  const [level] = database.pragma('synchronous') as { synchronous: number }[];
  return { journalMode: mode?.journal_mode ?? '', synchronous: level?.synchronous ?? -1 };
}
