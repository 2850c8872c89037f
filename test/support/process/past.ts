// What is known of a world's past, held against what is found in its data folder: nothing of it may change. A server lets go
// of its oldest records; the past keeps its own copy of every record that it has seen.
import { join } from 'node:path';
import type { Static } from 'typebox';
import type { StateHash } from '../../../http/schemas/world.js';
import type { StoredRecord } from '../../../persistence/log/log.js';
import { SnapshotFolder } from '../../../persistence/snapshots/snapshot-files.js';
import type { Client } from './client.js';
import type { Comparison, DeedLedger } from './deed-ledger.js';
import { type LoggedDeed, loggedDeed } from './deeds.js';
import { type KeptLog, keptLog, Replay, replayRecords, runningLog } from './replayed-log.js';

export class Past {
  readonly #ledger: DeedLedger;
  /** State hashes by seq, as servers, snapshots and restored worlds told them. */
  readonly #toldHashes = new Map<number, string>();
  /** From the genesis on, without a gap. */
  readonly #records: StoredRecord[] = [];
  readonly #faults: string[] = [];
  readonly #replay = new Replay();
  readonly #logged: LoggedDeed[] = [];

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
    const { status, body } = await client.get<Static<typeof StateHash>>('/api/admin/state-hash');
    if (status !== 200) throw new Error(`the state hash is answered with ${status}`);
    this.wasTold(body.seq, body.hash, 'a server');
    return body.seq;
  }

  /** Keeps a state hash; whether it is true shows at the next comparison. */
  wasTold(seq: number, hash: string, by: string): void {
    const known = this.#toldHashes.get(seq) ?? hash;
    if (known !== hash) this.#faults.push(`the state at seq ${seq} was told as ${known}, and by ${by} as ${hash}`);
    this.#toldHashes.set(seq, hash);
  }

  /**
   * Copies what a running server has on disk. To be called before each snapshot: it may let go of what was on disk when the
   * one before it was taken.
   */
  async gather(dataFolder: string): Promise<void> {
    this.#add(await runningLog(dataFolder));
  }

  /**
   * Replays the whole past, with what the log of a data folder that no process uses has added to it, and holds against it
   * what was acknowledged, what was shown, the hashes that servers and snapshots told, and the records that were there
   * before.
   */
  async compare(dataFolder: string): Promise<Comparison> {
    const kept = await keptLog(dataFolder);
    this.#add(kept);
    this.#requireAll(kept);
    await this.#readSnapshots(dataFolder);
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
      return own === hash ? [] : [`the state at seq ${seq} was told as ${hash}, its log leads to ${own ?? 'nothing'}`];
    });
    return { faults: [...faults, ...lies, ...this.#faults.splice(0)], unanswered };
  }

  /** What was told of a seq only after the replay had gone by takes a replay from the genesis on. */
  #hashes(): ReadonlyMap<number, string> {
    const { hashes } = this.#replay;
    const late = [...this.#toldHashes.keys()].filter((seq) => !hashes.has(seq));
    if (late.length === 0) return hashes;
    const again = replayRecords(this.#records, { hashAt: late });
    for (const [seq, hash] of again.hashes) hashes.set(seq, hash);
    return hashes;
  }

  /** Takes over what is new; what is known must be the same. */
  #add({ records }: KeptLog): void {
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

  /** Of what the log reaches back to, everything must still be there. */
  #requireAll({ firstSeq = 1, records }: KeptLog): void {
    const found = new Set(records.map((record) => record.firstSeq));
    for (const record of this.#records) {
      if (record.firstSeq < firstSeq || found.has(record.firstSeq)) continue;
      this.#faults.push(`the record at seq ${record.firstSeq} was there before, and now it is not`);
    }
  }

  async #readSnapshots(dataFolder: string): Promise<void> {
    const snapshots = new SnapshotFolder(join(dataFolder, 'snapshots'));
    for (const seq of await snapshots.list()) {
      this.wasTold(seq, (await snapshots.manifest(seq)).stateHash, 'a snapshot');
    }
  }
}
