// `npm run torture`: tortures a server on each transport, with and without keys. It prints its progress and the figures
// of each run, and exits with 1 if it found a fault.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Progress } from '../../bench/runner/progress.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { withOwner } from '../support/process/with-owner.js';
import { parseArguments, type TorturePlan } from './arguments.js';
import { faultLines, figureLine, isSound } from './report.js';
import { type ReportProgress, type RunPlan, type RunResult, torture } from './run.js';
import type { StormSizes } from './storms.js';

const STORM_SIZES = {
  idleConnections: 5_000,
  resetRounds: 200,
  slowReaders: 100,
  slowWriters: 100,
  floodingSockets: 50,
};
/** Files that this process and the server need for other purposes. */
const FILES_RESERVED = 500;
/** Progress steps per run. */
const STEPS = 20;

const plan = parseArguments(process.argv.slice(2));
process.exitCode = (await tortureAll(plan)) ? 0 : 1;

/** @returns whether it found no fault */
async function tortureAll({
  seed,
  transports,
  auths,
  requests,
  only,
  isStormy,
  isJson,
}: TorturePlan): Promise<boolean> {
  const runs = transports.flatMap((transport) => auths.map((auth) => ({ transport, auth })));
  const progress = new Progress(runs.length * STEPS, process.stderr, 'torture');
  progress.say(`seed ${seed}`);
  let areSound = true;
  for (const run of runs) {
    const result = await tortureOnce(
      {
        ...run,
        seed,
        requests,
        ...(only === undefined ? {} : { only }),
        ...(isStormy ? { storms: stormSizes() } : {}),
        isMemoryJudged: only === undefined,
      },
      stepsOf(progress, `${run.transport}, auth ${run.auth}`),
    );
    progress.end();
    tellResult(result, isJson);
    areSound &&= isSound(result);
  }
  return areSound;
}

/** One run in a folder of its own, which is removed whatever happens. */
async function tortureOnce(plan: Omit<RunPlan, 'owner' | 'folder'>, tell: ReportProgress): Promise<RunResult> {
  return await withOwner(async (owner) => {
    const folder = await temporaryFolder(owner);
    return await torture({ ...plan, owner, folder: join(folder, 'world') }, tell);
  });
}

function tellResult(result: RunResult, isJson: boolean): void {
  const found = faultLines(result);
  if (isJson) {
    console.log(JSON.stringify({ ...result.figures, found }));
    return;
  }
  console.log(`${isSound(result) ? 'ok' : 'FAILED'}: ${figureLine(result)}`);
  for (const line of found) console.log(`  ${line}`);
}

/** Reports each twentieth of a run as a step, and each storm after the requests as it begins. */
function stepsOf(progress: Progress, name: string): ReportProgress {
  let steps = 0;
  return (share, what) => {
    for (; steps < Math.floor(share * STEPS); steps += 1) progress.step(`${name}: ${what}`);
    progress.say(`${name}: ${what}`);
  };
}

/** The number of idle connections for which both processes have files. */
function stormSizes(): StormSizes {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  const filesMax = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  const idleConnections = Math.max(0, Math.min(STORM_SIZES.idleConnections, filesMax - FILES_RESERVED));
  return { ...STORM_SIZES, idleConnections };
}
