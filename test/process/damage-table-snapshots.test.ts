// Damage to the snapshots on disk, and its outcome; damage-table.test.ts has the log.
import t from 'tap';
import { holdToRows } from '../support/process/damage-outcomes.js';
import { SNAPSHOT_ROWS, YOUNG_ROWS } from '../support/process/damage-rows.js';

t.test('each damage to snapshots has one outcome, and never leads to another world', async (t) => {
  await holdToRows(t, SNAPSHOT_ROWS, 2);
});

t.test('so does each damage to a world whose log reaches back to the genesis', async (t) => {
  await holdToRows(t, YOUNG_ROWS, 1);
});
