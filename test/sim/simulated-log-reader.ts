// The log on a simulated disk, as a process reads it, beside its writer too. It shows the content of the disk, damage
// included.

import { LogUnreadable, type ReadableLog, type StoredRecord } from '../../persistence/log/log.js';
import { LogFollowers } from '../../persistence/log/log-followers.js';
import type { SimulatedDisk } from './simulated-disk.js';
import type { Stage } from './stage.js';
import type { Device } from './virtual-scheduler.js';

/** Number of records per read. */
const RECORDS_PER_READ = 8;
const READ_MS = 3;

export class SimulatedLogReader implements ReadableLog {
  protected readonly followers: LogFollowers = new LogFollowers();

  constructor(
    protected readonly disk: SimulatedDisk,
    protected readonly device: Device,
    protected readonly stage: Stage,
  ) {}

  get firstSeq(): number | undefined {
    return this.disk.segments[0]?.firstSeq;
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    this.receiveLate();
    this.#failIfArmed();
    const { records } = this.disk;
    const next = records.findIndex((record) => record.firstSeq > fromSeq);
    const after = next === -1 ? records.length : next;
    const wanted = records.slice(Math.max(after - 1, 0));
    for (const [index, { firstSeq, bytes }] of wanted.entries()) {
      if (index % RECORDS_PER_READ === 0) await this.device(this.stage.draws.below(READ_MS));
      yield { firstSeq, bytes };
    }
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    return this.followers.follow(this, afterSeq, signal);
  }

  async last(): Promise<StoredRecord | undefined> {
    this.receiveLate();
    const { newest } = this.disk;
    return newest && { firstSeq: newest.firstSeq, bytes: newest.bytes };
  }

  /** A late append arrives before anything is read or changed. */
  protected receiveLate(): void {
    const fate = this.disk.receiveLate(this.stage.time.elapsedMs());
    if (fate === undefined) return;
    this.stage.tell(`a late append arrives: ${fate}`);
    this.stage.count(`late appends: ${fate}`);
  }

  #failIfArmed(): void {
    if (!this.disk.isReadFailing) return;
    this.disk.isReadFailing = false;
    this.stage.tell('a read of the log fails');
    this.stage.count('fault: read error');
    throw new LogUnreadable('EIO: input/output error');
  }

  /** It always sees the present content. */
  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    this.followers.close();
  }
}
