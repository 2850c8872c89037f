// `npm run sim`: runs simulations from seeds, tells how far it is, and how to see a failure again. It decides nothing.
import { parseArguments, type SimulationPlan } from './arguments.js';
import { BREAKAGES, brokenParts } from './breakages.js';
import { HONEST_PARTS } from './parts.js';
import { shrink } from './shrinking.js';
import { type RunResult, run } from './simulation.js';
import { addCounts, countLines } from './tally.js';

const PROGRESS_EVERY_MS = 2_000;
/** Failed seeds after which there is enough to look at. */
const FAILURES_MAX = 5;

const plan = parseArguments(process.argv.slice(2), Object.keys(BREAKAGES));
const failed = await runAll(plan);
process.exitCode = failed ? 1 : 0;

async function runAll(plan: SimulationPlan): Promise<boolean> {
  const { firstSeed, seedCount, steps, breakage, isJson, isTold } = plan;
  const parts = breakage === undefined ? HONEST_PARTS : brokenParts(breakage);
  const startedMs = performance.now();
  let toldMs = startedMs;
  let done = 0;
  const counts: Record<string, number> = {};
  const failures: RunResult[] = [];
  for (; done < seedCount && failures.length < FAILURES_MAX; done += 1) {
    const result = await run({ seed: firstSeed + done, steps, parts, isStoryKept: isTold });
    addCounts(counts, result.counts);
    if (isTold) console.log(result.story.join('\n'));
    if (result.violation !== undefined) {
      failures.push(result);
      console.error(`sim: seed ${result.seed} fails: ${result.violation}`);
    }
    if (performance.now() - toldMs < PROGRESS_EVERY_MS) continue;
    toldMs = performance.now();
    console.error(`sim: ${done + 1} of ${seedCount} seeds, ${secondsSince(startedMs)} s, ${failures.length} failed`);
  }
  const [first] = failures;
  const shrunk = first && (await shrink(first, { parts }));
  if (shrunk !== undefined && !isJson) tellFailure(shrunk, breakage);
  const summary = { seeds: done, failed: failures.map(({ seed }) => seed), seconds: secondsSince(startedMs), counts };
  if (isJson) {
    const shortest = shrunk && { violation: shrunk.violation, command: commandFor(shrunk, breakage), story: shrunk.story };
    console.log(JSON.stringify({ ...summary, shortest }));
  } else {
    console.log(`${done} seeds in ${summary.seconds} s: ${failures.length} failed`);
    for (const line of countLines(counts)) console.log(`  ${line}`);
  }
  return failures.length > 0;
}

function tellFailure(shrunk: RunResult, breakage: string | undefined): void {
  console.log(`\nThe shortest story of seed ${shrunk.seed} that fails, ${shrunk.steps.length} steps:`);
  console.log(shrunk.story.join('\n'));
  console.log(`it fails: ${shrunk.violation}`);
  console.log(`to see it again: ${commandFor(shrunk, breakage)}\n`);
}

function commandFor({ seed, steps }: RunResult, breakage: string | undefined): string {
  const chosen = steps.length === 0 ? '--steps 0' : `--only ${steps.join(',')}`;
  return `npm run sim -- --seed ${seed} ${chosen}${breakage === undefined ? '' : ` --breakage '${breakage}'`} --story`;
}

function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 100) / 10;
}
