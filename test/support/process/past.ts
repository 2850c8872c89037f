// What is known of a world's past, compared with its data folder: none of it may change. A server prunes its oldest
// records; the past keeps its own copy of every record that it has seen.
import { join } from 'node:path';
import type { StoredRecord } from '../../../persistence/log/log.js';
import { SnapshotFolder } from '../../../persistence/snapshots/snapshot-files.js';
import type { SnapshotStore } from '../../../persistence/snapshots/snapshot-store.js';
import type { Origin } from '../../../persistence/stores/origin.js';
import type { Client } from './client.js';
import type { Comparison, DeedLedger } from './deed-ledger.js';
import { type LoggedDeed, loggedDeed } from './deeds.js';
import { stateOf } from './operator.js';
import { hashOfRestored, type KeptLog, keptLog, Replay, replayRecords, runningLog } from './replayed-log.js';

export class Past {
  readonly #ledger: DeedLedger;
  /** State hashes by seq, as servers, snapshots and restored worlds reported them. */
  readonly #toldHashes = new Map<number, string>();
  /** Records from the genesis on, without a gap. */
  readonly #records: StoredRecord[] = [];
  readonly #faults: string[] = [];
  readonly #replay = new Replay();
  readonly #logged: LoggedDeed[] = [];
  readonly #restored: { readonly origin: Origin; readonly hash: string }[] = [];

  constructor(ledger: DeedLedger) {
    this.#ledger = ledger;
  }

  /** Seq of the last entry that was found in the log. */
  get lastSeq(): number {
    return this.#replay.engine.seq;
  }

  /** World time of that entry, in milliseconds. */
  get lastEntryMs(): number {
    return this.#replay.engine.world.lastEntryMs;
  }

  /** Asks a server for the hash of its state and keeps it. @returns the seq it belongs to */
  async askForHash(client: Client): Promise<number> {
    const { seq, hash } = await stateOf(client);
    this.wasTold(seq, hash, 'a server');
    return seq;
  }

  /** Keeps a state hash; the next comparison checks it. */
  wasTold(seq: number, hash: string, by: string): void {
    const known = this.#toldHashes.get(seq) ?? hash;
    if (known !== hash) this.#faults.push(`the state at seq ${seq} was reported as ${known}, and by ${by} as ${hash}`);
    this.#toldHashes.set(seq, hash);
  }

  /** Keeps where a restored or forked world came from, and the hash of its state; the next comparison checks both. */
  wasRestored(origin: Origin, hash: string): void {
    this.wasTold(origin.seq, origin.stateHash, `the origin of a ${origin.kind}`);
    this.#restored.push({ origin, hash });
  }

  /**
   * Copies what a running server has on disk. Must be called before each snapshot, because that may prune what was on
   * disk at the previous one.
   */
  async gather(dataFolder: string): Promise<void> {
    this.add(await runningLog(dataFolder));
  }

  /**
   * Replays the whole past, with the new records in the log of a data folder that no process uses. Compares it with
   * what was acknowledged, what was shown, the reported hashes, and the records that were there before.
   */
  async compare(dataFolder: string): Promise<Comparison> {
    return await this.compareWith(await keptLog(dataFolder), new SnapshotFolder(join(dataFolder, 'snapshots')));
  }

  /** The same for a log and snapshots that are kept anywhere. No client may wait for a reply. */
  async compareWith(kept: KeptLog, snapshots: SnapshotStore): Promise<Comparison> {
    this.add(kept);
    this.#requireAll(kept);
    await this.#readSnapshots(snapshots);
    this.#replay.go(this.#records.slice(this.#replay.recordHashes.length), {
      hashAt: this.#toldHashes.keys(),
      visit: (entry) => {
        const deed = loggedDeed(entry);
        if (deed !== null) this.#logged.push(deed);
      },
    });
    const { faults, unanswered } = this.#ledger.compare(this.#logged);
    const hashes = this.#hashes();
    const lies = [...this.#toldHashes].flatMap(([seq, hash]) => {
      const own = hashes.get(seq);
      return own === hash
        ? []
        : [`the state at seq ${seq} was reported as ${hash}, but its log leads to ${own ?? 'nothing'}`];
    });
    const changed = this.#restored
      .splice(0)
      .filter(({ origin, hash }) => hashOfRestored(this.#records, origin) !== hash)
      .map(({ origin, hash }) => `the state at seq ${origin.seq} became ${hash} by a ${origin.kind}`);
    return { faults: [...faults, ...lies, ...changed, ...this.#faults.splice(0)], unanswered };
  }

  /** A hash that was reported after the replay had passed its seq needs a replay from the genesis on. */
  #hashes(): ReadonlyMap<number, string> {
    const { hashes } = this.#replay;
    const late = [...this.#toldHashes.keys()].filter((seq) => !hashes.has(seq));
    if (late.length === 0) return hashes;
    const again = replayRecords(this.#records, { hashAt: late });
    for (const [seq, hash] of again.hashes) hashes.set(seq, hash);
    return hashes;
  }

  /** Adds new records; known ones must be the same. */
  add({ records }: KeptLog): void {
    const known = new Map(this.#records.map((record) => [record.firstSeq, record]));
    for (const record of records) {
      const { firstSeq, bytes } = record;
      const before = known.get(firstSeq);
      const newestSeq = this.#records.at(-1)?.firstSeq ?? 0;
      if (before === undefined && firstSeq > newestSeq) this.#records.push(record);
      else if (before === undefined || Buffer.compare(before.bytes, bytes) !== 0) {
        this.#faults.push(`the record at seq ${firstSeq} is not the one that was there before`);
      }
    }
  }

  /** Every known record in the range of the log must still be there. */
  #requireAll({ firstSeq = 1, records }: KeptLog): void {
    const found = new Set(records.map((record) => record.firstSeq));
    for (const record of this.#records) {
      if (record.firstSeq < firstSeq || found.has(record.firstSeq)) continue;
      this.#faults.push(`the record at seq ${record.firstSeq} was there before, and now it is not`);
    }
  }

  async #readSnapshots(snapshots: SnapshotStore): Promise<void> {
    for (const seq of await snapshots.list()) {
      this.wasTold(seq, (await snapshots.manifest(seq)).stateHash, 'a snapshot');
    }
  }
}
