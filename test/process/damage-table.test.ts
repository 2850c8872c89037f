// What is damaged in the log on disk, and what comes of it; damage-table-snapshots.test.ts has the snapshots.
import t from 'tap';
import { holdToRows } from '../support/process/damage-outcomes.js';
import { LOG_ROWS } from '../support/process/damage-rows.js';

t.test('each damage of the log has one outcome, and none of them is another world', async (t) => {
  await holdToRows(t, LOG_ROWS, 2);
});
