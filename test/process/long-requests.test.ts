// A request whose reply takes longer than a client may be silent is answered, over both servers: here a snapshot whose process stands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { CLIENT_SILENCE_MS, CLIENT_SILENCE_POLL_MS } from '../../http/limits.js';
import { defaultTransport } from '../../http/world-server.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { createBot, manualArgs, start } from '../support/process/operator.js';

const STANDS_MS = CLIENT_SILENCE_MS + 4 * CLIENT_SILENCE_POLL_MS;

/** The process that a server has started; undefined if there is none yet. */
function childOf(pid: number): number | undefined {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return child === '' ? undefined : Number(child);
}

t.jobs = 2;
for (const transport of new Set([defaultTransport(), 'javascript'])) {
  t.test(`a snapshot that takes long is answered: ${transport}`, async (t) => {
    const args = manualArgs(join(await temporaryFolder(t), 'world'), '--transport', transport);
    const { galaxyd, client } = await start(t, { args });
    await createBot(client, 'ada');
    const taken = client.post('/api/admin/snapshot', {});
    let child: number | undefined;
    while (child === undefined) {
      await delay(5);
      child = childOf(galaxyd.pid ?? 0);
    }
    process.kill(child, 'SIGSTOP');
    await delay(STANDS_MS);
    process.kill(child, 'SIGCONT');
    t.equal((await taken).status, 201);
  });
}
