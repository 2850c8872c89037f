// When snapshots are taken, what is pruned after them, and what is reported if they fail: the keeper on a clock of the
// test, with a taker that the test controls.
import t, { type Test } from 'tap';
import { HISTORY_SNAPSHOT_ENTRIES, SNAPSHOT_POLL_MS, SNAPSHOT_RETRY_MS } from '../../../persistence/limits.js';
import type { SnapshotManifest } from '../../../persistence/snapshots/snapshot-store.js';
import {
  type SnapshotEvent,
  SnapshotKeeper,
  type SnapshotSchedule,
} from '../../../persistence/upkeep/snapshot-keeper.js';
import type { SnapshotRequest, TakenSnapshot } from '../../../persistence/upkeep/snapshot-taking.js';
import { manifestAt } from '../../support/manifest.js';
import { MemorySnapshots } from '../../support/stores/memory-snapshots.js';
import { quiet, VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';

const NEVER = Number.POSITIVE_INFINITY;
const LIVE = 'the live world';

/** A world at a seq, and everything that happens to it. */
class Scene {
  seq = 10;
  bytesSinceCut = 0;
  readonly requests: Required<SnapshotRequest>[] = [];
  readonly events: SnapshotEvent[] = [];
  readonly fatal: string[] = [];
  readonly pruned: number[] = [];
  readonly removed: number[] = [];
  listed: number[] = [];
  logFirstSeq = 1;
  epoch = 1;
  /** The result of the taker; by default a new snapshot based on the previous one. */
  take: (request: Required<SnapshotRequest>) => Promise<TakenSnapshot> = async ({ seq }) => this.taken(seq);
  readonly keeper: SnapshotKeeper;
  readonly #time = new VirtualTime();
  readonly #scheduler = new VirtualScheduler(this.#time);

  constructor(
    schedule: Partial<SnapshotSchedule> & { readonly keepHistory?: boolean } = {},
    newest: SnapshotManifest | null = null,
    coveredFromSeq = 1,
  ) {
    const scene = this;
    class Snapshots extends MemorySnapshots {
      override async list(): Promise<number[]> {
        return scene.listed;
      }
      override async manifest(seq: number): Promise<SnapshotManifest> {
        return manifestAt(seq);
      }
      override async remove(seq: number): Promise<void> {
        scene.removed.push(seq);
        scene.listed = scene.listed.filter((listed) => listed !== seq);
      }
    }
    this.keeper = new SnapshotKeeper(
      {
        ...{ everyMs: NEVER, everyBytes: NEVER, ...schedule },
        engine: {
          get seq() {
            return scene.seq;
          },
          fingerprint: () => LIVE,
        },
        sequencer: {
          cut: async () => {
            scene.bytesSinceCut = 0;
            return scene.seq;
          },
          get durableSeq() {
            return scene.seq;
          },
          get bytesSinceCut() {
            return scene.bytesSinceCut;
          },
        },
        log: {
          get firstSeq() {
            return scene.logFirstSeq;
          },
          currentEpoch: async () => scene.epoch,
          prune: async (_epoch: number, seq: number) => {
            scene.pruned.push(seq);
            scene.logFirstSeq = seq;
          },
        },
        epoch: 1,
        snapshots: new Snapshots(),
        taker: {
          take: (request) => {
            scene.requests.push(request);
            return scene.take(request);
          },
          stop: () => {},
        },
        onEvent: (event) => scene.events.push(event),
        onFatal: ({ message }) => scene.fatal.push(message),
        scheduler: this.#scheduler,
        elapsedMs: () => this.#time.elapsedMs(),
      },
      { newest, coveredFromSeq },
    );
    this.keeper.start();
  }

  taken(seq: number, changes: Partial<TakenSnapshot> = {}): TakenSnapshot {
    const before = this.requests.at(-2)?.seq ?? null;
    return {
      manifest: manifestAt(seq),
      isNew: true,
      basisSeq: before,
      damaged: [],
      auditFingerprint: LIVE,
      durationMs: 5,
      ...changes,
    };
  }

  /** Lets time pass, as in a process that does not run meanwhile; then the keeper checks its schedule, if that is due. */
  async pass(ms: number): Promise<void> {
    this.#time.moveTo(this.#time.elapsedMs() + ms);
    this.#scheduler.pass(0);
    await quiet();
  }

  /** Takes one at a later seq. */
  async takeAt(seq: number): Promise<TakenSnapshot> {
    this.seq = seq;
    return this.keeper.take();
  }
}

function typesOf({ events }: Scene): string[] {
  return events.map(({ type }) => type);
}

t.test('after the set time, a snapshot is taken of a world that has changed', async (t) => {
  const early = new Scene({ everyMs: 60_000 });
  await early.pass(59_999);
  t.equal(early.requests.length, 0);
  const scene = new Scene({ everyMs: 60_000 });
  await scene.pass(60_000);
  t.same(scene.requests, [{ seq: 10, auditSeq: 10 }]);
  await scene.pass(60_000);
  t.equal(scene.requests.length, 1, 'nothing has changed since');
  scene.seq = 11;
  await scene.pass(SNAPSHOT_POLL_MS);
  t.equal(scene.requests.length, 2);
});

t.test('after the set number of bytes of log, a snapshot is taken', async (t) => {
  const scene = new Scene({ everyBytes: 1_000 });
  scene.bytesSinceCut = 999;
  await scene.pass(SNAPSHOT_POLL_MS);
  t.equal(scene.requests.length, 0);
  scene.bytesSinceCut = 1_000;
  await scene.pass(SNAPSHOT_POLL_MS);
  t.equal(scene.requests.length, 1);
});

t.test('fewer bytes of log than the newest snapshot has cause no new one', async (t) => {
  const scene = new Scene({ everyBytes: 1 }, manifestAt(5, { byteCount: 5_000 }));
  scene.bytesSinceCut = 4_999;
  await scene.pass(SNAPSHOT_POLL_MS);
  t.equal(scene.requests.length, 0);
  scene.bytesSinceCut = 5_000;
  await scene.pass(SNAPSHOT_POLL_MS);
  t.equal(scene.requests.length, 1);
});

t.test('the age of a snapshot from before the start counts', async (t) => {
  const young = new Scene({ everyMs: 60_000 }, manifestAt(5, { createdAtMs: Date.now() + 3_600_000 }));
  await young.pass(59_000);
  t.equal(young.requests.length, 0, 'one from the future counts as new');
  const old = new Scene({ everyMs: 60_000 }, manifestAt(5));
  await old.pass(SNAPSHOT_POLL_MS);
  t.equal(old.requests.length, 1);
});

t.test('a snapshot that another process has taken is reported, and does not replace its own', async (t) => {
  const scene = new Scene({ everyMs: 60_000 }, manifestAt(5));
  scene.listed = [5, 10];
  t.equal(scene.keeper.report.newest?.seq, 5);
  scene.seq = 10;
  await scene.pass(SNAPSHOT_POLL_MS);
  scene.listed = [5, 9];
  await scene.pass(SNAPSHOT_POLL_MS);
  t.equal(scene.keeper.report.newest?.seq, 10, 'an older one does not replace it');
  await scene.pass(60_000);
  t.equal(scene.requests.length, 1, 'its own is taken when it is due');
});

t.test('with nothing set, a snapshot is taken only on request', async (t) => {
  const scene = new Scene();
  scene.bytesSinceCut = Number.MAX_SAFE_INTEGER;
  await scene.pass(Number.MAX_SAFE_INTEGER);
  t.equal(scene.requests.length, 0);
  t.equal((await scene.keeper.take()).manifest.seq, 10);
});

t.test('a request during a snapshot gets that snapshot', async (t) => {
  const scene = new Scene();
  const [first, second] = await Promise.all([scene.keeper.take(), scene.keeper.take()]);
  t.equal(first, second);
  t.equal(scene.requests.length, 1);
});

t.test('two are kept: older ones are removed, and so is the log before the older of the two', async (t) => {
  const scene = new Scene();
  await scene.takeAt(10);
  t.same([scene.removed, scene.pruned], [[], []], 'with only one, all of the log is needed');
  scene.listed = [10, 20];
  await scene.takeAt(20);
  t.same([scene.removed, scene.pruned], [[], [11]]);
  scene.listed = [10, 20, 30];
  await scene.takeAt(30);
  t.same([scene.removed, scene.pruned], [[10], [11, 21]]);
});

t.test('once another process has acquired the log, nothing is removed', async (t) => {
  const scene = new Scene();
  await scene.takeAt(10);
  await scene.takeAt(20);
  scene.listed = [10, 20, 30];
  const { pruned } = scene;
  const before = [...pruned];
  scene.epoch = 2;
  await t.rejects(scene.takeAt(30), { name: 'Fenced' });
  t.same([scene.removed, pruned], [[], before]);
  t.match(scene.events.at(-1), { type: 'snapshot_failed' });
});

t.test('the report says from which seq on the past is covered', async (t) => {
  const scene = new Scene();
  t.same(scene.keeper.report.history, { coveredFromSeq: 1, isKept: false });
  scene.listed = [10];
  await scene.takeAt(10);
  t.same(scene.keeper.report.history, { coveredFromSeq: 1, isKept: false }, 'all of the log is there');
  scene.listed = [10, 20];
  await scene.takeAt(20);
  t.same(scene.keeper.report.history, { coveredFromSeq: 10, isKept: false });
  scene.listed = [10, 20, 30];
  await scene.takeAt(30);
  t.same(scene.keeper.report.history, { coveredFromSeq: 20, isKept: false });
});

t.test('with history kept, the log stays complete and snapshots are thinned', async (t) => {
  const scene = new Scene({ keepHistory: true });
  const half = HISTORY_SNAPSHOT_ENTRIES / 2;
  for (let count = 1; count <= 6; count += 1) {
    scene.listed.push(count * half + 1);
    await scene.takeAt(count * half + 1);
  }
  t.same(scene.pruned, []);
  t.same(scene.removed, [half + 1, 3 * half + 1]);
  t.same(scene.listed, [2 * half + 1, 4 * half + 1, 5 * half + 1, 6 * half + 1], 'the two newest are kept as well');
  t.same(scene.keeper.report.history, { coveredFromSeq: 1, isKept: true });
  t.ok(scene.events.every((event) => event.type === 'snapshot_taken' && event.prunedToSeq === null));
});

t.test('after earlier pruning, history is kept from that point on', async (t) => {
  const scene = new Scene({ keepHistory: true }, manifestAt(20), 10);
  scene.logFirstSeq = 11;
  scene.listed = [10, 20, 30];
  scene.take = async ({ seq }) => scene.taken(seq, { basisSeq: 20 });
  await scene.takeAt(30);
  scene.listed.push(40);
  scene.take = async ({ seq }) => scene.taken(seq, { basisSeq: 30 });
  await scene.takeAt(40);
  t.same([scene.pruned, scene.removed], [[], [20]], 'the log continues the snapshot at seq 10');
  t.same(scene.keeper.report.history, { coveredFromSeq: 10, isKept: true });
});

t.test('with history kept, damaged snapshots are removed, but not the one that replaces one', async (t) => {
  const scene = new Scene({ keepHistory: true });
  const [oldest, middle, newest] = [1, 2, 3].map((count) => count * HISTORY_SNAPSHOT_ENTRIES + 1) as [
    number,
    number,
    number,
  ];
  scene.listed = [oldest, middle, newest];
  const damaged = [newest, middle].map((seq) => ({ seq, message: `the snapshot at seq ${seq} cannot be used` }));
  scene.take = async ({ seq }) => scene.taken(seq, { basisSeq: oldest, damaged });
  await scene.takeAt(newest);
  t.same([scene.pruned, scene.removed], [[], [middle]]);
});

t.test('a damaged snapshot is reported and removed, and the log is kept for the one before it', async (t) => {
  const scene = new Scene();
  scene.listed = [10, 20, 30];
  scene.take = async ({ seq }) =>
    scene.taken(seq, { basisSeq: 10, damaged: [{ seq: 20, message: 'the snapshot at seq 20 cannot be used' }] });
  await scene.takeAt(30);
  t.same([scene.removed, scene.pruned], [[20], [11]]);
  t.match(scene.events, [{ type: 'snapshot_damaged', seq: 20 }, { type: 'snapshot_taken' }]);
});

t.test('if the replay differs from the live world, the snapshot is removed and the world stops', async (t) => {
  const scene = new Scene();
  scene.take = async ({ seq }) => scene.taken(seq, { auditFingerprint: 'another world' });
  await t.rejects(scene.keeper.take(), /recovered from its log/);
  t.same(scene.removed, [10]);
  t.match(scene.fatal, [/the replay of the log differs from the live world at seq 10/]);
  t.same(scene.pruned, []);
});

t.test('if another process has acquired the log, a different replay is no reason to stop', async (t) => {
  const scene = new Scene();
  scene.epoch = 2;
  scene.take = async ({ seq }) => scene.taken(seq, { auditFingerprint: 'what the other process wrote' });
  await t.rejects(scene.keeper.take(), { name: 'Fenced' });
  t.same([scene.removed, scene.pruned, scene.fatal], [[], [], []]);
});

t.test('a replay that could not be compared is accepted', async (t) => {
  const scene = new Scene();
  scene.take = async ({ seq }) => scene.taken(seq, { auditFingerprint: null });
  await scene.keeper.take();
  t.same([typesOf(scene), scene.fatal], [['snapshot_taken'], []]);
});

t.test('a failure is reported and counted, and not retried at once', async (t) => {
  const scene = new Scene({ everyMs: 1_000 });
  scene.take = async () => Promise.reject(new Error('no room'));
  await scene.pass(1_000);
  t.match(scene.events, [{ type: 'snapshot_failed', message: 'no room' }]);
  t.match(scene.keeper.report, { failedCount: 1, takenCount: 0, newest: null, isInProgress: false });
  await scene.pass(SNAPSHOT_RETRY_MS - 1);
  t.equal(scene.requests.length, 1);
  scene.take = async ({ seq }) => scene.taken(seq);
  await scene.pass(SNAPSHOT_POLL_MS);
  t.equal(scene.requests.length, 2);
  t.match(scene.keeper.report, { failedCount: 1, takenCount: 1, newest: { seq: 10 }, durationMs: 5 });
});

t.test('late snapshots are reported once, until one is finished', async (t) => {
  const scene = new Scene({ everyMs: 1_000 });
  let finish: (taken: TakenSnapshot) => void = () => t.fail('none was requested');
  scene.take = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  await scene.pass(1_000);
  t.match(scene.keeper.report, { isInProgress: true, isLate: false });
  await scene.pass(1_000);
  await scene.pass(1_000);
  t.match(scene.events, [{ type: 'snapshots_late', sinceMs: 2_000 }]);
  t.equal(scene.events.length, 1);
  t.ok(scene.keeper.report.isLate);
  finish(scene.taken(10));
  await quiet();
  t.notOk(scene.keeper.report.isLate);
});

t.test('once stopped it takes none, and does not report the one that was abandoned', async (t: Test) => {
  const scene = new Scene();
  let giveUp: (error: Error) => void = () => t.fail('none was requested');
  scene.take = () =>
    new Promise((_resolve, reject) => {
      giveUp = reject;
    });
  const taking = scene.keeper.take();
  await quiet();
  const stopped = scene.keeper.stop();
  giveUp(new Error('killed'));
  await t.rejects(taking, /killed/);
  await stopped;
  await t.rejects(scene.keeper.take(), /being closed/);
  t.same(scene.events, []);
});

t.test('a keeper that is stopped during the cut of the log requests no snapshot', async (t) => {
  const scene = new Scene();
  const taking = scene.keeper.take();
  const stopped = scene.keeper.stop();
  await t.rejects(taking, /being closed/);
  await stopped;
  t.same([scene.requests, scene.events], [[], []]);
});
