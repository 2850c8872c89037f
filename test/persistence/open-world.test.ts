// A world from its first start through restarts, refusals and fatal errors, in real folders.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Command } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import { OPENING_BYTES_MIN } from '../../persistence/limits.js';
import { LmdbLog } from '../../persistence/log/lmdb/lmdb-log.js';
import type { OpenWorld } from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';
import { WorldLocked } from '../../persistence/stores/world-store.js';
import { MACHINE, MANUAL_START_MS, type TimeSource } from '../../persistence/time/clock.js';
import { create } from '../support/command-words.js';
import { appendRecords } from '../support/log-writing.js';
import { durable, openFolder } from '../support/opened-world.js';
import { MemoryStore } from '../support/stores/memory-store.js';
import { temporaryFolder } from './support/temporary-folder.js';

const RESEARCH_MS = 120_000;
const START_RESEARCH = { type: 'start_research', playerNumber: 1, researchType: 0 } as const;

const DAY_MS = 86_400_000;

/** A machine whose clock is some days after the start of a manual clock. */
const daysLater = (days: number): TimeSource => ({ ...MACHINE, wallMs: () => MANUAL_START_MS + days * DAY_MS });
/** Options of a start on a real clock, after one on a manual clock. */
const LATER = { clock: 'real', source: daysLater(1) } as const;

function createBot(world: OpenWorld, name: string): Promise<void> {
  world.sequencer.submit(create(name, true));
  return durable(world);
}

t.test('a new world is created from its settings', async (t) => {
  const settings = { seed: 42, speed: 2.5, systemsPerGalaxy: 10 };
  const world = await openFolder(t, await temporaryFolder(t), { settings });
  t.match(world.engine.world.settings, {
    seed: 42,
    speedThousandths: 2_500,
    systemsPerGalaxy: 10,
    startMs: MANUAL_START_MS,
  });
  t.equal(world.engine.seq, 1);
  t.equal(world.recovery.entryCount, 0);
  t.equal(world.sequencer.durableSeq, 1, 'the genesis is on disk');
});

t.test('a new world without settings has seed 1, speed 1 and 300 systems a galaxy', async (t) => {
  const world = await openFolder(t, '', { store: new MemoryStore() });
  t.match(world.engine.world.settings, { seed: 1, speedThousandths: 1_000, systemsPerGalaxy: 300 });
});

t.test('a new world on a real clock begins at the machine’s present', async (t) => {
  const before = Date.now();
  const world = await openFolder(t, '', { store: new MemoryStore(), clock: 'real' });
  const { startMs } = world.engine.world.settings;
  t.ok(before <= startMs && startMs <= Date.now());
  t.ok(world.sequencer.readNow() >= startMs);
});

t.test('a world is the same after a restart, to the hash, and continues from there', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openFolder(t, folder, { settings: { seed: 7 } });
  await createBot(first, 'Ada');
  first.sequencer.submit(START_RESEARCH);
  first.sequencer.advanceTo(MANUAL_START_MS + 1_500);
  const { seq } = first.engine;
  const hash = first.engine.stateHash();
  await first.close();
  const second = await openFolder(t, folder);
  t.equal(second.engine.seq, seq);
  t.equal(second.engine.stateHash(), hash);
  t.equal(second.engine.world.settings.seed, 7, 'settings that are not given are the world’s own');
  t.equal(second.sequencer.readNow(), MANUAL_START_MS + 1_500, 'a manual clock keeps its position');
  t.match(second.recovery, { entryCount: seq, tail: { lastSeq: seq }, tornTail: undefined });
  await createBot(second, 'Grace');
  t.equal(second.sequencer.durableSeq, seq + 1);
});

t.test('timers that fell due while the process was down have fired when the world is open', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openFolder(t, folder, { settings: { speed: 1_000_000 } });
  await createBot(first, 'Ada');
  first.sequencer.submit(START_RESEARCH);
  await first.close();
  const second = await openFolder(t, folder, LATER);
  t.equal(second.engine.world.players.get(1)?.researchLevel(0), 1, 'a day has passed');
  const { timers, shocks } = second.engine.world;
  t.equal(timers.size, shocks.timerCount, 'nothing else is pending');
});

