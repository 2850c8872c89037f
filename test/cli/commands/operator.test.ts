// The operator's subcommands as processes of their own: beside a running server and on a stopped world.
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t from 'tap';
import type { Origin } from '../../../persistence/stores/origin.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { eachSubcommand, type OperatedWorld } from '../../support/process/each-subcommand.js';
import { type Ending, interruptGalaxyd, runGalaxyd, runInTurn } from '../../support/process/galaxyd-process.js';
import { copyOf, type KeptWorld, keptWorld } from '../../support/process/kept-world.js';
import {
  createBot,
  done,
  galaxyd,
  manualArgs,
  refused,
  snapshotName,
  start,
  statusOf,
} from '../../support/process/operator.js';

/** Each test uses a copy. */
const kept = await keptWorld(t);

const segmentName = (seq: number): string => `log-${String(seq).padStart(16, '0')}`;

t.test('every subcommand has examples in its --help, and the main --help lists the exit codes', async (t) => {
  const names = ['snapshot', 'snapshots', 'restore', 'fork', 'copy', 'verify', 'log', 'status', 'promote'];
  const [main, ...helps] = await runInTurn(t, [['--help'], ...names.map((name) => [name, '--help'])]);
  for (const [index, name] of names.entries()) {
    const help = done(t, helps[index] as Ending);
    t.match(help, `\nExamples:\n  galaxyd ${name} --`, name);
    t.match(help, /--json/);
  }
  t.match(done(t, main), /Exit codes:\n {3}0 {2}done\n/);
});

t.test('beside a running server', async (t) => {
  const world = await copyOf(t, kept);
  const { galaxyd: server, client } = await start(t, { args: manualArgs(world.folder) });
  await eachSubcommand(t, operated(world));
  t.equal((await statusOf(client)).seq, world.lastSeq, 'the server has noticed nothing');
  t.equal(await createBot(client, 'after'), 201);
  const taken = await client.post<{ seq: number }>('/api/admin/snapshot');
  t.equal(taken.status, 201);
  const seqs = JSON.parse(done(t, await galaxyd(t, 'snapshots', '--data', world.folder, '--json')));
  t.match(
    seqs,
    [{ seq: world.lastSeq }, { seq: taken.body.seq }],
    'its next snapshot is based on that of the operator',
  );
  t.equal((await server.stop()).code, 0);
  done(t, await galaxyd(t, 'verify', '--data', world.folder));
});

t.test('on a stopped world', async (t) => {
  const world = await copyOf(t, kept);
  await eachSubcommand(t, operated(world));
});

const operated = ({ folder, ...world }: KeptWorld): OperatedWorld => {
  return { ...world, place: folder, name: basename(folder) };
};

t.test('restore from a copied snapshot alone, into an empty folder', async (t) => {
  const { folder, snapshotSeqs } = await copyOf(t, kept);
  const [, newer] = snapshotSeqs;
  const anew = await temporaryFolder(t);
  const copy = join(anew, 'backup', snapshotName(newer));
  await cp(join(folder, 'snapshots', snapshotName(newer)), copy, { recursive: true });
  const to = join(anew, 'empty');
  await mkdir(to);
  const [restored, verified] = await runInTurn(t, [
    ['restore', '--from', copy, '--to', to],
    ['verify', '--data', to],
  ]);
  const said = done(t, restored);
  t.match(said, `seq ${newer} of ${snapshotName(newer)}`);
  t.match(said, `\nserve it with: galaxyd serve --data ${to}\n`);
  const args = ['restore', '--from', copy, '--to', join(anew, 'in-a-clone')];
  const inClone = await runGalaxyd(t, { args, env: { npm_lifecycle_event: 'galaxyd' } });
  t.match(done(t, inClone), /\nserve it with: npm start -- --data .*in-a-clone\n/);
  t.same((await readdir(to)).sort(), ['log', 'origin.json', 'snapshots']);
  done(t, verified);
});

t.test('a restored world reports its origin, and has its own future', async (t) => {
  const { folder, snapshotSeqs, hashes, lastSeq } = await copyOf(t, kept);
  const [, newer] = snapshotSeqs;
  const fork = join(await temporaryFolder(t), 'fork');
  const restore = ['restore', '--data', folder, '--to', fork, '--until-seq', String(newer), '--json'];
  const { base }: Origin = JSON.parse(done(t, await galaxyd(t, ...restore)));

  await t.test('in its status, from the first start on', async (t) => {
    const first = await start(t, { args: manualArgs(fork) });
    const origin = { kind: 'restore', from: basename(folder), seq: newer, base, stateHash: hashes.get(newer) };
    t.match(await statusOf(first.client), { seq: base, origin });
    t.match((await first.client.get('/api/admin/state-hash')).body, { seq: base });
    t.equal(await createBot(first.client, 'own-1'), 201);
    t.equal((await first.client.post('/api/admin/snapshot')).status, 201);
    await first.galaxyd.stop();
    const second = await start(t, { args: manualArgs(fork) });
    t.match(await statusOf(second.client), { seq: base + 1, origin });
    await second.galaxyd.stop();
    const original = await start(t, { args: manualArgs(folder) });
    t.match(await statusOf(original.client), { seq: lastSeq, origin: null }, 'the other world has none');
    await original.galaxyd.stop();
  });

  await t.test('a segment of the other branch is not accepted as its own', async (t) => {
    const own = join(fork, 'log', segmentName(base + 1));
    for (const name of await readdir(join(fork, 'log'))) await rm(join(fork, 'log', name), { recursive: true });
    for (const name of await readdir(join(fork, 'snapshots'))) {
      if (name !== snapshotName(base)) await rm(join(fork, 'snapshots', name), { recursive: true });
    }
    await cp(join(folder, 'log', segmentName(newer + 1)), own, { recursive: true });
    const sentence = new RegExp(`begins at seq ${newer + 1}, not as its name says`);
    const [verified, served] = await runInTurn(t, [['verify', '--data', fork], manualArgs(fork)]);
    refused(t, verified, 1, sentence);
    refused(t, served, 3, sentence);
  });
});

t.test('log --follow prints new entries until it is interrupted', async (t) => {
  const { folder, lastSeq } = await copyOf(t, kept);
  const { client } = await start(t, { args: manualArgs(folder) });
  const args = ['log', '--data', folder, '--from', String(lastSeq), '--follow'];
  const following = interruptGalaxyd(t, { args }, `"seq":${lastSeq + 1},`);
  t.equal(await createBot(client, 'next'), 201);
  const { signal, stdout } = await following;
  t.equal(signal, 'SIGINT', 'it did not end by itself');
  t.same(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq),
    [lastSeq, lastSeq + 1],
  );
});
