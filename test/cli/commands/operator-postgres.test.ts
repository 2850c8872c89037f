// The operator's subcommands on worlds in a real PostgreSQL: moved there from the folder of a running server, read,
// snapshotted, restored, forked, handed over and moved back. No output contains the password.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { logEntries } from '../../../persistence/recovery/log-entries.js';
import { storeAt } from '../../../persistence/store-url.js';
import { copyWorld } from '../../../persistence/upkeep/copy.js';
import { verifyWorld } from '../../../persistence/upkeep/verify.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { DATABASE, PASSWORD, type Postgres, startPostgres } from '../../support/postgres/postgres.js';
import '../../support/ended-fetch.js';
import { eachSubcommand } from '../../support/process/each-subcommand.js';
import { GalaxydProcess, interruptGalaxyd, runGalaxyd, runInTurn } from '../../support/process/galaxyd-process.js';
import { keptWorld } from '../../support/process/kept-world.js';
import { ONLY_LONG, shortOrLong } from '../../support/process/lengths.js';
import { done, galaxyd, manualArgs, refused, start } from '../../support/process/operator.js';
import { WorldStory } from '../../support/world-story.js';
import { HistoryWriter } from '../../support/written-history.js';

const ASK_EVERY_MS = 20;
const SNAPSHOT_SEQS = [8, 16] as const;
const isLong = shortOrLong(false, true);

const postgres = await startPostgres(t);
if (postgres !== null) await withPostgres(postgres);

/** A small world in a folder, with two snapshots. */
async function writtenWorld(t: Test): Promise<string> {
  const folder = join(await temporaryFolder(t), 'world');
  const story = new WorldStory();
  for (let number = 1; number <= 20; number += 1) story.bot(`bot-${number}`);
  const store = storeAt(folder, { diskFloorBytes: 1 });
  const writer = await HistoryWriter.open({ store, snapshotSeqs: SNAPSHOT_SEQS, recordEntries: 3 });
  await writer.write(story.entries);
  await writer.close();
  return folder;
}

