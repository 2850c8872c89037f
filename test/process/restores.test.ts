// `galaxyd restore --until-seq` at random seqs of a world that bots have played, compared with a plain replay of the
// whole log. The test keeps the segments that the server prunes. RESTORES=100 tries a hundred seqs.
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Origin } from '../../persistence/stores/origin.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Client } from '../support/process/client.js';
import { DeedLedger } from '../support/process/deed-ledger.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { type Ending, GalaxydProcess, runInTurn } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, done, serveArgs } from '../support/process/operator.js';
import { replayLog } from '../support/process/replayed-log.js';
import { Swarm } from '../support/process/swarm.js';
import { verifiedHash } from '../support/process/verified-hash.js';

const RESTORES = Number(process.env['RESTORES'] ?? 1);
const LIVES = 3;
const BOTS = 16;
const SPEED = '20000';

t.test(`a restore to each of ${RESTORES} random seqs gives the state of a plain replay`, async (t) => {
  const seed = drawSeed(t);
  const draws = new Draws(seed);
  const folder = await temporaryFolder(t);
  const kept = await temporaryFolder(t);
  const swarm = new Swarm(new DeedLedger(), new Draws(seed + 1), BOTS, ADMIN_KEY);
  const args = serveArgs(folder, '--speed', SPEED, '--min-free-mib', '0', '--admin-key', ADMIN_KEY);
  let olderSeq = 0;
  let newerSeq = 0;
  for (let life = 1; life <= LIVES; life += 1) {
    const galaxyd = await GalaxydProcess.start(t, { args });
    const client = new Client(galaxyd.url, ADMIN_KEY);
    swarm.begin(galaxyd.url);
    await swarm.acknowledged(draws.between(100, 300));
    const taken = await client.post<{ seq: number }>('/api/admin/snapshot');
    t.equal(taken.status, 201);
    olderSeq = newerSeq;
    newerSeq = taken.body.seq;
    await swarm.acknowledged(draws.between(100, 300));
    swarm.end();
    await swarm.settled();
    client.close();
    t.equal((await galaxyd.stop()).code, 0);
    // Before the next server prunes it.
    await cp(join(folder, 'log'), join(kept, 'log'), { recursive: true });
  }
  const segments = await readdir(join(folder, 'log'));
  t.ok(segments.length < (await readdir(join(kept, 'log'))).length, 'the server has pruned segments');

  const { engine } = await replayLog(kept);
  const lastSeq = engine.seq;
  const seqs = Array.from({ length: RESTORES }, () => draws.between(olderSeq, lastSeq));
  const { hashes } = await replayLog(kept, { hashAt: seqs });
  t.comment(`${lastSeq} entries; seqs from ${olderSeq} on can be restored, with a snapshot at ${newerSeq} between`);
  const place = await temporaryFolder(t);
  const folders = seqs.map((_seq, index) => join(place, String(index)));
  const endings = await runInTurn(
    t,
    seqs.map((seq, index) => {
      return ['restore', '--data', folder, '--to', folders[index] ?? '', '--until-seq', String(seq), '--json'];
    }),
  );
  for (const [index, seq] of seqs.entries()) {
    const origin: Origin = JSON.parse(done(t, endings[index] as Ending));
    t.same([origin.seq, origin.stateHash], [seq, hashes.get(seq)], `seq ${seq}`);
    const { engine: expected } = await replayLog(kept, { untilSeq: seq });
    expected.beginLineage(origin.base);
    t.equal(await verifiedHash(folders[index] ?? ''), expected.stateHash(), 'and the folder goes on from there');
  }
});
