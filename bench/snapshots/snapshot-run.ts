// What a snapshot costs the players meanwhile: the same loads, alternating between none and one being taken, and how long a
// start from it takes.

import type { ClosedLoop, Run } from '../end-to-end/closed-loop.js';
import { type Latencies, type LoadPlan, type Measurement, portionOf } from '../end-to-end/load.js';
import { loadOf, MIXES, type MixName } from '../end-to-end/mixes.js';
import { measureOpenLoop, type OpenRunResult } from '../end-to-end/open-loop-run.js';
import { type Failures, failuresOf, medianLatencies } from '../end-to-end/side-by-side.js';
import { SNAPSHOT_SLICES_MAX } from '../limits.js';
import { median } from '../reports/statistics.js';
import { type GalaxydWorld, inGalaxydWorld, serveAgain } from '../servers/galaxyd-world.js';
import type { GameClient } from '../servers/game-client.js';

export interface SnapshotPlan {
  readonly mixes: readonly MixName[];
  readonly players: number;
  readonly connections?: number | undefined;
  /** How often each is measured without and with a snapshot. */
  readonly rounds: number;
  /** Length of a slice of the closed loop; slices follow each other until the snapshot is taken. */
  readonly closedSeconds: number;
  /** Length of each open loop. */
  readonly openSeconds: number;
  /** Load of the open loop, as a share of what the closed loop reached without a snapshot. */
  readonly share: number;
  readonly durability: 'durable' | 'relaxed';
  readonly seed: number;
}

/** What one load reached, without a snapshot or while one was taken. */
export interface SnapshotLoad extends Latencies, Failures {
  /** Median of the slices of the closed loop. */
  readonly requestsPerSecond: number;
  /** Of the closed loop; the latencies above are those of the open one. */
  readonly closedP999Ms: number;
}

export interface SnapshotReading {
  readonly mix: MixName;
  readonly title: string;
  readonly players: number;
  readonly connections: number;
  readonly ratePerSecond: number;
  readonly without: SnapshotLoad;
  readonly during: SnapshotLoad;
  /** How long the snapshots took under the closed and the open loop, and without a load. */
  readonly underClosedMs: number;
  readonly underOpenMs: number;
  readonly idleMs: number;
  readonly byteCount: number;
  /** From starting the process to its first reply, with the newest snapshot and a short log behind it. */
  readonly startMs: number;
}

/** How many times runSnapshots() reports a step. */
export function snapshotSteps({ mixes, rounds }: SnapshotPlan): number {
  return mixes.length * (2 * rounds + 1);
}

/** Each mix gets a world of its own. */
export async function runSnapshots(run: Run<SnapshotPlan, SnapshotReading>): Promise<void> {
  const { players, durability, mixes } = run.plan;
  for (const mix of mixes) {
    const options = { players, durability, pace: MIXES[mix].pace };
    run.keep(await inGalaxydWorld(options, run.progress, (world) => measureMix(run, mix, world)));
  }
}

async function measureMix(
  { plan, loop, progress }: Run<SnapshotPlan, SnapshotReading>,
  mix: MixName,
  world: GalaxydWorld,
): Promise<SnapshotReading> {
  const { players, rounds } = plan;
  const load = loadOf(mix, world, plan.seed, plan.connections);
  const scene = new Scene(plan, load, world.client, loop);
  for (let round = 1; round <= rounds; round += 1) {
    await scene.playClosed();
    progress.step(`${mix}: closed loops, round ${round} of ${rounds}`);
  }
  for (let round = 1; round <= rounds; round += 1) {
    await scene.playOpen();
    progress.step(`${mix}: open loops, round ${round} of ${rounds}`);
  }
  const reading = await scene.reading();
  await world.server.stop();
  const startMs = await startTimeMs(world);
  progress.step(`${mix}: started again`);
  return { mix, title: MIXES[mix].title, players, connections: load.connections, ...reading, startMs };
}

interface Taken {
  readonly byteCount: number;
  readonly durationMs: number;
}

