// Damaged data folders of `galaxyd serve`: it reports them in one sentence with the seq, and leaves them as they are. The tables of
// damage-table.test.ts have more damage; here the sentences name the exact place.
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { openFolder } from '../support/opened-world.js';
import { runGalaxyd } from '../support/process/galaxyd-process.js';
import { cutShort, operateOnLog, withFlippedBit } from '../support/process/log-surgery.js';
import { createBot, refused, refusedLine, serveArgs, start, statusOf, testLines } from '../support/process/operator.js';
import { storedRecords } from '../support/process/replayed-log.js';
import { unprivileged } from '../support/process/unprivileged.js';

t.test('a damaged log', async (t) => {
  const world = join(await temporaryFolder(t), 'whose', 'parents', 'are-missing');
  const { galaxyd, client } = await start(t, { args: serveArgs(world) });
  for (const name of ['ada', 'bob', 'cy', 'di']) t.equal(await createBot(client, name), 201);
  await galaxyd.stop();
  const place = await temporaryFolder(t);
  const copiedTo = async (name: string): Promise<string> => {
    await cp(world, join(place, name), { recursive: true });
    return join(place, name);
  };
  const flipped = await copiedTo('flipped');
  await operateOnLog(flipped, (records) =>
    records.map((record) => (record.firstSeq === 3 ? withFlippedBit(record) : record)),
  );
  const before = await storedRecords(join(flipped, 'log'));
  const gap = await copiedTo('gap');
  await operateOnLog(gap, (records) => records.filter(({ firstSeq }) => firstSeq !== 4));
  const overwritten = await copiedTo('overwritten');
  const file = join(overwritten, 'log', 'log-0000000000000001', 'data.mdb');
  const damaged = Buffer.alloc((await readFile(file)).length, 0x5a);
  await writeFile(file, damaged);
  await testLines(t, [
    refusedLine(
      'a flipped bit',
      serveArgs(flipped),
      3,
      /^galaxyd cannot serve: .* from seq 3 on: .*wrong_checksum.*\n$/,
    ),
    refusedLine('a missing record', serveArgs(gap), 3, /^galaxyd cannot serve: .* from seq 4 on: .*begins at 5\n$/),
    refusedLine(
      'an overwritten file',
      serveArgs(overwritten),
      3,
      /^galaxyd cannot serve: the log segment .*data\.mdb.*\n$/,
    ),
    refusedLine('no folder', serveArgs('/dev/null/world'), 78, /^galaxyd cannot serve: .*\/dev\/null\/world.*\n$/),
  ]);
  t.same(await storedRecords(join(flipped, 'log')), before, 'left as it is');
  t.same(await readFile(file), damaged, 'left as it is');

  await t.test('with a torn tail is reported once, and the world continues without it', async (t) => {
    const folder = await copiedTo('torn');
    await operateOnLog(folder, (records) => [...records.slice(0, -1), ...records.slice(-1).map(cutShort)]);
    const { galaxyd, client } = await start(t, { args: serveArgs(folder) });
    t.match(galaxyd.stdout, /^galaxyd dropped an incomplete record of \d+ bytes at seq 5$/m);
    t.equal((await statusOf(client)).seq, 4);
    t.equal(await createBot(client, 'di'), 201, 'the lost player can be created again');
    await galaxyd.stop();
    const { engine, recovery } = await openFolder(t, folder);
    t.same([engine.seq, recovery.tornTail], [5, undefined]);
  });
});

t.test('a folder without write permission is refused in a sentence', async (t) => {
  const by = await unprivileged(t);
  if (by === null) return;
  const folder = await temporaryFolder(t);
  const inside = join(folder, 'closed');
  await mkdir(inside);
  await chmod(folder, 0o755);
  await chmod(inside, 0o555);
  const ending = await runGalaxyd(t, { args: serveArgs(join(inside, 'world')), by });
  refused(t, ending, 78, /^galaxyd cannot serve: .*closed.*\n$/);
});
