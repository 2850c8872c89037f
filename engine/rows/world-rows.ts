// Writes a world as rows of primitives in one canonical order: its counters, its rules, its lineages, each player by number with everything
// it owns, then the messages, the pacts, the shocks, the kept replies and the kept events. The state hash and snapshots read the rows; world-loader.ts rebuilds a world from
// them. The rows contain all of the state and nothing that is derived from it. Snapshots have a few more rows.
import type { World } from '../world/state.js';
import { type EventBytes, writeEvents } from './events-row.js';
import { writeFleet } from './fleet-row.js';
import { writeKeptReply } from './kept-reply-row.js';
import { writeGoods, writeOffers, writeTrades } from './market-rows.js';
import { writeBroadcasts, writeCorrespondence, writeLastMessage, writeMessages } from './message-rows.js';
import { writePact } from './pact-row.js';
import { writePlanet, writePlans } from './planet-row.js';
import { writeActivity, writeFormerNames, writeKeys, writePlayer, writeSuspension, writeWar } from './player-row.js';
import { writeReport } from './report-row.js';
import { ROW_KINDS, type Row } from './row.js';
import {
  writeAnnouncement,
  writeFields,
  writeLineages,
  writeRetired,
  writeRules,
  writeWorld,
} from './settings-rows.js';
import { writeRaids, writeShocks } from './shock-rows.js';

export type { EventBytes } from './events-row.js';

export { ROW_KINDS, type Row, type RowValue } from './row.js';

/** Returns all rows of a world. The world must not change while they are read. @param eventBytes see snapshotRows() */
export function* worldRows(world: World, eventBytes?: EventBytes): Generator<Row> {
  yield writeWorld(world);
  yield writeRules(world);
  yield* writeLineages(world);
  const announcement = writeAnnouncement(world);
  if (announcement !== null) yield announcement;
  yield* writeRetired(world);
  yield* writeFields(world);
  const lastMessage = writeLastMessage(world);
  if (lastMessage !== null) yield lastMessage;
  yield* writeTrades(world);
  for (const player of world.players.values()) {
    yield writePlayer(world, player);
    const keys = writeKeys(player);
    if (keys !== null) yield keys;
    const war = writeWar(player);
    if (war !== null) yield war;
    const suspension = writeSuspension(player);
    if (suspension !== null) yield suspension;
    const correspondence = writeCorrespondence(world, player);
    if (correspondence !== null) yield correspondence;
    const raids = writeRaids(world, player);
    if (raids !== null) yield raids;
    yield* writeFormerNames(player);
    for (const planet of player.planets) yield writePlanet(world, planet);
    yield* writePlans(world, player);
    for (const fleet of player.fleets) yield writeFleet(world, fleet);
    yield* writeOffers(world, player);
    yield* writeGoods(world, player);
    for (const report of player.reports) yield writeReport(player, report);
  }
  yield* writeMessages(world);
  yield* writeBroadcasts(world);
  for (const pact of world.pacts.values()) yield writePact(world, pact);
  yield* writeShocks(world);
  for (const kept of world.keptReplies.inOrder()) yield writeKeptReply(kept);
  yield* writeEvents(world, eventBytes);
}

/**
 * Returns the rows of a snapshot: those of the world, then what is kept beside the state.
 *
 * @param eventBytes keeps the bytes of the events beside the rows; by default they are in the rows
 */
export function* snapshotRows(world: World, eventBytes?: EventBytes): Generator<Row> {
  yield* worldRows(world, eventBytes);
  yield* writeActivity(world);
}

/** Whether a row of a snapshot is part of the state and so of its hash. */
export function isState(row: Row): boolean {
  return row[0] !== ROW_KINDS.activity;
}
