// A few of the faults of `npm run faults`, of the states of `npm run crash-states` and of the folders of `npm run folder-fuzz`, and planted
// faults that they must find.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { shortOrLong } from '../support/process/lengths.js';
import { type Fault, FaultRuns } from './calls/fault-run.js';
import { OPERATION_NAMES } from './calls/operations.js';
import { compiledLibrary, type RecordedCall, WatchedCalls } from './calls/watched-calls.js';
import { CrashRun, drawStates } from './crash-states/crash-run.js';
import { record } from './crash-states/recording.js';
import { FuzzRun, OPENING_MS_MAX } from './folder-fuzz/fuzz-run.js';
import { MUTATIONS } from './folder-fuzz/mutations.js';
import { soundFolders } from './folder-fuzz/sound-folders.js';
import { FolderOpener } from './folder-opener.js';

const OPERATIONS_DRAWN = shortOrLong(2, OPERATION_NAMES.length);
const FAULTS_PER_OPERATION = shortOrLong(2, 20);
/** Of one command, of which an error of the disk lasts. */
const LASTING_FAULTS = shortOrLong(8, 1_000);
const STATES = shortOrLong(20, 1_000);
const FOLDERS = shortOrLong(50, 2_000);
/** Enough to draw a count that is too large. */
const PLANTED_FOLDERS = 20;
const PLANTED_HEAP_MIB = 64;

const library = await compiledLibrary(await temporaryFolder(t));
const skip = 'reason' in library ? library.reason : false;
const path = 'path' in library ? library.path : '';

t.test('whichever system call fails, nothing that was acknowledged is lost', { skip }, async (t) => {
  const draws = new Draws(drawSeed(t));
  const runs = await FaultRuns.prepare(path, await temporaryFolder(t));
  const opener = new FolderOpener(t);
  const holds = async (fault: Fault): Promise<void> => {
    const { faults: found } = await runs.run(fault, opener);
    t.same(found, [], `${fault.operation}, ${fault.call} ${fault.nth}, ${fault.error}`);
  };
  const ofCommand = await runs.faultsOf('a command');
  const lasting = ofCommand.filter(({ error, fromThenOn }) => error === 'EIO' && fromThenOn);
  for (const fault of draws.shuffled(lasting).slice(0, LASTING_FAULTS)) await holds(fault);
  for (const operation of draws.shuffled(OPERATION_NAMES).slice(0, OPERATIONS_DRAWN)) {
    const faults = operation === 'a command' ? ofCommand : await runs.faultsOf(operation);
    for (const fault of draws.shuffled(faults).slice(0, FAULTS_PER_OPERATION)) await holds(fault);
  }
  for (const operation of ['a command', 'galaxyd swarm'] as const) {
    const ignored: Fault = { operation, call: 'write', nth: 1, error: 'left out', fromThenOn: true };
    t.not((await runs.run(ignored, opener)).faults.length, 0, `${operation}: a write whose error is ignored is found`);
  }
});

t.test('a program that is killed within a call holds up nobody', { skip }, async (t) => {
  const place = await temporaryFolder(t);
  const file = join(place, 'flushed');
  await writeFile(file, '');
  const { env } = new WatchedCalls(path, place, place, true);
  const flush = `const { openSync, fdatasyncSync } = require('node:fs'); const file = openSync('${file}', 'r+'); fdatasyncSync(file);`;
  for (let round = 0; round < 4; round += 1) {
    const child = spawn(process.execPath, ['--eval', `${flush} console.log(); for (;;) fdatasyncSync(file);`], {
      env: { ...process.env, ...env },
    });
    // That it prints something means that it has not waited for the ones before.
    await once(child.stdout, 'data');
    await delay(10);
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

// A power cut would take away a file whose folder is not flushed. Crash states have no file of keys.
t.test('a new file of keys is flushed with its folder before it has a key', { skip }, async (t) => {
  const place = await temporaryFolder(t);
  const folder = join(place, 'bots');
  await mkdir(folder);
  const calls = new WatchedCalls(path, place, place, true);
  const players = new URL('../../arena/swarm/players.js', import.meta.url).href;
  const keeping = `import { keyFile } from '${players}'; keyFile('${join(folder, 'keys')}').keep([['ada', 'key of ada']]);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', keeping], {
    env: { ...process.env, ...calls.env },
  });
  const steps = calls.recorded().map(({ call, path: place }) => `${call} ${basename(place)}`);
  t.same(steps, ['openat keys', 'fsync bots', 'openat keys', 'write keys', 'fsync keys']);
});

t.test('whatever a power cut leaves opens and has everything that was acknowledged', { skip }, async (t) => {
  const seed = drawSeed(t);
  const recorded = await record(path, t, await temporaryFolder(t), new Draws(seed));
  /** Resolves to the faults of the first state that has any. */
  const firstFaults = async (calls: readonly RecordedCall[]): Promise<readonly string[]> => {
    const run = await CrashRun.begin(t, new FolderOpener(t), new Map());
    for (const state of drawStates({ ...recorded, calls }, STATES, new Draws(seed))) {
      const { faults } = await run.judge(state);
      if (faults.length > 0) return faults;
    }
    return [];
  };
  t.same(await firstFaults(recorded.calls), []);
  const ofFolder = ({ path: place }: RecordedCall): boolean => !/\/(data\.mdb|rows|manifest\.json)$/.test(place);
  const isSync = ({ call }: RecordedCall): boolean => call === 'fsync' || call === 'fdatasync';
  const planted: Record<string, (call: RecordedCall) => boolean> = {
    'pages of the log that are not flushed are found': (call) => isSync(call) && !ofFolder(call),
    'folders that are not flushed after a rename are found': (call) => isSync(call) && ofFolder(call),
  };
  for (const [what, isLeftOut] of Object.entries(planted))
    t.not((await firstFaults(recorded.calls.filter((call) => !isLeftOut(call)))).length, 0, what);
});

t.test('whatever a data folder holds, it is opened or refused with a sentence', async (t) => {
  const seed = drawSeed(t);
  const sound = await soundFolders(t, await temporaryFolder(t));
  const opener = new FolderOpener(t, { openingMs: OPENING_MS_MAX });
  for (const { folder, lastSeq, stateHash } of sound)
    t.match(await opener.open(folder, 'read'), { opened: { kind: 'opened', seq: lastSeq, stateHash } });
  const run = await FuzzRun.begin(t, opener, sound);
  const outcomes = new Set<string>();
  for (let folder = seed; folder < seed + FOLDERS; folder += 1) {
    const { what, how, outcome, faults } = await run.judge(folder);
    outcomes.add(outcome);
    t.same(faults, [], `folder ${folder}, ${what}, ${how}`);
  }
  t.same([...outcomes].sort(), ['opened', 'refused']);
  const planted = new URL('./folder-fuzz/unbounded-rows.js', import.meta.url).href;
  const unbounded = new FolderOpener(t, { openingMs: OPENING_MS_MAX, heapMib: PLANTED_HEAP_MIB, planted });
  const plantedRun = await FuzzRun.begin(t, unbounded, sound);
  const crowds = MUTATIONS.filter(({ what }) => what === 'an entry of many players');
  let found = 0;
  for (let folder = seed; folder < seed + PLANTED_FOLDERS && found === 0; folder += 1)
    found = (await plantedRun.judge(folder, crowds)).faults.length;
  t.not(found, 0, 'an unbounded walk is found');
});
