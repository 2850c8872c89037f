// The entries of a log one by one, and that reading never ends early without an error.
import t from 'tap';
import { type Command, encodeCommand } from '../../../engine/commands/table.js';
import { RULES_VERSION } from '../../../engine/rules/shipped.js';
import { Batch, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import { MemoryLog } from '../../../persistence/log/memory-log.js';
import { type LogEntry, logEntries } from '../../../persistence/recovery/log-entries.js';
import { FaultyLog } from '../../support/faulty-log.js';
import { appendRecords } from '../../support/log-writing.js';
import { recordsOf } from '../log/log-contract.js';

/** A log whose records hold two entries each. */
async function logOf(recordCount: number): Promise<MemoryLog> {
  const log = new MemoryLog();
  let previousHash: Uint8Array = NO_PREVIOUS_HASH;
  for (let index = 0; index < recordCount; index += 1) {
    const batch = new Batch(2 * index + 1);
    for (const count of [1, 2]) batch.tryAdd(1_000 * index + count, encodeCommand(bot(`bot ${2 * index + count}`)));
    const bytes = batch.encode(RULES_VERSION, previousHash);
    previousHash = recordHash(bytes);
    await appendRecords(log, [{ firstSeq: batch.firstSeq, bytes }]);
  }
  return log;
}

function bot(name: string): Command {
  return { type: 'create_player', name, isBot: true, keyHash: null, nameKey: name };
}

async function entriesOf(log: MemoryLog, fromSeq: number): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of logEntries(log, fromSeq)) entries.push(entry);
  return entries;
}

t.test('each entry comes with its seq, its instant and its command, from the requested one on', async (t) => {
  const log = await logOf(3);
  t.same(await entriesOf(log, 4), [
    { seq: 4, atMs: 1_002, command: bot('bot 4') },
    { seq: 5, atMs: 2_001, command: bot('bot 5') },
    { seq: 6, atMs: 2_002, command: bot('bot 6') },
  ]);
  t.same(await entriesOf(log, 7), []);
});

t.test('reading that ends before the newest record is an error', async (t) => {
  const log = new FaultyLog({ misread: (record) => (record.firstSeq < 5 ? record : undefined) });
  await appendRecords(log, await recordsOf(await logOf(3), 1));
  await t.rejects(entriesOf(log, 1), {
    name: 'RecoveryRefused',
    message: /records are missing, since the newest one begins at seq 5/,
  });
});

t.test('a record that does not continue the one before is an error', async (t) => {
  const log = new MemoryLog();
  const stranger = await (await logOf(3)).last();
  await appendRecords(log, await recordsOf(await logOf(1), 1));
  await appendRecords(log, [{ firstSeq: 3, bytes: stranger?.bytes ?? Buffer.alloc(0) }]);
  await t.rejects(entriesOf(log, 1), { name: 'RecoveryRefused', seq: 3 });
});

t.test('nothing follows the newest entry, even if the log was cut there', async (t) => {
  const log = new FaultyLog({
    misread: (record, fromSeq) => (record.firstSeq + 2 > fromSeq ? record : undefined),
  });
  await appendRecords(log, await recordsOf(await logOf(2), 1));
  t.equal((await entriesOf(log, 4)).length, 1);
  t.same(await entriesOf(log, 5), []);
});
