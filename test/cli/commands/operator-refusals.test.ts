// What the operator's subcommands refuse, each in a sentence of its own, and what they do with a damaged world.
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { SHIPPED_RULES } from '../../../engine/rules/shipped.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { runInTurn } from '../../support/process/galaxyd-process.js';
import { copyOf, keptWorld } from '../../support/process/kept-world.js';
import { operateOnLog, withFlippedBit } from '../../support/process/log-surgery.js';
import {
  done,
  manualArgs,
  refused,
  refusedLine,
  snapshotName,
  start,
  testLines,
} from '../../support/process/operator.js';

/** Each test uses a copy. */
const kept = await keptWorld(t);

const HASH = /^[0-9a-f]{16}$/;

t.test('impossible requests are refused in a sentence, and nothing is left behind', async (t) => {
  const { folder, snapshotSeqs, lastSeq } = await copyOf(t, kept);
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
        [
          [name, '--data', at('missing'), ...target],
          1,
          `there is no folder ${at('missing')}; name the folder that galaxyd serve has as --data`,
        ],
        [[name, '--data', at('empty'), ...target], 1, `there is no world in ${at('empty')}`],
        [[name, '--data', at('file'), ...target], 1, `${at('file')} is not a folder`],
      ];
    }),
    [[...restore, '--until-seq', '1'], 1, `seq 1 cannot be restored: ${covered}`],
    [[...restore, '--until-seq', String(older - 1)], 1, `seq ${older - 1} cannot be restored: ${covered}`],
    [[...restore, '--until-seq', String(lastSeq + 1)], 1, `seq ${lastSeq + 1} cannot be restored: ${covered}`],
    [
      [...restore, '--until-time', '2000-01-01T00:30:00Z'],
      1,
      `world time 2000-01-01T00:30:00.000Z cannot be restored: ${covered}`,
    ],
    [
      [...restore, '--from', '9'],
      1,
      `there is no snapshot at seq 9 in ${folder}; it has snapshots at the seqs ${older}, ${newer}`,
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
    [['restore', '--data', folder, '--to', folder], 1, `${folder} is not empty, and galaxyd never overwrites anything`],
    [['restore', '--data', folder, '--to', at('full')], 1, `${at('full')} is not empty`],
    [['restore', '--data', folder, '--to', at('file')], 1, `${at('file')} is a file`],
    [['restore', '--data', folder, '--to', at('file', 'below')], 1, `${at('file')} is a file`],
    [['restore', '--data', folder, '--to', join(folder, 'new')], 1, `lies within the world in ${folder}`],
    [['restore', '--from', at('missing'), '--to', to], 1, `there is no folder ${at('missing')}`],
    [['restore', '--from', at('file'), '--to', to], 1, `${at('file')} is a file; the folder of a snapshot is needed`],
    [['restore', '--from', at('renamed'), '--to', to], 1, 'is not named like the folder of a snapshot'],
    [['restore', '--from', folder, '--to', to], 1, 'is the folder of a world and not of a snapshot'],
    [['restore', '--from', copy, '--to', to, '--until-seq', String(lastSeq)], 1, 'the world with the log is needed'],
    [['restore', '--to', to], 2, 'name a world with --data, or a snapshot with --from'],
    [['restore', '--from', String(older), '--to', to], 2, `there is no folder ${older}; a seq needs --data as well`],
    [['restore', '--data', folder], 2, "required option '--to <place>' not specified"],
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
    [
      ['verify', '--data', folder, 'more'],
      2,
      'too many arguments: verify takes options only; --data names the world\n(usage: galaxyd verify [options]; see galaxyd verify --help)',
    ],
    [['replay', '--data', folder], 2, '(usage: galaxyd replay [options] [place]; see galaxyd replay --help)'],
    [
      ['tournament', 'verify'],
      2,
      '(usage: galaxyd tournament verify [options] <folder>; see galaxyd tournament verify --help)',
    ],
    [['tournament', '--days', '1'], 2, 'missing: --entrants, --seeds, --out, as in --entrants greedy,planner '],
    [
      ['admin', 'listPlayers'],
      2,
      'GALAXYD_ADMIN_KEY does not hold an admin key: the one of galaxyd serve --admin-key, or one that galaxyd admin-key new has made',
    ],
    [['copy', '--from', at('missing'), '--to', to], 1, `there is no folder ${at('missing')}`],
    [['copy', '--from', at('empty'), '--to', to], 1, `there is no world in ${at('empty')}`],
    [['copy', '--from', folder, '--to', folder], 1, `${folder} is not empty, and galaxyd never overwrites anything`],
    [['copy', '--from', folder, '--to', join(folder, 'new')], 1, `lies within the world in ${folder}`],
    [['copy', '--from', folder], 2, "required option '--to <place>' not specified"],
    [['copy', '--to', to], 2, "required option '--from <place>' not specified"],
    [['promote', '--data', folder], 2, `only one process can serve the world in ${folder}; it has no standby`],
    [['promote'], 2, "required option '--data <url>' not specified"],
    [['status', '--data', at('missing')], 1, `there is no folder ${at('missing')}`],
    [['status', '--server', 'http://127.0.0.1:1'], 1, 'http://127.0.0.1:1/api/status did not return a status: '],
    [['status', '--server', 'localhost'], 2, 'It must be the URL of a galaxyd'],
    [['status', '--server', 'http://u:p@127.0.0.1:1'], 2, 'a galaxyd without a login'],
    [['snapshots', '--data', ''], 2, 'It must name a folder'],
  ];
  await testLines(
    t,
    rows.map(([args, code, sentence]) => ({
      what: args.join(' '),
      lines: [args],
      check: (t, ending) => {
        refused(t, ending, code, new RegExp(code === 2 ? '' : `^galaxyd ${args[0]}: `));
        t.match(ending.stderr, sentence);
        t.equal(ending.stdout, '');
      },
    })),
  );
  t.same([await readdir(place, { recursive: true }), await readdir(folder, { recursive: true })], before);
});

