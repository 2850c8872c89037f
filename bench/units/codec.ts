// From a command to the bytes of a log record, and back.
import { decodeCommand, encodeCommand } from '../../engine/commands/table.js';
import { RULES_VERSION } from '../../engine/rules/shipped.js';
import { Batch } from '../../persistence/log/batch.js';
import { decodeRecord, forEachEntry, NO_PREVIOUS_HASH, recordHash } from '../../persistence/log/batch-record.js';
import type { SteadyCase, UnitGroup } from './unit-case.js';
import { type Entry, recordPlay } from './worlds/recorded-play.js';

const PLAYERS = 1_000;
const RECORD_SIZES = [1, 64, 1_024] as const;

export const codecUnits: UnitGroup = function* ({ seed }) {
  // The log begins with the entries that set the world up, and ends with what bots do.
  const entries = recordPlay(PLAYERS, PLAYERS * 12, seed).slice(-RECORD_SIZES[2]);
  const rows = entries.map(({ command }) => encodeCommand(command));
  yield codecCase('encodeCommand', entries.length, () => {
    let length = 0;
    for (const { command } of entries) length += encodeCommand(command).length;
    return length;
  });
  yield codecCase('decodeCommand', rows.length, () => {
    let last: unknown;
    for (const row of rows) last = decodeCommand(row);
    return last;
  });
  for (const size of RECORD_SIZES) yield* recordCases(entries.slice(-size));
};

function* recordCases(entries: readonly Entry[]): Iterable<SteadyCase> {
  const size = entries.length;
  const bytes = recordOf(entries);
  const place = { firstSeq: 1, previousHash: NO_PREVIOUS_HASH };
  yield codecCase(`commands to a record of ${size}`, size, () => recordOf(entries));
  yield codecCase(`a record of ${size} to commands`, size, () => {
    const record = decodeRecord(bytes, place);
    if (typeof record === 'string') throw new Error(`the bench's record is not sound: ${record}`);
    let last: unknown;
    forEachEntry(record, (_atMs, row) => {
      last = decodeCommand(row);
    });
    return last;
  });
  yield codecCase(`hash of a record of ${size}`, size, () => recordHash(bytes));
}

function recordOf(entries: readonly Entry[]): Buffer {
  const batch = new Batch(1);
  for (const { atMs, command } of entries) batch.tryAdd(atMs, encodeCommand(command));
  if (batch.count !== entries.length) throw new Error('the entries do not fit into one record');
  return batch.encode(RULES_VERSION, NO_PREVIOUS_HASH);
}

function codecCase(name: string, countPerRun: number, run: () => unknown): SteadyCase {
  return { kind: 'steady', name, unit: 'entry', countPerRun, prepare: () => run };
}
