// A process that has no descriptors left: a cut of the log is refused at any step that finds none, and leaves nothing
// behind; a snapshot fails.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { LMDB_FILES } from '../../../../persistence/limits.js';
import { LmdbLog } from '../../../../persistence/log/lmdb/lmdb-log.js';
import { segmentName } from '../../../../persistence/log/lmdb/lmdb-segment.js';
import { limitedTo } from '../../../support/process/hoard.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { seqsOf } from '../log-contract.js';
import type { CutAttempt } from './log-cutter.js';

const SNAPSHOT_ASKER = fileURLToPath(new URL('../../upkeep/snapshot-asker.js', import.meta.url));
/**
 * Too few descriptors to start a process and talk to it: that takes a pair of sockets, and a pipe that reports the
 * start.
 */
const TOO_FEW_TO_SPAWN = ['0', '1', '2', '3'];
const ENOUGH_TO_SPAWN = '20';
const LOG_CUTTER = fileURLToPath(new URL('./log-cutter.js', import.meta.url));
/** A small number, because the process opens as many files. */
const FILE_LIMIT = 100;
const limitsFiles = process.platform !== 'win32';

t.test('with too few descriptors left a cut is refused, and the log goes on', { skip: !limitsFiles }, async (t) => {
  const folder = await temporaryFolder(t);
  const attempts = (await printedWithFewFiles(LOG_CUTTER, folder))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CutAttempt);
  t.same(
    attempts.map(({ freeFiles }) => freeFiles),
    attempts.map((_, index) => index),
    'the process survived each attempt',
  );
  const refused = attempts.slice(0, -1);
  // A segment alone takes one descriptor for reading and those of LMDB.
  t.ok(refused.length > LMDB_FILES, `${refused.length} attempts were refused`);
  for (const { freeFiles, refusal, names } of refused) {
    t.match(refusal, /^the log could not be cut before seq \d+: EMFILE: /, `${freeFiles} descriptors left`);
    t.same(names, [segmentName(1)], 'the unfinished segment is gone');
  }
  const lastSeq = attempts.length + 1;
  t.match(attempts.at(-1), { refusal: null, names: [segmentName(1), segmentName(lastSeq)] });
  const log = await LmdbLog.open(folder);
  t.teardown(() => log.close());
  t.same(
    await seqsOf(log, 1),
    Array.from({ length: lastSeq }, (_, index) => index + 1),
    'a restart finds all records',
  );
});

t.test('with too few descriptors left to start its process a snapshot fails', { skip: !limitsFiles }, async (t) => {
  const folder = await temporaryFolder(t);
  const printed = await printedWithFewFiles(SNAPSHOT_ASKER, folder, ...TOO_FEW_TO_SPAWN, ENOUGH_TO_SPAWN);
  const reasons: string[] = JSON.parse(printed);
  for (const [index, freeFiles] of TOO_FEW_TO_SPAWN.entries()) {
    t.match(reasons[index], /^spawn .* EMFILE$/, `${freeFiles} descriptors left`);
  }
  t.match(
    reasons[TOO_FEW_TO_SPAWN.length],
    /^there is no world in /,
    'with enough descriptors the process runs and reports that there is no world',
  );
});

/** The output of a program with a low limit of open files. @throws Error if it does not end with 0 */
async function printedWithFewFiles(program: string, ...args: string[]): Promise<string> {
  const [command = '', ...rest] = [...limitedTo(FILE_LIMIT), process.execPath, program, ...args];
  return (await promisify(execFile)(command, rest)).stdout;
}
