// How long a log takes to become a world again: read, checked, decoded, applied.
import { Engine } from '../../engine/engine.js';
import type { Rules } from '../../engine/rules/rules.js';
import { replay } from '../../persistence/recovery/replay.js';
import { type OneShotCase, rulesOf, type UnitGroup } from './unit-case.js';
import {
  type Entry,
  type OpenedLog,
  openMemoryLog,
  openTemporaryLog,
  recordArrivals,
  recordPlay,
  writeLog,
} from './worlds/recorded-play.js';

/** Entries of one record, as a busy server writes them. */
const RECORD_ENTRIES = 256;
/** Entries of the log of a play for each player in it: about four set the world up. */
const ENTRIES_PER_PLAYER = 20;

export const replayUnits: UnitGroup = function* (sizes) {
  const { players, seed } = sizes;
  const rules = rulesOf(sizes);
  const play = recordPlay(players, players * ENTRIES_PER_PLAYER, seed, rules);
  yield replayCase('play of bots, from memory', play, seed, rules, openMemoryLog);
  yield replayCase('play of bots, from LMDB', play, seed, rules, openTemporaryLog);
  const arrivals = recordArrivals(players, seed, rules);
  yield replayCase('players created one by one, from LMDB', arrivals, seed, rules, openTemporaryLog);
};

function replayCase(
  name: string,
  entries: readonly Entry[],
  seed: number,
  rules: Rules,
  open: () => Promise<OpenedLog>,
): OneShotCase {
  let written: Promise<OpenedLog & { count: number }> | undefined;
  const write = async () => {
    const opened = await open();
    return { ...opened, count: await writeLog(opened.log, entries, seed, RECORD_ENTRIES, rules) };
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
