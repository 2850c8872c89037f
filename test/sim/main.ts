// `npm run sim`: runs simulations from seeds, and prints its progress and the command that repeats a failure. It makes
// no decisions.
import { parseArguments, type SimulationPlan } from './arguments.js';
import { BREAKAGES, brokenParts } from './breakages.js';
import { addCounts, type Counts, commandFor, countLines, failureLines } from './report.js';
import { type RunResult, type RunSetting, run } from './run.js';
import { shrink } from './shrinking.js';

const PROGRESS_EVERY_MS = 2_000;
/** Failed seeds after which it stops. */
const FAILURES_MAX = 5;

const plan = parseArguments(process.argv.slice(2), Object.keys(BREAKAGES));
process.exitCode = (await runAll(plan)) ? 0 : 1;

/** @returns whether every promise was kept */
async function runAll({
  firstSeed,
  seedCount,
  steps,
  kind,
  breakage,
  isJson,
  isStoryShown,
}: SimulationPlan): Promise<boolean> {
  const setting: RunSetting = { kind, ...(breakage === undefined ? {} : { parts: brokenParts(breakage) }) };
  const startedMs = performance.now();
  let toldMs = startedMs;
  let done = 0;
  const counts: Counts = {};
  const failures: RunResult[] = [];
  for (; done < seedCount && failures.length < FAILURES_MAX; done += 1) {
    const result = await run({ ...setting, seed: firstSeed + done, steps, isStoryKept: isStoryShown });
    addCounts(counts, result.counts);
    if (isStoryShown) console.log(result.story.join('\n'));
    if (result.violation !== undefined) {
      failures.push(result);
      console.error(`sim: seed ${result.seed} fails: ${result.violation}`);
    }
    if (performance.now() - toldMs < PROGRESS_EVERY_MS) continue;
    toldMs = performance.now();
    console.error(`sim: ${done + 1} of ${seedCount} seeds, ${secondsSince(startedMs)} s, ${failures.length} failed`);
  }
  const seconds = secondsSince(startedMs);
  const [first] = failures;
  const shrunk = first && (await shrink(first, setting));
  if (isJson) {
    const { violation, story } = shrunk ?? {};
    const shortest = shrunk && { violation, command: commandFor(shrunk, { kind, breakage }), story };
    console.log(JSON.stringify({ seeds: done, failed: failures.map(({ seed }) => seed), seconds, counts, shortest }));
  } else {
    if (shrunk !== undefined) console.log(`\n${failureLines(shrunk, { kind, breakage }).join('\n')}\n`);
    console.log(`${done} seeds in ${seconds} s: ${failures.length} failed`);
    for (const line of countLines(counts)) console.log(`  ${line}`);
  }
  return failures.length === 0;
}

function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 100) / 10;
}
