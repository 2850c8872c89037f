// A disk that fails at one call of a real server: what was acknowledged before is kept, and nothing is acknowledged that
// was not written.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { type Client, NoReply, type Reply } from '../support/process/client.js';
import { type CallFailure, canFailCalls, FailingCalls } from '../support/process/failing-calls.js';
import { runGalaxyd } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { ADMIN_KEY, refused, galaxyd as run, serveArgs, start } from '../support/process/operator.js';
import { hashOf } from '../support/process/snapshot-worlds.js';
import { unprivileged } from '../support/process/unprivileged.js';

/** The calls by which LMDB writes and flushes; it writes pages that are side by side by one `writev`. */
const WRITING_CALLS = ['pwrite64', 'writev', 'fdatasync'];

t.test('a command of which any write or flush fails is not acknowledged', async (t) => {
  if (!(await canFailCalls(t))) return;
  const refusals = await Promise.all(
    WRITING_CALLS.map(async (call) => {
      let nth = 1;
      while (!(await isAnswered(t, { call, nth, error: 'EIO' }))) nth += 1;
      return nth - 1;
    }),
  );
  const [writes = 0, , flushes = 0] = refusals;
  t.ok(writes >= 1 && flushes >= 1, `a commit needs each of its calls: ${WRITING_CALLS} failed ${refusals}`);
});

/** @returns whether a command was acknowledged although the call failed from then on */
async function isAnswered(t: Test, failure: CallFailure): Promise<boolean> {
  const what = `${failure.call} ${failure.nth}`;
  const folder = await temporaryFolder(t);
  const { galaxyd, client } = await start(t, { args: serveArgs(folder, '--clock', 'manual') });
  t.equal(await createBot(client, 'before'), 201);
  const failing = await FailingCalls.begin(t, galaxyd.pid, failure, join(await temporaryFolder(t), 'trace'));
  const status = await createBot(client, 'after');
  // If it was acknowledged, it has to survive this; if it was not, the process has ended itself.
  if (status !== undefined) galaxyd.signal('SIGKILL');
  const { signal, stderr } = await galaxyd.ending();
  t.equal(signal, 'SIGKILL');
  const injected = await failing.injected();
  if (injected.length > 0) {
    t.equal(status, undefined, `${what}: no answer after ${injected[0]}`);
    t.match(stderr, /^galaxyd stops: LogWriteFailed: the record at seq \d+ could not be written/m, what);
  } else t.equal(status, 201, what);
  const { stdout } = await run(t, 'log', '--data', folder);
  t.match(stdout, /"name":"before"/, `${what}: what was acknowledged before is kept`);
  if (status !== undefined) t.match(stdout, /"name":"after"/, `${what}: what was acknowledged is kept`);
  return status !== undefined;
}

/** @returns the status of the reply; undefined if there was none */
async function createBot(client: Client, name: string): Promise<number | undefined> {
  return (await answerOrNone(client.post('/api/game/player', { name, isBot: true })))?.status;
}

async function answerOrNone<T>(reply: Promise<Reply<T>>): Promise<Reply<T> | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof NoReply) return undefined;
    throw error;
  }
}

/** The calls of a snapshot in the server and in its worker, besides those of a commit. */
const SNAPSHOT_CALLS = ['fsync', 'rename', 'mkdir', 'unlink', 'fdatasync', 'pwrite64'];

t.test('a snapshot of which a call fails loses nothing', async (t) => {
  if (!(await canFailCalls(t))) return;
  const rows = shortOrLong(['fsync', 'rename'], SNAPSHOT_CALLS).flatMap((call) =>
    shortOrLong([1], [1, 2, 3, 4]).map((nth) => ({ call, nth, error: 'EIO' })),
  );
  for (const row of rows) await snapshotFails(t, row);
});

async function snapshotFails(t: Test, failure: CallFailure): Promise<void> {
  const what = `${failure.call} ${failure.nth}`;
  const folder = await temporaryFolder(t);
  const args = serveArgs(folder, '--clock', 'manual', '--admin-key', ADMIN_KEY);
  const { galaxyd, client } = await start(t, { args });
  t.equal(await createBot(client, 'before'), 201);
  const failing = await FailingCalls.begin(t, galaxyd.pid, failure, join(await temporaryFolder(t), 'trace'));
  // Other calls may belong to the command after the snapshot.
  const isOfSnapshot = !WRITING_CALLS.includes(failure.call);
  const snapshot = await answerOrNone(client.post('/api/admin/snapshot', {}));
  const after = await createBot(client, 'after');
  if (isOfSnapshot && snapshot?.status === 503) t.equal(after, 201, `${what}: the server goes on`);
  galaxyd.signal('SIGKILL');
  await galaxyd.ending();
  const injected = await failing.injected();
  if (isOfSnapshot && injected.length > 0) t.not(snapshot?.status, 201, `${what}: no success after ${injected[0]}`);
  const again = await start(t, { args });
  const { stdout } = await run(t, 'log', '--data', folder);
  t.match(stdout, /"name":"before"/, `${what}: what was acknowledged before is kept`);
  if (after !== undefined) t.match(stdout, /"name":"after"/, `${what}: what was acknowledged is kept`);
  t.equal(await createBot(again.client, 'again'), 201);
  await again.galaxyd.kill();
}

t.test('a snapshot without permissions fails, the server goes on, and can be started again', async (t) => {
  const by = await unprivileged(t);
  if (by === null) return;
  const folder = await temporaryFolder(t);
  await chmod(folder, 0o777);
  const args = serveArgs(join(folder, 'world'), '--clock', 'manual', '--admin-key', ADMIN_KEY);
  const first = await start(t, { args, by });
  const log = join(folder, 'world', 'log');
  const snapshots = join(folder, 'world', 'snapshots');
  for (const [name, mode, closed] of [
    ['not-writable', 0o500, log],
    ['not-readable', 0o300, log],
    ['snapshots', 0o500, snapshots],
  ] as const) {
    await chmod(closed, mode);
    t.equal(await createBot(first.client, `before-${name}`), 201);
    const { status, body } = await first.client.post<{ code: string; detail: string }>('/api/admin/snapshot', {});
    t.same([status, body.code], [503, 'snapshot_failed'], name);
    t.match(body.detail, /EACCES/);
    t.equal(await createBot(first.client, `after-${name}`), 201, 'commands go on');
    await chmod(closed, 0o700);
    t.equal((await first.client.post('/api/admin/snapshot', {})).status, 201, 'with the permission it works again');
  }
  const hash = await hashOf(first.galaxyd.url);
  await first.galaxyd.kill();

  // As a process leaves it that dies while it creates a segment: the start has to remove it.
  await mkdir(join(log, '.begun-log-0000000000000099'));
  await chmod(log, 0o500);
  refused(t, await runGalaxyd(t, { args, by }), 1, /^galaxyd cannot serve: .*log.*permission is denied\n$/);
  await chmod(log, 0o700);
  const again = await start(t, { args, by });
  t.equal(await hashOf(again.galaxyd.url), hash, 'nothing is lost');
});
