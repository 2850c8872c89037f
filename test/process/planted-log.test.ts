// What planted.test.ts does, for the files and folders of the log.
import t from 'tap';
import { holdToPlanted } from '../support/process/planted-check.js';
import { PLANTED_IN_LOG } from '../support/process/planted-rows.js';
import { worldWithSnapshots } from '../support/process/snapshot-worlds.js';

t.test('whatever stands in the place of a part of the log, each command ends by itself', async (t) => {
  const world = await worldWithSnapshots(t, { crowd: 50 });
  for (const row of PLANTED_IN_LOG) t.test(`${row.place}: ${row.thing}`, (t) => holdToPlanted(t, row, world));
});
