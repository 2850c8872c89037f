// Processes of a shared store broken on purpose, one thing at a time, as in breakages.ts.

import { ReplicaPolicy } from '../../../http/replica/replica-policy.js';
import {
  type Append,
  type CommandLog,
  Fenced,
  type StoredRecord,
  StoreUnreachable,
} from '../../../persistence/log/log.js';
import type { Replica } from '../../../persistence/replication/replica-view.js';
import type { Claim, Leadership, Lease } from '../../../persistence/stores/leadership.js';
import type { TimeSource } from '../../../persistence/time/clock.js';
import { GroupCommit } from '../../../persistence/writer/group-commit.js';
import { EarlyHub, LateHub } from '../broken-hubs.js';
import { BlindLog, LogBefore, TrustingLog } from '../broken-logs.js';
import type { FrontDeskOptions, Send } from '../front-desk.js';
import type { ProcessLoop } from './process-loop.js';
import { SharedDesk } from './shared-desk.js';
import { HONEST_SHARED_PARTS, type SharedParts } from './shared-parts.js';

/** By name, the parts that replace honest ones. */
export const SHARED_BREAKAGES: Readonly<Record<string, Partial<SharedParts>>> = {
  'the term ignores the time for which the process was stopped': { source: (loop) => withoutStops(loop) },
  'a renewal of unknown outcome counts as done': {
    leadership: (leadership) => changed(leadership, { renew: forgiving(leadership, StoreUnreachable) }),
  },
  'a fenced leader goes on': {
    leadership: (leadership) => changed(leadership, { renew: forgiving(leadership, Fenced) }),
  },
  'the lease is read and not renewed': {
    leadership: (leadership) => changed(leadership, { renew: () => leadership.read() }),
  },
  'a standby claims without waiting': {
    leadership: (leadership) => changed(leadership, { read: async () => released(await leadership.read()) }),
  },
  'a release is lost': { leadership: (leadership) => changed(leadership, { release: async () => {} }) },
  'the wish for a handover is not heard': {
    leadership: (leadership) =>
      changed(leadership, { renew: async (epoch) => ({ ...(await leadership.renew(epoch)), wantedId: null }) }),
  },
  'an append of unknown outcome is retried blindly': {
    commit: (options) => new GroupCommit({ ...options, log: new BlindLog(options.log) }),
  },
  'an append of unknown outcome counts as done': {
    commit: (options) => new GroupCommit({ ...options, log: new TrustingLog(options.log) }),
  },
  'a fenced leader takes the lease back': { leadership: (leadership) => jealous(leadership) },
  'a reply leaves before its record is stored': {
    commit: (options) => new GroupCommit({ ...options, durability: 'relaxed' }),
  },
  'the new leader does not replay the tail': {
    leadership: (leadership) => withoutTail(leadership),
  },
  'a follower skips a record': { log: (log) => new SkippingLog(log) },
  'a leader that is past its term answers reads': { desk: (options) => new BoldDesk(options) },
  'commands are denied in a handover': { desk: (options) => new CurtDesk(options) },
  'x-min-seq is ignored': { desk: (options) => new ImpatientDesk(options) },
  'a reader of a replica resumes one event early': { hub: (parts) => new EarlyHub(parts) },
  'a reader of a replica resumes one event late': { hub: (parts) => new LateHub(parts) },
};

/** The honest parts, except for those of a breakage. */
export function brokenSharedParts(name: string): SharedParts {
  const broken = SHARED_BREAKAGES[name];
  if (broken === undefined) throw new RangeError(`there is no breakage "${name}" of a shared store`);
  return { ...HONEST_SHARED_PARTS, ...broken };
}

function changed(leadership: Leadership, change: Partial<Leadership>): Leadership {
  return {
    openShared: () => leadership.openShared(),
    read: () => leadership.read(),
    claim: (claim, seen) => leadership.claim(claim, seen),
    renew: (epoch) => leadership.renew(epoch),
    release: (epoch, successorId) => leadership.release(epoch, successorId),
    want: (memberId) => leadership.want(memberId),
    report: (report) => leadership.report(report),
    members: () => leadership.members(),
    leave: (memberId) => leadership.leave(memberId),
    close: () => leadership.close(),
    ...change,
  };
}

/** As if the process had only those clocks that stand still while it is stopped. */
function withoutStops(loop: ProcessLoop): TimeSource {
  const { source } = loop;
  return {
    elapsedMs: () => source.elapsedMs() - loop.stoppedMs,
    wallMs: () => source.wallMs() - loop.stoppedMs,
  };
}

/** Takes an error of a renewal for a success. */
function forgiving(leadership: Leadership, kind: typeof Fenced | typeof StoreUnreachable): Leadership['renew'] {
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
function withoutTail(leadership: Leadership): Leadership {
  const view = { isShort: false };
  return changed(leadership, {
    openShared: async () => {
      const held = await leadership.openShared();
      return { ...held, log: new ShortLog(held.log, view) };
    },
    claim: async (claim, seen) => {
      const lease = await leadership.claim(claim, seen);
      view.isShort = lease !== null;
      return lease;
    },
  });
}

class ShortLog extends LogBefore {
  #last: StoredRecord | undefined;

  constructor(
    log: CommandLog,
    private readonly view: { isShort: boolean },
  ) {
    super(log);
  }

  override async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    for await (const record of super.read(fromSeq)) {
      this.#last = record;
      yield record;
      if (this.view.isShort) return;
    }
  }

  override async last(): Promise<StoredRecord | undefined> {
    return this.view.isShort ? this.#last : await super.last();
  }

  override append(append: Append): Promise<void> {
    this.view.isShort = false;
    return super.append(append);
  }
}

/** Claims the lease again as soon as it learns that another process has it. */
function jealous(leadership: Leadership): Leadership {
  let own: Claim | undefined;
  return changed(leadership, {
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

function released(lease: Lease): Lease {
  return { ...lease, leaderId: null, leaderUrl: null, wantedId: null };
}

/** Passes over each fifth record that it follows. */
class SkippingLog extends LogBefore {
  #count = 0;

  override async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    for await (const record of super.follow(afterSeq, signal)) {
      this.#count += 1;
      if (this.#count % 5 !== 0) yield record;
    }
  }
}

/** Neither asks whether it may answer, nor holds a reply until it is sure. */
class BoldDesk extends SharedDesk {
  protected override standingOf(replica: Replica, { sequencer }: FrontDeskOptions): ReplicaPolicy {
    const bold = {
      mayAnswer: true,
      get role() {
        return replica.role;
      },
      get leaderUrl() {
        return replica.leaderUrl;
      },
    };
    return new ReplicaPolicy(bold, sequencer, false);
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
class CurtDesk extends SharedDesk {
  protected override standingOf(replica: Replica, { sequencer }: FrontDeskOptions): ReplicaPolicy {
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

class ImpatientDesk extends SharedDesk {
  override receive(visit: Parameters<SharedDesk['receive']>[0]): void {
    super.receive({ ...visit, minSeq: 0 });
  }
}
