// Damage to the log and to the snapshots on disk, and its outcome.
import t from 'tap';
import { holdToRows } from '../support/process/damage-outcomes.js';
import { LOG_ROWS, SNAPSHOT_ROWS, YOUNG_ROWS } from '../support/process/damage-rows.js';

t.test('each damage to the log and to snapshots has one outcome, and never leads to another world', (t) =>
  holdToRows(t, [...LOG_ROWS, ...SNAPSHOT_ROWS], 2),
);

t.test('so does each damage to a world whose log reaches back to the genesis', (t) => holdToRows(t, YOUNG_ROWS, 1));
