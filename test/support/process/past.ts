// What is known of a world's past, held against the log that is found in its data folder: nothing of it may change.
import type { Static } from 'typebox';
import type { StateHash } from '../../../http/schemas/world.js';
import type { Client } from './client.js';
import { type LoggedDeed, loggedDeed } from './deeds.js';
import type { Comparison, Ledger } from './ledger.js';
import { replayLog } from './replayed-log.js';

export class Past {
  readonly #ledger: Ledger;
  /** State hashes by seq, as the server told them. */
  readonly #toldHashes = new Map<number, string>();
  #recordHashes: readonly string[] = [];
  #lastSeq = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Seq of the last entry that was found in the log. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Asks a server for the hash of its state and keeps it. @returns the seq it belongs to */
  async askForHash(client: Client): Promise<number> {
    const { status, body } = await client.get<Static<typeof StateHash>>('/api/admin/state-hash');
    if (status !== 200) throw new Error(`the state hash is answered with ${status}`);
    this.#toldHashes.set(body.seq, body.hash);
    return body.seq;
  }

  /**
   * Replays the log of a data folder that no process uses, and holds against it what was acknowledged, what was shown,
   * the hashes that servers told, and the records that were there before.
   */
  async compare(dataFolder: string): Promise<Comparison> {
    const logged: LoggedDeed[] = [];
    const { engine, recordHashes, hashes } = await replayLog(dataFolder, {
      hashAt: this.#toldHashes.keys(),
      visit: (entry) => {
        const deed = loggedDeed(entry);
        if (deed !== null) logged.push(deed);
      },
    });
    const { faults, unanswered } = this.#ledger.compare(logged);
    const changes = [...this.#toldHashes].flatMap(([seq, hash]) => {
      const own = hashes.get(seq);
      return own === hash ? [] : [`the state at seq ${seq} was told as ${hash}, its log leads to ${own ?? 'nothing'}`];
    });
    const changed = this.#recordHashes.findIndex((hash, index) => recordHashes[index] !== hash);
    if (changed >= 0) changes.push(`the record ${changed} is not the one that was there before`);
    this.#recordHashes = recordHashes;
    this.#lastSeq = engine.seq;
    return { faults: [...faults, ...changes], unanswered };
  }
}
