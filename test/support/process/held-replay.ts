// Loaded into a real galaxyd before its own program (node --import), it holds the replay of the log after its first record, until the file
// RELEASE exists.
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';

const release = process.env['RELEASE'] ?? '';
const { read } = LmdbLog.prototype;

LmdbLog.prototype.read = async function* (fromSeq) {
  let count = 0;
  for await (const record of read.call(this, fromSeq)) {
    yield record;
    count += 1;
    while (count === 1 && !existsSync(release)) await delay(5);
  }
};
