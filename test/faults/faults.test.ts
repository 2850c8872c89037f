// A few of the faults of `npm run faults` and of the states of `npm run crash-states`, and planted faults that both must find.
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { shortOrLong } from '../support/process/lengths.js';
import { type Fault, FaultRuns } from './calls/fault-run.js';
import { OPERATION_NAMES } from './calls/operations.js';
import { compiledLibrary, type RecordedCall } from './calls/watched-calls.js';
import { CrashRun, drawStates } from './crash-states/crash-run.js';
import { record } from './crash-states/recording.js';
import { FolderOpener } from './folder-opener.js';

const OPERATIONS_DRAWN = shortOrLong(3, OPERATION_NAMES.length);
const FAULTS_PER_OPERATION = shortOrLong(2, 20);
const STATES = shortOrLong(80, 1_000);

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
  for (const fault of ofCommand) if (fault.error === 'EIO' && fault.fromThenOn) await holds(fault);
  for (const operation of draws.shuffled(OPERATION_NAMES).slice(0, OPERATIONS_DRAWN)) {
    const faults = draws.shuffled(await runs.faultsOf(operation));
    for (const fault of faults.slice(0, FAULTS_PER_OPERATION)) await holds(fault);
  }
  const ignored: Fault = { operation: 'a command', call: 'write', nth: 1, error: 'left out', fromThenOn: true };
  t.not((await runs.run(ignored, opener)).faults.length, 0, 'a write whose error is ignored is found');
});

t.test('whatever a power cut leaves opens and has everything that was acknowledged', { skip }, async (t) => {
  const seed = drawSeed(t);
  const recorded = await record(path, t, await temporaryFolder(t), new Draws(seed));
  const judged = async (calls: readonly RecordedCall[]): Promise<string[]> => {
    const run = await CrashRun.begin(t, new FolderOpener(t), new Map());
    const faults: string[] = [];
    for (const state of drawStates({ ...recorded, calls }, STATES, new Draws(seed)))
      faults.push(...(await run.judge(state)).faults);
    return faults;
  };
  t.same(await judged(recorded.calls), []);
  const ofFolder = ({ path: place }: RecordedCall): boolean => !/\/(data\.mdb|rows|manifest\.json)$/.test(place);
  const isSync = ({ call }: RecordedCall): boolean => call === 'fsync' || call === 'fdatasync';
  const planted: Record<string, (call: RecordedCall) => boolean> = {
    'pages of the log that are not flushed are found': (call) => isSync(call) && !ofFolder(call),
    'folders that are not flushed after a rename are found': (call) => isSync(call) && ofFolder(call),
  };
  for (const [what, isLeftOut] of Object.entries(planted))
    t.not((await judged(recorded.calls.filter((call) => !isLeftOut(call)))).length, 0, what);
});
