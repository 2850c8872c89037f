// Alerts of deploy/prometheus-rules.yml at a real Prometheus that watches a real world: each fires when its failure is made, and ends with it.
// Only the times are shorter. promtool tries all of them on series of numbers (deploy.test.ts).
import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { freePort } from '../support/process/free-port.js';
import { GalaxydProcess, type ProcessOptions } from '../support/process/galaxyd-process.js';
import { rot } from '../support/process/log-surgery.js';
import { ADMIN_KEY, createBot, start } from '../support/process/operator.js';
import { programPath } from '../support/process/program-path.js';
import { SmallDisk } from '../support/process/small-disk.js';
import { textOf } from '../tidy/repository.js';

const MIB = 1024 * 1024;
const DISK_MIB = 64;
const FLOOR_MIB = 20;
const BYTES_TO_ROT = 'ada-is-in-the-first-segment';
/** The same with its first byte as rot() changes it: a second rot() mends it. */
const ROTTEN = '`da-is-in-the-first-segment';
const ASK_EVERY_MS = 50;
/** A hang becomes a failure after this. */
const DEADLINE_MS = 60_000;

t.test('a Prometheus sees a full disk, rot and a killed server come and go', async (t) => {
  const program = programPath('prometheus');
  const disk = await SmallDisk.make(t, DISK_MIB);
  if (program === undefined || typeof disk === 'string') {
    const missing = 'prometheus is not installed (Debian: apt-get install prometheus)';
    t.pass('not tested', { skip: program === undefined ? missing : String(disk) });
    return;
  }
  const port = await freePort();
  const flags = ['--keep-history', '--verify-hours', '0.0002', '--min-free-mib', String(FLOOR_MIB)];
  const options: ProcessOptions = {
    args: ['serve', '--data', join(disk.folder, 'world'), '--port', String(port), '--admin-key', ADMIN_KEY, ...flags],
    by: disk.by,
  };
  const { galaxyd, client } = await start(t, options);
  t.equal(await createBot(client, BYTES_TO_ROT), 201);
  t.equal((await client.post('/api/admin/snapshot', {})).status, 201);
  const alerts = await startPrometheus(t, program, port);

  await disk.fill((FLOOR_MIB - 1) * MIB);
  await alerts.until('GalaxydRefusesCommands', true);
  await disk.relieve();
  await alerts.until('GalaxydRefusesCommands', false);

  const log = join(disk.seenFolder, 'world', 'log');
  const [first = ''] = (await readdir(log)).sort();
  await rot(join(log, first, 'data.mdb'), BYTES_TO_ROT);
  await alerts.until('GalaxydDamaged', true);
  await rot(join(log, first, 'data.mdb'), ROTTEN);
  await alerts.until('GalaxydDamaged', false);

  await galaxyd.kill();
  await alerts.until('GalaxydDown', true);
  await GalaxydProcess.start(t, options);
  await alerts.until('GalaxydDown', false);
  t.pass('each fired, and ended');
});

interface Alerts {
  /** Waits until an alert fires, or does not fire any more. @throws Error after a while */
  until(name: string, isFiring: boolean): Promise<void>;
}

/** Starts a Prometheus that has the rules, and waits until it has scraped the world. */
async function startPrometheus(t: Test, program: string, port: number): Promise<Alerts> {
  const folder = await temporaryFolder(t);
  const own = await freePort();
  const rules = textOf('deploy/prometheus-rules.yml').replaceAll(/\bfor: \w+/g, 'for: 200ms');
  await writeFile(join(folder, 'rules.yml'), rules);
  const config = {
    global: { scrape_interval: '200ms', evaluation_interval: '200ms' },
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'galaxyd', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
  };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const flags = ['--config.file=prometheus.yml', '--storage.tsdb.path=series', `--web.listen-address=127.0.0.1:${own}`];
  const child = spawn(program, flags, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const firing = async (expression: string): Promise<boolean> => {
    try {
      const query = `http://127.0.0.1:${own}/api/v1/query?query=${encodeURIComponent(expression)}`;
      const { data } = (await (await fetch(query)).json()) as {
        readonly data: { readonly result: readonly unknown[] };
      };
      return data.result.length > 0;
    } catch (error) {
      // It does not listen yet.
      if (child.exitCode === null) return false;
      throw new Error(`prometheus ended: ${complaints}`, { cause: error });
    }
  };
  const until = async (expression: string, isSo: boolean): Promise<void> => {
    const deadline = Date.now() + DEADLINE_MS;
    while ((await firing(expression)) !== isSo) {
      if (Date.now() > deadline) throw new Error(`it is not ${isSo} that ${expression}: ${complaints}`);
      await delay(ASK_EVERY_MS);
    }
  };
  await until('up == 1', true);
  return {
    until: (name, isFiring) => until(`ALERTS{alertname="${name}",alertstate="firing"}`, isFiring),
  };
}
