// What a snapshot costs whoever plays meanwhile: the same loads with and without one being taken, by turns, and how long a
// start from it takes.

import type { ClosedLoop } from '../end-to-end/closed-loop.js';
import { type Latencies, type LoadPlan, type Measurement, portionOf } from '../end-to-end/load.js';
import { loadOf, MIXES, type MixName } from '../end-to-end/mixes.js';
import { measureOpenLoop, type OpenRunResult } from '../end-to-end/open-loop-run.js';
import { failuresOf, medianLatencies } from '../end-to-end/side-by-side.js';
import { SNAPSHOT_SLICES_MAX } from '../limits.js';
import type { Progress } from '../reports/progress.js';
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
export interface SnapshotLoad extends Latencies {
  /** Median of the slices of the closed loop. */
  readonly requestsPerSecond: number;
  /** Of the closed loop; the latencies above are those of the open one. */
  readonly closedP999Ms: number;
  readonly failures: number;
}

export interface SnapshotReading {
  readonly mix: MixName;
  readonly title: string;
  readonly players: number;
  readonly connections: number;
  readonly ratePerSecond: number;
  readonly without: SnapshotLoad;
  readonly during: SnapshotLoad;
  /** How long the snapshots took under the closed and the open loop, and with nobody playing. */
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
export async function runSnapshots(
  plan: SnapshotPlan,
  loop: ClosedLoop,
  progress: Progress,
): Promise<SnapshotReading[]> {
  const { players, durability } = plan;
  const readings: SnapshotReading[] = [];
  for (const mix of plan.mixes) {
    const measureInWorld = (world: GalaxydWorld) => measureMix(plan, mix, world, loop, progress);
    readings.push(await inGalaxydWorld({ players, pace: MIXES[mix].pace, durability }, progress, measureInWorld));
  }
  return readings;
}

async function measureMix(
  plan: SnapshotPlan,
  mix: MixName,
  world: GalaxydWorld,
  loop: ClosedLoop,
  progress: Progress,
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

/** Loads with and without a snapshot, and what they reached. */
class Scene {
  readonly #closedWithout: Measurement[] = [];
  readonly #closedDuring: Measurement[] = [];
  readonly #openWithout: OpenRunResult[] = [];
  readonly #openDuring: OpenRunResult[] = [];
  readonly #underClosed: Taken[] = [];
  readonly #underOpen: Taken[] = [];
  #portion = 0;

  constructor(
    private readonly plan: SnapshotPlan,
    private readonly load: LoadPlan,
    private readonly client: GameClient,
    private readonly loop: ClosedLoop,
  ) {}

  /** Slices while a snapshot is taken, and before it as many as that took the time before. */
  async playClosed(): Promise<void> {
    const before = Math.max(2, this.#closedDuring.length - this.#closedWithout.length);
    for (let slice = 0; slice < before; slice += 1) this.#closedWithout.push(await this.#slice());
    let isOver = false;
    const taking = takeSnapshot(this.client).finally(() => {
      isOver = true;
    });
    const during: Measurement[] = [];
    while (!isOver && during.length < SNAPSHOT_SLICES_MAX) {
      const slice = await this.#slice();
      // The slice in which the snapshot ended counts as neither.
      if (!isOver || during.length === 0) during.push(slice);
    }
    this.#closedDuring.push(...during);
    this.#underClosed.push(await taking);
  }

  async playOpen(): Promise<void> {
    this.#openWithout.push(await this.#open());
    const taking = takeSnapshot(this.client);
    this.#openDuring.push(await this.#open());
    this.#underOpen.push(await taking);
  }

  async reading() {
    // So that the snapshot is behind everything that was played.
    const idle = await takeSnapshot(this.client);
    return {
      ratePerSecond: this.#ratePerSecond,
      without: loadReached(this.#closedWithout, this.#openWithout),
      during: loadReached(this.#closedDuring, this.#openDuring),
      underClosedMs: median(this.#underClosed.map(({ durationMs }) => durationMs)),
      underOpenMs: median(this.#underOpen.map(({ durationMs }) => durationMs)),
      idleMs: idle.durationMs,
      byteCount: idle.byteCount,
    };
  }

  get #ratePerSecond(): number {
    const reached = median(this.#closedWithout.map(({ requestsPerSecond }) => requestsPerSecond));
    return Math.max(1, Math.round(reached * this.plan.share));
  }

  #slice(): Promise<Measurement> {
    return this.loop.measure({ ...this.load, requests: this.#nextPortion(), seconds: this.plan.closedSeconds });
  }

  #open(): Promise<OpenRunResult> {
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
    failures: failuresOf([...closed, ...open]),
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
