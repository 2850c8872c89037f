// The row about snapshots of the table in the architecture: a real server, or its snapshot process, is killed at its
// operations on disk; at each of them with LONG=1. crash-table.test.ts has the other rows.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { openFolder } from '../support/opened-world.js';
import { Client, NoReply } from '../support/process/client.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { ADMIN_KEY, manualArgs } from '../support/process/operator.js';
import { Death } from '../support/process/points-of-death.js';
import { leftoversIn } from '../support/process/process-traces.js';
import { hashOf, worldWithSnapshots } from '../support/process/snapshot-worlds.js';

/** More operations than any snapshot needs. */
const OPERATIONS_MAX = 100;
/** The process dies at one of this many consecutive operations. */
const STRIDE = shortOrLong(8, 1);

t.test(
  'dies during a snapshot, or while old log is pruned | the previous snapshot serves, longer replay | nothing',
  async (t) => {
    const base = await worldWithSnapshots(t);
    const scratch = await temporaryFolder(t);
    const death = new Death(scratch);
    const firstNumber = new Draws(drawSeed(t)).between(1, STRIDE);

    t.test('the server, at operations on disk', async (t) => {
      let deaths = 0;
      for (let number = firstNumber; number <= OPERATIONS_MAX; number += STRIDE) {
        const folder = join(await temporaryFolder(t), 'world');
        await cp(base.folder, folder, { recursive: true });
        await death.comesAt({ at: 'file operation', of: 'server', number });
        const galaxyd = await GalaxydProcess.start(t, { args: manualArgs(folder), by: death.by });
        const isTaken = await takeSnapshot(galaxyd);
        if (isTaken) await galaxyd.kill();
        else t.equal((await galaxyd.ending()).signal, 'SIGKILL');
        const world = await openFolder(t, folder);
        t.equal(world.engine.stateHash(), base.stateHash, `operation ${number}`);
        t.same(world.recovery.damagedSnapshots, []);
        t.ok((world.recovery.snapshot?.seq ?? 0) >= (base.snapshotSeqs.at(-1) ?? 0), 'the newest complete snapshot');
        await world.close();
        t.same(await leftoversIn(folder), [], 'no leftovers remain after a start');
        if (isTaken) break;
        deaths += 1;
      }
      t.ok(deaths * STRIDE > 8 && deaths < OPERATIONS_MAX / STRIDE, `${deaths} deaths`);
    });

    t.test('its snapshot process, at operations on disk', async (t) => {
      const folder = join(await temporaryFolder(t), 'world');
      await cp(base.folder, folder, { recursive: true });
      await death.comesAt({ at: 'file operation', of: 'snapshot process', number: OPERATIONS_MAX });
      const galaxyd = await GalaxydProcess.start(t, { args: manualArgs(folder), by: death.by });
      let deaths = 0;
      for (let number = firstNumber; number <= OPERATIONS_MAX; number += STRIDE) {
        await death.comesAt({ at: 'file operation', of: 'snapshot process', number });
        if (await takeSnapshot(galaxyd)) break;
        deaths += 1;
      }
      t.ok(deaths * STRIDE > 6 && deaths < OPERATIONS_MAX / STRIDE, `${deaths} deaths`);
      t.same(await leftoversIn(folder), [], 'the next one has removed their leftovers');
      t.equal(await hashOf(galaxyd.url), base.stateHash, 'the server has gone on');
      await galaxyd.printed(new RegExp(`(could not take a snapshot and continues without it.*){${deaths}}`, 's'));
      t.equal(
        galaxyd.stdout.match(/could not take a snapshot and continues without it/g)?.length,
        deaths,
        'and has reported each',
      );
      await galaxyd.kill();
      const world = await openFolder(t, folder);
      t.equal(world.engine.stateHash(), base.stateHash);
      t.equal(world.recovery.entryCount, 0, 'the last snapshot is used');
      await world.close();
    });
  },
);

/** @returns false if it failed, or the server died before it replied */
async function takeSnapshot({ url }: GalaxydProcess): Promise<boolean> {
  const client = new Client(url, ADMIN_KEY);
  try {
    return (await client.post('/api/admin/snapshot', {})).status === 201;
  } catch (error) {
    if (error instanceof NoReply) return false;
    throw error;
  } finally {
    client.close();
  }
}
