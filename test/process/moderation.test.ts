// A real server whose operator suspends and renames a player, announces something and blocks an address: all of it survives a kill, its log
// replays to the same state, and restored and forked worlds have it as far as it is theirs. The command line does the same as requests.
import { join } from 'node:path';
import t from 'tap';
import type { AuditRecord } from '../../http/admission/audit.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { PlayerState } from '../support/process/bot-choices.js';
import { runGalaxyd } from '../support/process/galaxyd-process.js';
import {
  ADMIN_KEY,
  done,
  manualArgs,
  refused,
  galaxyd as run,
  start,
  stateOf,
  statusOf,
} from '../support/process/operator.js';

t.test('suspension, name, announcement, block and trail survive a kill, a restore and a fork', async (t) => {
  const world = join(await temporaryFolder(t), 'world');
  const args = manualArgs(world, '--trusted-proxies', '127.0.0.1');
  const first = await start(t, { args });
  const admin = (...line: string[]) =>
    runGalaxyd(t, {
      args: ['admin', ...line],
      env: { GALAXYD_ADMIN_KEY: ADMIN_KEY, GALAXYD_SERVER: first.galaxyd.url },
    });
  const { body: ada } = await first.client.post<PlayerState>('/api/game/player', { name: 'ada', isBot: true });
  const { seq: before } = await stateOf(first.client);
  done(t, await admin('renamePlayer', ada.id, '--set', 'name=grace'));
  const suspended = JSON.parse(done(t, await admin('suspendPlayer', ada.id, '--json'))) as { suspendedAt: string };
  done(t, await admin('announce', '--set', 'text=hello', '--set', 'untilSeconds=3600'));
  done(t, await admin('blockAddress', '--set', 'address=203.0.113.7', '--set', 'seconds=3600'));
  t.match(JSON.parse(done(t, await admin('listPlayers', '--set', 'limit=1', '--json'))), {
    players: [{ name: 'grace' }],
  });
  t.match(
    done(t, await admin()),
    /suspendPlayer PLAYERID\n {4}\/api\/admin\/player\/:playerId\/suspend: Suspends a player\./,
  );
  refused(
    t,
    await admin('suspendPlayer'),
    2,
    /write galaxyd admin suspendPlayer PLAYERID, and name everything else with --set name=value/,
  );
  refused(t, await admin('dance'), 2, /there is no operation dance/);
  refused(t, await admin('suspendPlayer', 'player-99'), 1, /was refused with 404 player_not_found/);
  const state = await stateOf(first.client);
  await first.galaxyd.kill();

  const { client, galaxyd } = await start(t, { args });
  t.same(await stateOf(client), state);
  t.match(await statusOf(client), { announcement: { text: 'hello' } });
  const research = { playerId: ada.id, researchType: 'drive_ion' };
  t.match((await client.post('/api/research/start', research)).body, { code: 'player_suspended' });
  const fromBlocked = await fetch(`${galaxyd.url}/api/status`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  t.equal(fromBlocked.status, 403, 'the block survives the kill');
  await galaxyd.stop();
  done(t, await run(t, 'verify', '--data', world));

  const records = JSON.parse(done(t, await run(t, 'audit', '--data', world, '--json'))) as AuditRecord[];
  t.same(
    records.map(({ operation, status }) => `${operation} ${status}`),
    ['renamePlayer 200', 'suspendPlayer 200', 'announce 200', 'blockAddress 200', 'suspendPlayer 404'],
  );
  t.ok(records.every(({ key, address }) => key === 'admin-key' && address === '127.0.0.1'));
  t.match(done(t, await run(t, 'audit', '--data', world)), /admin-key {2}127\.0\.0\.1 {2}POST \/api\/admin\/announce/);

  const earlier = join(await temporaryFolder(t), 'earlier');
  done(t, await run(t, 'restore', '--data', world, '--to', earlier, '--until-seq', String(before)));
  const back = await start(t, { args: manualArgs(earlier) });
  t.match((await back.client.get(`/api/game/state/${ada.id}`)).body, { name: 'ada' });
  t.equal((await back.client.post('/api/research/start', research)).status, 200, 'it was not suspended then');
  const forked = join(await temporaryFolder(t), 'forked');
  done(t, await run(t, 'fork', '--data', world, '--to', forked));
  const fork = await start(t, { args: manualArgs(forked) });
  t.match((await fork.client.get(`/api/game/state/${ada.id}`)).body, {
    name: 'grace',
    suspendedAt: suspended.suspendedAt,
  });
  t.match(done(t, await run(t, 'audit', '--data', forked)), /no action of an operator is recorded/);
});
