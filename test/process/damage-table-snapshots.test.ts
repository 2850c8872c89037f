// What is damaged in the snapshots on disk, and what comes of it; damage-table.test.ts has the log.
import t from 'tap';
import { holdToRows } from '../support/process/damage-outcomes.js';
import { SNAPSHOT_ROWS, YOUNG_ROWS } from '../support/process/damage-rows.js';

t.test('each damage of snapshots has one outcome, and none of them is another world', async (t) => {
  await holdToRows(t, SNAPSHOT_ROWS, 2);
});

t.test('so has each damage of a world whose log reaches back to the genesis', async (t) => {
  await holdToRows(t, YOUNG_ROWS, 1);
});
