// Handlers of requests, hubs of events and leaderships that are broken on purpose, with clocks and sequencers that mislead them: each breaks one
// thing. Used only by the breakages.

import { EventHub, type EventHubParts } from '../../http/events/event-hub.js';
import { KeyedExecution } from '../../http/pipeline/keyed-execution.js';
import { ReplicaPolicy } from '../../http/replica/replica-policy.js';
import { Fenced, type StoreUnreachable } from '../../persistence/log/log.js';
import type { Replica } from '../../persistence/replication/replica-view.js';
import type { Claim, Leadership, Lease } from '../../persistence/stores/world-store.js';
import type { TimeSource } from '../../persistence/time/clock.js';
import type { EventWatcher } from '../../persistence/writer/group-commit.js';
import { altered } from '../support/altered.js';
import { shortLog } from './broken-logs.js';
import { KeyedCommand } from './keyed-command.js';
import type { PlayerRequest } from './player-bot.js';
import type { ProcessLoop } from './process-loop.js';
import { type Answer, RequestHandler, type RequestHandlerOptions, type Send, type Visit } from './request-handler.js';

export class HastyHandler extends RequestHandler {
  constructor(
    options: RequestHandlerOptions,
    private readonly hasty: Answer['kind'],
  ) {
    super(options);
  }

  override answer(answer: Answer, seq: number, send: Send): void {
    if (answer.kind === this.hasty) send(answer, seq);
    else super.answer(answer, seq, send);
  }
}

export class CarelessHandler extends RequestHandler {
  override read(planetKey: number, send: Send): void {
    const planet = this.world.planets.get(planetKey);
    send({ kind: 'shown', seqs: [] }, planet?.changedSeq ?? 0);
  }
}

/** The race that a colony ship wins if it lands between the lookup of the key and the handler. */
class EarlyLook extends KeyedExecution {
  constructor(
    private readonly handler: RequestHandler,
    request: KeyedCommand,
  ) {
    super(handler, request);
  }

  override run(): void {
    const kept = this.look();
    this.handler.sequencer.run(() => this.answer(kept));
  }
}

export class TwoInstantsHandler extends RequestHandler {
  override post(request: PlayerRequest, send: Send): void {
    this.sequencer.readNow();
    new EarlyLook(this, new KeyedCommand(this, request, send)).run();
  }
}

export class ForgetfulHandler extends RequestHandler {
  override post(request: PlayerRequest, send: Send): void {
    this.#posts += 1;
    super.post({ ...request, key: `${request.key} ${this.#posts}` }, send);
  }

  #posts = 0;
}

/** Neither asks whether it may answer, nor holds a reply until it is sure. */
export class BoldHandler extends RequestHandler {
  protected override policyOf(replica: Replica): ReplicaPolicy {
    const bold = {
      mayAnswer: true,
      get role() {
        return replica.role;
      },
      get leaderUrl() {
        return replica.leaderUrl;
      },
    };
    return new ReplicaPolicy(bold, this.sequencer, false);
  }

  override read(planetKey: number, send: Send): void {
    this.sequencer.readNow();
    const planet = this.world.planets.get(planetKey);
    const { lastSeq, durableSeq } = this.sequencer;
    const seq = planet?.changedSeq ?? lastSeq;
    if (seq > durableSeq) super.read(planetKey, send);
    else send({ kind: 'shown', seqs: planet === undefined ? [] : [planet.changedSeq], worldSeq: durableSeq }, seq);
  }
}

/** Lets nobody wait for the next leader. */
export class CurtHandler extends RequestHandler {
  protected override policyOf(replica: Replica): ReplicaPolicy {
    const { sequencer } = this;
    const curt = {
      availability: () => (sequencer.availability() === 'handing_over' ? 'not_leader' : sequencer.availability()),
      get lastSeq() {
        return sequencer.lastSeq;
      },
      get durableSeq() {
        return sequencer.durableSeq;
      },
    };
    return new ReplicaPolicy(replica, curt, false);
  }
}

