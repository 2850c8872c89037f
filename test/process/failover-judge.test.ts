// What judges the failovers must notice each lie: here the log, the replies and a leader that was replaced lie to it.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { openWorld } from '../../persistence/open-world.js';
import { faultOfCommand, faultOfRead } from '../support/failover/old-leader.js';
import { RoutedClient, Routes } from '../support/failover/routes.js';
import type { Reply } from '../support/process/client.js';
import { DeedLedger, LOST, UNASKED } from '../support/process/deed-ledger.js';
import { type LoggedDeed, loggedDeed } from '../support/process/deeds.js';
import { Past } from '../support/process/past.js';
import { type KeptLog, readLog, replayRecords } from '../support/process/replayed-log.js';
import { MemoryStore } from '../support/stores/memory-store.js';

const BOTS = 5;

interface Played {
  readonly store: MemoryStore;
  readonly kept: KeptLog;
  readonly deeds: readonly LoggedDeed[];
}

/** A world in which some bots were created, each by a record of its own. */
async function played(namePrefix: string): Promise<Played> {
  const store = new MemoryStore();
  const world = await openWorld({ store, clock: 'manual', settings: { seed: 5 } });
  for (let bot = 1; bot <= BOTS; bot += 1) {
    world.sequencer.submit({
      type: 'create_player',
      name: `${namePrefix}-${bot}`,
      isBot: true,
      keyHash: null,
      nameKey: `${namePrefix}-${bot}`,
    });
    await new Promise<void>((resolve) => {
      world.sequencer.holdUntilDurable(world.sequencer.lastSeq, { durable: resolve });
    });
  }
  await world.close();
  const kept = await readLog(await store.openLog());
  const deeds: LoggedDeed[] = [];
  replayRecords(kept.records, {
    visit: (entry) => {
      const deed = loggedDeed(entry);
      if (deed !== null) deeds.push(deed);
    },
  });
  return { store, kept, deeds };
}

/** The books of clients that sent these deeds and got these replies. */
async function told(deeds: readonly LoggedDeed[], status = 201): Promise<Past> {
  const ledger = new DeedLedger();
  for (const { request, outcome, atMs } of deeds) {
    const attempt = ledger.begin({ path: '/', request, outcome: () => outcome }, true);
    const headers = { 'x-world-time': new Date(atMs).toISOString() };
    await ledger.send({ post: async <T>() => ({ status, headers, body: {} as T }) }, attempt);
  }
  return new Past(ledger);
}

t.test('the log and the hashes are compared with what clients were told', async (t) => {
  const { store, kept, deeds } = await played('bot');
  const judged = async (past: Past, log: KeptLog = kept): Promise<string[]> => [
    ...(await past.compareWith(log, store.snapshots)).faults,
  ];
  t.equal(deeds.length, BOTS);
  t.same(await judged(await told(deeds)), [], 'the truth');
  const shorter = { ...kept, records: kept.records.slice(0, -1) };
  t.match(await judged(await told(deeds), shorter), [new RegExp(`^${LOST}`)], 'lost');
  t.match(await judged(await told(deeds.slice(0, -1))), [new RegExp(`^${UNASKED}`)], 'done twice');
  t.match((await judged(await told(deeds, 409)))[0], new RegExp(`^${UNASKED}`), 'refused, and done');
  const [first, second, ...rest] = deeds as [LoggedDeed, LoggedDeed, ...LoggedDeed[]];
  t.match(await judged(await told([second, first, ...rest])), [/^out of order/]);
  const hasHash = await told(deeds);
  hasHash.wasTold(kept.records.length, 'another', 'a standby');
  t.match(await judged(hasHash), [/^the state at seq \d+ was reported as another/]);
  const hasPast = await told(deeds);
  t.same(await judged(hasPast), []);
  t.match(await judged(hasPast, shorter), [/was there before, and now it is not/], 'and lost later');
  const { kept: another } = await played('other');
  t.match((await judged(hasPast, another))[0], /is not the one that was there before/, 'written by two leaders');
});

t.test('clients notice a read that is older than what they have seen', async (t) => {
  const seqs = [5, 9, 8, Number.NaN];
  const url = await served(t, (response) => {
    const seq = seqs.shift() ?? 0;
    response.writeHead(200, Number.isNaN(seq) ? {} : { 'x-world-seq': String(seq) }).end('{}');
  });
  const routes = new Routes([url], 10_000);
  const client = new RoutedClient(routes, '', url);
  t.teardown(() => client.close());
  for (const faults of [[], [], [/^stale: seq 8 after 9/], [/^no x-world-seq/]]) {
    await client.get('/');
    const found = routes.takeFaults();
    t.equal(found.length, faults.length);
    t.match(found, faults);
  }
});

t.test('clients follow 421, wait at 503, and count what was not executed at once', async (t) => {
  const leader = await served(t, (response) => response.writeHead(201, { 'x-world-seq': '3' }).end('{}'));
  const statuses = [503, 421, 421];
  const standby = await served(t, (response) => {
    const status = statuses.shift() ?? 500;
    response.writeHead(status, statuses.length > 0 ? { location: `${leader}/path` } : {}).end('{}');
  });
  const routes = new Routes([standby, leader], 10_000);
  const client = new RoutedClient(routes, '', standby);
  t.teardown(() => client.close());
  t.equal((await client.post('/path', {})).status, 201);
  t.match(routes.figures, { followed: 0, unavailable: 1, failedCommands: 1 }, '503 turns to the next one');
  routes.leaderUrl = standby;
  t.equal((await client.post('/path', {})).status, 201);
  t.match(routes.figures, { followed: 1, unavailable: 1, failedCommands: 1 }, '421 is not a failure');
  t.same(routes.takeFaults(), []);
  routes.leaderUrl = standby;
  t.equal((await client.post('/path', {})).status, 201);
  t.match(routes.takeFaults(), [/names nobody/]);
});

t.test('a leader that was replaced may acknowledge nothing and show nothing old', async (t) => {
  const witness = { planetId: '', seq: 7 };
  const reply = (status: number, seq?: number): Reply<unknown> => ({
    status,
    headers: seq === undefined ? {} : { 'x-world-seq': String(seq) },
    body: {},
  });
  for (const status of [421, 503]) t.equal(faultOfCommand(reply(status)), null);
  for (const status of [200, 201, 404, 409]) t.match(faultOfCommand(reply(status)), /answers a command/);
  t.equal(faultOfRead(reply(503), witness), null);
  t.equal(faultOfRead(reply(200, 7), witness), null, 'a standby that has caught up');
  t.match(faultOfRead(reply(404, 6), witness), /answers a read with 404 from seq 6/);
  t.match(faultOfRead(reply(200, 6), witness), /answers a read/);
  t.match(faultOfRead(reply(200), witness), /answers a read/);
});

async function served(t: Test, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return `http://127.0.0.1:${address.port}`;
}