t.test('an unknown option ends every subcommand with its usage', async (t) => {
  const [help] = await runInTurn(t, [['--help']]);
  const names = [...help.stdout.matchAll(/^ {2}([a-z][a-z-]+) (?:\[options\]|<| {2})/gm)].map(([, name = '']) => name);
  t.ok(names.length > 15, names.join(' '));
  // Commander looks for options that are required before it looks for unknown ones.
  const required: Readonly<Record<string, string[]>> = {
    restore: ['--to', 'new'],
    fork: ['--to', 'new'],
    copy: ['--from', 'old', '--to', 'new'],
    promote: ['--data', 'postgres://127.0.0.1/world'],
    mcp: ['--player', 'player-1'],
    worlds: ['--admin-key', 'the-operator-of-worlds'],
  };
  const endings = await runInTurn(
    t,
    names.map((name) => [name, ...(required[name] ?? []), '--nonsense']),
  );
  for (const [index, name] of names.entries()) {
    const { code, stderr = '', stdout } = endings[index] ?? {};
    t.same([code, stdout], [2, ''], name);
    t.ok(stderr.startsWith("error: unknown option '--nonsense'\n"), stderr);
    t.match(stderr, new RegExp(`\\(usage: galaxyd ${name} .*; see galaxyd ${name} --help\\)\\n$`));
  }
});

t.test('what is named and is not there is refused with what there is', async (t) => {
  const file = join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  const [rules, serve] = await runInTurn(t, [
    ['rules', 'show', 'standard-9'],
    ['serve', '--data', file],
  ]);
  const names = SHIPPED_RULES.map(({ set }) => set.name).join(', ');
  refused(
    t,
    rules,
    78,
    new RegExp(`standard-9: there is no such file, and the rule sets with a name are ${names}$`, 'm'),
  );
  refused(t, serve, 78, /file: something else has this name; choose another one$/m);
});

t.test('a file of rules may begin with a byte order mark, and must be JSON', async (t) => {
  const place = await temporaryFolder(t);
  const check = async (content: string): Promise<string> => {
    const file = join(place, 'rules.json');
    await writeFile(file, content);
    const [ending] = await runInTurn(t, [['rules', 'check', file]]);
    return ending.stdout;
  };
  t.match(await check('\uFEFF{}'), '/name: is required');
  t.match(await check('{'), /: it is not JSON: Expected property name/);
});

