// Some worlds of several processes on a shared store, each with its own deaths, stops, cut links and lost calls: every promise
// is kept. `npm run sim -- --kind shared` runs more of them; a failure prints the command that repeats it.
import t from 'tap';
import { shortOrLong } from '../../support/process/lengths.js';
import { commandFor } from '../report.js';
import { run, shared } from '../run.js';
import { shrink } from '../shrinking.js';
import { addCounts, type Counts, countLines } from '../tally.js';

const SEEDS = shortOrLong(4, 150);
const STEPS = 500;
/** What must have happened in these runs; otherwise they prove nothing. The long form needs more. */
const NEEDED = [
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
];
const NEEDED_LONG = [
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
  'prunes',
  'readers ahead of a standby',
  'reads sent away: wait',
  'renewals: fenced',
  'snapshots compared',
  'timers fired',
];

t.test(`${SEEDS} simulated worlds of several processes keep every promise`, async (t) => {
  const counts: Counts = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const result = await run({ seed, steps: STEPS, begin: shared() });
    addCounts(counts, result.counts);
    if (result.violation === undefined) continue;
    const shrunk = await shrink(result, { begin: shared() });
    t.fail(`seed ${seed}: ${result.violation}`, {
      command: commandFor(shrunk, { kind: 'shared' }),
      story: shrunk.story,
    });
  }
  for (const line of countLines(counts)) t.comment(line);
  for (const what of [...NEEDED, ...shortOrLong<readonly string[]>([], NEEDED_LONG)]) {
    t.ok((counts[what] ?? 0) > 0, `this happened: ${what}`);
  }
});

t.test('a seed tells the same story twice, and another seed another one', async (t) => {
  const tell = async (seed: number): Promise<string> => {
    return (await run({ seed, steps: 100, begin: shared() })).storyHash;
  };
  const first = await tell(3);
  t.equal(await tell(3), first);
  t.not(await tell(4), first);
});
