// Two processes that need the same folder at the same moment: one gets it, the other reports that, and no world is
// damaged.
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Client } from '../support/process/client.js';
import { GalaxydProcess, runGalaxyd } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import {
  ADMIN_KEY,
  createBot,
  done,
  manualArgs,
  refused,
  snapshotName,
  start,
  statusOf,
} from '../support/process/operator.js';
import { hashOf, worldWithSnapshots } from '../support/process/snapshot-worlds.js';
import { verifiedHash } from '../support/process/verified-hash.js';

const ROUNDS = shortOrLong(1, 2);

/** Tests that change it use a copy. */
const kept = await worldWithSnapshots(t, { crowd: 50 });

async function copyOfKept(t: Test): Promise<string> {
  const folder = join(await temporaryFolder(t), 'world');
  await cp(kept.folder, folder, { recursive: true });
  return folder;
}

t.test('two servers that start at the same moment', async (t) => {
  const folder = join(await temporaryFolder(t), 'world');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const starts = await Promise.allSettled([1, 2].map(() => GalaxydProcess.start(t, { args: manualArgs(folder) })));
    const served = starts.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refusals = starts.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    t.equal(served.length, 1, 'one serves');
    t.match(refusals[0], /it ended \(4\) .*is in use by another galaxyd/s, 'the other reports why it does not');
    for (const { url } of served) {
      const client = new Client(url, ADMIN_KEY);
      t.equal(await createBot(client, `bot-${round}`), 201);
      client.close();
    }
    for (const galaxyd of served) await galaxyd.kill();
  }
  await sound(t, folder);
});

t.test('two snapshots at once, of a world without a server', async (t) => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const folder = await copyOfKept(t);
    const args = ['snapshot', '--data', folder];
    const endings = await Promise.all([runGalaxyd(t, { args }), runGalaxyd(t, { args })]);
    t.ok(
      endings.some(({ code }) => code === 0),
      'one of them takes it',
    );
    for (const ending of endings) {
      if (ending.code !== 0) refused(t, ending, 4, /^galaxyd snapshot: another snapshot is being written/);
    }
    t.ok((await readdir(join(folder, 'snapshots'))).includes(snapshotName(kept.lastSeq)));
    await sound(t, folder);
  }
});

t.test('commands beside a server', async (t) => {
  const folder = await copyOfKept(t);
  const { galaxyd, client } = await start(t, { args: manualArgs(folder) });
  const snapshot = ['snapshot', '--data', folder];

  await t.test('a snapshot by the command while the server takes one', async (t) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [reply, ending] = await Promise.all([
        client.post<{ code?: string; detail?: string }>('/api/admin/snapshot', {}),
        runGalaxyd(t, { args: snapshot }),
      ]);
      if (reply.status !== 201) t.match(reply.body, { code: 'snapshot_failed', detail: /another snapshot/ });
      if (ending.code !== 0) refused(t, ending, 4, /another snapshot is being written/);
      t.ok(reply.status === 201 || ending.code === 0, 'one of them takes it');
    }
    t.equal(await hashOf(galaxyd.url), kept.stateHash);
  });

  await t.test('the status shows a snapshot that the command has taken beside the server', async (t) => {
    t.equal(await createBot(client, 'ada'), 201);
    t.not((await statusOf(client)).snapshot?.seq, kept.lastSeq + 1);
    const said = done(t, await runGalaxyd(t, { args: [...snapshot, '--json'] }));
    t.match(JSON.parse(said), { seq: kept.lastSeq + 1 });
    // The server looks once a second; a hang is ended by the test runner.
    while ((await statusOf(client)).snapshot?.seq !== kept.lastSeq + 1) await delay(50);
  });

  await t.test('a restore into its folder is refused', async (t) => {
    const restore = ['restore', '--data', kept.folder, '--to', folder];
    refused(t, await runGalaxyd(t, { args: restore }), 1, /is not empty, and galaxyd never overwrites anything/);
    t.equal(await createBot(client, 'bob'), 201);
  });
  await galaxyd.kill();
  await sound(t, folder);
});

t.test('two restores into one folder', async (t) => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const place = await temporaryFolder(t);
    const args = ['restore', '--data', kept.folder, '--to', join(place, 'copy'), '--json'];
    const endings = await Promise.all([runGalaxyd(t, { args }), runGalaxyd(t, { args })]);
    const made = endings.filter(({ code }) => code === 0);
    t.equal(made.length, 1, 'one of them succeeds');
    t.match(JSON.parse(made[0]?.stdout ?? ''), { stateHash: kept.stateHash });
    for (const ending of endings) {
      if (ending.code === 1) refused(t, ending, 1, /is not empty, and galaxyd never overwrites anything/);
      else if (ending.code !== 0) refused(t, ending, 4, /in use by another galaxyd/);
    }
    t.same(await readdir(place), ['copy'], 'nothing else is left');
    await sound(t, join(place, 'copy'));
  }
});

t.test('a restore and a server that start on one folder at the same moment', async (t) => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const to = join(await temporaryFolder(t), 'served');
    const [served, restored] = await Promise.all([
      GalaxydProcess.start(t, { args: manualArgs(to) }).catch((error: unknown) => String(error)),
      runGalaxyd(t, { args: ['restore', '--data', kept.folder, '--to', to] }),
    ]);
    if (restored.code !== 0) refused(t, restored, restored.code ?? 0, /not empty|in use|ENOTEMPTY/);
    if (typeof served === 'string') t.match(served, /it ended \(4\) .*in use/s);
    else {
      const client = new Client(served.url, ADMIN_KEY);
      const { seq, origin } = await statusOf(client);
      t.equal(origin !== null, restored.code === 0, 'its status says whose world it is');
      t.equal(await createBot(client, 'ada'), 201);
      t.equal((await statusOf(client)).seq, seq + 1);
      client.close();
      await served.kill();
    }
    await sound(t, to);
  }
});

async function sound(t: Test, folder: string): Promise<void> {
  await t.resolves(verifiedHash(folder), 'the whole world is sound');
}
