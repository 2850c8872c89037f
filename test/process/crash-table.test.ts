// Each row of the table in the architecture: a real server is killed at exactly that point of its work and started
// again, and the requests are repeated. crash-table-snapshots.test.ts has the row of snapshots.
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { PlayerState } from '../support/process/bot-choices.js';
import { Client, NoReply } from '../support/process/client.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { ADMIN_KEY, createBot, manualArgs, start, statusOf } from '../support/process/operator.js';
import { Death, DOOMED, DOOMED_COUNT, type PointOfDeath } from '../support/process/points-of-death.js';
import { keptLog, replayLog } from '../support/process/replayed-log.js';
import { hashOf } from '../support/process/snapshot-worlds.js';

const ENDLESS_MIB = '1000000000';

t.test('dies inside apply | command absent | reset; safe to retry', (t) =>
  dieAtTheDoomed(t, { at: 'inside apply' }, ({ present }) => {
    t.same(present, []);
  }),
);

t.test('dies applied, not yet written | absent | nothing; retry', (t) =>
  dieAtTheDoomed(t, { at: 'before the write' }, ({ present, recordCount }) => {
    t.ok(
      present.length < DOOMED_COUNT && recordCount <= 1,
      `${present.length} of ${DOOMED_COUNT}, from the batch before`,
    );
  }),
);

t.test(
  'dies flush in flight | the whole batch, or none of it | nothing; retry with the same idempotency key',
  async (t) => {
    for (const lateMs of shortOrLong([0, 1], [0, 0.2, 1, 5])) {
      t.test(`${lateMs} ms after it began`, async (t) => {
        await dieInFlight(t, lateMs);
      });
    }
    t.test('late enough for the batch to be durable, however slow the disk', async (t) => {
      for (let lateMs = 50; !(await dieInFlight(t, lateMs)); lateMs *= 2);
    });
  },
);

t.test('dies flushed, reply not sent | present | nothing; the retry gets the stored reply', (t) =>
  dieAtTheDoomed(t, { at: 'after the flush' }, ({ present, answered }) => {
    t.equal(present.length, DOOMED_COUNT);
    t.ok(answered.length < DOOMED_COUNT, 'at least one client got no reply');
  }),
);

interface Problem {
  readonly code: string;
  readonly retryAfterMs: number;
}

t.test('disk full | refused before it is full; nothing lost | 503', async (t) => {
  const folder = await temporaryFolder(t);
  const ample = await start(t, { args: manualArgs(folder) });
  const { body: player } = await ample.client.post<PlayerState>('/api/game/player', { name: 'ada', isBot: true });
  const before = await hashOf(ample.galaxyd.url);
  await ample.galaxyd.kill();
  const { client, galaxyd: low } = await start(t, { args: manualArgs(folder, '--min-free-mib', ENDLESS_MIB) });
  const planetId = player.planets[0]?.id ?? '';
  const key = randomUUID();
  const rows: [path: string, body: object][] = [
    ['/api/game/player', { name: 'bob', isBot: true }],
    [`/api/game/planet/starter/${player.id}`, {}],
    ['/api/building/upgrade', { planetId, buildingType: 'iron_mine' }],
    ['/api/research/start', { playerId: player.id, researchType: 'drive_ion' }],
    ['/api/admin/players', { count: 3, namePrefix: 'bot' }],
    [`/api/admin/planet/${planetId}/grant`, { iron: 1 }],
  ];
  for (const [path, body] of rows) {
    const reply = await client.post<Problem>(path, body, path === '/api/game/player' ? key : '');
    t.same([reply.status, reply.body.code], [503, 'storage_unavailable'], path);
    t.ok(reply.body.retryAfterMs > 0 && Number(reply.headers['retry-after']) > 0, 'it says when to retry');
  }
  t.equal(await createBot(client, 'ada'), 200, 'an existing player is only read');
  t.equal((await client.get(`/api/game/state/${player.id}`)).status, 200);
  t.equal((await statusOf(client)).seq, 2, 'reads go on');
  t.equal(await hashOf(low.url), before, 'nothing was changed');
  t.equal((await low.stop()).code, 0);
  const relieved = await start(t, { args: manualArgs(folder) });
  t.equal(await hashOf(relieved.galaxyd.url), before, 'nothing is lost');
  const { status, headers } = await create(relieved.client, 'bob', key);
  t.same([status, headers['idempotency-replayed']], [201, undefined], 'the refused request can be repeated');
});

