// The operator's subcommands as processes of their own: beside a running server and on a stopped world.
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { type Ending, interruptGalaxyd, runInTurn } from '../support/process/galaxyd-process.js';
import { copyOf, type KeptWorld, keptWorld, served } from '../support/process/kept-world.js';
import {
  ADMIN_KEY,
  done,
  galaxyd,
  refused,
  serveArgs,
  snapshotName,
  start,
  statusOf,
} from '../support/process/operator.js';

const HASH = /^[0-9a-f]{16}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Each test uses a copy. */
const kept = await keptWorld(t);

const segmentName = (seq: number): string => `log-${String(seq).padStart(16, '0')}`;

t.test('every subcommand has examples in its --help, and the main --help lists the exit codes', async (t) => {
  const names = ['snapshot', 'snapshots', 'restore', 'fork', 'verify', 'log'];
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
  const { galaxyd: server, client } = await served(t, world);
  await eachSubcommand(t, world);
  t.equal((await statusOf(client)).seq, world.lastSeq, 'the server has noticed nothing');
  const { status } = await client.post('/api/game/player', { name: 'after', isBot: true });
  t.equal(status, 201);
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
  await eachSubcommand(t, await copyOf(t, kept));
});

async function eachSubcommand(t: Test, { folder, snapshotSeqs, hashes, lastSeq }: KeptWorld): Promise<void> {
  const [older, newer] = snapshotSeqs;
  const data = ['--data', folder];
  const anew = await temporaryFolder(t);

  await t.test('snapshots lists them', async (t) => {
    const [listed, shown] = await runInTurn(t, [
      ['snapshots', ...data, '--json'],
      ['snapshots', ...data],
    ]);
    const rows = JSON.parse(done(t, listed));
    t.match(rows, [
      { seq: older, worldTime: INSTANT, byteCount: Number, stateHash: hashes.get(older), takenAt: INSTANT },
      { seq: newer, stateHash: hashes.get(newer) },
    ]);
    t.equal(rows.length, 2);
    const table = done(t, shown);
    t.match(table, /^seq +world time +size +state hash +taken at\n/);
    t.match(table, new RegExp(`^${newer} .*${hashes.get(newer)}`, 'm'));
  });

  await t.test('log prints the entries as JSON lines', async (t) => {
    const [all, newest, none] = await runInTurn(t, [
      ['log', ...data],
      ['log', ...data, '--from', String(lastSeq), '--json'],
      ['log', ...data, '--from', String(lastSeq + 1)],
    ]);
    const lines = done(t, all).trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line));
    t.same(
      entries.map(({ seq }) => seq),
      Array.from({ length: lastSeq - older }, (_, index) => older + 1 + index),
    );
    t.match(entries[0], { at: INSTANT, type: 'create_player', name: 'third-1', isBot: true });
    t.equal(done(t, newest), `${lines.at(-1)}\n`);
    t.equal(done(t, none), '', 'no entries yet');
  });

  await t.test('verify reports what it has found sound', async (t) => {
    const [verified, sentence] = await runInTurn(t, [
      ['verify', ...data, '--json'],
      ['verify', ...data],
    ]);
    const found = JSON.parse(done(t, verified));
    t.match(found, {
      isSound: true,
      seq: lastSeq,
      worldTime: INSTANT,
      stateHash: hashes.get(lastSeq),
      entryCount: lastSeq - older,
      snapshots: [{ seq: older }, { seq: newer }],
    });
    t.match(done(t, sentence), /^galaxyd found everything sound: \d+ entries .* 2 snapshots, /);
  });

  await t.test('restore goes back to a seq, an instant or a snapshot', async (t) => {
    const between = newer + 2;
    const rows: [what: string, args: string[], seq: number][] = [
      ['a seq', ['--until-seq', String(between)], between],
      ['the first covered seq', ['--until-seq', String(older)], older],
      ['an instant', ['--until-time', '2000-01-01T02:59:59.999Z'], newer - 1],
      ['an instant in another spelling', ['--until-time', '2000-01-01T03:59+01:00'], newer - 1],
      ['an instant after all entries', ['--until-time', '2100-01-01T00:00:00Z'], lastSeq],
      ['the present', [], lastSeq],
      ['a snapshot by its seq', ['--from', String(older)], older],
      ['a snapshot by its name', ['--from', snapshotName(older)], older],
      ['after a snapshot', ['--from', String(older), '--until-seq', String(lastSeq - 1)], lastSeq - 1],
    ];
    const places = rows.map((_row, index) => join(anew, `restored-${index}`));
    const endings = await runInTurn(
      t,
      rows.map(([, args], index) => ['restore', ...data, '--to', places[index] ?? '', '--json', ...args]),
    );
    for (const [index, [what, , seq]] of rows.entries()) {
      const to = places[index];
      const origin = JSON.parse(done(t, endings[index] as Ending));
      t.match(origin, { kind: 'restore', from: basename(folder), seq, worldTime: INSTANT, madeAt: INSTANT, to }, what);
      if (hashes.has(seq)) t.equal(origin.stateHash, hashes.get(seq), what);
      else t.match(origin.stateHash, HASH);
    }
  });

  await t.test('restore from a copied snapshot alone, into an empty folder', async (t) => {
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
    t.match(said, `\nserve it with: npm start -- --data ${to}\n`);
    t.same((await readdir(to)).sort(), ['log', 'origin.json', 'snapshots']);
    done(t, verified);
  });

  await t.test('fork begins with the present state', async (t) => {
    const origin = JSON.parse(done(t, await galaxyd(t, 'fork', ...data, '--to', join(anew, 'fork'), '--json')));
    t.match(origin, { kind: 'fork', seq: lastSeq, stateHash: hashes.get(lastSeq) });
  });

  await t.test('snapshot takes one, and finds it the next time', async (t) => {
    const row = {
      seq: lastSeq,
      worldTime: INSTANT,
      byteCount: Number,
      stateHash: hashes.get(lastSeq),
      takenAt: INSTANT,
    };
    const [taken, again, told] = await runInTurn(t, [
      ['snapshot', ...data, '--json'],
      ['snapshot', ...data, '--json'],
      ['snapshot', ...data],
    ]);
    const first = JSON.parse(done(t, taken));
    t.match(first, { ...row, isNew: true, damaged: [], durationMs: Number });
    const second = JSON.parse(done(t, again));
    t.match(second, { ...row, isNew: false });
    t.match(done(t, told), /^galaxyd found nothing changed since the snapshot at seq /);
  });
}

