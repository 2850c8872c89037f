// A server keeps serving if its log lines cannot be written, because its disk is full or its output is not read any
// more.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { Client } from '../../support/process/client.js';
import { freePort } from '../../support/process/free-port.js';
import { GalaxydProcess, runGalaxyd } from '../../support/process/galaxyd-process.js';
import { shortOrLong } from '../../support/process/lengths.js';
import { ADMIN_KEY, createBot, manualArgs } from '../../support/process/operator.js';
import { SmallDisk } from '../../support/process/small-disk.js';

const FORMATS: readonly string[] = ['json', 'text'];
const ASK_EVERY_MS = 20;

/** @param script of a shell, which becomes the server with $@ */
async function startRedirected(
  t: Test,
  folder: string,
  script: string,
  { format = 'text', by = [] }: { format?: string; by?: readonly string[] } = {},
): Promise<{ galaxyd: GalaxydProcess; client: Client }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = manualArgs(folder, '--port', String(port), '--log-format', format);
  const shell = [...by, 'sh', '-c', script, 'sh'];
  const galaxyd = await GalaxydProcess.startUnheard(t, { args, by: shell }, url);
  const client = new Client(url, ADMIN_KEY);
  t.teardown(() => client.close());
  return { galaxyd, client };
}

async function droppedLines(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^galaxyd_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

const REDIRECTIONS = ['>/dev/full', '>/dev/full 2>&1', '2>/dev/full'] as const;

for (const [index, redirection] of REDIRECTIONS.entries()) {
  // Both formats use the same output, so each redirection needs only one of them.
  for (const format of shortOrLong(FORMATS.slice(index % 2, (index % 2) + 1), FORMATS)) {
    t.test(`with ${redirection} as ${format} it serves, and stops in order`, async (t) => {
      const folder = await temporaryFolder(t);
      const { galaxyd, client } = await startRedirected(t, folder, `exec "$@" ${redirection}`, { format });
      t.equal(await createBot(client, 'ada'), 201);
      t.equal((await client.post('/api/admin/snapshot', {})).status, 201);
      t.equal((await droppedLines(galaxyd.url)) > 0, redirection.startsWith('>'));
      t.same(await galaxyd.stop().then(({ code, signal }) => [code, signal]), [0, null]);
    });
  }
}

t.test('a failed write to standard error does not change its exit code', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'origin.json'), 'ships');
  const by = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'];
  const { code, signal } = await runGalaxyd(t, { args: manualArgs(folder), by });
  t.same({ code, signal }, { code: 3, signal: null });
});

/** The reader of the pipe ends at once. */
const readerLeaves = (pipe: string): string => `mkfifo ${pipe}; true <${pipe} & exec "$@" >${pipe}`;

for (const format of shortOrLong(FORMATS.slice(1), FORMATS)) {
  t.test(`when its pipe has no reader any more, as ${format}, it keeps serving`, async (t) => {
    const folder = await temporaryFolder(t);
    const { galaxyd, client } = await startRedirected(t, folder, readerLeaves(join(folder, 'pipe')), { format });
    t.equal(await createBot(client, 'ada'), 201);
    t.equal((await client.post('/api/admin/snapshot', {})).status, 201);
    t.ok((await droppedLines(galaxyd.url)) > 0);
  });
}

t.test('if the disk of its output is full, reads go on, and later it reports how many lines are missing', async (t) => {
  const disk = await SmallDisk.make(t, 64);
  if (typeof disk === 'string') {
    t.pass(`not tested: ${disk}`, { skip: disk });
    return;
  }
  const output = 'server.log';
  const script = `exec "$@" >>${join(disk.folder, output)} 2>&1`;
  const { galaxyd, client } = await startRedirected(t, join(disk.folder, 'world'), script, { by: disk.by });
  t.equal(await createBot(client, 'ada'), 201);
  await disk.fill();
  // Each failure is a line; the first ones still find room in the last block of the file.
  while ((await droppedLines(galaxyd.url)) < 3) {
    t.equal((await client.post('/api/admin/snapshot', {})).status, 503);
  }
  t.equal((await client.get('/api/game/state/player-1')).status, 200);
  await disk.relieve();
  t.equal((await client.post('/api/admin/snapshot', {})).status, 201);
  const text = await readFile(join(disk.seenFolder, output), 'utf8');
  t.match(text, /\ngalaxyd could not write \d+ lines of its log\ngalaxyd took a snapshot/);
  // While the disk fills, a line may find room again, and reports those before it.
  const dropped = [...text.matchAll(/could not write (\d+) lines? of its log/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  t.ok(dropped >= 3, `${dropped} lines were dropped`);
  // The metrics may be cached.
  while ((await droppedLines(galaxyd.url)) < dropped) await delay(ASK_EVERY_MS);
  t.equal(await droppedLines(galaxyd.url), dropped);
  t.same(await galaxyd.stop().then(({ code, signal }) => [code, signal]), [0, null]);
});
