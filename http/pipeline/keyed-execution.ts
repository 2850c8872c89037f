// Carries out a request with an idempotency key once, however often it arrives (decision 15): it looks for a kept reply,
// runs the handler and keeps its reply, all at one instant and in one record of the log. It knows neither HTTP nor the
// game, so that the simulation runs it too. The world stores the replies, so they survive whatever the world survives.
import { canKeep, type KeptReply, REPLY_FORMS } from '../../engine/world/kept-replies.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';

/** What is kept of a reply. */
export type KeptForm = Pick<KeptReply, 'status' | 'form' | 'reply'>;

/** Kept if a request changed the world and its reply then failed: the request must not be carried out again. */
export const MISTAKE: KeptForm = { status: 500, form: REPLY_FORMS.whole, reply: '' };

/** Where replies are kept. */
export interface ReplyStore {
  /** Grows with each change that requests make. */
  readonly changeCount: number;
  find(scope: number, keyDigest: string): KeptReply | undefined;
  /** Keeps a reply together with the change that the present request has made. */
  keep(kept: Omit<KeptReply, 'seq'>): void;
}

/** Keeps no replies and finds none. A replay uses it. */
export const NO_REPLIES: ReplyStore = { changeCount: 0, find: () => undefined, keep: () => {} };

/** The part of the running world that idempotency keys need. */
export interface KeyedWorld {
  readonly keptReplies: ReplyStore;
  readonly sequencer: Pick<ServedSequencer, 'availability'>;
  /** Returns whether the changes of the entry `seq` may be shown: they are durable, or nothing waits for that. */
  mayShow(seq: number): boolean;
}

/** A request with a key. */
export interface KeyedRequest {
  /** Distinguishes the request from others with the same key. */
  readonly requestDigest: string;
  /** The scope of the key at this instant. Timers may change it, and so may the request itself. */
  scope(): number;
  /** The reply kept for the key in a scope, if the caller may see it. */
  recall(scope: number): KeptReply | undefined;
  /** The digest under which a reply is kept in a scope. */
  keyDigestIn(scope: number): string;
  /** Runs the handler, which prepares the reply. */
  carryOut(): void;
  /** What to keep of the prepared reply; null if it is a refusal, which changes nothing and leaves the key free. */
  keptForm(scope: number): KeptForm | null;
  /** Replays a kept reply. */
  replay(kept: KeptReply): void;
  /** Answers that the reply is not durable yet. */
  refuseInFlight(): void;
  /** Answers that the key belongs to another request. */
  refuseReused(): void;
}

export class KeyedExecution {
  constructor(
    protected readonly keyed: KeyedWorld,
    private readonly request: KeyedRequest,
  ) {}

  /**
   * Replays the kept reply if the request is a repetition, and otherwise lets its handler answer. If that changes the
   * world and succeeds, the reply is kept in the same record of the log as the change: both survive, or neither. It is called within
   * Sequencer.run(): a timer that fired between the lookup and the handler could change the scope of the key.
   *
   * @throws what the handler threw
   */
  run(): void {
    this.answer(this.look());
  }

  protected look(): KeptReply | undefined {
    return this.request.recall(this.request.scope());
  }

  /** @param kept what look() found at this instant */
  protected answer(kept: KeptReply | undefined): void {
    const { keyed, request } = this;
    if (kept === undefined) this.#answerFirst();
    else if (!keyed.mayShow(kept.seq)) request.refuseInFlight();
    else if (kept.requestDigest === request.requestDigest) request.replay(kept);
    else request.refuseReused();
  }

  #answerFirst(): void {
    const { keptReplies, sequencer } = this.keyed;
    const countBefore = keptReplies.changeCount;
    try {
      this.request.carryOut();
    } catch (error) {
      // If the engine itself failed, the sequencer accepts nothing more and the process ends.
      if (keptReplies.changeCount > countBefore && sequencer.availability() !== 'shutting_down')
        this.#keep(this.request.scope(), MISTAKE);
      throw error;
    }
    if (keptReplies.changeCount === countBefore) return;
    // Evaluated again: the request may have created its player.
    const scope = this.request.scope();
    const kept = this.request.keptForm(scope);
    if (kept !== null) this.#keep(scope, canKeep(scope, kept.reply) ? kept : MISTAKE);
  }

  #keep(scope: number, kept: KeptForm): void {
    const { request } = this;
    const { keptReplies } = this.keyed;
    const keyDigest = request.keyDigestIn(scope);
    if (keptReplies.find(scope, keyDigest) !== undefined) return;
    const { requestDigest } = request;
    keptReplies.keep({ scope, keyDigest, requestDigest, ...kept });
  }
}

export class WorldReplies implements ReplyStore {
  constructor(
    private readonly world: Pick<ReadonlyWorld, 'keptReplies'>,
    private readonly sequencer: Pick<ServedSequencer, 'lastSeq' | 'submit'>,
  ) {}

  get changeCount(): number {
    return this.sequencer.lastSeq;
  }

  find(scope: number, keyDigest: string): KeptReply | undefined {
    return this.world.keptReplies.find(scope, keyDigest);
  }

  keep(kept: Omit<KeptReply, 'seq'>): void {
    this.sequencer.submit({ type: 'keep_reply', ...kept });
  }
}
