// A client written from the specification alone goes through everything that the specification describes, over a real server.
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { ADMIN_KEY, serveArgs, start, statusOf } from '../support/process/operator.js';
import { type Clock, SpecificationClient } from './client.js';
import * as walk from './walk.js';

for (const rules of ['standard-1', 'standard-2']) {
  t.test(`a client written from the specification alone plays a whole game under ${rules}`, async (t) => {
    // The clock stands still between two requests, so that the formulas hold to the millisecond.
    const options = ['--rules', rules, '--clock', 'manual', '--admin-key', ADMIN_KEY];
    const { galaxyd, client: operator } = await start(t, { args: serveArgs(await temporaryFolder(t), ...options) });
    const nowMs = async (): Promise<number> => Date.parse((await statusOf(operator)).worldTime);
    const clock: Clock = {
      nowMs,
      waitUntil: async (atMs) => {
        if (atMs <= (await nowMs())) return;
        const { status } = await operator.post('/api/admin/clock/advance', { to: new Date(atMs).toISOString() });
        if (status !== 200) throw new Error(`the clock cannot be advanced: ${status}`);
      },
    };
    const client = new SpecificationClient(galaxyd.url, clock);
    const player = await walk.meet(client);
    const colony = await walk.settle(client, player);
    await walk.build(client, player);
    await walk.grow(client, player);
    await walk.arm(client, player);
    await walk.learn(client, player);
    await walk.attack(client, player, colony);
    await walk.recall(client, player);
    await walk.cross(client, player);
    t.pass('players, planets, buildings, ships, research and fleets are as specified');
  });
}

t.test('the client imports nothing of ours', async (t) => {
  for (const name of ['client', 'walk', 'fields']) {
    const source = await readFile(new URL(`./${name}.js`, import.meta.url), 'utf8');
    const imported = [...source.matchAll(/(?:from|import) *\(?'([^']+)'/g)].map(([, path]) => path);
    t.same(
      imported.filter((path) => !/^(node:.*|\.\/(client|fields)\.js)$/.test(path ?? '')),
      [],
      name,
    );
  }
});
