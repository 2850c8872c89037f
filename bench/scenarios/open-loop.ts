// Latency at a fixed rate: first how much the server can take, then a share of that, sent whether it answers or not. Then
// the same to the bare server, which shows what the loader and the machine alone take.
import { BenchFailed } from '../bench-failed.js';
import * as limits from '../limits.js';
import { type Latencies, portionOf } from '../loads/load.js';
import { LASTING_MIXES, loadOf, MIX_NAMES, MIXES, type MixName } from '../loads/mixes.js';
import { measureOpenLoop, type OpenLoad, type OpenRunResult } from '../loads/open-loop.js';
import { MemorySampler } from '../processes/child-server.js';
import { ALL_LATENCIES, latencyCells, type Run } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import { relativeRange } from '../runner/statistics.js';
import type { BareReply } from '../servers/bare-replies.js';
import { type GalaxydWorld, inGalaxydWorld, sizeOfWorld } from '../servers/galaxyd-world.js';
import { BARE, sampleReplies, startBareServer, type TransportKind, transportOf } from '../servers/peers.js';

export const SHORT_OPEN_SECONDS = 5;
/** What the short form sends in an open loop. */
export const SHORT_OPEN_MIXES = ['read', 'upgrade-cancel'] as const satisfies readonly MixName[];

const common = {
  seed: row.seed,
  connections: row.connections(),
  loader: row.loader,
  durability: row.durability,
  rate: row.rate(undefined),
  warmUp: row.number('--warm-up <seconds>', 'of the same load, not counted', limits.WARM_UP_SECONDS_MAX, 2, 0),
};
const options = {
  names: row.names(MIX_NAMES, LASTING_MIXES),
  ...common,
  full: row.full,
  players: row.players(),
  seconds: row.openSeconds(SHORT_OPEN_SECONDS, 60),
  share: row.shareOf(0.5),
  bySecond: {
    flags: '--by-second',
    description: 'also a table with a row for each second: the first one and pauses show',
    standard: false,
  } as row.OptionRow<boolean>,
};
/** Ten minutes. */
const soakOptions = {
  names: row.names<MixName>(MIX_NAMES, ['swarm']),
  ...common,
  players: row.players([100_000]),
  seconds: row.openSeconds(600),
  share: row.shareOf(0.8),
};
/** The loads of a mix: a closed loop, a warm-up and what is counted; each has planets of its own. */
const PORTIONS = 3;
const SOAK_WINDOW_SECONDS = 10;
/** The closed loop that finds the maximum. */
const CLOSED_SECONDS = 1;
const FULL_CLOSED_SECONDS = 4;
/** The bare server does the same all the time. */
const FLOOR_SECONDS_MAX = 60;
/** Fewer windows than this show no trend. */
const WINDOWS_FOR_FLATNESS_MIN = 4;
const STEPS_OF_MIX = 3;

type Wanted = row.Values<typeof soakOptions>;

interface Lengths {
  readonly closedSeconds: number;
  readonly windowSeconds: number;
  readonly bySecond: boolean;
}

export const openLoop = row.scenario({
  command: 'open-loop',
  description: 'latency at a fixed rate, counted from when a request is due',
  options,
  steps: ({ names }) => STEPS_OF_MIX * names.length,
  measure: (run, wanted) => {
    const closedSeconds = wanted.full ? FULL_CLOSED_SECONDS : CLOSED_SECONDS;
    const { bySecond, seconds } = wanted;
    return measureMixes(run, wanted, { closedSeconds, windowSeconds: bySecond ? 1 : seconds, bySecond });
  },
});

export const soak = row.scenario({
  command: 'soak',
  description: 'ten minutes at 80 % load: whether throughput and memory stay flat',
  options: soakOptions,
  steps: ({ names }) => STEPS_OF_MIX * names.length,
  measure: (run, wanted) => {
    const windowSeconds = Math.min(SOAK_WINDOW_SECONDS, wanted.seconds / 4);
    return measureMixes(run, wanted, { closedSeconds: FULL_CLOSED_SECONDS, windowSeconds, bySecond: false });
  },
});

/** Each mix gets a world of its own: the one before has left nothing behind. */
async function measureMixes(run: Run, wanted: Wanted, lengths: Lengths): Promise<void> {
  const { players, durability, names } = wanted;
  for (const mix of names) {
    const options = { size: sizeOfWorld(players[0] ?? row.PLAYERS), durability, pace: MIXES[mix].pace };
    await inGalaxydWorld(options, run.say, (world) => measureMix(run, wanted, lengths, mix, world));
  }
}

