// Many worlds, each with its own crashes, full disks, hanging writes, flipped bits, cut links and lost replies: every promise is
// kept. `npm run sim` runs more of them; a failure prints the command that repeats it.
import t from 'tap';
import { shortOrLong } from '../support/process/lengths.js';
import { STEPS_DEFAULT } from './arguments.js';
import { RUN_KINDS, type RunKind } from './kinds.js';
import { addCounts, type Counts, commandFor, countLines } from './report.js';
import { run } from './run.js';
import { shrink } from './shrinking.js';

const SEEDS: Readonly<Record<RunKind, number>> = { single: shortOrLong(50, 300), shared: shortOrLong(4, 150) };
/** What must have happened in the runs of a kind; otherwise they prove nothing. The long form needs more. */
const NEEDED: Readonly<Record<RunKind, readonly string[]>> = {
  single: [
    'at an end: lost',
    'at an end: torn',
    'at an end: whole',
    'crashes in a prune',
    'crashes in a snapshot',
    'crashes in a start',
    'crashes in a write',
    'crashes with goods under way',
    'crashes with open offers',
    'crashes with pacts in force',
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
    'fault: leader stopped',
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
    'fields harvested',
    'fleets stationed',
    'goods arrived',
    'offers ended',
    'pacts begun',
    'trades agreed',
    'landings waited for',
    'messages received',
    'shocks begun',
    'readers ahead of a restored world',
    'readers: poll',
    'plans looked at',
    'readers: stream',
    'recoveries from a snapshot',
    'replies of a leader: key reused',
    'replies of a leader: replayed',
    'requests that arrive twice',
    'restores',
    'segments pruned',
    'snapshot_taken',
    'steps started by plans',
    'stops',
    'timers fired',
    'timers of plans fired',
    'torn records dropped',
    'unfinished snapshots swept away',
    'writes that were fenced',
  ],
  shared: [
    'appends: stored',
    'claims: expired',
    'claims: released',
    'commands sent away: not_leader',
    'fault: leader killed',
    'fault: leader stopped',
    'handovers timed',
    'replies of a leader: replayed',
    'replies of a standby: shown',
    'states compared: standby',
    'takeovers timed',
    ...shortOrLong<readonly string[]>(
      [],
      [
        'appends: conflict',
        'appends: fenced',
        'claims: lost',
        'ended itself: CannotFollow',
        'ended itself: Fenced',
        'events read',
        'fault: append: answer lost',
        'fault: append: doubled',
        'fault: append: late',
        'fault: append: request lost',
        'fault: clock set',
        'fault: link refused',
        'fault: link silent',
        'fault: release: request lost',
        'fault: renew: late',
        'fault: store crashed',
        'landings waited for',
        'prunes',
        'readers ahead of a standby',
        'reads sent away: wait',
        'renewals: fenced',
        'requests that arrive twice',
        'restores',
        'snapshots compared',
        'timers fired',
        'timers of plans fired',
      ],
    ),
  ],
};

for (const kind of RUN_KINDS) {
  t.test(`${SEEDS[kind]} simulated worlds keep every promise: ${kind}`, async (t) => {
    const counts: Counts = {};
    for (let seed = 1; seed <= SEEDS[kind]; seed += 1) {
      const result = await run({ kind, seed, steps: STEPS_DEFAULT });
      addCounts(counts, result.counts);
      if (result.violation === undefined) continue;
      const shrunk = await shrink(result, { kind });
      t.fail(`seed ${seed}: ${result.violation}`, { command: commandFor(shrunk, { kind }), story: shrunk.story });
    }
    for (const line of countLines(counts)) t.comment(line);
    for (const what of NEEDED[kind]) t.ok((counts[what] ?? 0) > 0, `this happened: ${what}`);
  });

  t.test(`a seed tells the same story twice, and another seed another one: ${kind}`, async (t) => {
    const steps = { single: 300, shared: 100 }[kind];
    const stories = new Set<string>();
    for (const seed of [1, 2, 3]) {
      const [first, second] = [await run({ kind, seed, steps }), await run({ kind, seed, steps })];
      t.equal(second.storyHash, first.storyHash);
      t.same(second.counts, first.counts);
      stories.add(first.storyHash);
    }
    t.equal(stories.size, 3);
  });
}

t.test('leaving out a step removes its own draws, and no others', async (t) => {
  const steps = Array.from({ length: 200 }, (_, index) => index);
  const storyOf = async (steps: number | readonly number[]) =>
    (await run({ kind: 'single', seed: 8, steps, isStoryKept: true })).story;
  const whole = await storyOf(steps);
  t.same(await storyOf(200), whole, 'steps can be listed one by one');
  const kinds = (story: readonly string[]): string[] => story.filter((line) => line.startsWith('step '));
  const without = kinds(await storyOf(steps.filter((step) => step % 3 !== 0)));
  t.ok(without.length > 100);
  t.same(
    without,
    kinds(whole).filter((line) => Number(/\d+/.exec(line)) % 3 !== 0),
    'the other steps keep their kinds',
  );
});
