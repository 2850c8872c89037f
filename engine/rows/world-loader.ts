// Rebuilds a world from its rows (world-rows.ts). It refuses every invalid row and never returns an incomplete world.

import type { World } from '../world/state.js';
import { type EventBytes, readEventLog, readEventReceivers, readEvents } from './events-row.js';
import { readFleet } from './fleet-row.js';
import { readKeptReply } from './kept-reply-row.js';
import { readGoods, readOffer, readTrades } from './market-rows.js';
import { readBroadcast, readCorrespondence, readLastMessage, readMessage } from './message-rows.js';
import { readPact } from './pact-row.js';
import { readPlan, readPlanet } from './planet-row.js';
import { readActivity, readFormerName, readKeys, readPlayer, readSuspension, readWar } from './player-row.js';
import { readReport } from './report-row.js';
import { ROW_KINDS, type Row, RowReader } from './row.js';
import {
  readAnnouncement,
  readField,
  readFreedStarter,
  readLineage,
  readRetired,
  readRules,
  readWorld,
} from './settings-rows.js';
import { readRaids, readShock, readShocks } from './shock-rows.js';
import type { WorldDraft } from './world-draft.js';

interface RowKind {
  readonly name: string;
  /** Adds a row of this kind to the world, whose first row has already been read. */
  readonly read: (draft: WorldDraft, row: RowReader) => void;
}

/** In the order of the rows. After the rows of a player comes the next player, or a kind after all players. */
const KINDS: ReadonlyMap<number, RowKind> = new Map([
  [ROW_KINDS.world, { name: 'world', read: refuseSecondWorld }],
  [ROW_KINDS.rules, { name: 'rules', read: readRules }],
  [ROW_KINDS.lineage, { name: 'lineage', read: readLineage }],
  [ROW_KINDS.announcement, { name: 'announcement', read: readAnnouncement }],
  [ROW_KINDS.retired, { name: 'retired players', read: readRetired }],
  [ROW_KINDS.freed_starter, { name: 'freed starter planet', read: readFreedStarter }],
  [ROW_KINDS.field, { name: 'field', read: readField }],
  [ROW_KINDS.messages, { name: 'last message', read: readLastMessage }],
  [ROW_KINDS.trades, { name: 'trades', read: readTrades }],
  [ROW_KINDS.player, { name: 'player', read: readPlayer }],
  [ROW_KINDS.keys, { name: 'keys', read: readKeys }],
  [ROW_KINDS.war, { name: 'war', read: readWar }],
  [ROW_KINDS.suspension, { name: 'suspension', read: readSuspension }],
  [ROW_KINDS.correspondence, { name: 'correspondence', read: readCorrespondence }],
  [ROW_KINDS.raids, { name: 'raids', read: readRaids }],
  [ROW_KINDS.former_name, { name: 'former name', read: readFormerName }],
  [ROW_KINDS.planet, { name: 'planet', read: readPlanet }],
  [ROW_KINDS.plan, { name: 'plan', read: readPlan }],
  [ROW_KINDS.fleet, { name: 'fleet', read: readFleet }],
  [ROW_KINDS.offer, { name: 'offer', read: readOffer }],
  [ROW_KINDS.goods, { name: 'goods', read: readGoods }],
  [ROW_KINDS.report, { name: 'report', read: readReport }],
  [ROW_KINDS.message, { name: 'message', read: readMessage }],
  [ROW_KINDS.broadcast, { name: 'broadcast', read: readBroadcast }],
  [ROW_KINDS.pact, { name: 'pact', read: readPact }],
  [ROW_KINDS.shocks, { name: 'next shocks', read: readShocks }],
  [ROW_KINDS.shock, { name: 'shock', read: readShock }],
  [ROW_KINDS.kept_reply, { name: 'kept reply', read: readKeptReply }],
  [ROW_KINDS.event_log, { name: 'event log', read: readEventLog }],
  [ROW_KINDS.event_receivers, { name: 'receivers of events', read: readEventReceivers }],
  [ROW_KINDS.events, { name: 'events', read: readEvents }],
  [ROW_KINDS.activity, { name: 'activity', read: readActivity }],
] as const);

/** The place of each kind in that order. */
const PLACES: ReadonlyMap<number, number> = new Map([...KINDS.keys()].map((kind, place) => [kind, place]));

export class WorldLoader {
  #draft: WorldDraft | null = null;
  #rowCount = 0;
  #lastKind = 0;
  #isClosed = false;

  /** @param eventBytes has the bytes of the events; by default they are in the rows */
  constructor(private readonly eventBytes?: EventBytes) {}

  /**
   * Adds the next row. The caller must not change it afterwards: the world shares its immutable parts.
   *
   * @throws Error that names the row and what is wrong with it; afterwards the loader accepts no more rows
   */
  add(row: Row): void {
    if (this.#isClosed) throw new Error('the loader accepts no more rows');
    this.#rowCount += 1;
    try {
      this.#read(row);
    } catch (error) {
      this.#isClosed = true;
      throw new Error(`row ${this.#rowCount} (${nameOf(row)}) is invalid: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** @throws Error if the rows do not form a world */
  finish(): World {
    if (this.#isClosed) throw new Error('the loader has no world to return');
    this.#isClosed = true;
    if (this.#draft === null) throw new Error('there are no rows');
    try {
      return this.#draft.complete();
    } catch (error) {
      throw new Error(`the ${this.#rowCount} rows contradict each other: ${reasonOf(error)}`, { cause: error });
    }
  }

  #read(row: Row): void {
    const kind = kindOf(row);
    const rowKind = KINDS.get(kind);
    if (rowKind === undefined) throw new Error('there is no such kind of row');
    const reader = new RowReader(row, 1);
    if (this.#draft === null) {
      if (kind !== ROW_KINDS.world) throw new Error('the first row must be that of the world');
      this.#draft = readWorld(reader);
      this.#draft.eventBytes = this.eventBytes;
      return;
    }
    if ((kind === ROW_KINDS.rules) !== (this.#rowCount === 2))
      throw new Error('the second row must be that of the rules');
    if (isOutOfOrder(kind, this.#lastKind)) throw new Error('it must come before the preceding row');
    this.#lastKind = kind;
    rowKind.read(this.#draft, reader);
  }
}

function isOutOfOrder(kind: number, kindBefore: number): boolean {
  if (kind === ROW_KINDS.world) return false;
  if (placeOf(kind) >= placeOf(kindBefore)) return false;
  return kind !== ROW_KINDS.player || placeOf(kindBefore) > placeOf(ROW_KINDS.report);
}

/** The place of a kind in the order of rows; -1 before the first row. */
function placeOf(kind: number): number {
  return PLACES.get(kind) ?? -1;
}

function refuseSecondWorld(): void {
  throw new Error('there is already a world');
}

/** The number of a row's kind, or -1 if the row does not begin with a number. */
function kindOf(row: Row): number {
  const kind = Array.isArray(row) ? row[0] : undefined;
  return typeof kind === 'number' ? kind : -1;
}

function nameOf(row: Row): string {
  return KINDS.get(kindOf(row))?.name ?? 'of unknown kind';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
