// Fills the SQL peer with players as the server under test shows them, so that both answer alike.
import type Database from 'libsql';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { PEER_PLAYERS_MAX } from '../../limits.js';
import { forEachAtOnce, type GameClient } from '../game-client.js';
import type { PeerFilling, PlanetBody, StateBody } from './peer-shapes.js';

/** Asks the server under test for the states of players; at most PEER_PLAYERS_MAX of them. */
export async function readFilling(client: GameClient, playerIds: readonly string[]): Promise<PeerFilling> {
  const { speed } = await client.get<{ speed: number }>('/api/status');
  const wanted = playerIds.slice(0, PEER_PLAYERS_MAX);
  const states = await forEachAtOnce(wanted, (playerId) => client.get<StateBody>(`/api/game/state/${playerId}`));
  return { speed, states };
}

/** @param nowMs when the stocks were what the states say */
export function fillDatabase(database: Database.Database, { states }: PeerFilling, nowMs: number): void {
  const insertPlayer = database.prepare('INSERT INTO players VALUES (?, ?, ?)');
  const insertPlanet = database.prepare(`INSERT INTO planets VALUES (${new Array(13).fill('?').join(', ')})`);
  const insertBuilding = database.prepare('INSERT INTO buildings VALUES (?, ?, ?)');
  const insertShips = database.prepare('INSERT INTO ships VALUES (?, ?, ?)');
  const insertAll = database.transaction(() => {
    for (const { id, name, isBot, planets } of states) {
      insertPlayer.run(id, name, isBot ? 1 : 0);
      for (const [position, planet] of planets.entries()) {
        insertPlanet.run(...planetValues(planet, id, position, nowMs));
        for (const { type, level } of planet.buildings) {
          insertBuilding.run(planet.id, positionIn(STANDARD_1.buildings, type), level);
        }
        for (const { shipType, count } of planet.planetShips)
          insertShips.run(planet.id, positionIn(STANDARD_1.ships, shipType), count);
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
