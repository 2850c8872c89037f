// A process of its own that cuts its log again and again, with no descriptor left at first, then with one more each
// time, until it succeeds. After each attempt, and before it gets its descriptors back, it appends a record. It prints
// a line of JSON for each attempt. The caller has set a low limit on its files.
import { readdir } from 'node:fs/promises';
import { LmdbLog } from '../../../../persistence/log/lmdb/lmdb-log.js';
import { CutRefused } from '../../../../persistence/log/log.js';
import { appendRecords, epochOf } from '../../../support/log-writing.js';
import { Hoard } from '../../../support/process/hoard.js';
import { soundRecord } from '../sound-record.js';

/** One line of its output. */
export interface CutAttempt {
  readonly freeFiles: number;
  /** Why it was not cut; null if it was. */
  readonly refusal: string | null;
  /** The content of the log's folder after the attempt. */
  readonly names: readonly string[];
}

const [folder = ''] = process.argv.slice(2);
const hoard = new Hoard();
const log = await LmdbLog.open(folder);
await appendRecords(log, [soundRecord(1)]);
for (let freeFiles = 0, isCut = false; !isCut; freeFiles += 1) {
  const nextSeq = freeFiles + 2;
  hoard.takeAllBut(freeFiles);
  const refusal = await log.cut(await epochOf(log), nextSeq).then(
    () => null,
    (error: unknown) => {
      if (error instanceof CutRefused) return error.message;
      throw error;
    },
  );
  await appendRecords(log, [soundRecord(nextSeq)]);
  hoard.giveBack();
  isCut = refusal === null;
  const attempt: CutAttempt = { freeFiles, refusal, names: (await readdir(folder)).sort() };
  console.log(JSON.stringify(attempt));
}
await log.close();
