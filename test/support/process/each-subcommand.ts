// The operator's subcommands on a world whose states are known, wherever it is kept.
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import type { KeptWorld } from './kept-world.js';
import { done, type LinesTest, snapshotName, testLines } from './operator.js';

export const HASH: RegExp = /^[0-9a-f]{16}$/;
export const INSTANT: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export interface OperatedWorld extends Omit<KeptWorld, 'folder'> {
  /** The value of --data. */
  readonly place: string;
  /** What worlds that are made from it name as their origin. */
  readonly name: string;
}

/** Runs each subcommand that reads a world, and takes a snapshot. The world has no snapshot at its last seq yet. */
export async function eachSubcommand(
  t: Test,
  { place, name, snapshotSeqs, hashes, lastSeq }: OperatedWorld,
): Promise<void> {
  const [older, newer] = snapshotSeqs;
  const data = ['--data', place];
  const anew = await temporaryFolder(t);

  const hash = hashes.get(lastSeq);
  const restores = restoresOf(older, newer, lastSeq);
  const tests: readonly LinesTest[] = [
    {
      what: 'snapshots lists them',
      lines: [
        ['snapshots', ...data, '--json'],
        ['snapshots', ...data],
      ],
      check: (t, listed, shown) => {
        t.match(JSON.parse(done(t, listed)), [
          { seq: older, worldTime: INSTANT, byteCount: Number, stateHash: hashes.get(older), takenAt: INSTANT },
          { seq: newer, stateHash: hashes.get(newer) },
        ]);
        t.equal(JSON.parse(listed.stdout).length, 2);
        const table = done(t, shown);
        t.match(table, /^seq +world time +size +state hash +taken at\n/);
        t.match(table, new RegExp(`^${newer} .*${hashes.get(newer)}`, 'm'));
      },
    },
    {
      what: 'log prints the entries as JSON lines',
      lines: [
        ['log', ...data],
        ['log', ...data, '--from', String(lastSeq), '--json'],
        ['log', ...data, '--from', String(lastSeq + 1)],
      ],
      check: (t, all, newest, none) => {
        const lines = done(t, all).trimEnd().split('\n');
        const entries = lines.map((line) => JSON.parse(line));
        t.same(
          entries.map(({ seq }) => seq),
          Array.from({ length: lastSeq - older }, (_, index) => older + 1 + index),
        );
        t.match(entries[0], { at: INSTANT, type: 'create_player', name: 'third-1', isBot: true });
        t.equal(done(t, newest), `${lines.at(-1)}\n`);
        t.equal(done(t, none), '', 'no entries yet');
      },
    },
    {
      what: 'verify reports what it has found sound',
      lines: [
        ['verify', ...data, '--json'],
        ['verify', ...data],
      ],
      check: (t, verified, sentence) => {
        t.match(JSON.parse(done(t, verified)), {
          ...{ isSound: true, seq: lastSeq, worldTime: INSTANT, stateHash: hash, entryCount: lastSeq - older },
          snapshots: [{ seq: older }, { seq: newer }],
        });
        t.match(done(t, sentence), /^galaxyd found everything sound: \d+ entries .* 2 snapshots, /);
      },
    },
    ...restores.map(([what, args, seq], index): LinesTest => {
      const to = join(anew, `restored-${index}`);
      return {
        what: `restore goes back to ${what}`,
        lines: [['restore', ...data, '--to', to, '--json', ...args]],
        check: (t, restored) => {
          const origin = JSON.parse(done(t, restored));
          t.match(origin, { kind: 'restore', from: name, seq, worldTime: INSTANT, madeAt: INSTANT, to });
          t.match(origin.stateHash, hashes.get(seq) ?? HASH);
        },
      };
    }),
    {
      what: 'status says where it stands',
      lines: [
        ['status', ...data, '--json'],
        ['status', ...data],
      ],
      check: (t, said, told) => {
        t.match(JSON.parse(done(t, said)), {
          ...{ seq: lastSeq, worldTime: INSTANT, coveredFromSeq: older, origin: null },
          snapshot: { seq: newer, stateHash: hashes.get(newer) },
        });
        t.match(done(t, told), new RegExp(`^newest +seq ${lastSeq} \\(.*\\), restorable from seq ${older}$`, 'm'));
      },
    },
    {
      what: 'copy copies it',
      lines: [
        ['copy', '--from', place, '--to', join(anew, 'copy'), '--json'],
        ['verify', '--data', join(anew, 'copy'), '--json'],
        ['log', ...data],
        ['log', '--data', join(anew, 'copy')],
      ],
      check: (t, copied, verified, log, logOfCopy) => {
        const row = { seq: lastSeq, stateHash: hash, snapshotSeqs: [older, newer], switchMs: null };
        t.match(JSON.parse(done(t, copied)), { ...row, to: join(anew, 'copy'), recordHash: /^[0-9a-f]{32}$/ });
        t.match(JSON.parse(done(t, verified)), { isSound: true, seq: lastSeq, stateHash: hash });
        t.equal(done(t, logOfCopy), done(t, log));
      },
    },
    {
      what: 'fork begins with the present state',
      lines: [['fork', ...data, '--to', join(anew, 'fork'), '--json']],
      check: (t, forked) => {
        t.match(JSON.parse(done(t, forked)), { kind: 'fork', seq: lastSeq, stateHash: hash });
      },
    },
    {
      what: 'snapshot takes one, and finds it the next time',
      lines: [
        ['snapshot', ...data, '--json'],
        ['snapshot', ...data, '--json'],
        ['snapshot', ...data],
      ],
      check: (t, taken, again, told) => {
        const row = { seq: lastSeq, worldTime: INSTANT, byteCount: Number, stateHash: hash, takenAt: INSTANT };
        t.match(JSON.parse(done(t, taken)), { ...row, isNew: true, damaged: [], durationMs: Number });
        t.match(JSON.parse(done(t, again)), { ...row, isNew: false });
        t.match(done(t, told), /^galaxyd found nothing changed since the snapshot at seq /);
      },
    },
  ];
  await testLines(t, tests);
}

/** Ways to name what a restore goes back to, and the seq that each means. */
function restoresOf(older: number, newer: number, last: number): [what: string, args: string[], seq: number][] {
  const between = newer + 2;
  return [
    ['a seq', ['--until-seq', String(between)], between],
    ['the first covered seq', ['--until-seq', String(older)], older],
    ['an instant', ['--until-time', '2000-01-01T02:59:59.999Z'], newer - 1],
    ['an instant in another spelling', ['--until-time', '2000-01-01T03:59+01:00'], newer - 1],
    ['an instant after all entries', ['--until-time', '2100-01-01T00:00:00Z'], last],
    ['the present', [], last],
    ['a snapshot by its seq', ['--from', String(older)], older],
    ['a snapshot by its name', ['--from', snapshotName(older)], older],
    ['a seq after a snapshot', ['--from', String(older), '--until-seq', String(last - 1)], last - 1],
  ];
}
