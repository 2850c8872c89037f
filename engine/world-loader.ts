// From rows to the world that they were written from (rows.ts). It takes nothing that does not fit, and never gives out half
// a world.
import { readFleet } from './rows/fleet-row.js';
import { readKeptReply } from './rows/kept-reply-row.js';
import { readPlanet } from './rows/planet-row.js';
import { readPlayer } from './rows/player-row.js';
import { readReport } from './rows/report-row.js';
import { ROW_KINDS, type Row } from './rows/row.js';
import { RowReader } from './rows/row-reader.js';
import { readRules } from './rows/rules-row.js';
import type { WorldDraft } from './rows/world-draft.js';
import { readWorld } from './rows/world-row.js';
import type { World } from './state.js';

interface RowKind {
  readonly name: string;
  /** Puts a row of the kind into the world, which has its first row. */
  readonly read: (draft: WorldDraft, row: RowReader) => void;
}

const KINDS: Readonly<Record<number, RowKind>> = {
  [ROW_KINDS.world]: { name: 'world', read: refuseSecondWorld },
  [ROW_KINDS.player]: { name: 'player', read: readPlayer },
  [ROW_KINDS.planet]: { name: 'planet', read: readPlanet },
  [ROW_KINDS.fleet]: { name: 'fleet', read: readFleet },
  [ROW_KINDS.report]: { name: 'report', read: readReport },
  [ROW_KINDS.kept_reply]: { name: 'kept reply', read: readKeptReply },
  [ROW_KINDS.rules]: { name: 'rules', read: readRules },
};

export class WorldLoader {
  #draft: WorldDraft | null = null;
  #rowCount = 0;
  #lastKind = 0;
  #isOver = false;

  /**
   * Takes the next row. It must not be changed afterwards: what never changes in a world is not copied.
   *
   * @throws Error that names the row and what is wrong with it; the loader takes nothing more then
   */
  add(row: Row): void {
    if (this.#isOver) throw new Error('the loader takes no more rows');
    this.#rowCount += 1;
    try {
      this.#take(row);
    } catch (error) {
      this.#isOver = true;
      throw new Error(`row ${this.#rowCount} (${nameOf(row)}) does not fit: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** @throws Error where the rows do not make a world */
  finish(): World {
    if (this.#isOver) throw new Error('the loader has no world to give');
    this.#isOver = true;
    if (this.#draft === null) throw new Error('there are no rows');
    try {
      return this.#draft.complete();
    } catch (error) {
      throw new Error(`all ${this.#rowCount} rows together do not fit: ${reasonOf(error)}`, { cause: error });
    }
  }

  #take(row: Row): void {
    const kind = kindOf(row);
    const rowKind = KINDS[kind];
    if (rowKind === undefined) throw new Error('there is no such kind of row');
    const reader = new RowReader(row, 1);
    if (this.#draft === null) {
      if (kind !== ROW_KINDS.world) throw new Error('the first row must be the world');
      this.#draft = readWorld(reader);
      return;
    }
    if (kind === ROW_KINDS.rules) {
      if (this.#rowCount > 2) throw new Error('it belongs behind the row of the world');
      readRules(this.#draft, reader);
      return;
    }
    if (isLate(kind, this.#lastKind)) throw new Error('it belongs before the row before it');
    this.#lastKind = kind;
    rowKind.read(this.#draft, reader);
  }
}

/** The rows of a player come in the order of their kinds, and a next player behind any of them; kept replies come last. */
function isLate(kind: number, kindBefore: number): boolean {
  return kind < kindBefore && (kind > ROW_KINDS.player || kindBefore === ROW_KINDS.kept_reply);
}

function refuseSecondWorld(): void {
  throw new Error('there is a world already');
}

/** The number of a row's kind, or -1 where it does not begin with a number. */
function kindOf(row: Row): number {
  const kind = Array.isArray(row) ? row[0] : undefined;
  return typeof kind === 'number' ? kind : -1;
}

function nameOf(row: Row): string {
  return KINDS[kindOf(row)]?.name ?? 'of no kind';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
