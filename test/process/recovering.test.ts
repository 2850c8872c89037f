// A real server whose replay takes long: the port is open meanwhile, and says how far it is; clients that wait go on by themselves. A port
// that is taken is refused before the world is looked at.
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { ProblemBody } from '../http/support/game-client.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Client } from '../support/process/client.js';
import { freePort } from '../support/process/free-port.js';
import { GalaxydProcess, runGalaxyd } from '../support/process/galaxyd-process.js';
import { createBot, manualArgs, refused, serveArgs, start, stateOf } from '../support/process/operator.js';

t.test('the port answers during the replay', async (t) => {
  const folder = await temporaryFolder(t);
  const args = manualArgs(join(folder, 'world'));
  const first = await start(t, { args });
  for (const name of ['ada', 'bob', 'cy']) await createBot(first.client, name);
  const before = await stateOf(first.client);
  await first.galaxyd.kill();

  const port = await freePort();
  const release = join(folder, 'release');
  const preload = new URL('../support/process/held-replay.js', import.meta.url);
  const by = ['env', `NODE_OPTIONS=--import=${preload}`, `RELEASE=${release}`];
  const starting = GalaxydProcess.start(t, { args: [...args, '--port', String(port)], by });
  starting.catch(() => {});
  const client = new Client(`http://127.0.0.1:${port}`);
  t.teardown(() => client.close());
  let problem: ProblemBody | null = null;
  while (problem?.recovery?.phase !== 'replaying_log') {
    await delay(10);
    const reply = await client.get<ProblemBody>('/healthz').catch(() => null);
    if (reply === null) continue;
    t.equal(reply.status, 503);
    problem = reply.body;
  }
  t.match(problem, { code: 'recovering', recovery: { done: 1, total: before.seq } });
  t.equal((await client.get('/api/status')).status, 503);
  await writeFile(release, '');
  const galaxyd = await starting;
  t.equal((await client.get('/healthz')).status, 200, 'on the same connection');
  t.equal((await client.get<{ seq: number }>('/api/status')).body.seq, before.seq);
  await galaxyd.stop();
});

t.test('a port that is taken is refused before the folder is touched', async (t) => {
  const folder = await temporaryFolder(t);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const address = taken.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  const args = serveArgs(folder, '--port', String(address.port));
  refused(t, await runGalaxyd(t, { args }), 1, /^galaxyd cannot serve: cannot listen on 127\.0\.0\.1:/);
  t.same(await readdir(folder), []);
});
