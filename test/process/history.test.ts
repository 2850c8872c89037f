// `galaxyd serve --keep-history` on a real folder: nothing of the past is deleted until the server is started without
// it.
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Origin } from '../../persistence/stores/origin.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Client } from '../support/process/client.js';
import { type Ending, runInTurn } from '../support/process/galaxyd-process.js';
import { createBot, done, galaxyd, manualArgs, start, statusOf } from '../support/process/operator.js';
import { replayLog } from '../support/process/replayed-log.js';
import { verifiedHash } from '../support/process/verified-hash.js';

const ROUNDS = 3;

/** Creates some bots, advances an hour, and takes a snapshot. @returns its seq */
async function round(client: Client, name: string): Promise<number> {
  for (let number = 1; number <= 3; number += 1) await createBot(client, `${name}-${number}`);
  await client.post('/api/admin/clock/advance', { seconds: 3600 });
  const { status, body } = await client.post<{ seq: number }>('/api/admin/snapshot');
  if (status !== 201) throw new Error(`a snapshot is answered with ${status}`);
  return body.seq;
}

t.test('a world with its history can be restored to seq 1, until it is started without the switch', async (t) => {
  const folder = await temporaryFolder(t);
  const data = ['--data', folder];
  const first = await start(t, { args: manualArgs(folder, '--keep-history') });
  const begun = await galaxyd(t, 'snapshots', ...data);
  t.match(done(t, begun), /^galaxyd found no snapshot yet in .*\nhistory reaches from seq 1 \(/);
  const seqs: number[] = [];
  for (let count = 1; count <= ROUNDS; count += 1) seqs.push(await round(first.client, `round-${count}`));
  const status = await statusOf(first.client);
  t.same(status.history, { coveredFromSeq: 1, isKept: true });
  const segments = (await readdir(join(folder, 'log'))).filter((name) => name.startsWith('log-'));
  t.same(
    segments.sort().map((name) => Number(name.slice('log-'.length))),
    [1, ...seqs.map((seq) => seq + 1)],
    'every segment is there',
  );
  t.equal((await first.galaxyd.kill()).signal, 'SIGKILL');

  const [oldest = 0, ...others] = seqs;
  const newest = others.slice(-2);
  // All of them are before the older of the two newest snapshots.
  const early = [1, 2, oldest, oldest + 1, (newest[0] ?? 0) - 1];
  const { hashes } = await replayLog(folder, { hashAt: early });
  const place = await temporaryFolder(t);
  const [verified, listed, shown, ...restored] = await runInTurn(t, [
    ['verify', ...data, '--json'],
    ['snapshots', ...data, '--json'],
    ['snapshots', ...data],
    ...early.map((seq) => [
      ...['restore', ...data, '--to', join(place, String(seq))],
      ...['--until-seq', String(seq), '--json'],
    ]),
  ]);
  t.match(JSON.parse(done(t, verified)), { isSound: true, seq: status.seq, entryCount: status.seq });
  t.match(
    JSON.parse(done(t, listed)),
    newest.map((seq) => ({ seq, coveredFromSeq: 1 })),
  );
  t.match(done(t, shown), /\nhistory reaches from seq 1 \(\S+\) to seq \d+ \(\S+\)\n$/);
  for (const [index, seq] of early.entries()) {
    const origin: Origin = JSON.parse(done(t, restored[index] as Ending));
    t.same([origin.seq, origin.stateHash], [seq, hashes.get(seq)], `seq ${seq}`);
  }

  const second = await start(t, { args: manualArgs(folder) });
  t.same((await statusOf(second.client)).history, { coveredFromSeq: 1, isKept: false }, 'nothing is deleted yet');
  await round(second.client, 'after');
  const [, last] = newest;
  t.same((await statusOf(second.client)).history, { coveredFromSeq: last, isKept: false });
  await second.galaxyd.stop();

  const third = await start(t, { args: manualArgs(folder, '--keep-history') });
  const newestSeq = await round(third.client, 'kept-again');
  t.same(
    (await statusOf(third.client)).history,
    { coveredFromSeq: last, isKept: true },
    'deleted history does not come back',
  );
  await third.galaxyd.stop();
  t.match(JSON.parse(done(t, await galaxyd(t, 'snapshots', ...data, '--json'))), [{ coveredFromSeq: last }]);
  await t.resolves(verifiedHash(folder));

  await t.test('if the log cannot be read, snapshots are listed without the covered range', async (t) => {
    const log = join(folder, 'log');
    const [segment = ''] = (await readdir(log)).sort().reverse();
    await rm(join(log, segment), { recursive: true });
    await writeFile(join(log, segment), '');
    const [listed, shown] = await runInTurn(t, [
      ['snapshots', ...data, '--json'],
      ['snapshots', ...data],
    ]);
    t.match(JSON.parse(done(t, listed)).at(-1), { seq: newestSeq, coveredFromSeq: null });
    const sentence = `galaxyd cannot tell how far back history reaches: .*${segment}`;
    t.match(done(t, shown), new RegExp(`\n${newestSeq} .*\n${sentence}`));
  });
});
