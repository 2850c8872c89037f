// A machine whose clock is years ahead: it moves no world, unless the operator allows it. The hours are in clock-jumps.test.ts.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { type Ending, GalaxydProcess, runGalaxyd } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, createBot, refused, serveArgs, start, statusOf } from '../support/process/operator.js';
import { replayLog } from '../support/process/replayed-log.js';

const DAY_MS = 86_400_000;
const AHEAD_DAYS = 20 * 366;
const CLOCK_JUMPED = 5;
const SENTENCE =
  /^galaxyd cannot serve: the clock of this machine says 20\d\d-\S+Z, \d+ days after the last entry of the log \(20\d\d-\S+Z\), and a world is never moved back; correct the clock, or allow the jump with --max-clock-jump-days \d+\n$/;

/** A world in which something is under way. */
async function playedWorld(t: Test, by: readonly string[] = []): Promise<string> {
  const folder = join(await temporaryFolder(t), 'world');
  const { galaxyd: server, client } = await start(t, { args: serveArgs(folder, '--admin-key', ADMIN_KEY), by });
  t.equal(await createBot(client, 'ada'), 201);
  await server.stop();
  return folder;
}

/** World times of all entries of its log. */
async function logOf(folder: string): Promise<number[]> {
  const instants: number[] = [];
  await replayLog(folder, { visit: ({ atMs }) => instants.push(atMs) });
  return instants;
}

t.test('a start years after the last entry is refused, and nothing happens in the world', async (t) => {
  const shift = join(await temporaryFolder(t), 'shift');
  const setClock = (days: number): Promise<void> => writeFile(shift, String(days * DAY_MS));
  const preload = new URL('../support/process/jumping-clock.js', import.meta.url);
  const by = ['env', `NODE_OPTIONS=--import=${preload}`, `CLOCK_SHIFT=${shift}`];
  await setClock(0);
  const folder = await playedWorld(t, by);
  const before = await logOf(folder);
  const args = serveArgs(folder, '--admin-key', ADMIN_KEY);
  const serveOnce = (env: Record<string, string> = {}): Promise<Ending> => runGalaxyd(t, { args, by, env });

  await setClock(AHEAD_DAYS);
  refused(t, await serveOnce(), CLOCK_JUMPED, SENTENCE);
  const manual = await GalaxydProcess.start(t, { args: [...args, '--clock', 'manual'], by });
  await manual.stop();
  t.same(await logOf(folder), before, 'no machine moves a manual clock either');

  await setClock(0);
  const { galaxyd: server, client } = await start(t, { args, by });
  const { worldTime } = await statusOf(client);
  await setClock(AHEAD_DAYS);
  const later = await statusOf(client);
  t.ok(Date.parse(later.worldTime) - Date.parse(worldTime) < DAY_MS, 'a running server counts what has passed');
  await server.stop();
  refused(t, await serveOnce(), CLOCK_JUMPED, SENTENCE);
  t.same(await logOf(folder), before);

  const env = { GALAXYD_MAX_CLOCK_JUMP_DAYS: String(AHEAD_DAYS + 1) };
  const allowed = await start(t, { args, by, env });
  const moved = Date.parse((await statusOf(allowed.client)).worldTime);
  t.ok(moved - Date.parse(worldTime) >= (AHEAD_DAYS - 1) * DAY_MS, 'the option allows it');
  t.equal(await createBot(allowed.client, 'bob'), 201);
  await allowed.galaxyd.stop();
  t.ok(((await logOf(folder)).at(-1) ?? 0) >= moved, 'the log continues there, so that later starts do not need it');
});

const isFaketimeMissing = spawnSync('faketime', ['--version']).status !== 0;

t.test(
  'the same on a machine whose every clock is years ahead',
  { skip: isFaketimeMissing && 'faketime is not installed' },
  async (t) => {
    const folder = await playedWorld(t);
    const before = await logOf(folder);
    const ahead = ['faketime', '-f', '+20y'];
    refused(t, await runGalaxyd(t, { args: serveArgs(folder), by: ahead }), CLOCK_JUMPED, SENTENCE);
    t.same(await logOf(folder), before);
  },
);
