// Worlds that live in the memory of a process and nowhere else: they are begun and forked, never opened again. Their log keeps only
// its newest record, so they take no more memory the longer they are played.
import { Engine } from '../engine/engine.js';
import type { EventBytes, Row } from '../engine/rows/world-rows.js';
import { killProcess } from './fatal.js';
import { AMPLE_SPACE } from './files/disk-space.js';
import { NO_PREVIOUS_HASH } from './log/batch-record.js';
import type { LogTail } from './log/log.js';
import { MemoryLog, noRecords } from './log/memory-log.js';
import { beginWorld, type ChosenSettings } from './recovery/genesis.js';
import { beginningMs, ManualClock } from './time/clock.js';
import { GroupCommit } from './writer/group-commit.js';
import { Sequencer } from './writer/sequencer.js';

export class MemoryWorld {
  readonly clockKind = 'manual';
  readonly durability = 'relaxed';
  readonly snapshots = null;
  readonly origin = null;

  private constructor(
    readonly engine: Engine,
    readonly sequencer: Sequencer,
  ) {}

  /** Creates a world. Its clock is manual. @throws RangeError if the settings are invalid */
  static async begin(settings: ChosenSettings = {}): Promise<MemoryWorld> {
    const log = new MemoryLog(noRecords(true));
    const epoch = await log.acquire();
    const engine = Engine.create();
    const tail = await beginWorld(engine, log, epoch, settings, beginningMs('manual'));
    return MemoryWorld.#on(log, epoch, tail, engine);
  }

  /** A new world with the present state of this one, and its own future. This one may be played meanwhile. */
  async fork(): Promise<MemoryWorld> {
    const engine = copyOf(this.engine);
    const log = new MemoryLog(noRecords(true));
    const epoch = await log.acquire();
    await log.cut(epoch, engine.seq + 1);
    // The log of a fork follows no other.
    return MemoryWorld.#on(log, epoch, { lastSeq: engine.seq, hash: NO_PREVIOUS_HASH }, engine);
  }

  /** The world is gone when it settles. */
  async close(): Promise<void> {
    await this.sequencer.stop();
  }

  static async #on(log: MemoryLog, epoch: number, tail: LogTail, engine: Engine): Promise<MemoryWorld> {
    const rulesVersion = () => engine.world.settings.rulesVersion;
    const commit = new GroupCommit({ log, epoch, tail, rulesVersion, durability: 'relaxed', onFatal: killProcess });
    const clock = new ManualClock(engine.nowMs);
    const sequencer = new Sequencer({ engine, clock, log, commit, freeSpace: AMPLE_SPACE });
    await sequencer.start();
    return new MemoryWorld(engine, sequencer);
  }
}

/** Synchronous, so that the copy is of one instant. */
function copyOf(engine: Engine): Engine {
  const chunks: Uint8Array[] = [];
  // The bytes of events as they are: as characters of rows they would take most of the time.
  const eventBytes: EventBytes = {
    put: (bytes) => String(chunks.push(bytes.slice()) - 1),
    get: (name) => chunks[Number(name)] as Uint8Array,
  };
  const loader = Engine.loader(eventBytes);
  for (const row of engine.snapshotRows(eventBytes)) loader.add(copyOfRow(row));
  return loader.finish();
}

/** The loader keeps lists of a row, and the world that it was written by may change them. */
function copyOfRow(row: Row): Row {
  return row.map((value) => (typeof value === 'object' && value !== null ? copyOfRow(value) : value));
}
