// A byte of an old segment rots while its server runs: the verification in the background finds it, the log and the metrics say so, and the
// server goes on.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Client } from '../support/process/client.js';
import { rot } from '../support/process/log-surgery.js';
import { createBot, manualArgs, start } from '../support/process/operator.js';

async function metric(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^galaxyd_${name} (.*)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(100);
}

async function snapshot(client: Client): Promise<void> {
  const { status } = await client.post('/api/admin/snapshot', {});
  if (status !== 201) throw new Error(`the snapshot was answered with ${status}`);
}

t.test('rot in an old segment is found', async (t) => {
  const world = join(await temporaryFolder(t), 'world');
  const { galaxyd, client } = await start(t, { args: manualArgs(world, '--keep-history', '--verify-hours', '0.0002') });
  await createBot(client, 'ada-is-in-the-first-segment');
  await snapshot(client);
  await createBot(client, 'bob');
  await until(async () => (await metric(galaxyd.url, 'verify_age_seconds')) !== undefined);
  t.ok(((await metric(galaxyd.url, 'verify_bytes_total')) ?? 0) > 0);
  t.equal(await metric(galaxyd.url, 'verify_is_damaged'), 0);
  const [first = ''] = (await readdir(join(world, 'log'))).sort();
  await rot(join(world, 'log', first, 'data.mdb'), 'ada-is-in-the-first-segment');
  await until(async () => (await metric(galaxyd.url, 'verify_is_damaged')) === 1);
  t.ok(((await metric(galaxyd.url, 'verify_faults_total')) ?? 0) > 0);
  t.match(
    galaxyd.stdout,
    /galaxyd warns: the stored world is damaged: the log cannot be replayed from seq 2 on: .*checksum/,
  );
  t.equal(await createBot(client, 'cy'), 201, 'nothing else has changed');
  const { code } = await galaxyd.stop();
  t.equal(code, 0);
});

t.test('--verify-hours 0 switches it off', async (t) => {
  const { galaxyd } = await start(t, {
    args: manualArgs(join(await temporaryFolder(t), 'world'), '--verify-hours', '0'),
  });
  t.equal(await metric(galaxyd.url, 'verify_age_seconds'), undefined);
  t.equal(await metric(galaxyd.url, 'verify_is_late'), 0);
});
