// Damage to the log on disk, and its outcome; damage-table-snapshots.test.ts has the snapshots.
import t from 'tap';
import { holdToRows } from '../support/process/damage-outcomes.js';
import { LOG_ROWS } from '../support/process/damage-rows.js';

t.test('each damage to the log has one outcome, and never leads to another world', async (t) => {
  await holdToRows(t, LOG_ROWS, 2);
});
