// What a snapshot costs the players meanwhile: the same loads, alternating between none and one being taken, and how long a
// start from it takes.
import { SNAPSHOT_SLICES_MAX } from '../limits.js';
import { failuresOf, type LoadPlan, type Measurement, portionOf } from '../loads/load.js';
import { loadOf, MIX_NAMES, MIXES, type MixName } from '../loads/mixes.js';
import { measureOpenLoop, type OpenRunResult } from '../loads/open-loop.js';
import { ALL_LATENCIES, latencyCells, type Run } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import { median } from '../runner/statistics.js';
import { type GalaxydWorld, inGalaxydWorld, serveAgain, sizeOfWorld } from '../servers/galaxyd-world.js';
import { SHORT_OPEN_MIXES, SHORT_OPEN_SECONDS } from './open-loop.js';

const options = {
  names: row.names(MIX_NAMES, SHORT_OPEN_MIXES),
  seed: row.seed,
  players: row.players(),
  connections: row.connections(),
  loader: row.loader,
  durability: row.durability,
  seconds: row.openSeconds(SHORT_OPEN_SECONDS),
  rounds: row.rounds(2),
  share: row.shareOf(0.5),
};
/** Length of a slice of the closed loop; slices follow each other until the snapshot is taken. */
const SLICE_SECONDS_MAX = 1;
const BYTES_PER_MIB = 1024 * 1024;

type Wanted = row.Values<typeof options>;

export const snapshots = row.scenario({
  command: 'snapshots',
  description: 'what a snapshot costs the players, and a start from it',
  options,
  steps: ({ names, rounds }) => names.length * (2 * rounds + 1),
  async measure(run, wanted) {
    const { players, durability, names } = wanted;
    for (const mix of names) {
      const world = { size: sizeOfWorld(players[0] ?? row.PLAYERS), durability, pace: MIXES[mix].pace };
      await inGalaxydWorld(world, run.say, (served) => measureMix(run, wanted, mix, served));
    }
  },
});

async function measureMix(run: Run, wanted: Wanted, mix: MixName, world: GalaxydWorld): Promise<void> {
  const load = loadOf(mix, world, wanted.seed, wanted.connections?.[0]);
  const scene = new Scene(run, wanted, load, world);
  for (let round = 1; round <= wanted.rounds; round += 1) {
    await scene.playClosed();
    run.step(`${mix}: closed loops, round ${round} of ${wanted.rounds}`);
  }
  for (let round = 1; round <= wanted.rounds; round += 1) {
    await scene.playOpen();
    run.step(`${mix}: open loops, round ${round} of ${wanted.rounds}`);
  }
  // Taken last, so that a start from it has a short log to replay.
  const idle = await scene.take();
  const { ratePerSecond, closed, open } = scene;
  const reached = (slices: readonly Measurement[]) => median(slices.map(({ requestsPerSecond }) => requestsPerSecond));
  const { players } = world.options.size;
  for (const [when, name] of [
    ['without', 'none'],
    ['during', 'being taken'],
  ] as const) {
    const cells = {
      ...{ mix, players, connections: load.connections, snapshot: name, 'requests/s': reached(closed[when]) },
      ratio: when === 'without' ? null : reached(closed.during) / reached(closed.without),
      ...latencyCells(closed[when], ['p999Ms'], 'closed '),
      'open loop/s': ratePerSecond,
      ...latencyCells(open[when], ALL_LATENCIES),
    };
    run.table('snapshots').add(cells, `${mix}, snapshot ${name}`, failuresOf([...closed[when], ...open[when]]));
  }
  await world.server.stop();
  const startedMs = performance.now();
  const server = await serveAgain(world.options);
  const startSeconds = (performance.now() - startedMs) / 1_000;
  await server.stop();
  const seconds = (taken: readonly Taken[]) => median(taken.map((one) => one.seconds));
  run.table('times of snapshots').rows.push({
    ...{ mix, players, MiB: idle.byteCount / BYTES_PER_MIB, 'taken idle, s': idle.seconds },
    ...{ 'under the open loop, s': seconds(open.taken), 'under the closed loop, s': seconds(closed.taken) },
    'start from it, s': startSeconds,
  });
  run.step(`${mix}: started again`);
}

interface Taken {
  readonly byteCount: number;
  readonly seconds: number;
}

/** What one load measured without a snapshot, while one was taken, and the snapshots that were taken meanwhile. */
class Loads<Result> {
  readonly without: Result[] = [];
  readonly during: Result[] = [];
  readonly taken: Taken[] = [];
}

/** The loads of one world. */
class Scene {
  readonly closed = new Loads<Measurement>();
  readonly open = new Loads<OpenRunResult>();
  #portion = 0;

  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
    private readonly load: LoadPlan,
    private readonly world: GalaxydWorld,
  ) {}

  /** Slices while a snapshot is taken, and before it as many as there were during the one before. */
  async playClosed(): Promise<void> {
    const { without, during, taken } = this.closed;
    const sliceCount = Math.max(2, during.length - without.length);
    for (let slice = 0; slice < sliceCount; slice += 1) without.push(await this.#measureSlice());
    let isOver = false;
    const taking = this.take().finally(() => {
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
    this.open.without.push(await this.#measureOpen());
    const taking = this.take();
    this.open.during.push(await this.#measureOpen());
    this.open.taken.push(await taking);
  }

  async take(): Promise<Taken> {
    const startedMs = performance.now();
    const { byteCount } = await this.world.client.post<{ byteCount: number }>('/api/admin/snapshot', {});
    return { byteCount, seconds: (performance.now() - startedMs) / 1_000 };
  }

  get ratePerSecond(): number {
    const reached = median(this.closed.without.map(({ requestsPerSecond }) => requestsPerSecond));
    return Math.max(1, Math.round(reached * this.wanted.share));
  }

  #measureSlice(): Promise<Measurement> {
    const seconds = Math.min(SLICE_SECONDS_MAX, this.wanted.seconds);
    return this.run.loop.measure({ ...this.load, requests: this.#nextPortion(), seconds });
  }

  #measureOpen(): Promise<OpenRunResult> {
    const { seconds } = this.wanted;
    const pace = { ratePerSecond: this.ratePerSecond, seconds, windowSeconds: seconds };
    return measureOpenLoop({ ...this.load, requests: this.#nextPortion(), ...pace });
  }

  /** A portion of its own for each run, as far as they reach: upgrades that one run leaves begun would be refused to the next. */
  #nextPortion(): LoadPlan['requests'] {
    const { requests, connections } = this.load;
    const portions = Math.max(1, Math.floor(requests.length / (2 * connections)));
    this.#portion += 1;
    return portionOf(this.load, this.#portion % portions, portions);
  }
}
