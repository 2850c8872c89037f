// Compares the content of a disk and the result of recovery with the history. It changes nothing except the history,
// which drops unpromised entries that a crash has lost.
import type { Engine } from '../../engine/engine.js';
import {
  decodeRecord,
  forEachEntry,
  NO_PREVIOUS_HASH,
  previousHashOf,
  recordHash,
} from '../../persistence/log/batch-record.js';
import { type Recovery, recover } from '../../persistence/recovery/recovery.js';
import { decodeManifest } from '../../persistence/snapshots/snapshot-codec.js';
import type { History } from './history.js';
import type { Parts } from './parts.js';
import type { Readers } from './readers.js';
import type { SimulatedDisk } from './simulated-disk.js';
import { SimulatedLog } from './simulated-log.js';
import { SimulatedSnapshots } from './simulated-snapshots.js';
import type { Stage } from './stage.js';
import { require } from './violation.js';
import type { Device } from './virtual-scheduler.js';

/** Number of seqs that are restored at the end of a run. */
const RESTORES = 3;

interface Inspected {
  readonly stage: Stage;
  readonly disk: SimulatedDisk;
  readonly history: History;
  readonly readers: Readers;
}

export class Inspection {
  readonly #stage: Stage;
  readonly #disk: SimulatedDisk;
  readonly #history: History;
  readonly #readers: Readers;
  readonly #parts: Parts;

  constructor({ stage, disk, history, readers }: Inspected, parts: Parts) {
    this.#stage = stage;
    this.#disk = disk;
    this.#history = history;
    this.#readers = readers;
    this.#parts = parts;
  }

  /** Compares the recovered world with the live world and with what was promised. */
  checkRecovered(engine: Engine, { snapshot, damagedSnapshots }: Recovery): void {
    const stage = this.#stage;
    const history = this.#history;
    const { seq } = engine;
    stage.count('recoveries');
    if (snapshot !== null) stage.count('recoveries from a snapshot');
    stage.count('damaged snapshots passed over', damagedSnapshots.length);
    stage.tell(`recovered up to seq ${seq} of ${history.lastSeq}, promised ${history.promisedSeq}`);
    this.#checkBasis(snapshot?.seq ?? null);
    require(seq >= history.promisedSeq, () => `seq ${history.promisedSeq} was promised, and recovery ends at ${seq}`);
    require(seq <= history.lastSeq, () => `recovery ends at seq ${seq}, and only ${history.lastSeq} were submitted`);
    if (seq > 0) {
      const [was, is] = [history.hashAt(seq), engine.stateHash()];
      require(is === was, () => `at seq ${seq} the recovered world is ${is} and the live one was ${was}`);
    }
    const [last, next] = [history.entry(seq)?.request, history.entry(seq + 1)?.request];
    require(last === undefined || last !== next, () => `request ${last} survived in part, up to seq ${seq}`);
    stage.count('entries lost unpromised', history.lastSeq - seq);
    history.forgetBehind(seq);
    this.#checkLog(seq);
  }

  /** After an orderly stop everything must be on disk. */
  checkStopped(): void {
    const [flushedSeq, lastSeq] = [this.#disk.flushedSeq, this.#history.lastSeq];
    require(flushedSeq === lastSeq, () => `after an orderly stop, seq ${lastSeq} is not on disk, only ${flushedSeq}`);
  }

  /** Every snapshot that claims to be complete must equal the world at its seq. */
  checkSnapshots(): void {
    for (const [seq, { written }] of this.#disk.snapshots) {
      const manifest = written.manifest === undefined ? undefined : decodeManifest(written.manifest, seq);
      require(typeof manifest === 'object', () => `the snapshot at seq ${seq} was finished without a sound manifest`);
      const was = this.#history.hashAt(seq);
      require(manifest.stateHash === was, () => `the snapshot at seq ${seq} is ${manifest.stateHash}, it was ${was}`);
    }
  }

  /** Any covered seq can be restored, and recovery can begin with any snapshot. */
  async checkRestores(): Promise<void> {
    const history = this.#history;
    const stage = this.#stage;
    const atOnce: Device = async () => {};
    const log = this.#parts.log(new SimulatedLog(this.#disk, atOnce, stage));
    const snapshots = this.#parts.snapshots(new SimulatedSnapshots(this.#disk, atOnce, stage));
    const snapshotSeqs = this.#disk.soundSnapshotSeqs;
    const firstSeq = log.firstSeq === 1 ? 1 : (snapshotSeqs[0] ?? history.lastSeq);
    for (let restored = 0; restored < RESTORES; restored += 1) {
      const seq = stage.draws.between(firstSeq, history.lastSeq);
      const { engine } = await recover(log, snapshots, { until: { seq } });
      const [is, was] = [engine.stateHash(), history.replay(seq).stateHash()];
      require(is === was, () => `restored to seq ${seq} the world is ${is}, and a plain replay is ${was}`);
      stage.count('restores');
      this.#readers.checkRestored(engine, (parts) => this.#parts.hub(parts));
    }
    for (const seq of snapshotSeqs) {
      const { engine } = await recover(log, snapshots, { fromSnapshot: seq });
      const [is, was] = [engine.stateHash(), history.hashAt(history.lastSeq)];
      require(is === was, () => `from the snapshot at seq ${seq} the world is ${is}, and it was ${was}`);
      stage.count('recoveries from each snapshot');
    }
  }

  #checkBasis(snapshotSeq: number | null): void {
    const { refusalSeq, soundSnapshotSeqs } = this.#disk;
    require(refusalSeq === undefined, () => `damage at seq ${refusalSeq} was served`);
    const newestSeq = soundSnapshotSeqs.at(-1) ?? null;
    require(snapshotSeq === newestSeq, () => {
      return `recovery began with the snapshot at seq ${snapshotSeq}, and the newest sound one is at ${newestSeq}`;
    });
  }

  /**
   * The log must contain what was submitted, in the same order, without a gap; damage that recovery did not need to
   * read is skipped.
   */
  #checkLog(untilSeq: number): void {
    const { records, segments } = this.#disk;
    const [first] = records;
    let previousHash: Uint8Array = first && first.firstSeq > 1 ? previousHashOf(first.written) : NO_PREVIOUS_HASH;
    let seq = (segments[0]?.firstSeq ?? 1) - 1;
    for (const { firstSeq, written } of records) {
      if (firstSeq > untilSeq) break;
      const record = decodeRecord(written, { firstSeq: seq + 1, previousHash });
      require(typeof record !== 'string', () =>
        `the record at seq ${firstSeq} was served, but is not sound: ${record}`);
      forEachEntry(record, (atMs, row) => {
        seq += 1;
        const entry = this.#history.entry(seq);
        const [stored, submitted] = [JSON.stringify([atMs, row]), JSON.stringify([entry?.atMs, entry?.row])];
        require(stored === submitted, () => `seq ${seq} was submitted as ${submitted} and stored as ${stored}`);
      });
      previousHash = recordHash(written);
    }
    require(seq === untilSeq, () => `the log holds entries up to seq ${seq}, and recovery ends at ${untilSeq}`);
  }
}
