// The files of deploy/, each checked by the program that reads it, and the backup run against a real server.
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { CONFIGURABLE } from '../../cli/commands/serve.js';
import { checkConfig } from '../../cli/serve/config-check.js';
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../http/pages/metric-table.js';
import { grafanaDashboard } from '../../tools/generate/grafana-dashboard.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { runGalaxyd } from '../support/process/galaxyd-process.js';
import { createBot, manualArgs, galaxyd as run, start, stateOf } from '../support/process/operator.js';
import { root } from '../tidy/repository.js';
import { ALERT_CASES } from './alert-cases.js';

const deploy = join(root, 'deploy');
const execute = promisify(execFile);

interface Ending {
  readonly code: number;
  readonly output: string;
}

/** @returns null if there is no such program */
async function ran(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ending | null> {
  try {
    const { stdout, stderr } = await execute(program, args, { env: { ...process.env, ...env } });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ENOENT') return null;
    const { stdout, stderr } = error as unknown as { stdout: string; stderr: string };
    return { code: Number(error.code), output: stdout + stderr };
  }
}

const textOf = (name: string): Promise<string> => readFile(join(deploy, name), 'utf8');

t.test('systemd finds no fault in the units, and they are not exposed', async (t) => {
  const units = (await readdir(deploy)).filter((name) => /\.(service|timer)$/.test(name));
  t.same(units, ['galaxyd-backup.service', 'galaxyd-backup.timer', 'galaxyd.service']);
  const folder = await temporaryFolder(t);
  for (const name of units) {
    // It asks whether each program is there.
    const text = (await textOf(name))
      .replaceAll('/opt/galaxyd', root)
      .replaceAll('/usr/local/bin/galaxyd', join(deploy, 'galaxyd'));
    await writeFile(join(folder, name), text);
  }
  const verified = await ran('systemd-analyze', ['verify', ...units.map((name) => join(folder, name))]);
  if (verified === null) {
    t.pass('not tested', { skip: 'systemd is not installed (Debian: apt-get install systemd)' });
    return;
  }
  t.same(verified, { code: 0, output: '' });
  for (const name of units.filter((name) => name.endsWith('.service'))) {
    const judged = await ran('systemd-analyze', ['security', '--offline=yes', '--threshold=20', join(folder, name)]);
    t.equal(judged?.code, 0, judged?.output.trim().split('\n').at(-1) ?? '');
  }
});

/** The deployed configuration with paths in another folder, which has a file of admin keys. */
async function deployedTo(folder: string): Promise<string> {
  await writeFile(join(folder, 'admin-keys'), '', { mode: 0o600 });
  return (await textOf('galaxyd.toml')).replaceAll(/\/(var\/lib|etc)\/galaxyd/g, folder);
}

/** Options that galaxyd.toml does not have. Traces are for games of turns, which no long-lived server plays. */
const LEFT_OUT: readonly string[] = ['traces'];
/** A line in a comment that sets an option. */
const COMMENTED = /^# ([a-z-]+ = .*)$/gm;

t.test('galaxyd.toml has every option of galaxyd serve, and comments show the defaults', async (t) => {
  const text = await textOf('galaxyd.toml');
  const names = [...text.matchAll(/^(?:# )?([a-z-]+) = /gm)].map(([, name]) => name);
  t.same([...names, ...LEFT_OUT].sort(), CONFIGURABLE.map((option) => option.name()).sort());
  const folder = await temporaryFolder(t);
  const soundValues = async (text: string): Promise<Map<string, unknown>> => {
    const path = join(folder, 'galaxyd.toml');
    await writeFile(path, text, { mode: 0o600 });
    const { faults, settings } = await checkConfig(path);
    t.same(faults, []);
    return new Map(settings.map(({ option, value }) => [option, value]));
  };
  const elsewhere = await deployedTo(folder);
  const deployed = await soundValues(elsewhere);
  t.match(deployed.get('auth'), 'key');
  const commented = new Set([...text.matchAll(COMMENTED)].map(([, line = '']) => line.split(' ')[0] ?? ''));
  for (const [option, value] of await soundValues(elsewhere.replace(COMMENTED, '$1'))) {
    const byDefault = deployed.get(option);
    if (commented.has(option) && byDefault !== null) t.same(value, byDefault, option);
  }
});

t.test('the unit of the server publishes no world without keys', async (t) => {
  const unit = await textOf('galaxyd.service');
  t.match(unit, /^ExecStart=.* serve --config \/etc\/galaxyd\/galaxyd\.toml$/m);
  const folder = await temporaryFolder(t);
  const config = join(folder, 'galaxyd.toml');
  await writeFile(config, await deployedTo(folder));
  const args = ['serve', '--config', config, '--port', '0', '--min-free-mib', '0'];
  const { client } = await start(t, { args });
  t.match((await client.get('/api/status')).body, { auth: 'key' });
  t.equal((await client.get('/api/admin/players')).status, 401, 'its operators have keys');
  await rm(join(folder, 'admin-keys'));
  t.match(await runGalaxyd(t, { args, rules: null }), { code: 78 }, 'and it does not start without the file of keys');
});

t.test('the backup proves each copy, keeps the newest ones, and does nothing twice', async (t) => {
  const data = join(await temporaryFolder(t), 'world');
  const backups = join(await temporaryFolder(t), 'backups');
  await mkdir(backups);
  const { galaxyd, client } = await start(t, { args: manualArgs(data) });
  const env = { GALAXYD_DATA: data, GALAXYD_BACKUPS: backups, GALAXYD_BACKUPS_KEPT: '2' };
  const backUp = (more: NodeJS.ProcessEnv = {}): Promise<Ending | null> =>
    ran(join(deploy, 'galaxyd-backup'), [], { ...env, ...more });
  for (const name of ['ada', 'bob', 'cy']) {
    t.equal(await createBot(client, name), 201);
    const { code, output } = (await backUp()) as Ending;
    t.equal(code, 0, output);
  }
  t.match(await backUp(), { code: 0, output: /is backed up already\n$/ });
  const kept = await readdir(backups);
  t.equal(kept.length, 2, 'the oldest is deleted, and no part is left');
  const { hash } = await stateOf(client);
  const restored = join(await temporaryFolder(t), 'restored');
  t.equal((await run(t, 'restore', '--from', join(backups, kept.at(-1) ?? ''), '--to', restored)).code, 0);
  await galaxyd.stop();
  const again = await start(t, { args: manualArgs(restored) });
  t.equal((await stateOf(again.client)).hash === hash, false, 'a restored world counts from a base of its own');
  t.match((await again.client.get('/api/status')).body, { players: 3 });

  // A copy that cannot be restored is not kept.
  const broken = await temporaryFolder(t);
  await writeFile(
    join(broken, 'cp'),
    '#!/bin/sh\n/bin/cp "$@"\nfor last; do :; done\ntruncate -s 100 "$last"/snapshot-*/rows*\n',
  );
  await chmod(join(broken, 'cp'), 0o755);
  t.equal(await createBot(again.client, 'di'), 201);
  const damaged = await backUp({ GALAXYD_DATA: restored, PATH: `${broken}:${process.env['PATH']}` });
  t.equal(damaged?.code, 3, String(damaged?.output));
  t.same(await readdir(backups), kept);
});

t.test('docs/operating.md says for each alert what to do', async (t) => {
  const text = await readFile(join(root, 'docs', 'operating.md'), 'utf8');
  const rows = text.split('## 9. When an alert fires\n')[1]?.split('\n# ')[0]?.split('\n') ?? [];
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  t.same(named.sort(), Object.keys(ALERT_CASES).sort());
});

t.test('promtool finds no fault in the alerts; each fires when its failure is there, and ends with it', async (t) => {
  const path = join(deploy, 'prometheus-rules.yml');
  const checked = await ran('promtool', ['check', 'rules', path]);
  if (checked === null) {
    t.pass('not tested', { skip: 'promtool is not installed (Debian: apt-get install prometheus)' });
    return;
  }
  t.equal(checked.code, 0, String(checked.output));
  const alerts = [...(await textOf('prometheus-rules.yml')).matchAll(/^ *- alert: (\w+)$/gm)].map(([, name]) => name);
  t.same(Object.keys(ALERT_CASES).sort(), [...alerts].sort(), 'each has a case');
  const cases = join(await temporaryFolder(t), 'cases.yml');
  const tests = Object.entries(ALERT_CASES).map(([name, { series, firesAt, endsAt }]) => {
    const expr = `count(ALERTS{alertname="${name}",alertstate="firing"})`;
    return {
      name,
      interval: '15s',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        { expr, eval_time: '0s', exp_samples: [] },
        { expr, eval_time: firesAt, exp_samples: [{ labels: '{}', value: 1 }] },
        { expr, eval_time: endsAt, exp_samples: [] },
      ],
    };
  });
  // JSON is YAML.
  await writeFile(cases, JSON.stringify({ rule_files: [path], evaluation_interval: '15s', tests }));
  const tested = await ran('promtool', ['test', 'rules', cases]);
  t.equal(tested?.code, 0, String(tested?.output));
});

t.test('the dashboard has a panel for each metric, and promtool can read its queries', async (t) => {
  const { panels } = JSON.parse(grafanaDashboard()) as {
    readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  };
  t.same(panels.length, COUNTERS.length + GAUGES.length + HISTOGRAMS.length);
  const rules = panels.flatMap(({ targets }, panel) =>
    targets.map(({ expr }, index) => ({
      record: `galaxyd:panel_${panel}_${index}`,
      // Grafana replaces its variables.
      expr: expr.replaceAll('$__rate_interval', '1m'),
    })),
  );
  const path = join(await temporaryFolder(t), 'queries.yml');
  await writeFile(path, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
  const checked = await ran('promtool', ['check', 'rules', path]);
  if (checked === null)
    t.pass('not tested', { skip: 'promtool is not installed (Debian: apt-get install prometheus)' });
  else t.equal(checked.code, 0, String(checked.output));
});

t.test('the alerts name metrics that exist, and chapters of docs/operating.md', async (t) => {
  const rules = await textOf('prometheus-rules.yml');
  const anchors = new Set(
    [...(await readFile(join(root, 'docs', 'operating.md'), 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  for (const [, anchor = ''] of rules.matchAll(/runbook: operating\.md#(\S+)/g)) t.ok(anchors.has(anchor), anchor);
  const { galaxyd, client } = await start(t, { args: manualArgs(join(await temporaryFolder(t), 'world')) });
  // Routes without requests have no series.
  await createBot(client, 'ada');
  const metrics = await (await fetch(`${galaxyd.url}/metrics`)).text();
  for (const [name] of rules.matchAll(/\b(galaxyd|process)_[a-z_]+/g)) {
    const family = name.replace(/_bucket$/, '');
    t.ok(name.startsWith('galaxyd_replica_') || metrics.includes(`# TYPE ${family} `), name);
  }
});