/** What one load measured without a snapshot, while one was taken, and the snapshots that were taken meanwhile. */
class Runs<Result> {
  readonly without: Result[] = [];
  readonly during: Result[] = [];
  readonly taken: Taken[] = [];

  get medianMs(): number {
    return median(this.taken.map(({ durationMs }) => durationMs));
  }
}

/** The loads of one world. */
class Scene {
  readonly #closed = new Runs<Measurement>();
  readonly #open = new Runs<OpenRunResult>();
  #portion = 0;

  constructor(
    private readonly plan: SnapshotPlan,
    private readonly load: LoadPlan,
    private readonly client: GameClient,
    private readonly loop: ClosedLoop,
  ) {}

  /** Slices while a snapshot is taken, and before it as many as there were during the one before. */
  async playClosed(): Promise<void> {
    const { without, during, taken } = this.#closed;
    const sliceCount = Math.max(2, during.length - without.length);
    for (let slice = 0; slice < sliceCount; slice += 1) without.push(await this.#measureSlice());
    let isOver = false;
    const taking = takeSnapshot(this.client).finally(() => {
      isOver = true;
    });
    for (let slice = 0; !isOver && slice < SNAPSHOT_SLICES_MAX; slice += 1) {
      const measured = await this.#measureSlice();
      // The slice in which the snapshot ended does not count, unless it is the only one.
      if (!isOver || slice === 0) during.push(measured);
    }
    taken.push(await taking);
  }

  async playOpen(): Promise<void> {
    this.#open.without.push(await this.#measureOpen());
    const taking = takeSnapshot(this.client);
    this.#open.during.push(await this.#measureOpen());
    this.#open.taken.push(await taking);
  }

  async reading() {
    // Taken last, so that a start from it has a short log to replay.
    const idle = await takeSnapshot(this.client);
    return {
      ratePerSecond: this.#ratePerSecond,
      without: loadReached(this.#closed.without, this.#open.without),
      during: loadReached(this.#closed.during, this.#open.during),
      underClosedMs: this.#closed.medianMs,
      underOpenMs: this.#open.medianMs,
      idleMs: idle.durationMs,
      byteCount: idle.byteCount,
    };
  }

  get #ratePerSecond(): number {
    const reached = median(this.#closed.without.map(({ requestsPerSecond }) => requestsPerSecond));
    return Math.max(1, Math.round(reached * this.plan.share));
  }

  #measureSlice(): Promise<Measurement> {
    return this.loop.measure({ ...this.load, requests: this.#nextPortion(), seconds: this.plan.closedSeconds });
  }

  #measureOpen(): Promise<OpenRunResult> {
    const { openSeconds: seconds } = this.plan;
    const open = { ratePerSecond: this.#ratePerSecond, seconds, windowSeconds: seconds };
    return measureOpenLoop({ ...this.load, requests: this.#nextPortion(), ...open });
  }

  /** A portion of its own for each run, as far as they reach: upgrades that one run leaves begun would be refused to the next. */
  #nextPortion(): LoadPlan['requests'] {
    const { requests, connections } = this.load;
    const portions = Math.max(1, Math.floor(requests.length / (2 * connections)));
    this.#portion += 1;
    return portionOf(this.load, this.#portion % portions, portions);
  }
}

function loadReached(closed: readonly Measurement[], open: readonly OpenRunResult[]): SnapshotLoad {
  return {
    requestsPerSecond: median(closed.map(({ requestsPerSecond }) => requestsPerSecond)),
    closedP999Ms: median(closed.map(({ p999Ms }) => p999Ms)),
    ...medianLatencies(open),
    ...failuresOf([...closed, ...open]),
  };
}

async function takeSnapshot(client: GameClient): Promise<Taken> {
  const startedMs = performance.now();
  const { byteCount } = await client.post<{ byteCount: number }>('/api/admin/snapshot', {});
  return { byteCount, durationMs: Math.round(performance.now() - startedMs) };
}

async function startTimeMs({ options }: GalaxydWorld): Promise<number> {
  const startedMs = performance.now();
  const server = await serveAgain(options);
  const durationMs = performance.now() - startedMs;
  await server.stop();
  return Math.round(durationMs);
}
