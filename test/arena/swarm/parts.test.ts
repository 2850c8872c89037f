// The parts of a swarm: mix, queue of wakes, world time, histograms, shared reads, and keys.
import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SHARED_READ_MS } from '../../../arena/limits.js';
import { SharedReads } from '../../../arena/swarm/connections.js';
import { DurationHistogram, Measures } from '../../../arena/swarm/measures.js';
import { BadMix, derivedKeys, division, keyFile, mixOf } from '../../../arena/swarm/players.js';
import { type Sleeper, WakeQueue, WorldClock } from '../../../arena/swarm/wakes.js';
import { derivedApiKey } from '../../../http/admission/identity.js';
import { Draws, drawSeed } from '../../support/process/draws.js';

t.test('a mix divides bots in proportion, and no bot is lost', async (t) => {
  const counts = (text: string, bots: number): object =>
    Object.fromEntries(division(mixOf(text), bots).map(({ kind, count }) => [kind.name, count]));
  t.same(counts('greedy:5,raider:2', 7), { greedy: 5, raider: 2 });
  t.same(counts('greedy:5, raider:2', 100), { greedy: 71, raider: 29 });
  t.same(counts('idler', 3), { idler: 3 });
  t.same(counts('greedy,raider,turtle', 2), { greedy: 1, raider: 1 }, 'a kind without bots is left out');
});

t.test('a text that is not a mix is refused with a sentence', async (t) => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['genius:2', /no bot "genius".*There are idler, .*greedy/],
    ['greedy:0', /weight of greedy must be a whole number from 1 to 1000/],
    ['greedy:1001', /weight/],
    ['greedy:1.5', /weight/],
    ['greedy:1:1', /weight/],
    ['greedy,greedy:2', /names greedy twice/],
    ['', /no bot ""/],
  ];
  for (const [text, message] of refused) t.throws(() => mixOf(text), { message, constructor: BadMix }, text);
});

t.test('sleepers are woken in order of their instants, and those woken meanwhile are forgotten', async (t) => {
  const draws = new Draws(drawSeed(t));
  const queue = new WakeQueue<Sleeper & { readonly number: number }>();
  const all = Array.from({ length: 500 }, (_, number) => ({ number, sleepsUntilMs: null as number | null }));
  const expected: (readonly [number, number])[] = [];
  for (const sleeper of all) {
    queue.add(sleeper, draws.below(50));
    if (draws.oneIn(3)) queue.add(sleeper, draws.below(50));
    if (draws.oneIn(5)) sleeper.sleepsUntilMs = null;
    else expected.push([sleeper.sleepsUntilMs ?? 0, sleeper.number]);
  }
  const woken: (readonly [number, number])[] = [];
  for (let nowMs = 0; nowMs < 50; nowMs += 1) {
    for (let one = queue.take(nowMs); one !== undefined; one = queue.take(nowMs)) woken.push([nowMs, one.number]);
  }
  const inOrder = (rows: readonly (readonly [number, number])[]) => rows.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  t.same(inOrder(woken), inOrder(expected));
  t.equal(queue.nextAtMs, null);
});

t.test('a bot that is woken by events again and again does not fill the queue', async (t) => {
  const queue = new WakeQueue<Sleeper>();
  const often: Sleeper = { sleepsUntilMs: null };
  queue.add({ sleepsUntilMs: null }, 5);
  for (let atMs = 10; atMs < 100_000; atMs += 1) queue.add(often, atMs);
  t.ok(queue.length <= 1_024, `${queue.length} entries`);
  t.ok(queue.take(5));
  t.equal(queue.nextAtMs, 99_999);
});

t.test('world time is never ahead of the world, and goes on between looks', async (t) => {
  let nowMs = 1_000;
  const clock = new WorldClock(false, () => nowMs);
  clock.observe('2000-01-01T00:00:00.000Z');
  const startMs = Date.parse('2000-01-01T00:00:00.000Z');
  nowMs += 500;
  t.equal(clock.worldTime, '2000-01-01T00:00:00.500Z');
  t.equal(clock.delayMs(startMs + 700), 200);
  t.equal(clock.delayMs(startMs), 0);
  nowMs += 500;
  clock.observe('2000-01-01T00:00:00.900Z');
  t.equal(clock.worldMs, startMs + 1_000, 'a reply that took longer does not set it back');
  const standing = new WorldClock(true, () => nowMs);
  standing.observe('2000-01-01T00:00:00.000Z');
  nowMs += 5_000;
  t.equal(standing.worldMs, startMs, 'one that an operator moves stands still');
  t.equal(standing.delayMs(startMs + 1), null);
});

