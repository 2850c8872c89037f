// The same as planted.test.ts, for the files and folders of the log.
import t from 'tap';
import { holdToPlanted } from '../support/process/planted-check.js';
import { PLANTED_IN_LOG } from '../support/process/planted-rows.js';
import { worldWithSnapshots } from '../support/process/snapshot-worlds.js';

t.test('whatever replaces a part of the log, each command ends by itself', async (t) => {
  await holdToPlanted(t, PLANTED_IN_LOG, await worldWithSnapshots(t, { crowd: 50 }));
});
