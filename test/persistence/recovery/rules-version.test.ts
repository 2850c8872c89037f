// The version of the rules in the log of a world that switches to rules with parts: programs that do not know them refuse it from there on.
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import type { WorldCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { AMPLE_SPACE } from '../../../persistence/files/disk-space.js';
import { decodeRecord, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import { MemoryLog } from '../../../persistence/log/memory-log.js';
import { beginWorld } from '../../../persistence/recovery/genesis.js';
import { recoverToWrite } from '../../../persistence/recovery/recovery.js';
import { ManualClock } from '../../../persistence/time/clock.js';
import { NODE_SCHEDULER } from '../../../persistence/time/scheduler.js';
import { makeWriter } from '../../../persistence/world-writer.js';
import { PARTS_RULES } from '../../support/parts-rules.js';
import { MemorySnapshots } from '../../support/stores/memory-snapshots.js';
import { testSettings } from '../../support/test-rules.js';
import { recordsOf } from '../log/log-contract.js';

const START_MS = 946_684_800_000;

t.test('records say version 2 from the switch on, and the world is recovered with it', async (t) => {
  const log = new MemoryLog();
  const engine = Engine.create();
  const epoch = await log.acquire();
  const tail = await beginWorld(engine, log, epoch, testSettings(), START_MS);
  const onFatal = (error: Error): void => void t.fail(error.message);
  const writer = makeWriter({
    ...{ engine, applied: engine, log, epoch, tail, onFatal, scheduler: NODE_SCHEDULER },
    ...{ durability: 'durable', clock: new ManualClock(START_MS), freeSpace: AMPLE_SPACE, bytesSinceCut: 0 },
  });
  await writer.start();
  const commands: readonly WorldCommand[] = [
    { type: 'create_player', name: 'early', isBot: true, keyHash: null, nameKey: 'early' },
    { type: 'switch_rules', rules: PARTS_RULES.text },
    { type: 'create_player', name: 'late', isBot: true, keyHash: null, nameKey: 'late' },
  ];
  for (const command of commands) {
    writer.submit(command);
    while ((await recordsOf(log, 1)).length < engine.seq) await setImmediate();
  }
  await writer.stop();
  const records = await recordsOf(log, 1);
  let previousHash: Uint8Array = NO_PREVIOUS_HASH;
  const read = records.map(({ firstSeq, bytes }) => {
    const outcomes = [[1, 2], [1]].map((known) =>
      decodeRecord(bytes, { firstSeq, previousHash, rulesVersions: new Set(known) }),
    );
    previousHash = recordHash(bytes);
    return outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.rulesVersion));
  });
  t.same(read, [
    [1, 1],
    [1, 1],
    [2, 'unknown_rules'],
    [2, 'unknown_rules'],
  ]);
  const recovered = await recoverToWrite(log, new MemorySnapshots());
  t.equal(recovered.engine.world.settings.rulesVersion, 2);
  t.equal(recovered.engine.stateHash(), engine.stateHash());
});
