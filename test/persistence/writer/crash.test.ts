// Real processes that write and are killed, or kill themselves: nothing that was acknowledged is lost.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { LAST_WORDS_BYTES_MAX } from '../../../persistence/limits.js';
import { openWorld } from '../../../persistence/open-world.js';
import { storeAt } from '../../../persistence/store-url.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const LAST_WORDS = fileURLToPath(new URL('./last-words.js', import.meta.url));
const WRITER = fileURLToPath(new URL('../world-writer.js', import.meta.url));
const ROUNDS = 4;

interface Writer {
  readonly child: ChildProcess;
  /** Seqs that were acknowledged, in order. */
  readonly promised: number[];
  /** What the writer wrote to standard error. */
  readonly complaint: () => string;
}

function startWriter(t: Test, command: string, args: string[]): Writer {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const promised: number[] = [];
  let partial = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partial + text).split('\n');
    partial = lines.pop() ?? '';
    promised.push(...lines.map(Number));
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  return { child, promised, complaint: () => complaint };
}

/** Opens what the dead writer left behind and replays all of it. @returns its last seq */
async function recoveredSeq(folder: string): Promise<number> {
  const world = await openWorld({ store: storeAt(folder, { diskFloorBytes: 1 }), clock: 'manual' });
  await world.close();
  return world.recovery.entryCount;
}

t.test('a process killed at any moment loses nothing that it has acknowledged', async (t) => {
  const folder = await temporaryFolder(t);
  let recovered = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const writer = startWriter(t, process.execPath, [WRITER, folder]);
    while (writer.promised.length < 100 * round) await once(writer.child.stdout ?? t, 'data');
    writer.child.kill('SIGKILL');
    await once(writer.child, 'close');
    const { promised } = writer;
    const first = promised[0] ?? 0;
    t.same(
      promised,
      promised.map((_, index) => first + index),
      'acknowledgements are in the order of their seqs',
    );
    t.ok(first > recovered, 'the world went on from where it was');
    recovered = await recoveredSeq(folder);
    t.ok(recovered >= (promised.at(-1) ?? 0), `promised ${promised.at(-1)}, recovered ${recovered}`);
  }
});

// A limit on the size of files makes a real commit of LMDB fail in the middle of its work, as a full disk would.
const canLimitFiles = process.platform === 'linux';

function startLimitedWriter(t: Test, folder: string): Writer {
  const limited = 'ulimit -f 512; exec "$0" "$@"';
  return startWriter(t, 'bash', ['-c', limited, process.execPath, WRITER, folder]);
}

t.test('a failed commit kills the process before any further reply', { skip: !canLimitFiles }, async (t) => {
  const folder = await temporaryFolder(t);
  const writer = startLimitedWriter(t, folder);
  const [, signal] = await once(writer.child, 'close');
  t.equal(signal, 'SIGKILL');
  t.match(writer.complaint(), /galaxyd stops: LogWriteFailed: the record at seq \d+ could not be written/);
  t.ok(writer.promised.length > 0);
  const recovered = await recoveredSeq(folder);
  t.ok(recovered >= (writer.promised.at(-1) ?? 0), `promised ${writer.promised.at(-1)}, recovered ${recovered}`);
});

t.test('it is killed even if its standard error has no reader', { skip: !canLimitFiles }, async (t) => {
  const writer = startLimitedWriter(t, await temporaryFolder(t));
  writer.child.stderr?.destroy();
  const [, signal] = await once(writer.child, 'exit');
  t.equal(signal, 'SIGKILL');
});

const hasPipes = process.platform !== 'win32';

t.test('a process ends itself even if the reader of its last words has stalled', { skip: !hasPipes }, async (t) => {
  const fifo = join(await temporaryFolder(t), 'fifo');
  // A pipe whose reader never reads, full before the process begins.
  const fill = 'mkfifo "$2"; exec 3<>"$2"; dd if=/dev/zero of="$2" oflag=nonblock bs=4096 count=64 2>/dev/null';
  const child = spawn('bash', ['-c', `${fill}; exec "$0" "$1" 2>&3`, process.execPath, LAST_WORDS, fifo], {
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [, signal] = await once(child, 'exit');
  t.equal(signal, 'SIGKILL');
});

t.test('long last words are truncated', async (t) => {
  const writer = startWriter(t, process.execPath, [LAST_WORDS]);
  await once(writer.child, 'close');
  t.match(writer.complaint(), /^galaxyd stops: Error: its last words: x+\n$/);
  t.equal(writer.complaint().length, LAST_WORDS_BYTES_MAX);
});
