// The way to the disk: entries gathered, encoded, appended and flushed, with the replies let go, in memory and in LMDB.
// The disk is that of the temporary folder; the result names its file system.
import { encodeCommand } from '../../engine/commands/table.js';
import { RULES_VERSION } from '../../engine/rules/shipped.js';
import { NO_PREVIOUS_HASH } from '../../persistence/log/batch-record.js';
import type { CommandLog } from '../../persistence/log/log.js';
import { MemoryLog } from '../../persistence/log/memory-log.js';
import { GroupCommit } from '../../persistence/writer/group-commit.js';
import { START_MS } from '../worlds/engine-world.js';
import { sampleSteady } from './steady-sampler.js';
import { openTemporaryLog } from './temporary-log.js';
import type { DirectCase, Effort, UnitGroup } from './unit-case.js';

const BATCH_SIZES = [1, 4, 16, 64, 256, 1_024, 4_096];

export const journalUnits: UnitGroup = function* () {
  for (const size of BATCH_SIZES) yield journalCase('memory', size, async () => new MemoryLog());
  for (const size of BATCH_SIZES) yield journalCase('LMDB', size, openTemporaryLog);
};

function journalCase(store: string, size: number, open: () => Promise<CommandLog>): DirectCase {
  const name = `${store}, batches of ${size}`;
  return {
    kind: 'direct',
    name,
    async measure(effort: Effort) {
      const log = await open();
      const journal = new Journal(log, await log.acquire(), size);
      const writeBatch = {
        kind: 'steady',
        name,
        unit: 'entry',
        countPerRun: size,
        prepare: () => () => journal.writeBatch(),
      } as const;
      const { id: _, ...reading } = await sampleSteady(writeBatch, effort, name);
      await journal.close();
      return [{ name: 'durable', ...reading }];
    },
  };
}

/** One batch after the other, each awaited: what a client sees that sends so many commands at once. */
class Journal {
  readonly #log: CommandLog;
  readonly #commit: GroupCommit;
  readonly #size: number;
  #seq = 0;

  constructor(log: CommandLog, epoch: number, size: number) {
    this.#log = log;
    this.#size = size;
    this.#commit = new GroupCommit({
      log,
      epoch,
      tail: { lastSeq: 0, hash: NO_PREVIOUS_HASH },
      rulesVersion: RULES_VERSION,
      durability: 'durable',
      onFatal: (error) => {
        throw error;
      },
    });
  }

  /** Settles when the batch is on disk. */
  writeBatch(): Promise<void> {
    for (let added = 0; added < this.#size; added += 1) {
      this.#seq += 1;
      const row = encodeCommand({ type: 'upgrade_building', planetKey: this.#seq % 1_000_000, buildingType: 1 });
      this.#commit.add(START_MS + this.#seq, row);
    }
    const seq = this.#seq;
    return new Promise((resolve) => this.#commit.holdUntilDurable(seq, { durable: resolve }));
  }

  async close(): Promise<void> {
    await this.#commit.drained();
    await this.#log.close();
  }
}
