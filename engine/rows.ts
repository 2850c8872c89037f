// A world as rows of primitives in one canonical order: its counters, its rules, then each player by number with all that belongs
// to it, then the kept replies. The state hash and snapshots read them; world-loader.ts makes a world of them again.
// Whatever is state stands here; whatever is derived does not.
import { writeFleet } from './rows/fleet-row.js';
import { writeKeptReply } from './rows/kept-reply-row.js';
import { writePlanet } from './rows/planet-row.js';
import { writePlayer } from './rows/player-row.js';
import { writeReport } from './rows/report-row.js';
import type { Row } from './rows/row.js';
import { writeRules } from './rows/rules-row.js';
import { writeWorld } from './rows/world-row.js';
import type { World } from './state.js';

export { ROW_KINDS, type Row, type RowValue } from './rows/row.js';

/** All rows of a world. The world must not change while they are being read. */
export function* worldRows(world: World): Generator<Row> {
  yield writeWorld(world);
  const rules = writeRules(world);
  if (rules !== null) yield rules;
  for (const player of world.players) {
    if (player === undefined) continue;
    yield writePlayer(world, player);
    for (const planet of player.planets) yield writePlanet(world, planet);
    for (const fleet of player.fleets) yield writeFleet(world, fleet);
    for (const report of player.reports) yield writeReport(player, report);
  }
  for (const kept of world.keptReplies.inOrder()) yield writeKeptReply(kept);
}
