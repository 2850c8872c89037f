// The reports that players keep, as bytes in rows (decision 3): a report is written once, read seldom, and of any length. Its bytes are in as
// many rows as it needs, and the reports of a player are a list through the first of them. This file holds no rule of the game.

import { ByteReader, EventNumbers, HEAD_NUMBERS, writeCounts } from '../events/event-bytes.js';
import { NO_ROW, RowLists, RowPages } from '../numbers/row-pages.js';
import { TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { COMBAT_OUTCOMES, type CombatOutcome, type Losses, type Report, type ReportHead } from '../terms/reports.js';

// The columns of a row.
const NEXT_OF_READER = 0;
const PREVIOUS_OF_READER = 1;
/** The row where the bytes go on, or NO_ROW. */
const REST = 2;
const BYTES = 3;
const COLUMNS = 8;
const BYTES_PER_COLUMN = 8;
const BYTES_PER_ROW = (COLUMNS - BYTES) * BYTES_PER_COLUMN;

/** Bytes of the longest report: TYPES_PER_LIST_MAX types of ships on two sides take less. */
const REPORT_BYTES_MAX = 8 * 1024;

/** What the table has of a player. */
interface Reader {
  firstReportRow: number;
  reportCount: number;
}

export class ReportTable {
  readonly #pages = new RowPages();
  readonly #ofReaders = new RowLists(this.#pages, NEXT_OF_READER, PREVIOUS_OF_READER);
  /** The report that is being written or read. */
  readonly #bytes = new Uint8Array(REPORT_BYTES_MAX);
  readonly #numbers = new EventNumbers();

  constructor() {
    this.#pages.widen(COLUMNS, []);
  }

  /** The reports of a player, oldest first. */
  of({ firstReportRow }: Readonly<Reader>): Report[] {
    return this.#ofReaders.rows(firstReportRow).map((row) => this.#read(row));
  }

  newestOf({ firstReportRow: first }: Readonly<Reader>): Report | undefined {
    return first === NO_ROW ? undefined : this.#read(this.#pages.read(first, PREVIOUS_OF_READER));
  }

  /** Adds a report as the newest of a player. */
  add(reader: Reader, report: Report): void {
    const row = this.#write(report);
    reader.firstReportRow = this.#ofReaders.append(reader.firstReportRow, row);
    reader.reportCount += 1;
  }

  /** Removes the oldest report of a player that has one. */
  removeOldest(reader: Reader): void {
    const oldest = reader.firstReportRow;
    reader.firstReportRow = this.#ofReaders.remove(oldest, oldest);
    reader.reportCount -= 1;
    for (let row = oldest; row !== NO_ROW; row = this.#pages.read(row, REST)) this.#pages.free(row);
  }

  removeAll(reader: Reader): void {
    while (reader.reportCount > 0) this.removeOldest(reader);
  }

  /** @returns the first row */
  #write(report: Report): number {
    writeReport(this.#numbers, report);
    const end = writeCounts(this.#bytes, 0, this.#numbers.numbers, HEAD_NUMBERS, this.#numbers.end);
    if (end > REPORT_BYTES_MAX) throw new RangeError(`a report cannot have ${end} bytes`);
    let rest = NO_ROW;
    // From its end, so that each row can name the next one.
    for (let start = BYTES_PER_ROW * Math.floor((end - 1) / BYTES_PER_ROW); start >= 0; start -= BYTES_PER_ROW) {
      const row = this.#pages.take();
      this.#pages.write(row, REST, rest);
      this.#bytesOf(row).set(this.#bytes.subarray(start, start + BYTES_PER_ROW));
      rest = row;
    }
    return rest;
  }

  #read(first: number): Report {
    let end = 0;
    for (let row = first; row !== NO_ROW; row = this.#pages.read(row, REST)) {
      this.#bytes.set(this.#bytesOf(row), end);
      end += BYTES_PER_ROW;
    }
    return readReport(new ByteReader(this.#bytes, 0));
  }

  #bytesOf(row: number): Uint8Array {
    const { buffer } = this.#pages.pageOf(row);
    return new Uint8Array(buffer, (this.#pages.firstOf(row) + BYTES) * BYTES_PER_COLUMN, BYTES_PER_ROW);
  }
}

const TYPES = ['combat', 'espionage', 'espionage_detected'] as const satisfies readonly Report['type'][];

function writeReport(to: EventNumbers, report: Report): void {
  to.begin(TYPES.indexOf(report.type));
  to.count(report.number);
  to.count(report.atMs);
  to.count(report.planetKey);
  to.count(report.attackerNumber);
  to.count(report.defenderNumber);
  switch (report.type) {
    case 'combat':
      to.count(COMBAT_OUTCOMES.indexOf(report.outcome));
      to.count(report.rounds);
      to.count(report.shieldHitPoints);
      writeLosses(to, report.attacker);
      writeLosses(to, report.defender);
      to.list(report.loot);
      to.list(report.cargoLost);
      break;
    case 'espionage':
      to.list(report.stocks);
      to.sparseOrNull(report.ships);
      to.sparseOrNull(report.buildings);
      break;
    case 'espionage_detected':
      to.count(report.scouts);
  }
}

function writeLosses(to: EventNumbers, { sent, lost, left }: Losses): void {
  for (const ships of [sent, lost, left]) to.sparse(ships);
}

function readReport(from: ByteReader): Report {
  const type = TYPES[from.count()];
  const head: ReportHead = {
    number: from.count(),
    atMs: from.count(),
    planetKey: from.count(),
    attackerNumber: from.count(),
    defenderNumber: from.count(),
  };
  switch (type) {
    case 'combat':
      return {
        type,
        ...head,
        outcome: COMBAT_OUTCOMES[from.count()] as CombatOutcome,
        rounds: from.count(),
        shieldHitPoints: from.count(),
        attacker: readLosses(from),
        defender: readLosses(from),
        loot: from.list(),
        cargoLost: from.list(),
      };
    case 'espionage':
      return {
        type,
        ...head,
        stocks: from.list(),
        ships: from.sparseOrNull(TYPES_PER_LIST_MAX),
        buildings: from.sparseOrNull(TYPES_PER_LIST_MAX),
      };
    case 'espionage_detected':
      return { type, ...head, scouts: from.count() };
    default:
      throw new Error('there is no such type of report');
  }
}

function readLosses(from: ByteReader): Losses {
  return {
    sent: from.sparse(TYPES_PER_LIST_MAX),
    lost: from.sparse(TYPES_PER_LIST_MAX),
    left: from.sparse(TYPES_PER_LIST_MAX),
  };
}