async function measureMix(
  run: Run,
  { seed, connections, seconds, rate, share, warmUp }: Wanted,
  { closedSeconds, windowSeconds, bySecond }: Lengths,
  mix: MixName,
  world: GalaxydWorld,
): Promise<void> {
  const { server, client } = world;
  const load = loadOf(mix, world, seed, connections?.[0]);
  // Afterwards some planets are still busy.
  const replies = await sampleReplies(client, load);
  const transport = await transportOf(client);
  const closed = { ...load, requests: portionOf(load, 0, PORTIONS), seconds: Math.min(closedSeconds, seconds) };
  const maximum = rate === undefined ? (await run.loop.measure(closed)).requestsPerSecond : undefined;
  const ratePerSecond = rate ?? Math.max(1, Math.round((maximum ?? 0) * share));
  run.step(`${mix}: open loop at ${ratePerSecond} requests/s for ${seconds} s`);
  const open: OpenLoad = { ...load, requests: portionOf(load, 1, PORTIONS), ratePerSecond, seconds, windowSeconds };
  if (warmUp > 0) {
    run.say(`${mix}: ${warmUp} s of warm-up`);
    await measureOpenLoop({ ...open, requests: portionOf(load, 2, PORTIONS), seconds: warmUp, windowSeconds: warmUp });
  }
  const sampler = new MemorySampler(server, windowSeconds * 1000);
  const result = await measureOpenLoop(open);
  const heldMib = sampler.stop();
  run.step(`${mix}: p99 ${result.p99Ms} ms`);
  await server.stop();
  if (bySecond) addSeconds(run, mix, result);
  const cells = {
    ...{ 'open loop': mix, players: world.options.size.players, connections: load.connections },
    ...{
      'requests/s': ratePerSecond,
      'of maximum': maximum === undefined ? null : ratePerSecond / maximum,
      'warm-up s': warmUp,
      seconds,
    },
    ...latencyCells([result], ALL_LATENCIES),
    'loader pause ms': result.loaderPauseMaxMs,
  };
  const flat = flatnessOf(result, heldMib);
  let floor: Latencies | undefined;
  try {
    floor = await measureFloor(transport, replies, open);
    run.step(`${mix}: p99 ${floor.p99Ms} ms of the bare server`);
  } finally {
    const bare = { 'bare p99 ms': floor?.p99Ms ?? null, 'bare p99.9 ms': floor?.p999Ms ?? null };
    run.table('open loop').add({ ...cells, ...bare, ...flat }, `${mix} in an open loop`, result);
  }
}

function addSeconds(run: Run, mix: MixName, { windows }: OpenRunResult): void {
  for (const [index, { answered, ...latencies }] of windows.entries()) {
    const cells = { 'by second': mix, second: index + 1, answered, ...latencyCells([latencies], ALL_LATENCIES) };
    run.table('open loop by second').rows.push(cells);
  }
}

/** @throws BenchFailed if a request fails: the bare server refuses none */
async function measureFloor(
  transport: TransportKind,
  replies: readonly BareReply[],
  open: OpenLoad,
): Promise<Latencies> {
  const server = BARE[transport];
  const bare = await startBareServer(transport, replies);
  try {
    const seconds = Math.min(open.seconds, FLOOR_SECONDS_MAX);
    const floor = await measureOpenLoop({ ...open, url: bare.url, server, seconds, windowSeconds: seconds });
    const { failures, firstFailure } = floor;
    if (failures > 0)
      throw new BenchFailed(`${failures} requests to ${server} failed, the first one with: ${firstFailure}`);
    return floor;
  } finally {
    await bare.stop();
  }
}

/** Largest less smallest, in per cent of the median, over the second half of the windows: the first half is warming up. */
function flatnessOf({ windows }: OpenRunResult, heldMib: readonly number[]) {
  const isKnown = windows.length >= WINDOWS_FOR_FLATNESS_MIN;
  const range = (values: readonly number[]) =>
    isKnown ? 100 * relativeRange(values.slice(Math.floor(values.length / 2))) : null;
  return { 'throughput ± %': range(windows.map(({ answered }) => answered)), 'memory ± %': range(heldMib) };
}
