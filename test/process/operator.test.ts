// The operator's subcommands as processes of their own: beside a running server, on a stopped world, and what each refuses.
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { type Ending, interruptGalaxyd, runGalaxyd } from '../support/process/galaxyd-process.js';
import { type KeptWorld, keptWorld } from '../support/process/kept-world.js';
import { operateOnLog, withFlippedBit } from '../support/process/log-surgery.js';
import { ADMIN_KEY, refused, serveArgs, start, statusOf } from '../support/process/operator.js';

const HASH = /^[0-9a-f]{16}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const snapshotName = (seq: number): string => `snapshot-${String(seq).padStart(16, '0')}`;
const segmentName = (seq: number): string => `log-${String(seq).padStart(16, '0')}`;

/** It was done, and said so on standard output alone. @returns what it said */
function done(t: Test, { code, signal, stdout, stderr }: Ending): string {
  t.same({ code, signal, stderr }, { code: 0, signal: null, stderr: '' });
  return stdout;
}

const galaxyd = (t: Test, ...args: string[]): Promise<Ending> => runGalaxyd(t, { args });

t.test('every subcommand has examples in its --help, and main tells the exit codes', async (t) => {
  for (const name of ['snapshot', 'snapshots', 'restore', 'fork', 'verify', 'log']) {
    const help = done(t, await galaxyd(t, name, '--help'));
    t.match(help, `\nExamples:\n  galaxyd ${name} --`, name);
    t.match(help, /--json/);
  }
  t.match(done(t, await galaxyd(t, '--help')), /Exit codes:\n {3}0 {2}done\n/);
});

t.test('beside a running server', async (t) => {
  const world = await keptWorld(t);
  await eachSubcommand(t, world);
  t.equal((await statusOf(world.client)).seq, world.lastSeq, 'the server has noticed nothing');
  const { status } = await world.client.post('/api/game/player', { name: 'after', isBot: true });
  t.equal(status, 201);
  const taken = await world.client.post<{ seq: number }>('/api/admin/snapshot');
  t.equal(taken.status, 201);
  const seqs = JSON.parse(done(t, await galaxyd(t, 'snapshots', '--data', world.folder, '--json')));
  t.match(
    seqs,
    [{ seq: world.lastSeq }, { seq: taken.body.seq }],
    'its next snapshot goes on from that of the operator',
  );
  t.equal((await world.galaxyd.stop()).code, 0);
  done(t, await galaxyd(t, 'verify', '--data', world.folder));
});

t.test('on a stopped world', async (t) => {
  const world = await keptWorld(t);
  await world.galaxyd.stop();
  await eachSubcommand(t, world);
});

