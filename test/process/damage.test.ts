// Damaged data folders of `galaxyd serve`: it reports them in one sentence with the seq, and leaves them as they are.
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { runGalaxyd } from '../support/process/galaxyd-process.js';
import { cutShort, operateOnLog, withFlippedBit } from '../support/process/log-surgery.js';
import { refused, serveArgs, start, statusOf } from '../support/process/operator.js';
import { storedRecords } from '../support/process/replayed-log.js';
import { unprivileged } from '../support/process/unprivileged.js';

t.test('a damaged log', async (t) => {
  const world = await temporaryFolder(t);
  const { galaxyd, client } = await start(t, { args: serveArgs(world) });
  for (const name of ['ada', 'bob', 'cy', 'di']) await client.post('/api/game/player', { name, isBot: true });
  await galaxyd.stop();
  /** A copy of a stopped world with some records. @returns its folder */
  const stoppedWorld = async (t: Test): Promise<string> => {
    const folder = join(await temporaryFolder(t), 'world');
    await cp(world, folder, { recursive: true });
    return folder;
  };

  t.test('in the middle is refused with its seq, and left as it is', async (t) => {
    const folder = await stoppedWorld(t);
    await operateOnLog(folder, (records) =>
      records.map((record) => (record.firstSeq === 3 ? withFlippedBit(record) : record)),
    );
    const before = await storedRecords(join(folder, 'log'));
    const ending = await runGalaxyd(t, { args: serveArgs(folder) });
    refused(t, ending, 3, /^galaxyd cannot serve: the log cannot be replayed from seq 3 on: .*wrong_checksum.*\n$/);
    t.same(await storedRecords(join(folder, 'log')), before);
  });

  t.test('with a record missing is refused with its seq', async (t) => {
    const folder = await stoppedWorld(t);
    await operateOnLog(folder, (records) => records.filter(({ firstSeq }) => firstSeq !== 4));
    const ending = await runGalaxyd(t, { args: serveArgs(folder) });
    refused(t, ending, 3, /^galaxyd cannot serve: the log cannot be replayed from seq 4 on: .*begins at 5\n$/);
  });

  t.test('whose file is overwritten is refused, and left as it is', async (t) => {
    const folder = await stoppedWorld(t);
    const file = join(folder, 'log', 'log-0000000000000001', 'data.mdb');
    const damaged = Buffer.alloc((await readFile(file)).length, 0x5a);
    await writeFile(file, damaged);
    const ending = await runGalaxyd(t, { args: serveArgs(folder) });
    refused(t, ending, 3, /^galaxyd cannot serve: the log segment .*data\.mdb.*.*\n$/);
    t.same(await readFile(file), damaged, 'left as it is');
  });

  t.test('with a torn tail is reported once, and the world continues without it', async (t) => {
    const folder = await stoppedWorld(t);
    await operateOnLog(folder, (records) => [...records.slice(0, -1), ...records.slice(-1).map(cutShort)]);
    const { galaxyd, client } = await start(t, { args: serveArgs(folder) });
    t.match(galaxyd.stdout, /^galaxyd dropped an incomplete record of \d+ bytes at seq 5$/m);
    t.equal((await statusOf(client)).seq, 4);
    t.equal(
      (await client.post('/api/game/player', { name: 'di', isBot: true })).status,
      201,
      'the lost player can be created again',
    );
    await galaxyd.stop();
    const again = await start(t, { args: serveArgs(folder) });
    t.notMatch(again.galaxyd.stdout, /dropped/);
    t.equal((await statusOf(again.client)).seq, 5);
  });
});

t.test('an unusable folder is refused in a sentence', async (t) => {
  t.test('below a path that is not a folder', async (t) => {
    const ending = await runGalaxyd(t, { args: serveArgs('/dev/null/world') });
    refused(t, ending, 1, /^galaxyd cannot serve: .*\/dev\/null\/world.*\n$/);
  });

  t.test('in a folder without write permission', async (t) => {
    const by = await unprivileged(t);
    if (by === null) return;
    const folder = await temporaryFolder(t);
    const inside = join(folder, 'closed');
    await mkdir(inside);
    await chmod(folder, 0o755);
    await chmod(inside, 0o555);
    const ending = await runGalaxyd(t, { args: serveArgs(join(inside, 'world')), by });
    refused(t, ending, 1, /^galaxyd cannot serve: .*closed.*\n$/);
  });

  t.test('a folder whose parents are missing is created', async (t) => {
    const folder = join(await temporaryFolder(t), 'a', 'b', 'world');
    const { galaxyd, client } = await start(t, { args: serveArgs(folder) });
    t.equal((await client.post('/api/game/player', { name: 'ada', isBot: true })).status, 201);
    t.equal((await galaxyd.stop()).code, 0);
  });
});
