// The log of a play of bots: what codecs decode and recovery replays.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import type { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { Batch, recordHash } from '../../persistence/log/batch-record.js';
import type { CommandLog } from '../../persistence/log/log.js';
import { MemoryLog } from '../../persistence/log/memory-log.js';
import { beginWorld } from '../../persistence/recovery/genesis.js';
import { storeAt } from '../../persistence/store-url.js';
import { atExit, TEMPORARY_PLACE } from '../processes/clean-up.js';
import { EngineWorld, START_MS, SYSTEMS_PER_GALAXY } from './engine-world.js';
import { MixPlay } from './mix.js';

/** An accepted entry: when, and what. */
export interface Entry {
  readonly atMs: number;
  readonly command: WorldCommand;
}

/** Entries of a play of bots from its beginning on, at least as many as wanted. */
export function recordPlay(playerCount: number, entryCount: number, seed: number, rules?: Rules): Entry[] {
  const entries: Entry[] = [];
  const listen = (atMs: number, command: WorldCommand) => void entries.push({ atMs, command });
  const play = new MixPlay(playerCount, seed, listen, rules);
  const counts = { accepted: 0, refused: 0, ticks: 0 };
  while (entries.length < entryCount) {
    if (play.isPassOver) play.beginPass();
    play.apply(play.nextChunk(), counts);
  }
  return entries;
}

/** Entries that create bots one by one. */
export function recordArrivals(playerCount: number, seed: number, rules?: Rules): Entry[] {
  const entries: Entry[] = [];
  const bench = new EngineWorld(seed, rules);
  bench.onEntry = (atMs, command) => void entries.push({ atMs, command });
  for (let number = 1; number <= playerCount; number += 1) {
    bench.does({ type: 'create_player', name: `bot-${number}`, isBot: true, keyHash: null, nameKey: `bot-${number}` });
  }
  return entries;
}

/**
 * Writes entries to an empty log, behind the genesis of the world they belong to.
 *
 * @param recordEntries entries of one record
 * @returns entries in the log, the genesis included
 */
export async function writeLog(
  log: CommandLog,
  entries: readonly Entry[],
  seed: number,
  recordEntries: number,
  rules: Rules = STANDARD_1_RULES,
): Promise<number> {
  const chosen = { seed, systemsPerGalaxy: SYSTEMS_PER_GALAXY, rules };
  const epoch = await log.acquire();
  let tail = await beginWorld(Engine.create(), log, epoch, chosen, START_MS);
  let batch = new Batch(tail.lastSeq + 1);
  const write = async (): Promise<void> => {
    const bytes = batch.encode(rules.version, tail.hash);
    await log.append({ epoch, expectedSeq: tail.lastSeq, lastSeq: batch.lastSeq, bytes });
    tail = { lastSeq: batch.lastSeq, hash: recordHash(bytes) };
    batch = new Batch(tail.lastSeq + 1);
  };
  for (const { atMs, command } of entries) {
    const row = encodeCommand(command);
    if (batch.count < recordEntries && batch.tryAdd(atMs, row)) continue;
    await write();
    batch.tryAdd(atMs, row);
  }
  if (batch.count > 0) await write();
  return tail.lastSeq;
}

/** A log, and what gives up everything that it holds. */
export interface OpenedLog {
  readonly log: CommandLog;
  close(): Promise<void>;
}

/** Opens a log on the disk of the temporary folder. close() removes it, or the end of this process. */
export async function openTemporaryLog(): Promise<OpenedLog> {
  const folder = mkdtempSync(join(TEMPORARY_PLACE, 'galaxyd-bench-log-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = atExit(remove);
  const { log, release } = await storeAt(folder).open();
  const close = async () => {
    await log.close();
    await release();
    forget();
    remove();
  };
  return { log, close };
}

export async function openMemoryLog(): Promise<OpenedLog> {
  const log = new MemoryLog();
  return { log, close: () => log.close() };
}
