// Tests the simulation itself: the server is broken on purpose in many ways, and each of them is caught.
import t from 'tap';
import { BREAKAGES, brokenParts } from './breakages.js';
import { run, single } from './run.js';
import { shrink } from './shrinking.js';

/** Seeds within which a breakage must be caught; most are caught in the first. */
const SEEDS_MAX = 150;
const STEPS = 400;

for (const name of Object.keys(BREAKAGES)) {
  t.test(`it is caught when ${name}`, async (t) => {
    for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
      const { violation } = await run({ seed, steps: STEPS, begin: single(brokenParts(name)) });
      if (violation === undefined) continue;
      t.pass(`seed ${seed}: ${violation.split('\n')[0]}`);
      return;
    }
    t.fail(`${SEEDS_MAX} seeds have not caught it`);
  });
}

t.test('a failing run is shrunk to a story that still fails and can be repeated', async (t) => {
  const begin = single(brokenParts('the newest record is forgotten'));
  const failed = await run({ seed: 1, steps: STEPS, begin });
  t.type(failed.violation, 'string');
  const shrunk = await shrink(failed, { begin });
  t.type(shrunk.violation, 'string');
  t.ok(shrunk.steps.length < failed.steps.length / 2, `${failed.steps.length} steps become ${shrunk.steps.length}`);
  t.ok(shrunk.story.length > 0);
  const again = await run({ seed: 1, steps: shrunk.steps, begin });
  t.equal(again.violation, shrunk.violation);
  t.equal(again.storyHash, shrunk.storyHash);
  const honest = await run({ seed: 1, steps: shrunk.steps });
  t.equal(honest.violation, undefined, 'and the honest server passes it');
});
