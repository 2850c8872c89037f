// The log of a leader: what is stored counts as stored only while the term is valid, so that the writer releases nothing that
// another leader could contradict. The writer itself knows nothing of terms.
import { recordHash } from '../log/batch-record.js';
import type { Append, CommandLog, LogTail, StoredRecord } from '../log/log.js';
import type { LeaderTerm } from './leader-term.js';

export class TermLog implements CommandLog {
  readonly #log: CommandLog;
  readonly #term: Pick<LeaderTerm, 'untilValid'>;
  #tail: LogTail;
  #newest: Append | undefined;

  /** @param tail of the log when the term begins */
  constructor(log: CommandLog, term: Pick<LeaderTerm, 'untilValid'>, tail: LogTail) {
    this.#log = log;
    this.#term = term;
    this.#tail = tail;
  }

  /** Where the log ends, if nothing is in flight. */
  get tail(): LogTail {
    if (this.#newest !== undefined) {
      this.#tail = { lastSeq: this.#newest.lastSeq, hash: recordHash(this.#newest.bytes) };
      this.#newest = undefined;
    }
    return this.#tail;
  }

  get firstSeq(): number | undefined {
    return this.#log.firstSeq;
  }

  async append(append: Append): Promise<void> {
    this.#newest = append;
    await this.#log.append(append);
    await this.#term.untilValid();
  }

  /** The last read before an append of unknown outcome counts as stored (outcome.ts), so it waits for the term too. */
  async currentEpoch(): Promise<number> {
    const epoch = await this.#log.currentEpoch();
    await this.#term.untilValid();
    return epoch;
  }

  /** The process goes on with the log in another role, so it stays open. */
  async close(): Promise<void> {}

  read(fromSeq: number): AsyncIterable<StoredRecord> {
    return this.#log.read(fromSeq);
  }

  last(): Promise<StoredRecord | undefined> {
    return this.#log.last();
  }

  refresh(): Promise<void> {
    return this.#log.refresh();
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncIterable<StoredRecord> {
    return this.#log.follow(afterSeq, signal);
  }

  acquire(): Promise<number> {
    return this.#log.acquire();
  }

  dropLast(epoch: number, firstSeq: number): Promise<void> {
    return this.#log.dropLast(epoch, firstSeq);
  }

  cut(epoch: number, nextSeq: number): Promise<void> {
    return this.#log.cut(epoch, nextSeq);
  }

  prune(epoch: number, keepFromSeq: number): Promise<void> {
    return this.#log.prune(epoch, keepFromSeq);
  }
}