export class ImpatientHandler extends RequestHandler {
  override receive(visit: Visit): void {
    super.receive({ ...visit, minSeq: 0 });
  }
}

type WatchedSequencer = EventHubParts['sequencer'];

/** Says that everything is durable. */
export class HastySequencer implements WatchedSequencer {
  readonly durableSeq = Number.MAX_SAFE_INTEGER;

  constructor(private readonly sequencer: WatchedSequencer) {}

  watchEvents(watcher: EventWatcher): () => void {
    return this.sequencer.watchEvents(watcher);
  }
}

/** Keeps each third release to itself. */
export class DeafSequencer implements WatchedSequencer {
  #releases = 0;

  constructor(private readonly sequencer: WatchedSequencer) {}

  get durableSeq(): number {
    return this.sequencer.durableSeq;
  }

  watchEvents(watcher: EventWatcher): () => void {
    return this.sequencer.watchEvents({
      released: (receivers) => {
        this.#releases += 1;
        if (this.#releases % 3 !== 0) watcher.released(receivers);
      },
    });
  }
}

/** Begins with the event at the position of the reader. */
export class EarlyHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    const { oldestSeq, lastSeq } = this.span(receiver);
    const isInside = afterSeq >= oldestSeq && afterSeq < lastSeq;
    return super.read(receiver, isInside ? afterSeq - 1 : afterSeq, limit);
  }
}

/** Leaves out the first of several events. */
export class LateHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    const texts = super.read(receiver, afterSeq, limit);
    return texts !== null && texts.length > 1 ? texts.slice(1) : texts;
  }
}

/** Lets readers wait for events of the future. */
export class ForgivingHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    return afterSeq > this.span(receiver).lastSeq ? [] : super.read(receiver, afterSeq, limit);
  }
}

/** Continues with the oldest event that is kept. */
export class SkippingHub extends EventHub {
  override read(receiver: number, afterSeq: number, limit: number): readonly string[] | null {
    const { oldestSeq } = this.span(receiver);
    return super.read(receiver, Math.max(afterSeq, oldestSeq - 1), limit);
  }
}

/** Acts as if the process had only those clocks that stand still while it is stopped. */
export function withoutStops(loop: ProcessLoop): TimeSource {
  const { source } = loop;
  return {
    elapsedMs: () => source.elapsedMs() - loop.stoppedMs,
    wallMs: () => source.wallMs() - loop.stoppedMs,
  };
}

/** Takes an error of a renewal for a success. */
export function forgiving(leadership: Leadership, kind: typeof Fenced | typeof StoreUnreachable): Leadership['renew'] {
  let last: Lease | undefined;
  return async (epoch) => {
    try {
      last = await leadership.renew(epoch);
      return last;
    } catch (error) {
      if (!(error instanceof kind)) throw error;
      return last ?? { epoch, leaderId: '', leaderUrl: '', beat: 0, leaseMs: 0, wantedId: null };
    }
  };
}

/** After a claim, the process sees no more of the log than what it has applied. */
export function withoutTail(leadership: Leadership): Leadership {
  const view = { isShort: false };
  return altered(leadership, {
    openShared: async () => {
      const held = await leadership.openShared();
      return { ...held, log: shortLog(held.log, view) };
    },
    claim: async (claim, seen) => {
      const lease = await leadership.claim(claim, seen);
      view.isShort = lease !== null;
      return lease;
    },
  });
}

/** Claims the lease again as soon as it learns that another process has it. */
export function jealous(leadership: Leadership): Leadership {
  let own: Claim | undefined;
  return altered(leadership, {
    claim: (claim, seen) => {
      own = claim;
      return leadership.claim(claim, seen);
    },
    renew: async (epoch) => {
      try {
        return await leadership.renew(epoch);
      } catch (error) {
        if (error instanceof Fenced && own !== undefined) await leadership.claim(own, await leadership.read());
        throw error;
      }
    },
  });
}

export function released(lease: Lease): Lease {
  return { ...lease, leaderId: null, leaderUrl: null, wantedId: null };
}
