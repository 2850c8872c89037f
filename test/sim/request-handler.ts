// Takes the place of HTTP in a simulated process: it handles each request in a turn of the event loop, and holds each reply until
// what it depends on is durable. As in the server, http/pipeline/keyed-execution.ts decides what a key means, and http/replica/
// whether a process that shares its world may answer, waits, or sends the client to the leader.
import type { Engine } from '../../engine/engine.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { WorldUse } from '../../http/exchange/exchange.js';
import { HANDOVER_HOLD_MS, MIN_SEQ_WAIT_MS } from '../../http/limits.js';
import { KeyedExecution, type KeyedWorld, WorldReplies } from '../../http/pipeline/keyed-execution.js';
import { ReplicaPolicy, type Verdict } from '../../http/replica/replica-policy.js';
import { WaitingRequests } from '../../http/replica/waiting-requests.js';
import type { Replica } from '../../persistence/replication/replica-view.js';
import type { DurabilityWaiter, ServedSequencer } from '../../persistence/writer/sequencer.js';
import { KeyedCommand } from './keyed-command.js';
import type { PlayerRequest } from './player-bot.js';
import type { ProcessLoop } from './process-loop.js';

const NO_LIMITS = { requestsMax: 1_000, requestsPerOwnerMax: 1_000, bytesMax: 1_000, pollMs: 100, sliceMs: 10 };

/** A reply as its client sees it. */
export interface Answer {
  /** `found`: there was nothing to change; `shown`: the reply to a read. */
  readonly kind: 'accepted' | 'replayed' | 'refused' | 'key reused' | 'found' | 'shown' | 'turned away';
  /** Seqs of the commands that were accepted; of a planet that is shown, that of its last change. */
  readonly seqs: readonly number[];
  /** The value of `x-world-seq`; undefined in a world of one process, and if the reply does not depend on the world. */
  readonly worldSeq?: number | undefined;
}

/** Sends an answer that depends on everything up to a seq. */
export type Send = (answer: Answer, seq: number) => void;

export interface RequestHandlerOptions {
  readonly engine: Engine;
  readonly sequencer: ServedSequencer;
  /** Null for a process that does not share its world. */
  readonly replica: Replica | null;
  readonly loop: ProcessLoop;
}

/** A request as it arrives. */
export interface Visit {
  readonly use: WorldUse;
  /** The value of `x-min-seq`. */
  readonly minSeq: number;
  /** Answers it. */
  readonly handle: () => void;
  /** Sends it away; `wait`: it has waited for too long. */
  readonly refuse: (why: Exclude<Verdict, 'go'>) => void;
}

export class RequestHandler implements KeyedWorld {
  readonly world: ReadonlyWorld;
  readonly sequencer: ServedSequencer;
  readonly keptReplies: WorldReplies;
  readonly #policy: ReplicaPolicy | null;
  readonly #waiting: WaitingRequests;

  constructor({ engine, sequencer, replica, loop }: RequestHandlerOptions) {
    this.world = engine.world;
    this.sequencer = sequencer;
    this.keptReplies = new WorldReplies(this.world, sequencer);
    this.#policy = replica && this.policyOf(replica);
    this.#waiting = new WaitingRequests({ scheduler: loop, elapsedMs: loop.elapsedNowMs, limits: NO_LIMITS });
    replica?.onChange(this.#waiting.check);
    replica?.onApplied(this.#waiting.check);
  }

  /** Handles a request now, later, or not at all. */
  receive(visit: Visit): void {
    const { use, minSeq, handle, refuse } = visit;
    const policy = this.#policy;
    const verdict = policy?.verdict(use, minSeq) ?? 'go';
    if (verdict === 'go') handle();
    else if (verdict !== 'wait') refuse(verdict);
    else {
      const isReady = (): boolean => policy?.verdict(use, minSeq) !== 'wait';
      const proceed = (isLate: boolean): void => (isLate ? refuse('wait') : this.receive(visit));
      this.#waiting.add({ isReady, proceed }, 0, 0, use === 'command' ? HANDOVER_HOLD_MS : MIN_SEQ_WAIT_MS);
    }
  }

  /** A request with its idempotency key. */
  post(request: PlayerRequest, send: Send): void {
    this.sequencer.run(() => new KeyedExecution(this, new KeyedCommand(this, request, send)).run());
  }

  /** A read of a planet; its reply waits only for the planet's last change. */
  read(planetKey: number, send: Send): void {
    this.sequencer.run(() => {
      const planet = this.world.planets.get(planetKey);
      const seqs = planet === undefined ? [] : [planet.changedSeq];
      this.answer({ kind: 'shown', seqs }, planet?.changedSeq ?? this.sequencer.lastSeq, send);
    });
  }

  mayShow(seq: number): boolean {
    return seq <= this.sequencer.durableSeq;
  }

  answer(answer: Answer, seq: number, send: Send): void {
    const told = { ...answer, worldSeq: this.#policy?.worldSeqOf(seq) };
    const held: DurabilityWaiter = { durable: () => send(told, seq) };
    if (!this.sequencer.holdUntilDurable(seq, held)) send({ kind: 'turned away', seqs: [] }, 0);
  }

  /** @param replica of a process that shares its world */
  protected policyOf(replica: Replica): ReplicaPolicy {
    return new ReplicaPolicy(replica, this.sequencer, false);
  }
}
