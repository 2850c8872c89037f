// A hundred worlds, each with its own crashes, full disks, hanging writes, flipped bits and lost replies: every promise
// is kept. `npm run sim` runs more of them; a failure prints the command that repeats it.
import t, { type Test } from 'tap';
import { shortOrLong } from '../support/process/lengths.js';
import { STEPS_DEFAULT } from './arguments.js';
import { commandFor } from './report.js';
import { run } from './run.js';
import { shrink } from './shrinking.js';
import { addCounts, type Counts, countLines } from './tally.js';

const SEEDS = shortOrLong(28, 300);
/** From here on, few seeds meet everything that is needed. */
const FIRST_SEED = 30;
/** What must have happened in these runs; otherwise they prove nothing. */
const NEEDED = [
  'at an end: lost',
  'at an end: torn',
  'at an end: whole',
  'crashes in a prune',
  'crashes in a snapshot',
  'crashes in a start',
  'crashes in a write',
  'damage refused',
  'damaged snapshots passed over',
  'ended itself because it was fenced',
  'events expired for a reader',
  'events read',
  'fault: bit flip',
  'fault: clock set',
  'fault: cut refused',
  'fault: disk low',
  'fault: done but not reported',
  'fault: frozen',
  'fault: input/output error',
  'fault: never done',
  'fault: no space',
  'fault: no space in a snapshot',
  'fault: reply lost',
  'fault: read error',
  'fault: slow',
  'fault: taken over',
  'fault: taker killed',
  'fault: unknown: late',
  'fault: unknown: lost',
  'fault: unknown: stored',
  'late appends: conflict',
  'late appends: fenced',
  'late appends: stored',
  'landings waited for',
  'readers ahead of a restored world',
  'readers: poll',
  'plans looked at',
  'readers: stream',
  'recoveries from a snapshot',
  'replies: key reused',
  'replies: replayed',
  'requests that arrive twice',
  'restores',
  'segments pruned',
  'snapshots taken',
  'steps started by plans',
  'stops',
  'timers fired',
  'timers of plans fired',
  'torn records dropped',
  'unfinished snapshots swept away',
  'writes that were fenced',
] as const;

t.test(`${SEEDS} simulated worlds keep every promise`, async (t) => {
  const counts: Counts = {};
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    const result = await run({ seed, steps: STEPS_DEFAULT });
    addCounts(counts, result.counts);
    if (result.violation !== undefined) await tellFailure(t, result);
  }
  for (const line of countLines(counts)) t.comment(line);
  for (const what of NEEDED) t.ok((counts[what] ?? 0) > 0, `this happened: ${what}`);
});

async function tellFailure(t: Test, result: Awaited<ReturnType<typeof run>>): Promise<void> {
  const shrunk = await shrink(result);
  t.fail(`seed ${result.seed}: ${result.violation}`, { command: commandFor(shrunk), story: shrunk.story });
}

t.test('a seed tells the same story twice, and another seed another one', async (t) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const [first, second] = [await run({ seed, steps: 300 }), await run({ seed, steps: 300 })];
    t.equal(second.storyHash, first.storyHash);
    t.same(second.counts, first.counts);
    t.not((await run({ seed: seed + 100, steps: 300 })).storyHash, first.storyHash);
  }
});

t.test('leaving out a step removes its own draws, and no others', async (t) => {
  const steps = Array.from({ length: 200 }, (_, index) => index);
  const whole = await run({ seed: 8, steps, isStoryKept: true });
  const listed = await run({ seed: 8, steps: 200, isStoryKept: true });
  t.same(listed.story, whole.story, 'steps can be listed one by one');
  const kinds = (story: readonly string[]): string[] => story.filter((line) => line.startsWith('step '));
  const without = await run({ seed: 8, steps: steps.filter((step) => step % 3 !== 0), isStoryKept: true });
  const left = kinds(whole.story).filter((line) => Number(/\d+/.exec(line)) % 3 !== 0);
  t.ok(kinds(without.story).length > 100);
  t.same(
    kinds(without.story).filter((line) => !left.includes(line)),
    kinds(without.story).filter((line) => !kinds(whole.story).includes(line)),
    'the other steps keep their kinds',
  );
});