async function eachSubcommand(t: Test, { folder, snapshotSeqs, hashes, lastSeq }: KeptWorld): Promise<void> {
  const [older, newer] = snapshotSeqs;
  const data = ['--data', folder];
  const anew = await temporaryFolder(t);

  await t.test('snapshots lists them', async (t) => {
    const rows = JSON.parse(done(t, await galaxyd(t, 'snapshots', ...data, '--json')));
    t.match(rows, [
      { seq: older, worldTime: INSTANT, byteCount: Number, stateHash: hashes.get(older), takenAt: INSTANT },
      { seq: newer, stateHash: hashes.get(newer) },
    ]);
    t.equal(rows.length, 2);
    const table = done(t, await galaxyd(t, 'snapshots', ...data));
    t.match(table, /^seq +world time +size +state hash +taken at\n/);
    t.match(table, new RegExp(`^${newer} .*${hashes.get(newer)}`, 'm'));
  });

  await t.test('log prints the entries as JSON lines', async (t) => {
    const lines = done(t, await galaxyd(t, 'log', ...data))
      .trimEnd()
      .split('\n');
    const entries = lines.map((line) => JSON.parse(line));
    t.same(
      entries.map(({ seq }) => seq),
      Array.from({ length: lastSeq - older }, (_, index) => older + 1 + index),
    );
    t.match(entries[0], { at: INSTANT, type: 'create_player', name: 'third-1', isBot: true });
    const last = done(t, await galaxyd(t, 'log', ...data, '--from', String(lastSeq), '--json'));
    t.equal(last, `${lines.at(-1)}\n`);
    t.equal(done(t, await galaxyd(t, 'log', ...data, '--from', String(lastSeq + 1))), '', 'nothing yet');
  });

  await t.test('verify tells what it has found sound', async (t) => {
    const found = JSON.parse(done(t, await galaxyd(t, 'verify', ...data, '--json')));
    t.match(found, {
      isSound: true,
      seq: lastSeq,
      worldTime: INSTANT,
      stateHash: hashes.get(lastSeq),
      entryCount: lastSeq - older,
      snapshots: [{ seq: older }, { seq: newer }],
    });
    t.match(done(t, await galaxyd(t, 'verify', ...data)), /^galaxyd found all sound: \d+ entries .* 2 snapshots, /);
  });

  await t.test('restore goes back to a seq, an instant or a snapshot', async (t) => {
    const between = newer + 2;
    const rows: [what: string, args: string[], seq: number][] = [
      ['a seq', ['--until-seq', String(between)], between],
      ['the first seq there is', ['--until-seq', String(older)], older],
      ['an instant', ['--until-time', '2000-01-01T02:59:59.999Z'], newer - 1],
      ['an instant that is written otherwise', ['--until-time', '2000-01-01T03:59+01:00'], newer - 1],
      ['an instant after all', ['--until-time', '2100-01-01T00:00:00Z'], lastSeq],
      ['the present', [], lastSeq],
      ['a snapshot by its seq', ['--from', String(older)], older],
      ['a snapshot by its name', ['--from', snapshotName(older)], older],
      ['behind a snapshot', ['--from', String(older), '--until-seq', String(lastSeq - 1)], lastSeq - 1],
    ];
    for (const [index, [what, args, seq]] of rows.entries()) {
      const to = join(anew, `restored-${index}`);
      const origin = JSON.parse(done(t, await galaxyd(t, 'restore', ...data, '--to', to, '--json', ...args)));
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
    const said = done(t, await galaxyd(t, 'restore', '--from', copy, '--to', to));
    t.match(said, `seq ${newer} of ${snapshotName(newer)}`);
    t.match(said, `\nserve it with: galaxyd serve --data ${to}\n`);
    t.same((await readdir(to)).sort(), ['log', 'origin.json', 'snapshots']);
    done(t, await galaxyd(t, 'verify', '--data', to));
  });

  await t.test('fork begins as the present is', async (t) => {
    const origin = JSON.parse(done(t, await galaxyd(t, 'fork', ...data, '--to', join(anew, 'fork'), '--json')));
    t.match(origin, { kind: 'fork', seq: lastSeq, stateHash: hashes.get(lastSeq) });
  });

  await t.test('snapshot takes one, once', async (t) => {
    const row = {
      seq: lastSeq,
      worldTime: INSTANT,
      byteCount: Number,
      stateHash: hashes.get(lastSeq),
      takenAt: INSTANT,
    };
    const first = JSON.parse(done(t, await galaxyd(t, 'snapshot', ...data, '--json')));
    t.match(first, { ...row, isNew: true, damaged: [], durationMs: Number });
    const second = JSON.parse(done(t, await galaxyd(t, 'snapshot', ...data, '--json')));
    t.match(second, { ...row, isNew: false });
    t.match(done(t, await galaxyd(t, 'snapshot', ...data)), /^galaxyd found, as nothing has changed since, /);
  });
}

t.test('a restored world says where it came from, and goes on by itself', async (t) => {
  const { folder, galaxyd: server, snapshotSeqs, hashes, lastSeq } = await keptWorld(t);
  const [, newer] = snapshotSeqs;
  await server.stop();
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

  await t.test('a segment of the other branch is not taken for its own', async (t) => {
    const own = join(fork, 'log', segmentName(newer + 1));
    for (const name of await readdir(join(fork, 'log'))) await rm(join(fork, 'log', name), { recursive: true });
    for (const name of await readdir(join(fork, 'snapshots'))) {
      if (name !== snapshotName(newer)) await rm(join(fork, 'snapshots', name), { recursive: true });
    }
    await cp(join(folder, 'log', segmentName(newer + 1)), own, { recursive: true });
    const sentence = new RegExp(`the log cannot be replayed from seq ${newer + 1} on: .*`);
    refused(t, await galaxyd(t, 'verify', '--data', fork), 1, sentence);
    refused(t, await runGalaxyd(t, { args: serveArgs(fork, ...manual) }), 3, sentence);
  });
});

t.test('what cannot be had is refused in a sentence, and nothing is left behind', async (t) => {
  const { folder, galaxyd: server, snapshotSeqs, lastSeq } = await keptWorld(t);
  await server.stop();
  const [older, newer] = snapshotSeqs;
  const place = await temporaryFolder(t);
  const at = (...names: string[]): string => join(place, ...names);
  const to = at('new');
  await mkdir(at('empty'));
  await mkdir(at('full'));
  await writeFile(at('full', 'something'), '');
  await writeFile(at('file'), '');
  const copy = at('backup', snapshotName(newer));
  await cp(join(folder, 'snapshots', snapshotName(newer)), copy, { recursive: true });
  await cp(copy, at('renamed'), { recursive: true });
  const before = [await readdir(place, { recursive: true }), await readdir(folder, { recursive: true })];

  const covered = `${folder} holds seq ${older} (2000-01-01T02:00:00.000Z) to seq ${lastSeq} (2000-01-01T03:00:00.000Z)`;
  const restore = ['restore', '--data', folder, '--to', to];
  const rows: [args: string[], code: number, sentence: string][] = [
    ...['snapshot', 'snapshots', 'verify', 'log', 'fork'].flatMap((name): [string[], number, string][] => {
      const target = name === 'fork' ? ['--to', to] : [];
      return [
        [[name, '--data', at('missing'), ...target], 1, `there is no folder ${at('missing')}`],
        [[name, '--data', at('empty'), ...target], 1, `there is no world in ${at('empty')}`],
        [[name, '--data', at('file'), ...target], 1, `${at('file')} is not a folder`],
      ];
    }),
    [[...restore, '--until-seq', '1'], 1, `seq 1 cannot be gone back to: ${covered}`],
    [[...restore, '--until-seq', String(older - 1)], 1, `seq ${older - 1} cannot be gone back to: ${covered}`],
    [[...restore, '--until-seq', String(lastSeq + 1)], 1, `seq ${lastSeq + 1} cannot be gone back to: ${covered}`],
    [
      [...restore, '--until-time', '2000-01-01T00:30:00Z'],
      1,
      `world time 2000-01-01T00:30:00.000Z cannot be gone back to: ${covered}`,
    ],
    [
      [...restore, '--from', '9'],
      1,
      `there is no snapshot at seq 9 in ${folder}; there are those at the seqs ${older}, ${newer}`,
    ],
    [
      [...restore, '--from', String(newer), '--until-seq', String(older)],
      1,
      `seq ${older} is before the snapshot at seq ${newer}`,
    ],
    [
      [...restore, '--from', String(newer), '--until-time', '2000-01-01T02:30:00Z'],
      1,
      `world time 2000-01-01T02:30:00.000Z is before the snapshot at seq ${newer}, which is of 2000-01-01T03:00:00.000Z`,
    ],
    [['restore', '--data', folder, '--to', folder], 1, `${folder} is not empty, and nothing is ever written over`],
    [['restore', '--data', folder, '--to', at('full')], 1, `${at('full')} is not empty`],
    [['restore', '--data', folder, '--to', at('file')], 1, `${at('file')} is a file`],
    [['restore', '--data', folder, '--to', at('file', 'below')], 1, `${at('file')} is a file`],
    [['restore', '--data', folder, '--to', join(folder, 'new')], 1, `lies within the world in ${folder}`],
    [['restore', '--from', at('missing'), '--to', to], 1, `there is no folder ${at('missing')}`],
    [['restore', '--from', at('file'), '--to', to], 1, `${at('file')} is a file; the folder of a snapshot is needed`],
    [['restore', '--from', at('renamed'), '--to', to], 1, 'is not named like the folder of a snapshot'],
    [['restore', '--from', folder, '--to', to], 1, 'is the folder of a world and not of a snapshot'],
    [
      ['restore', '--from', copy, '--to', to, '--until-seq', String(lastSeq)],
      1,
      'the data folder with the log is needed',
    ],
    [['restore', '--to', to], 2, 'name a world with --data, or a snapshot with --from'],
    [['restore', '--from', String(older), '--to', to], 2, `there is no folder ${older}; a seq needs --data as well`],
    [['restore', '--data', folder], 2, "required option '--to <folder>' not specified"],
    [[...restore, '--until-seq', '0'], 2, 'It must be a whole number from 1'],
    [[...restore, '--until-time', '2000-01-01T00:30:00'], 2, 'It must be an instant with its zone'],
    [[...restore, '--until-time', '2000-01-01T00:30:00Z', '--until-seq', '3'], 2, 'cannot be used with option'],
    [
      ['log', '--data', folder, '--from', '1'],
      1,
      `seq 1 is not in the log, which holds seqs ${older + 1} to ${lastSeq}`,
    ],
    [
      ['log', '--data', folder, '--from', String(lastSeq + 2)],
      1,
      `seq ${lastSeq + 2} is not in the log, which holds seqs ${older + 1} to ${lastSeq}`,
    ],
    [['verify', '--data', folder, 'more'], 2, 'too many arguments'],
    [['snapshots', '--data', ''], 2, 'It must name a folder'],
  ];
  for (const [args, code, sentence] of rows) {
    await t.test(args.join(' '), async (t) => {
      const ending = await galaxyd(t, ...args);
      refused(t, ending, code, new RegExp(code === 2 ? '' : `^galaxyd ${args[0]}: `));
      t.match(ending.stderr, sentence);
      t.equal(ending.stdout, '');
    });
  }
  t.same([await readdir(place, { recursive: true }), await readdir(folder, { recursive: true })], before);
});

t.test('what is damaged is told, and the rest can be had', async (t) => {
  const { folder, galaxyd: server, snapshotSeqs, hashes, lastSeq } = await keptWorld(t);
  await server.stop();
  const [older, newer] = snapshotSeqs;
  const anew = await temporaryFolder(t);
  const data = ['--data', folder];
  await writeFile(join(folder, 'snapshots', snapshotName(newer), 'manifest.json'), 'damaged');
  const sentence = `the snapshot at seq ${newer} cannot be used (damaged_manifest)`;

  const listed = await galaxyd(t, 'snapshots', ...data, '--json');
  t.equal(listed.code, 3);
  t.match(JSON.parse(listed.stdout), [
    { seq: older, stateHash: HASH },
    { seq: newer, problem: sentence },
  ]);
  const table = await galaxyd(t, 'snapshots', ...data);
  t.match(table, { code: 3, stdout: hashes.get(older), stderr: sentence });

  const verified = await galaxyd(t, 'verify', ...data, '--json');
  t.equal(verified.code, 1);
  t.match(JSON.parse(verified.stdout), { isSound: false, problem: sentence });
  refused(t, await galaxyd(t, 'verify', ...data), 1, /damaged_manifest/);
  refused(
    t,
    await galaxyd(t, 'restore', ...data, '--from', String(newer), '--to', join(anew, 'no')),
    3,
    /damaged_manifest/,
  );

  const restored = await galaxyd(t, 'restore', ...data, '--to', join(anew, 'present'), '--json');
  t.match(JSON.parse(done(t, restored)), { seq: lastSeq, stateHash: hashes.get(lastSeq) }, 'by way of the other one');
  await rm(join(folder, 'log'), { recursive: true });
  refused(t, await galaxyd(t, 'verify', ...data), 1, /the log .* is missing|cannot be used/);
  refused(t, await galaxyd(t, 'restore', ...data, '--to', join(anew, 'lost')), 3, /the log .*log is missing\n$/);
  const saved = await galaxyd(t, 'restore', ...data, '--from', String(older), '--to', join(anew, 'saved'), '--json');
  t.match(JSON.parse(done(t, saved)), { seq: older, stateHash: hashes.get(older) }, 'a snapshot needs no log');
});

t.test('what docs/operating.md says to do about damage does it', async (t) => {
  const { folder, galaxyd: server, snapshotSeqs, hashes, lastSeq } = await keptWorld(t);
  await server.stop();
  const [older, newer] = snapshotSeqs;
  const place = await temporaryFolder(t);
  const copyOf = async (name: string): Promise<string> => {
    const copy = join(place, name);
    await cp(folder, copy, { recursive: true });
    return copy;
  };
  const serving = (data: string): Promise<Ending> => runGalaxyd(t, { args: serveArgs(data, '--min-free-mib', '0') });

  await t.test('a record that is not as it was written', async (t) => {
    const data = await copyOf('flipped');
    await operateOnLog(data, (records) =>
      records.map((record) => (record.firstSeq === lastSeq - 1 ? withFlippedBit(record) : record)),
    );
    refused(t, await serving(data), 3, new RegExp(`from seq ${lastSeq - 1} on: the record there is not sound`));
    const restore = ['restore', '--data', data, '--to', join(place, 'repaired'), '--json'];
    refused(t, await galaxyd(t, ...restore), 3, /the record there is not sound/);
    const origin = JSON.parse(done(t, await galaxyd(t, ...restore, '--until-seq', String(lastSeq - 2))));
    t.equal(origin.stateHash, hashes.get(lastSeq - 2));
  });

  await t.test('the newest part of the log is gone', async (t) => {
    const data = await copyOf('shortened');
    const [newest = ''] = (await readdir(join(data, 'log'))).sort().reverse();
    await rm(join(data, 'log', newest), { recursive: true });
    refused(t, await serving(data), 3, new RegExp(`the log segment .*${newest} is missing: .* is continued by it`));
    const restore = ['restore', '--data', data, '--from', String(newer), '--to', join(place, 'saved'), '--json'];
    t.equal(JSON.parse(done(t, await galaxyd(t, ...restore))).stateHash, hashes.get(newer));
  });

  await t.test('no snapshot is sound', async (t) => {
    const data = await copyOf('unsound');
    for (const seq of [older, newer]) await writeFile(join(data, 'snapshots', snapshotName(seq), 'rows'), 'damaged');
    refused(t, await serving(data), 3, /the log begins at seq \d+, and no snapshot before it can be read/);
    await rm(join(data, 'snapshots', snapshotName(newer)), { recursive: true });
    await cp(join(folder, 'snapshots', snapshotName(newer)), join(data, 'snapshots', snapshotName(newer)), {
      recursive: true,
    });
    const args = serveArgs(data, '--clock', 'manual', '--min-free-mib', '0', '--admin-key', ADMIN_KEY);
    const again = await start(t, { args });
    t.match((await again.client.get('/api/admin/state-hash')).body, { seq: lastSeq, hash: hashes.get(lastSeq) });
    await again.galaxyd.stop();
  });

  await t.test('the origin cannot be read', async (t) => {
    const data = await copyOf('foundling');
    await writeFile(join(data, 'origin.json'), '{}');
    refused(t, await serving(data), 3, /it does not tell where the world came from/);
    refused(t, await galaxyd(t, 'verify', '--data', data), 1, /it does not tell where the world came from/);
    await rm(join(data, 'origin.json'));
    done(t, await galaxyd(t, 'verify', '--data', data));
  });
});

t.test('log --follow prints what comes until nobody reads it', async (t) => {
  const { folder, client, lastSeq } = await keptWorld(t);
  const args = ['log', '--data', folder, '--from', String(lastSeq), '--follow'];
  const following = interruptGalaxyd(t, { args }, `"seq":${lastSeq + 1},`);
  t.equal((await client.post('/api/game/player', { name: 'next', isBot: true })).status, 201);
  const { signal, stdout } = await following;
  t.equal(signal, 'SIGINT', 'it would have gone on');
  t.same(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq),
    [lastSeq, lastSeq + 1],
  );
});
