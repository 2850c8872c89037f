// Which snapshots are kept with history, by their seqs alone.
import t from 'tap';
import { HISTORY_SNAPSHOT_ENTRIES as STEP } from '../../../persistence/limits.js';
import { superfluousSnapshots } from '../../../persistence/upkeep/snapshot-keeper.js';

t.test('a snapshot goes if it is closer than the limit to the kept one before it', async (t) => {
  const rows: [what: string, olderSeqs: number[], coveredFromSeq: number, superfluous: number[]][] = [
    ['none', [], 1, []],
    ['one entry short of the limit after the genesis', [STEP], 1, [STEP]],
    ['exactly at the limit', [STEP + 1], 1, []],
    ['each measured from the kept one', [STEP + 1, 2 * STEP, 2 * STEP + 1], 1, [2 * STEP]],
    ['a gap that is longer than the limit', [5 * STEP, 5 * STEP + 1, 6 * STEP], 1, [5 * STEP + 1]],
    ['the snapshot that a pruned log continues', [10, 20, STEP + 10], 10, [20]],
    ['one that the log no longer reaches back to', [5, 10], 10, []],
  ];
  for (const [what, olderSeqs, coveredFromSeq, superfluous] of rows) {
    t.same(superfluousSnapshots(olderSeqs, coveredFromSeq), superfluous, what);
  }
});

t.test('a snapshot that is kept once stays kept when further snapshots follow', async (t) => {
  const distance = Math.floor(STEP / 3) + 1;
  let kept: number[] = [];
  for (let seq = distance; seq < 20 * STEP; seq += distance) {
    const before = kept;
    const older = [...kept, seq];
    const superfluous = new Set(superfluousSnapshots(older, 1));
    kept = older.filter((each) => !superfluous.has(each));
    t.same(kept.slice(0, before.length), before);
  }
  t.ok(kept.length >= 14 && kept.length <= 20, `${kept.length}`);
});
