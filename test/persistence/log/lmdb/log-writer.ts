// A process of its own that writes to a log as fast as it can, cuts it after a given number of records and prunes all
// but the last two segments. It prints which seq is durable, until it is killed or has written everything.
import { writeSync } from 'node:fs';
import { LmdbLog } from '../../../../persistence/log/lmdb/lmdb-log.js';
import { appendRecords, epochOf } from '../../../support/log-writing.js';
import { writtenRecord } from '../written-record.js';

const [folder = '', recordsPerSegment = '', recordsToWrite = ''] = process.argv.slice(2);
const log = await LmdbLog.open(folder);
const cuts: number[] = [];
const firstSeq = ((await log.last())?.firstSeq ?? 0) + 1;
for (let seq = firstSeq; seq < firstSeq + Number(recordsToWrite); seq += 1) {
  if (seq % Number(recordsPerSegment) === 0) {
    await log.cut(await epochOf(log), seq);
    cuts.push(seq);
    await log.prune(await epochOf(log), cuts.at(-2) ?? 0);
  }
  await appendRecords(log, [writtenRecord(seq)]);
  writeSync(1, `${seq}\n`);
}
await log.close();