t.test('a clock that is years ahead moves no world: it is refused, and nothing is written', async (t) => {
  const folder = await temporaryFolder(t);
  const start = async (days: number, clockJumpMsMax?: number): Promise<OpenWorld> =>
    await openFolder(t, folder, {
      clock: 'real',
      source: daysLater(days),
      ...(clockJumpMsMax === undefined ? {} : { clockJumpMsMax }),
    });
  const first = await start(0);
  await createBot(first, 'Ada');
  first.sequencer.submit(START_RESEARCH);
  const { seq, nowMs } = first.engine;
  t.ok(nowMs - MANUAL_START_MS < DAY_MS);
  await first.close();
  for (const days of [368, 20 * 366]) await t.rejects(start(days), { name: 'ClockJump' }, `${days} days`);
  const second = await start(0);
  t.equal(second.engine.seq, seq, 'the research has not ended');
  await second.close();
  await t.rejects(start(20, 19 * DAY_MS), { name: 'ClockJump' }, 'a bound of its own');
  const third = await start(366);
  t.equal(third.engine.world.players.get(1)?.researchLevel(0), 1, 'a year of rest is not a jump');
  await third.close();
  const fourth = await start(20 * 366, 20 * 366 * DAY_MS);
  t.ok(fourth.sequencer.readNow() >= MANUAL_START_MS + 20 * 366 * DAY_MS, 'it was allowed');
});

t.test(
  'a world that was down goes on from its last instant, if that is wanted: promised instants move along',
  async (t) => {
    const folder = await temporaryFolder(t);
    let passedMs = 0;
    const source: TimeSource = { wallMs: () => MANUAL_START_MS + passedMs, elapsedMs: () => passedMs };
    const start = (onDowntime: 'advance' | 'pause'): Promise<OpenWorld> =>
      openFolder(t, folder, { clock: 'real', source, onDowntime });
    const levelIn = ({ engine, sequencer }: OpenWorld): number | undefined => {
      sequencer.readNow();
      return engine.world.players.get(1)?.researchLevel(0);
    };
    const first = await start('pause');
    t.equal(first.skippedMs, null, 'a new world was never down');
    await createBot(first, 'Ada');
    first.sequencer.submit(START_RESEARCH);
    passedMs += RESEARCH_MS / 2;
    await first.close();
    t.equal(first.engine.nowMs, MANUAL_START_MS + RESEARCH_MS / 2, 'the log has the instant of the stop');

    passedMs += 400 * DAY_MS;
    const second = await start('pause');
    t.equal(second.skippedMs, 400 * DAY_MS, 'nothing jumps, so the bound of jumps does not hold');
    passedMs += RESEARCH_MS / 2 - 1;
    t.equal(levelIn(second), 0);
    passedMs += 1;
    t.equal(levelIn(second), 1, 'to the millisecond');
    second.sequencer.pauseClock();
    const pausedAtMs = second.engine.nowMs;
    await second.close();

    passedMs += DAY_MS;
    const third = await start('pause');
    t.equal(third.skippedMs, null, 'it was paused, and still is');
    t.match(third.engine.world, { pausedAtMs, clockLagMs: 400 * DAY_MS });
    t.equal(third.sequencer.readNow(), pausedAtMs);
    third.sequencer.resumeClock();
    await third.close();

    passedMs += DAY_MS;
    const fourth = await start('advance');
    t.equal(fourth.sequencer.readNow(), pausedAtMs + DAY_MS, 'this start makes up for the last day alone');
    t.equal(fourth.skippedMs, null);
  },
);

t.test('contradicting settings are refused with a sentence that names both values', async (t) => {
  const folder = await temporaryFolder(t);
  const settings = { seed: 7, speed: 60, systemsPerGalaxy: 20 };
  await (await openFolder(t, folder, { settings })).close();
  const contradictions = [
    [{ ...settings, seed: 8 }, 'has seed 7 and cannot be started with 8'],
    [{ speed: 1 }, 'has speed 60 and cannot be started with 1'],
    [{ systemsPerGalaxy: 300 }, 'has systems per galaxy 20 and cannot be started with 300'],
  ] as const;
  for (const [given, sentence] of contradictions) {
    await t.rejects(openFolder(t, folder, { settings: given }), {
      name: 'SettingsMismatch',
      message: new RegExp(sentence),
    });
  }
  await (await openFolder(t, folder, { settings })).close();
});

t.test('a folder is open in one world at a time, and can be opened again afterwards', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openFolder(t, folder);
  await t.rejects(openFolder(t, folder), WorldLocked);
  await first.close();
  await (await openFolder(t, folder)).close();
});

t.test('a missing data folder is created, readable only by its owner', async (t) => {
  const folder = join(await temporaryFolder(t), 'deep', 'down', 'world');
  await (await openFolder(t, folder)).close();
  if (process.platform !== 'win32') t.equal((await stat(folder)).mode & 0o777, 0o700);
});

