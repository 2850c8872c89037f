// A disk that fails at one call of a real server: what was acknowledged before is kept, and nothing is acknowledged that
// was not written.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { type Client, NoReply } from '../support/process/client.js';
import { type CallFailure, canFailCalls, FailingCalls } from '../support/process/failing-calls.js';
import { galaxyd as run, serveArgs, start } from '../support/process/operator.js';

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
  try {
    return (await client.post('/api/game/player', { name, isBot: true })).status;
  } catch (error) {
    if (error instanceof NoReply) return undefined;
    throw error;
  }
}
