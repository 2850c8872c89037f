// Replies to requests with an Idempotency-Key in worlds of turns. They are kept in memory, as many as a world keeps, and not in the
// world: keys are random, so the log and the state of two runs of the same game would differ. A repeated end of a turn does not end the
// next one.
import { KeptReplies, type KeptReply } from '../../engine/world/kept-replies.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { ReplyStore } from '../pipeline/keyed-execution.js';

export class ReplyMemory implements ReplyStore {
  /** Bounded as the replies of a world are. Here `seq` only counts them. */
  readonly #kept = new KeptReplies();
  /** Seq of the last entry when each reply was kept. */
  readonly #seqs = new WeakMap<KeptReply, number>();
  #count = 0;

  constructor(
    private readonly sequencer: Pick<ServedSequencer, 'lastSeq'>,
    /** Its version grows with what is no entry of the log: a turn that ends. */
    private readonly turns: { readonly version: number },
  ) {}

  get changeCount(): number {
    return this.sequencer.lastSeq + this.turns.version;
  }

  find(scope: number, keyDigest: string): KeptReply | undefined {
    const kept = this.#kept.find(scope, keyDigest);
    return kept === undefined ? undefined : { ...kept, seq: this.#seqs.get(kept) ?? 0 };
  }

  keep(reply: Omit<KeptReply, 'seq'>): void {
    this.#count += 1;
    const kept = { ...reply, seq: this.#count };
    this.#kept.add(kept);
    this.#seqs.set(kept, this.sequencer.lastSeq);
  }
}
