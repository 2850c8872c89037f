// The way to the disk: entries gathered, encoded, appended and flushed, with the replies let go, in memory and in LMDB.
// The disk is that of the temporary folder; the result names its file system.
import { encodeCommand } from '../../engine/commands/table.js';
import { RULES_VERSION } from '../../engine/rules/shipped.js';
import { NO_PREVIOUS_HASH } from '../../persistence/log/batch-record.js';
import { GroupCommit } from '../../persistence/writer/group-commit.js';
import type { SteadyCase, UnitGroup } from './unit-case.js';
import { START_MS } from './worlds/engine-world.js';
import { type OpenedLog, openMemoryLog, openTemporaryLog } from './worlds/recorded-play.js';

const BATCH_SIZES = [1, 4, 16, 64, 256, 1_024, 4_096];

export const journalUnits: UnitGroup = function* () {
  for (const size of BATCH_SIZES) yield journalCase('memory', size, openMemoryLog);
  for (const size of BATCH_SIZES) yield journalCase('LMDB', size, openTemporaryLog);
};

/** One batch after the other, each awaited: what a client sees that sends so many commands at once. */
function journalCase(store: string, size: number, open: () => Promise<OpenedLog>): SteadyCase {
  let close = async () => {};
  return {
    kind: 'steady',
    name: `${store}, batches of ${size}, durable`,
    unit: 'entry',
    countPerRun: size,
    async prepare() {
      const { log, close: closeLog } = await open();
      const commit = new GroupCommit({
        log,
        epoch: await log.acquire(),
        tail: { lastSeq: 0, hash: NO_PREVIOUS_HASH },
        rulesVersion: () => RULES_VERSION,
        durability: 'durable',
        onFatal: (error) => {
          throw error;
        },
      });
      close = async () => {
        await commit.drained();
        await closeLog();
      };
      let seq = 0;
      return () => {
        for (let added = 0; added < size; added += 1) {
          seq += 1;
          const row = encodeCommand({ type: 'upgrade_building', planetKey: seq % 1_000_000, buildingType: 1 });
          commit.add(START_MS + seq, row);
        }
        return new Promise<void>((resolve) => commit.holdUntilDurable(seq, { durable: resolve }));
      };
    },
    close: () => close(),
  };
}