/** Dies `lateMs` after a flush began. @returns whether the batch is there; otherwise nothing of it is */
async function dieInFlight(t: Test, lateMs: number): Promise<boolean> {
  let isWhole = false;
  await dieAtTheDoomed(t, { at: 'during the flush', lateMs }, ({ present, recordCount }) => {
    isWhole = present.length === DOOMED_COUNT;
    t.ok(isWhole || recordCount <= 1, `${present.length} of ${DOOMED_COUNT} in ${recordCount} records`);
  });
  return isWhole;
}

interface AfterDeath {
  /** Doomed bots that are in the log. */
  readonly present: readonly string[];
  /** Records that hold them. */
  readonly recordCount: number;
  /** Doomed bots whose clients got a reply. */
  readonly answered: readonly string[];
}

/** Creates the doomed bots at once, which kills the server, and repeats the requests of their clients. */
async function dieAtTheDoomed(t: Test, point: PointOfDeath, check: (found: AfterDeath) => void): Promise<void> {
  const folder = await temporaryFolder(t);
  const death = new Death(await temporaryFolder(t));
  await death.comesAt(point);
  const galaxyd = await GalaxydProcess.start(t, { args: manualArgs(folder), by: death.by });
  const names = Array.from({ length: DOOMED_COUNT }, (_, index) => `${DOOMED}-${index + 1}`);
  const keys = new Map(names.map((name) => [name, randomUUID()]));
  const answered: string[] = [];
  const witness = new Client(galaxyd.url, ADMIN_KEY);
  t.equal((await create(witness, 'ada', randomUUID())).status, 201);
  witness.close();
  await Promise.all(
    names.map(async (name) => {
      const client = new Client(galaxyd.url, ADMIN_KEY);
      try {
        if ((await create(client, name, keys.get(name) ?? '')).status === 201) answered.push(name);
      } catch (error) {
        if (!(error instanceof NoReply)) throw error;
      } finally {
        client.close();
      }
    }),
  );
  t.equal((await galaxyd.ending()).signal, 'SIGKILL');

  const found = await doomedIn(folder);
  t.ok(found.names.includes('ada'), 'the bot that was acknowledged before is there');
  for (const name of answered) t.ok(found.present.includes(name), `${name} was acknowledged`);
  check({ ...found, answered });

  const next = await start(t, { args: manualArgs(folder) });
  for (const name of names) {
    const { status, headers } = await create(next.client, name, keys.get(name) ?? '');
    const isReplayed = headers['idempotency-replayed'] === 'true';
    t.same([status, isReplayed], [201, found.present.includes(name)], `${name} is there once, whatever came before`);
  }
  await next.galaxyd.stop();
  t.same((await doomedIn(folder)).present.toSorted(), names);
}

async function doomedIn(folder: string): Promise<{ names: string[]; present: string[]; recordCount: number }> {
  const names: string[] = [];
  const seqs: number[] = [];
  await replayLog(folder, {
    visit: ({ command, seq }) => {
      if (command.type !== 'create_player') return;
      names.push(command.name);
      if (command.name.startsWith(DOOMED)) seqs.push(seq);
    },
  });
  const { records } = await keptLog(folder);
  const recordOf = (seq: number): number => records.findLast(({ firstSeq }) => firstSeq <= seq)?.firstSeq ?? 0;
  const present = names.filter((name) => name.startsWith(DOOMED));
  return { names, present, recordCount: new Set(seqs.map(recordOf)).size };
}

const create = (client: Client, name: string, key: string) =>
  client.post('/api/game/player', { name, isBot: true }, key);
