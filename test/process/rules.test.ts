// A world with custom rules from a file: bots play it while its server is killed, its rules are switched in mid-game,
// and it is recovered unchanged from its log, from a snapshot and from a restore.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import type { RulesIdentityBody } from '../../http/schemas/world.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { CUSTOM } from '../support/custom-rules.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { playFifteenDays, WRITES_PER_HOUR } from '../support/process/fifteen-days.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { ADMIN_KEY, galaxyd, manualArgs, refused, start, stateOf, statusOf } from '../support/process/operator.js';
import { replayLog } from '../support/process/replayed-log.js';
import { serveRestored } from '../support/process/restored-server.js';
import { SequentialPlayer } from '../support/process/sequential-player.js';
import { verifiedHash } from '../support/process/verified-hash.js';

const HOURS = shortOrLong(14, 240);
const KILLS = shortOrLong(2, 20);
const BOTS = 20;
/** With this seed the bots build something that only these rules have before HOURS are over. */
const SCRIPT_SEED = 3;

/** The same types and one more, with other costs: a world of CUSTOM can be switched to it. */
const NEXT: RuleSet = {
  ...CUSTOM,
  version: CUSTOM.version + 1,
  ships: [
    ...CUSTOM.ships.map((ship) => ({ ...ship, baseSeconds: ship.baseSeconds * 2 })),
    { ...(CUSTOM.ships[0] as RuleSet['ships'][number]), type: 'probe' },
  ],
};

t.test('rules from a file are played through kills, a switch, a snapshot and a restore', async (t) => {
  const draws = new Draws(drawSeed(t));
  const place = await temporaryFolder(t);
  const folder = join(place, 'world');
  const file = join(place, 'custom.json');
  await writeFile(file, JSON.stringify(CUSTOM));
  const killAfter = new Set(Array.from({ length: KILLS }, () => draws.below(HOURS * WRITES_PER_HOUR)));
  let writes = 0;
  const killAfterMs = (): number | null => {
    writes += 1;
    return killAfter.has(writes) ? draws.below(3) : null;
  };
  const args = manualArgs(folder);

  const player = await SequentialPlayer.begin({
    start: () => GalaxydProcess.start(t, { args: [...args, '--rules', file] }),
    adminKey: ADMIN_KEY,
    killAfterMs,
  });
  await playFifteenDays(player, { seed: SCRIPT_SEED, hours: HOURS, bots: BOTS, rules: CUSTOM });
  const told = await player.finish();
  const { engine } = await replayLog(folder);
  t.same({ seq: engine.seq, hash: engine.stateHash() }, { seq: told.seq, hash: told.hash });
  const { answered, kept, lost } = player.tally;
  t.comment(`${answered + kept + lost} kills; ${told.seq} entries`);
  const built = [...engine.world.players.values()]
    .flatMap(({ planets }) => planets)
    .map(({ levels }) => levels.at(-1) ?? 0);
  t.ok(
    built.some((level) => level > 0),
    'a bot has built something that only these rules have',
  );

  const wrong = await galaxyd(t, ...args, '--rules', 'standard-1');
  refused(t, wrong, 78, /has rules custom version 3 \([0-9a-f]{16}\) and cannot be started with standard-1/);

  const first = await start(t, { args, rules: null });
  const switched = await first.client.post<RulesIdentityBody>('/api/admin/rules', NEXT);
  t.match(switched, { status: 200, body: { name: 'custom', version: 4 } });
  const before = await stateOf(first.client);
  await first.galaxyd.kill();

  const second = await start(t, { args, rules: null });
  t.same(await stateOf(second.client), before, 'after a kill it comes back with the new rules');
  t.same((await statusOf(second.client)).rules, switched.body);
  t.equal((await second.client.post('/api/admin/snapshot')).status, 201);
  t.same(await second.galaxyd.stop().then(({ code }) => code), 0);
  t.equal(await verifiedHash(folder), before.hash, 'log and snapshot agree');

  const third = await serveRestored(t, folder, join(place, 'restored'), before);
  t.same((await statusOf(third)).rules, switched.body);
});