t.test('damage is reported, and the rest can be used', async (t) => {
  const { folder, snapshotSeqs, hashes, lastSeq } = await copyOf(t, kept);
  const [older, newer] = snapshotSeqs;
  const anew = await temporaryFolder(t);
  const data = ['--data', folder];
  await writeFile(join(folder, 'snapshots', snapshotName(newer), 'manifest.json'), 'damaged');
  const sentence = `the snapshot at seq ${newer} cannot be used (damaged_manifest)`;

  const [listed, table, verified, verdict, refusal, restored] = await runInTurn(t, [
    ['snapshots', ...data, '--json'],
    ['snapshots', ...data],
    ['verify', ...data, '--json'],
    ['verify', ...data],
    ['restore', ...data, '--from', String(newer), '--to', join(anew, 'no')],
    ['restore', ...data, '--to', join(anew, 'present'), '--json'],
  ]);
  t.equal(listed.code, 3);
  t.match(JSON.parse(listed.stdout), [
    { seq: older, stateHash: HASH },
    { seq: newer, problem: sentence },
  ]);
  t.match(table, { code: 3, stdout: hashes.get(older), stderr: sentence });
  t.equal(verified.code, 1);
  t.match(JSON.parse(verified.stdout), { isSound: false, problem: sentence });
  refused(t, verdict, 1, /damaged_manifest/);
  refused(t, refusal, 3, /damaged_manifest/);
  t.match(JSON.parse(done(t, restored)), { seq: lastSeq, stateHash: hashes.get(lastSeq) }, 'from the other snapshot');

  await rm(join(folder, 'log'), { recursive: true });
  const [missing, lost, saved] = await runInTurn(t, [
    ['verify', ...data],
    ['restore', ...data, '--to', join(anew, 'lost')],
    ['restore', ...data, '--from', String(older), '--to', join(anew, 'saved'), '--json'],
  ]);
  refused(t, missing, 1, /the log .* is missing|cannot be used/);
  refused(t, lost, 3, /the log .*log is missing\n$/);
  t.match(JSON.parse(done(t, saved)), { seq: older, stateHash: hashes.get(older) }, 'a snapshot needs no log');
});

t.test('the remedies for damage in docs/operating.md work', async (t) => {
  const { folder, snapshotSeqs, hashes, lastSeq } = await copyOf(t, kept);
  const [, newer] = snapshotSeqs;
  const place = await temporaryFolder(t);
  const copiedTo = async (name: string): Promise<string> => {
    const copy = join(place, name);
    await cp(folder, copy, { recursive: true });
    return copy;
  };
  const restore = (data: string, ...args: string[]): string[] => ['restore', '--data', data, '--json', ...args];
  const rowsOf = (data: string, seq: number): string => join(data, 'snapshots', snapshotName(seq), 'rows');
  const [flipped, shortened, unsound] = [await copiedTo('1'), await copiedTo('2'), await copiedTo('3')];
  const [foundling, newcomer, orphan] = [await copiedTo('4'), await copiedTo('5'), await copiedTo('6')];
  await operateOnLog(flipped, (records) =>
    records.map((record) => (record.firstSeq === lastSeq - 1 ? withFlippedBit(record) : record)),
  );
  const [newest = ''] = (await readdir(join(shortened, 'log'))).sort().reverse();
  await rm(join(shortened, 'log', newest), { recursive: true });
  for (const seq of snapshotSeqs) await writeFile(rowsOf(unsound, seq), 'damaged');
  await writeFile(join(foundling, 'origin.json'), '{}');
  await rm(join(orphan, 'origin.json'), { force: true });
  await writeFile(join(newcomer, 'origin.json'), '{"formatVersion": 2}');

  await testLines(t, [
    {
      what: 'a damaged record',
      lines: [
        manualArgs(flipped),
        restore(flipped, '--to', join(place, 'repaired')),
        restore(flipped, '--to', join(place, 'repaired'), '--until-seq', String(lastSeq - 2)),
      ],
      check: (t, served, whole, shorter) => {
        refused(t, served, 3, new RegExp(`from seq ${lastSeq - 1} on: the record there is not sound`));
        refused(t, whole, 3, /the record there is not sound/);
        t.equal(JSON.parse(done(t, shorter)).stateHash, hashes.get(lastSeq - 2));
      },
    },
    {
      what: 'the newest part of the log is gone',
      lines: [manualArgs(shortened), restore(shortened, '--from', String(newer), '--to', join(place, 'saved'))],
      check: (t, served, restored) => {
        refused(t, served, 3, new RegExp(`the log segment .*${newest} is missing: .* names it as its successor`));
        t.equal(JSON.parse(done(t, restored)).stateHash, hashes.get(newer));
      },
    },
    {
      what: 'the origin cannot be read',
      lines: [manualArgs(foundling), ['verify', '--data', foundling], ['verify', '--data', newcomer]],
      check: (t, served, verified, newer) => {
        refused(t, served, 3, /it does not say where the world came from/);
        refused(t, verified, 1, /it does not say where the world came from/);
        refused(t, newer, 1, /has format version 2, which is not known/);
      },
    },
    {
      what: 'without it a world has none',
      lines: [['verify', '--data', orphan]],
      check: (t, ending) => done(t, ending),
    },
    refusedLine(
      'no snapshot is sound',
      manualArgs(unsound),
      3,
      /the log begins at seq \d+, and no snapshot before it can be read/,
    ),
  ]);
  await cp(rowsOf(folder, newer), rowsOf(unsound, newer));
  const again = await start(t, { args: manualArgs(unsound) });
  t.match((await again.client.get('/api/admin/state-hash')).body, { seq: lastSeq, hash: hashes.get(lastSeq) });
  await again.galaxyd.stop();
});