t.test('percentiles are at most a step too high', async (t) => {
  const times = new DurationHistogram();
  t.same(times.percentiles, { p50: 0, p90: 0, p99: 0, max: 0 });
  for (let ms = 1; ms <= 1_000; ms += 1) times.add(ms);
  const { p50, p90, p99, max } = times.percentiles;
  const isNear = (value: number, exact: number): boolean => value >= exact && value <= exact * 2 ** (1 / 8);
  t.ok(isNear(p50, 500) && isNear(p90, 900) && isNear(p99, 990), `${p50} ${p90} ${p99}`);
  t.equal(max, 1_000);
});

t.test('what a rule refuses is a refusal; everything else is an error, unless it passes', async (t) => {
  const measures = new Measures();
  const upgrade = { method: 'POST', path: '/api/building/upgrade' } as const;
  const refuse = (status: number, code: string): void => {
    measures.answered(upgrade, { ok: false, status, code, problem: null }, 1);
  };
  for (const [status, code] of [
    [409, 'upgrade_in_progress'],
    [422, 'insufficient_resources'],
    [422, 'insufficient_resources'],
    [503, 'overloaded'],
  ] as const) {
    refuse(status, code);
  }
  t.same(Object.fromEntries(measures.refusals), { upgrade_in_progress: 1, insufficient_resources: 2 });
  t.equal(measures.errors, 0);
  refuse(400, 'invalid_request');
  refuse(403, 'forbidden');
  refuse(500, 'internal_error');
  measures.answered(
    { method: 'GET', path: '/api/nothing' },
    { ok: false, status: 404, code: 'route_not_found', problem: null },
    1,
  );
  t.equal(measures.errors, 4);
  t.match(measures.errorWords, [/POST \/api\/building\/upgrade was answered with 400 invalid_request/]);
  t.equal(measures.commands, 7, 'a read is not a command');
});

t.test('an overview is read once for all, and again after a while or a failure', async (t) => {
  let nowMs = 0;
  let sent = 0;
  const shared = new SharedReads(() => nowMs);
  const reply = async (status: number) => {
    sent += 1;
    if (status === 200) return { ok: true, status, body: { sent } } as const;
    return { ok: false, status, code: 'overloaded', problem: null } as const;
  };
  const galaxy = { method: 'GET', path: '/api/game/galaxy/7' } as const;
  const read = (status = 200) => shared.reply(galaxy, () => reply(status));
  t.equal(
    shared.reply({ method: 'GET', path: '/api/game/galaxy/7/system/1' }, () => reply(200)),
    undefined,
  );
  t.match(await read(503), { ok: false });
  const [one, two] = await Promise.all([read(), read()]);
  t.equal(one, two);
  t.equal(sent, 2);
  nowMs += SHARED_READ_MS;
  await read();
  t.equal(sent, 3);
});

t.test('keys follow from a secret as those of the server do', async (t) => {
  const keys = derivedKeys('a secret of the swarm');
  t.equal(keys.of('swarm-greedy-1'), derivedApiKey('a secret of the swarm', 'swarm-greedy-1').key);
});

t.test('a file of keys is for its owner only, and survives a kill while it is written', async (t) => {
  const path = join(t.testdir(), 'keys');
  keyFile(path).keep([
    ['bot-1', 'key-1'],
    ['bot-2', 'key-2'],
  ]);
  t.equal(statSync(path).mode & 0o777, 0o600);
  chmodSync(path, 0o644);
  appendFileSync(path, '["bot-3","ke');
  const again = keyFile(path);
  t.equal(statSync(path).mode & 0o777, 0o600);
  t.same([again.of('bot-1'), again.of('bot-2'), again.of('bot-3')], ['key-1', 'key-2', undefined]);
  again.keep([['bot-1', 'another']]);
  t.equal(keyFile(path).of('bot-1'), 'another');
  t.equal(readFileSync(path, 'utf8').split('\n').length, 4);
  writeFileSync(path, 'something else\n');
  t.throws(() => keyFile(path), { message: /line 1 does not have a name and a key/ });
  // A file of another kind without a final end of line: it must not change.
  writeFileSync(path, 'another-secret');
  chmodSync(path, 0o644);
  t.throws(() => keyFile(path), { message: /line 1 does not have a name and a key/ });
  t.equal(readFileSync(path, 'utf8'), 'another-secret');
  t.equal(statSync(path).mode & 0o777, 0o644);
});
