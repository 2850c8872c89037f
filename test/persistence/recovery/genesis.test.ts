// How the first record of a world fails.
import t from 'tap';
import { Engine } from '../../../engine/engine.js';
import { beginWorld } from '../../../persistence/recovery/genesis.js';
import { FaultyLog } from '../../support/faulty-log.js';

t.test('the start of a world fails if its first record does not reach the disk in time', async (t) => {
  const log = new FaultyLog({ isHeld: true });
  const beginning = beginWorld(Engine.create(), log, log.epoch, {}, 0, 10);
  await t.rejects(beginning, { name: 'LogStalled', message: 'the record at seq 1 was not on disk after 1010 ms' });
});

t.test('the failure of a first record gives the reason', async (t) => {
  const log = new FaultyLog({ isHeld: true });
  const beginning = beginWorld(Engine.create(), log, log.epoch, {}, 0);
  const refused = t.rejects(beginning, { message: 'no space left on device' });
  await log.fail(new Error('no space left on device'));
  await refused;
});
