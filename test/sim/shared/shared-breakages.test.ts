// Tests the simulation of shared stores itself: the processes are broken on purpose in many ways, and each of them is caught.
import t from 'tap';
import { ONLY_LONG } from '../../support/process/lengths.js';
import { run, shared } from '../run.js';
import { brokenSharedParts, SHARED_BREAKAGES } from './shared-breakages.js';

/** Seeds within which a breakage must be caught; most are caught in the first. */
const SEEDS_MAX = 150;
const STEPS = 250;
/** These need several faults together, so only the long form waits for them. */
const RARE: readonly string[] = [
  'a renewal of unknown outcome counts as done',
  'an append of unknown outcome is retried blindly',
  'the new leader does not replay the tail',
  'x-min-seq is ignored',
];

for (const name of Object.keys(SHARED_BREAKAGES)) {
  const skip = RARE.includes(name) && ONLY_LONG;
  t.test(`it is caught when ${name}`, { skip }, async (t) => {
    for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
      const { violation } = await run({ seed, steps: STEPS, begin: shared(brokenSharedParts(name)) });
      if (violation === undefined) continue;
      t.pass(`seed ${seed}: ${violation.split('\n')[0]}`);
      return;
    }
    t.fail(`${SEEDS_MAX} seeds have not caught it`);
  });
}
