// The log. `codec`: from a command to the bytes of a record, and back. `replay`: how long a log takes to become a world again: read,
// checked, decoded, applied.
import { decodeCommand, encodeCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import type { Rules } from '../../engine/rules/rules.js';
import { RULES_VERSION } from '../../engine/rules/shipped.js';
import { Batch, decodeRecord, entriesOf, NO_PREVIOUS_HASH, recordHash } from '../../persistence/log/batch-record.js';
import { replay } from '../../persistence/recovery/replay.js';
import * as play from './recorded-play.js';
import { type OneShotCase, rulesOf, type SteadyCase, type UnitGroup } from './unit-case.js';

const CODEC_PLAYERS = 1_000;
const RECORD_SIZES = [1, 64, 1_024] as const;

export const codecUnits: UnitGroup = function* ({ seed }) {
  // The log begins with the entries that set the world up, and ends with what bots do.
  const entries = play.recordPlay(CODEC_PLAYERS, CODEC_PLAYERS * 12, seed).slice(-RECORD_SIZES[2]);
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

function* recordCases(entries: readonly play.Entry[]): Iterable<SteadyCase> {
  const size = entries.length;
  const bytes = recordOf(entries);
  const place = { firstSeq: 1, previousHash: NO_PREVIOUS_HASH };
  yield codecCase(`commands to a record of ${size}`, size, () => recordOf(entries));
  yield codecCase(`a record of ${size} to commands`, size, () => {
    const record = decodeRecord(bytes, place);
    if (typeof record === 'string') throw new Error(`the bench's record is not sound: ${record}`);
    let last: unknown;
    for (const [, row] of entriesOf(record)) last = decodeCommand(row);
    return last;
  });
  yield codecCase(`hash of a record of ${size}`, size, () => recordHash(bytes));
}

function recordOf(entries: readonly play.Entry[]): Buffer {
  const batch = new Batch(1);
  for (const { atMs, command } of entries) batch.tryAdd(atMs, encodeCommand(command));
  if (batch.count !== entries.length) throw new Error('the entries do not fit into one record');
  return batch.encode(RULES_VERSION, NO_PREVIOUS_HASH);
}

function codecCase(name: string, countPerRun: number, run: () => unknown): SteadyCase {
  return { kind: 'steady', name, unit: 'entry', countPerRun, prepare: () => run };
}

/** Entries of one record, as a busy server writes them. */
const RECORD_ENTRIES = 256;
/** Entries of the log of a play for each player in it: about four set the world up. */
const ENTRIES_PER_PLAYER = 20;

export const replayUnits: UnitGroup = function* (sizes) {
  const { players, seed } = sizes;
  const rules = rulesOf(sizes);
  const bots = play.recordPlay(players, players * ENTRIES_PER_PLAYER, seed, rules);
  yield replayCase('play of bots, from memory', bots, seed, rules, play.openMemoryLog);
  yield replayCase('play of bots, from LMDB', bots, seed, rules, play.openTemporaryLog);
  const arrivals = play.recordArrivals(players, seed, rules);
  yield replayCase('players created one by one, from LMDB', arrivals, seed, rules, play.openTemporaryLog);
};

function replayCase(
  name: string,
  entries: readonly play.Entry[],
  seed: number,
  rules: Rules,
  open: () => Promise<play.OpenedLog>,
): OneShotCase {
  let written: Promise<play.OpenedLog & { count: number }> | undefined;
  const write = async () => {
    const opened = await open();
    return { ...opened, count: await play.writeLog(opened.log, entries, seed, RECORD_ENTRIES, rules) };
  };
  return {
    kind: 'one-shot',
    name,
    unit: 'entry',
    async prepare() {
      written ??= write();
      const { log, count } = await written;
      const engine = Engine.create();
      return { count, run: () => replay(log, engine) };
    },
    async close() {
      await (await written)?.close();
    },
  };
}