t.test('a restored world reports its origin, and has its own future', async (t) => {
  const { folder, snapshotSeqs, hashes, lastSeq } = await copyOf(t, kept);
  const [, newer] = snapshotSeqs;
  const fork = join(await temporaryFolder(t), 'fork');
  done(t, await galaxyd(t, 'restore', '--data', folder, '--to', fork, '--until-seq', String(newer)));
  const manual = ['--clock', 'manual', '--min-free-mib', '0', '--admin-key', ADMIN_KEY];

  await t.test('in its status, from the first start on', async (t) => {
    const first = await start(t, { args: serveArgs(fork, ...manual) });
    const origin = { kind: 'restore', from: basename(folder), seq: newer, stateHash: hashes.get(newer) };
    t.match(await statusOf(first.client), { seq: newer, origin });
    t.match((await first.client.get('/api/admin/state-hash')).body, { seq: newer, hash: hashes.get(newer) });
    t.equal((await first.client.post('/api/game/player', { name: 'own-1', isBot: true })).status, 201);
    t.equal((await first.client.post('/api/admin/snapshot')).status, 201);
    await first.galaxyd.stop();
    const second = await start(t, { args: serveArgs(fork, ...manual) });
    t.match(await statusOf(second.client), { seq: newer + 1, origin });
    await second.galaxyd.stop();
    const original = await start(t, { args: serveArgs(folder, ...manual) });
    t.match(await statusOf(original.client), { seq: lastSeq, origin: null }, 'the other world has none');
    await original.galaxyd.stop();
  });

  await t.test('a segment of the other branch is not accepted as its own', async (t) => {
    const own = join(fork, 'log', segmentName(newer + 1));
    for (const name of await readdir(join(fork, 'log'))) await rm(join(fork, 'log', name), { recursive: true });
    for (const name of await readdir(join(fork, 'snapshots'))) {
      if (name !== snapshotName(newer)) await rm(join(fork, 'snapshots', name), { recursive: true });
    }
    await cp(join(folder, 'log', segmentName(newer + 1)), own, { recursive: true });
    const sentence = new RegExp(`the log cannot be replayed from seq ${newer + 1} on: .*`);
    const [verified, served] = await runInTurn(t, [['verify', '--data', fork], serveArgs(fork, ...manual)]);
    refused(t, verified, 1, sentence);
    refused(t, served, 3, sentence);
  });
});

t.test('log --follow prints new entries until it is interrupted', async (t) => {
  const { folder, lastSeq } = await copyOf(t, kept);
  const { client } = await served(t, { folder });
  const args = ['log', '--data', folder, '--from', String(lastSeq), '--follow'];
  const following = interruptGalaxyd(t, { args }, `"seq":${lastSeq + 1},`);
  t.equal((await client.post('/api/game/player', { name: 'next', isBot: true })).status, 201);
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