async function withPostgres(postgres: Postgres): Promise<void> {
  const folder = await writtenWorld(t);
  const [older, newer] = SNAPSHOT_SEQS;

  await t.test('a world moves from the folder of a running server: no acknowledged command is missing', async (t) => {
    const { galaxyd: server, client } = await start(t, { args: manualArgs(folder) });
    const acknowledged: string[] = [];
    const play = async (): Promise<void> => {
      for (let number = 1; ; number += 1) {
        const { status } = await client.post('/api/game/player', { name: `mover-${number}`, isBot: true });
        if (status !== 201) return;
        acknowledged.push(`mover-${number}`);
      }
    };
    const playing = play().catch(() => {});
    const to = postgres.url();
    const args = ['copy', '--from', folder, '--to', to, '--json', '--switch', `kill -TERM ${server.pid}`];
    const ending = await runGalaxyd(t, { args });
    await playing;
    t.match(
      ending.stderr,
      /galaxyd copied and verified .* and follows its server\ngalaxyd stops the server: kill -TERM/,
    );
    t.match(JSON.parse(ending.stdout), { seq: Number, switchMs: Number, isSourceInUse: false });
    t.ok(acknowledged.length > 0, 'commands were acknowledged beside the copy');
    const store = storeAt(to);
    const { lastSeq } = await verifyWorld(store);
    const names = new Set<unknown>();
    const log = await store.openLog();
    for await (const { command } of logEntries(log, 1)) if ('name' in command) names.add(command.name);
    await log.close();
    t.same(
      acknowledged.filter((name) => !names.has(name)),
      [],
      'every acknowledged command is there',
    );
    t.equal(JSON.parse(ending.stdout).seq, lastSeq);
    noPassword(t, ending);
  });

  await t.test('each subcommand works with a world there', async (t) => {
    const there = postgres.url('kept');
    const anew = await temporaryFolder(t);
    const from = ['--data', there];
    const [{ port } = { port: 0 }] = postgres.hosts;
    const wrong = (login: string, rest: string): string => `postgres://${login}@127.0.0.1:${port}/${rest}`;
    const endings = await runInTurn(t, [
      ['copy', '--from', folder, '--to', there, '--json'],
      ['copy', '--from', folder, '--to', there],
      ['log', ...from, '--from', String(newer + 1)],
      ['verify', ...from, '--json'],
      ['snapshots', ...from],
      ['status', ...from, '--json'],
      ['snapshot', ...from],
      ['restore', ...from, '--to', join(anew, 'restored'), '--until-seq', String(older + 1), '--json'],
      ['restore', '--data', folder, '--to', postgres.url('restored'), '--until-seq', String(older)],
      ['fork', ...from, '--to', postgres.url('forked'), '--json'],
      ['copy', '--from', there, '--to', join(anew, 'back'), '--json'],
      ['verify', '--data', join(anew, 'back'), '--json'],
      ['snapshots', '--data', postgres.url('missing')],
      ['verify', '--data', wrong(`galaxyd:${PASSWORD}-not`, DATABASE)],
      ['status', '--data', wrong(`galaxyd:${PASSWORD}`, 'missing')],
      ['log', '--data', wrong(`galaxyd:${PASSWORD}`, `${DATABASE}?world=A`)],
      ['copy', '--from', folder, '--to', wrong(`galaxyd:${PASSWORD}`, '')],
    ]);
    const [copied, again, log, verified, listed, said, taken, restored, restoredThere, forked, ...others] = endings;
    const [back, sound, missing, ...refusals] = others;
    const { stateHash, recordHash, seq } = JSON.parse(done(t, copied));
    refused(t, again, 1, /never overwrites/);
    t.equal(done(t, log).trimEnd().split('\n').length, seq - newer);
    t.match(JSON.parse(done(t, verified)), {
      isSound: true,
      seq,
      stateHash,
      snapshots: [{ seq: older }, { seq: newer }],
    });
    t.match(done(t, listed), new RegExp(`\n${older} .*\n${newer} .*\nhistory reaches from seq 1 `));
    t.match(JSON.parse(done(t, said)), {
      seq,
      isInUse: false,
      lease: { epoch: 0 },
      members: [],
      snapshot: { seq: newer },
    });
    t.match(done(t, taken), `galaxyd wrote the snapshot at seq ${seq}`);
    t.match(JSON.parse(done(t, restored)), { kind: 'restore', from: 'kept', seq: older + 1 });
    t.match(done(t, restoredThere), `seq ${older} of world`);
    t.match(JSON.parse(done(t, forked)), { kind: 'fork', from: 'kept', stateHash });
    t.match(JSON.parse(done(t, back)), { seq, stateHash, recordHash });
    t.match(JSON.parse(done(t, sound)), { seq, stateHash });
    refused(t, missing, 1, /there is no world in postgres:\/\/galaxyd@127\.0\.0\.1:\d+\/world\?world=missing/);
    t.same(
      refusals.map(({ code }) => code),
      [78, 78, 2, 2],
    );
    noPassword(t, ...endings);
  });

  await t.test('a copy that is interrupted or killed leaves nothing that is in the way', async (t) => {
    const schemas = async (): Promise<string> =>
      await postgres.psql(
        "SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^(pg_|info)'",
      );
    const before = await schemas();
    const held = await storeAt(folder, { diskFloorBytes: 1 }).open();
    const args = ['copy', '--from', folder, '--to', postgres.url('late'), '--follow'];
    if (isLong) {
      const interrupted = await interruptGalaxyd(t, { args }, 'follows its server');
      t.equal(interrupted.signal, 'SIGINT');
      t.match(interrupted.stderr, 'galaxyd copy: it was interrupted and leaves nothing behind\n');
      t.equal(await schemas(), before);
    }
    const killed = await interruptGalaxyd(t, { args }, 'follows its server', 'SIGKILL');
    t.equal(killed.signal, 'SIGKILL');
    await held.log.close();
    await held.release();
    const signal = new AbortController().signal;
    await copyWorld({ from: storeAt(folder), to: storeAt(postgres.url('late')), signal });
    t.equal(await schemas(), before.replace('kept', 'kept late'), 'the next copy has removed what the killed one left');
    noPassword(t, killed);
  });

  await t.test('promote hands over to a standby, and status says who leads', async (t) => {
    const data = postgres.url();
    const serve = (): Promise<GalaxydProcess> => GalaxydProcess.start(t, { args: manualArgs(data) });
    const first = await serve();
    await isServed(first, 'leader');
    const [nobody, alone, unknown, already] = await runInTurn(t, [
      ['promote', '--data', postgres.url('kept')],
      ['promote', '--data', data],
      ['promote', '--data', data, '--to', 'http://127.0.0.1:1'],
      ['promote', '--data', data, '--to', first.url],
    ]);
    refused(t, nobody, 1, /^galaxyd promote: no process leads the world in postgres:\/\/galaxyd@/);
    refused(t, alone, 1, /there is no standby of the world in .*; start another galaxyd serve on the same store first/);
    refused(t, unknown, 1, /http:\/\/127\.0\.0\.1:1 does not serve the world in .*; these do, the leader first: http/);
    t.match(done(t, already), `${first.url} leads already (epoch `);
    const second = await serve();
    await isServed(second, 'standby');
    const [promoted, said, told, ofServer] = await runInTurn(t, [
      ['promote', '--data', data],
      ['status', '--data', data, '--json'],
      ['status', '--data', data],
      ['status', '--server', second.url],
    ]);
    t.match(
      done(t, promoted),
      new RegExp(`^${second.url} leads \\(epoch \\d+\\); ${first.url} handed over in \\d+ ms\n$`),
    );
    const { isInUse, lease, members } = JSON.parse(done(t, said));
    t.match({ isInUse, lease }, { isInUse: true, lease: { leaderUrl: second.url, leaseMs: 2000, epoch: Number } });
    const roles = members.map(({ url, role }: { url: string; role: string }) => `${url} ${role}`);
    t.same(roles.sort(), [`${first.url} standby`, `${second.url} leader`].sort());
    t.match(done(t, told), `leader    ${second.url} (epoch `);
    t.match(done(t, ofServer), /^replica +\{.*"role":"leader"/m);
    await Promise.all([first.stop(), second.stop()]);
    noPassword(t, nobody, alone, unknown, already, promoted, said, told, ofServer);
  });

  await t.test('each form of each subcommand', { skip: isLong ? false : ONLY_LONG }, async (t) => {
    const kept = await keptWorld(t);
    const place = postgres.url('each');
    done(t, await galaxyd(t, 'copy', '--from', kept.folder, '--to', place));
    await eachSubcommand(t, { ...kept, place, name: 'each' });
  });
}

/** Waits until a server has found its role. */
async function isServed(server: GalaxydProcess, role: 'leader' | 'standby'): Promise<void> {
  for (;;) {
    const reply = await fetch(`${server.url}/api/status`);
    const { replica } = (await reply.json()) as { replica?: { role: string; leaderUrl: string | null } };
    if (replica?.role === role && replica.leaderUrl !== null) return;
    await delay(ASK_EVERY_MS);
  }
}

function noPassword(t: Test, ...endings: readonly { readonly stdout: string; readonly stderr: string }[]): void {
  for (const { stdout, stderr } of endings) t.notOk(`${stdout}${stderr}`.includes(PASSWORD), 'without the password');
}
