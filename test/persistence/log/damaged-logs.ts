// A process of its own that opens damaged copies of a log, one after another. It does what a writer does: it reads the
// whole log, then appends. It prints the outcome of each; if it dies of one, that is the last line it began.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';
import { segmentName } from '../../../persistence/log/lmdb/lmdb-segment.js';
import { LogUnreadable } from '../../../persistence/log/log.js';
import { appendRecords } from '../../support/log-writing.js';
import { writtenRecord } from './written-record.js';

/** A copy cut off at a byte, or with one bit flipped. */
export type Damage = readonly ['cut', at: number] | readonly ['flip', at: number, bit: number];

/**
 * `whole`: everything is there. `differs`: what is read differs from what was written or leaves something out in
 * between, which the checks of the records detect. `ends early`: the end is missing, which nothing would detect.
 * `refused`: with the message of the refusal.
 */
export type Outcome = 'whole' | 'differs' | 'ends early' | 'spoilt by an append' | `refused: ${string}`;

const [folder = '', recordCount = '', from = ''] = process.argv.slice(2);
if (folder !== '') {
  const sound = await readFile(join(folder, 'sound.mdb'));
  const damages: Damage[] = JSON.parse(await readFile(join(folder, 'damages.json'), 'utf8'));
  for (const [index, damage] of damages.entries()) {
    if (index < Number(from)) continue;
    process.stdout.write(`${index} `);
    process.stdout.write(`${await outcomeOf(damaged(sound, damage), join(folder, 'log'), Number(recordCount))}\n`);
  }
  process.exit(0);
}

function damaged(sound: Buffer, [what, at, bit]: Damage): Buffer {
  if (what === 'cut') return sound.subarray(0, at);
  const bytes = Buffer.from(sound);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  return bytes;
}

async function outcomeOf(bytes: Buffer, logFolder: string, recordCount: number): Promise<Outcome> {
  await rm(logFolder, { recursive: true, force: true });
  await mkdir(join(logFolder, segmentName(1)), { recursive: true });
  await writeFile(join(logFolder, segmentName(1), 'data.mdb'), bytes);
  let log: LmdbLog | undefined;
  try {
    log = await LmdbLog.open(logFolder);
    const asRead = await differenceOf(log, recordCount);
    if (asRead !== 'whole') return asRead;
    await appendRecords(
      log,
      [1, 2, 3].map((nth) => writtenRecord(recordCount + nth)),
    );
    return (await differenceOf(log, recordCount + 3)) === 'whole' ? 'whole' : 'spoilt by an append';
  } catch (error) {
    if (!(error instanceof LogUnreadable)) throw error;
    return `refused: ${error.message}`;
  } finally {
    await log?.close();
  }
}

async function differenceOf(log: LmdbLog, recordCount: number): Promise<'whole' | 'differs' | 'ends early'> {
  let seq = 0;
  for await (const { firstSeq, bytes } of log.read(1)) {
    seq += 1;
    if (firstSeq !== seq || Buffer.compare(writtenRecord(seq).bytes, bytes) !== 0) return 'differs';
  }
  return seq === recordCount ? 'whole' : 'ends early';
}