t.test('a refused start releases the folder', async (t) => {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder);
  await createBot(world, 'Ada');
  await createBot(world, 'Grace');
  await world.close();
  const log = await LmdbLog.open(join(folder, 'log'));
  const newest = await log.last();
  await appendRecords(log, [{ firstSeq: 4, bytes: newest?.bytes ?? Buffer.alloc(0) }]);
  await log.close();
  await t.rejects(openFolder(t, folder), { name: 'RecoveryRefused', seq: 4 });
  await t.rejects(openFolder(t, folder), { name: 'RecoveryRefused' }, 'and not WorldLocked');
});

t.test('under the floor of free space no command is admitted', async (t) => {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder, { store: storeAt(folder, { diskFloorBytes: Number.MAX_SAFE_INTEGER }) });
  t.equal(world.sequencer.availability(), 'storage_unavailable');
  t.equal(world.sequencer.readNow(), MANUAL_START_MS, 'reads go on');
});

t.test('two runs on a manual clock are the same to the hash', async (t) => {
  const hashes = [];
  for (let run = 0; run < 2; run += 1) {
    const world = await openFolder(t, await temporaryFolder(t), { settings: { seed: 3 } });
    await createBot(world, 'Ada');
    world.sequencer.submit(START_RESEARCH);
    world.sequencer.advanceTo(MANUAL_START_MS + RESEARCH_MS / 2);
    await createBot(world, 'Grace');
    world.sequencer.advanceTo(world.engine.nextDeadlineMs());
    hashes.push(world.engine.stateHash());
    await world.close();
  }
  t.equal(hashes[0], hashes[1]);
});

t.test('a speed is compared as it is kept, in thousandths', async (t) => {
  const folder = await temporaryFolder(t);
  const settings = { speed: 2.500_4 };
  const world = await openFolder(t, folder, { settings });
  t.equal(world.engine.world.settings.speedThousandths, 2_500);
  await world.close();
  await (await openFolder(t, folder, { settings })).close();
  await t.rejects(openFolder(t, folder, { settings: { speed: 2.501 } }), { name: 'SettingsMismatch' });
});

t.test('impossible settings are refused before anything is written', async (t) => {
  const folder = await temporaryFolder(t);
  for (const settings of [{ seed: 1.5 }, { seed: -1 }, { speed: 0.000_4 }, { systemsPerGalaxy: 0 }]) {
    await t.rejects(openFolder(t, folder, { settings }), { name: 'RangeError', message: /^a world cannot have/ });
  }
  t.same(await readdir(join(folder, 'log')), []);
});

t.test('without room on the disk no world is created or opened, and nothing is changed', async (t) => {
  const folder = await temporaryFolder(t);
  const storeWith = (bytes: number) => storeAt(folder, { diskFloorBytes: 1, freeBytes: async () => bytes });
  await t.rejects(openFolder(t, folder, { store: storeWith(OPENING_BYTES_MIN - 1) }), {
    name: 'NoDiskSpace',
    message: /bytes left, and 1048576 are needed/,
  });
  t.notOk((await readdir(folder)).includes('log'));
  await (await openFolder(t, folder, { store: storeWith(OPENING_BYTES_MIN) })).close();
});

t.test('after a fatal error closing the world leaves log and folder as they are', async (t) => {
  const folder = await temporaryFolder(t);
  const fatal: Error[] = [];
  const world = await openFolder(t, folder, { onFatal: (error) => fatal.push(error) });
  world.engine.apply = () => {
    throw new Error('an invariant is broken');
  };
  t.throws(() => world.sequencer.submit(create('Ada', true)));
  await world.close();
  t.equal(fatal.length, 1);
  await t.rejects(openFolder(t, folder), WorldLocked, 'the lock is held until the process ends');
});

t.test('a world that fails while it catches up leaves log and folder as they are too', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openFolder(t, folder, { settings: { speed: 1_000_000 } });
  await createBot(first, 'Ada');
  first.sequencer.submit(START_RESEARCH);
  await first.close();
  const { apply } = Engine.prototype;
  t.teardown(() => {
    Engine.prototype.apply = apply;
  });
  Engine.prototype.apply = function (this: Engine, atMs: number, command: Command) {
    if (command.type === 'advance_time') throw new Error('an invariant is broken');
    return apply.call(this, atMs, command);
  } as typeof apply;
  const fatal: Error[] = [];
  const opening = openFolder(t, folder, { ...LATER, onFatal: (error) => fatal.push(error) });
  await t.rejects(opening, { message: 'an invariant is broken' });
  t.equal(fatal.length, 1);
  await t.rejects(openFolder(t, folder), WorldLocked);
});
