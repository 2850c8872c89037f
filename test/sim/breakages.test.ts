// Tests the simulation itself: the server is broken on purpose in many ways, and each of them is caught.
import t from 'tap';
import { ONLY_LONG } from '../support/process/lengths.js';
import { BREAKAGES, brokenParts } from './breakages.js';
import { run } from './run.js';
import { shrink } from './shrinking.js';

/** Seeds within which a breakage must be caught; most are caught in the first. */
const SEEDS_MAX = 150;
const STEPS = { single: 400, shared: 250 };
/** In a shared world these need several faults together, so only the long form waits for them. */
const RARE: readonly string[] = [
  'a renewal of unknown outcome counts as done',
  'an append of unknown outcome is retried blindly',
  'the new leader does not replay the tail',
  'x-min-seq is ignored',
];

for (const [name, { kinds }] of Object.entries(BREAKAGES)) {
  for (const kind of kinds) {
    const skip = kind === 'shared' && RARE.includes(name) && ONLY_LONG;
    t.test(`a ${kind} world catches it when ${name}`, { skip }, async (t) => {
      for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
        const { violation } = await run({ kind, seed, steps: STEPS[kind], parts: brokenParts(name) });
        if (violation === undefined) continue;
        t.pass(`seed ${seed}: ${violation.split('\n')[0]}`);
        return;
      }
      t.fail(`${SEEDS_MAX} seeds have not caught it`);
    });
  }
}

t.test('a failing run is shrunk to a story that still fails and can be repeated', async (t) => {
  const honest = { kind: 'single' } as const;
  const broken = { ...honest, parts: brokenParts('the newest record is forgotten') };
  const failed = await run({ ...broken, seed: 1, steps: STEPS.single });
  t.type(failed.violation, 'string');
  const shrunk = await shrink(failed, broken);
  t.type(shrunk.violation, 'string');
  t.ok(shrunk.steps.length < failed.steps.length / 2, `${failed.steps.length} steps become ${shrunk.steps.length}`);
  t.ok(shrunk.story.length > 0);
  const again = await run({ ...broken, seed: 1, steps: shrunk.steps });
  t.equal(again.violation, shrunk.violation);
  t.equal(again.storyHash, shrunk.storyHash);
  t.equal((await run({ ...honest, seed: 1, steps: shrunk.steps })).violation, undefined, 'the honest server passes it');
});
