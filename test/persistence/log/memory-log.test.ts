// The log in memory keeps the contract of every log.
import t from 'tap';
import { MemoryLog, noRecords } from '../../../persistence/log/memory-log.js';
import { testLogContract } from './log-contract.js';

await testLogContract(t, async () => new MemoryLog());

t.test('a forgetful log keeps its newest record', async (t) => {
  const stored = noRecords(true);
  const log = new MemoryLog(stored);
  const epoch = await log.acquire();
  for (const seq of [1, 2, 3])
    await log.append({ epoch, expectedSeq: seq - 1, lastSeq: seq, bytes: Uint8Array.of(seq) });
  t.equal(stored.records.length, 1, 'it takes no more memory the longer it is written to');
  t.equal(log.firstSeq, 3);
  t.match(await log.last(), { firstSeq: 3 });
});
