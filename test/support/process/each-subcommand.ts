// The operator's subcommands on a world whose states are known, wherever it is kept.
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { type Ending, runInTurn } from './galaxyd-process.js';
import type { KeptWorld } from './kept-world.js';
import { done, galaxyd, snapshotName } from './operator.js';

export const HASH: RegExp = /^[0-9a-f]{16}$/;
export const INSTANT: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export interface OperatedWorld extends Omit<KeptWorld, 'folder'> {
  /** For --data. */
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
      t.match(origin, { kind: 'restore', from: name, seq, worldTime: INSTANT, madeAt: INSTANT, to }, what);
      if (hashes.has(seq)) t.equal(origin.stateHash, hashes.get(seq), what);
      else t.match(origin.stateHash, HASH);
    }
  });

  await t.test('status says where it stands', async (t) => {
    const [said, told] = await runInTurn(t, [
      ['status', ...data, '--json'],
      ['status', ...data],
    ]);
    t.match(JSON.parse(done(t, said)), {
      ...{ seq: lastSeq, worldTime: INSTANT, coveredFromSeq: older, origin: null },
      snapshot: { seq: newer, stateHash: hashes.get(newer) },
    });
    t.match(done(t, told), new RegExp(`^newest +seq ${lastSeq} \\(.*\\), restorable from seq ${older}$`, 'm'));
  });

  await t.test('copy copies it', async (t) => {
    const to = join(anew, 'copy');
    const [copied, verified, log, logOfCopy] = await runInTurn(t, [
      ['copy', '--from', place, '--to', to, '--json'],
      ['verify', '--data', to, '--json'],
      ['log', ...data],
      ['log', '--data', to],
    ]);
    const row = { seq: lastSeq, stateHash: hashes.get(lastSeq), snapshotSeqs: [older, newer], switchMs: null, to };
    t.match(JSON.parse(done(t, copied)), { ...row, recordHash: /^[0-9a-f]{32}$/ });
    t.match(JSON.parse(done(t, verified)), { isSound: true, seq: lastSeq, stateHash: hashes.get(lastSeq) });
    t.equal(done(t, logOfCopy), done(t, log));
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
