// Whether this process may answer a request now, and which seq its replies show. It knows no HTTP: the simulation runs it, too.
import type { Replica } from '../../persistence/replication/replica-view.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { WorldUse } from '../exchange/exchange.js';

/** `not_leader`: another process leads. `no_leader`: nobody leads, as far as known. `wait`: that may change in a moment. */
export type Verdict = 'go' | 'wait' | 'not_leader' | 'no_leader';

export type PolicyReplica = Pick<Replica, 'role' | 'leaderUrl' | 'mayAnswer'>;
export type PolicySequencer = Pick<ServedSequencer, 'availability' | 'durableSeq'>;

export class ReplicaPolicy {
  /** True from the moment at which a leader begins to hand over, or has handed over, until it is known who leads next. */
  #isHandingOver = false;

  /** @param isRelaxed true if replies do not wait for durability */
  constructor(
    private readonly replica: PolicyReplica,
    private readonly sequencer: PolicySequencer,
    private readonly isRelaxed: boolean,
  ) {}

  /**
   * Whether a request may be handled now. A leader that cannot be sure that it still leads answers nothing about the world.
   * A standby takes no command. A leader that hands over lets commands wait for the next one, and so does that one.
   *
   * @param minSeq the entry that must be durable first, as far as this process knows; 0 for none. A client may have it from a standby
   *   before the leader hears that its append is stored.
   */
  verdict(use: WorldUse, minSeq: number): Verdict {
    const { replica, sequencer } = this;
    if (use === 'command') return this.#commandVerdict(minSeq);
    if (use === 'state' && !replica.mayAnswer) return 'no_leader';
    return minSeq > sequencer.durableSeq ? 'wait' : 'go';
  }

  /**
   * Seq of a reply, for `x-world-seq`. It has three properties. No failover can undo it: each entry up to it is durable before the
   * reply is sent. The reply shows nothing that a later entry has changed. And the reply was rendered after all entries up to
   * it. So a client that sends it as `x-min-seq` to any process sees at least what it has seen here, its own command included.
   * Hence it is not simply the last seq: a reply waits only for what it shows, and later entries may still be lost. With relaxed
   * durability replies wait for nothing, so the seq may be lower than that of the command.
   *
   * @param seq of the last change to anything in the reply, which is sent only once that is durable
   */
  worldSeqOf(seq: number): number {
    const { durableSeq } = this.sequencer;
    return this.isRelaxed ? durableSeq : Math.max(seq, durableSeq);
  }

  /**
   * Whether a reader of events can get what follows an event, or the answer that the event does not exist. Another process may have sent
   * it. A standby may not have applied it yet, and cannot know that it never will: it may be cut off from the store. A leader has
   * applied it if it exists, but the append may not have been confirmed to it yet.
   *
   * @param durableSeq of the last event here that is durable
   * @param appliedSeq of the last event here
   */
  knowsEvent(afterSeq: number, durableSeq: number, appliedSeq: number): boolean {
    return afterSeq <= durableSeq || (this.replica.role === 'leader' && afterSeq > appliedSeq);
  }

  #commandVerdict(minSeq: number): Verdict {
    const { replica, sequencer } = this;
    const isLeader = replica.role === 'leader';
    // A process that is about to lead waits, too.
    if (sequencer.availability() === 'handing_over') this.#isHandingOver = true;
    else if (isLeader || replica.leaderUrl !== null) this.#isHandingOver = false;
    if (this.#isHandingOver) return 'wait';
    if (!isLeader) return replica.leaderUrl === null ? 'no_leader' : 'not_leader';
    if (!replica.mayAnswer) return 'no_leader';
    return minSeq > sequencer.durableSeq ? 'wait' : 'go';
  }
}
