// Latency at a fixed rate: first how much the server can take, then a share of that, sent whether it answers or not. Then
// the same to the bare server, which tells what the loader and the machine alone take.
import { measureInChild } from '../processes/child-measurement.js';
import type { ChildServer } from '../processes/child-server.js';
import { inTemporaryFolder, TEMPORARY_PLACE } from '../processes/temporary-folder.js';
import type { Progress } from '../reports/progress.js';
import { relativeRange } from '../reports/statistics.js';
import { type BareReply, bareReplies } from '../servers/bare-replies.js';
import { sizeOfWorld, startGalaxydWorld } from '../servers/galaxyd-world.js';
import { startBareServer } from '../servers/peers.js';
import type { ClosedLoop } from './closed-loop.js';
import { type Latencies, type LoadPlan, portionOf } from './load.js';
import { MIXES, type Mix, type MixName } from './mixes.js';
import type { OpenLoad, OpenRunResult } from './open-loop-run.js';

export interface OpenLoopPlan {
  readonly mixes: readonly MixName[];
  readonly players: number;
  readonly connections: number | undefined;
  /** Requests a second; a share of the measured maximum by default. */
  readonly ratePerSecond: number | undefined;
  readonly share: number;
  readonly seconds: number;
  /** Seconds of the closed loop that finds the maximum. */
  readonly closedSeconds: number;
  readonly windowSeconds: number;
  readonly durability: 'durable' | 'relaxed';
  readonly seed: number;
}

export interface OpenLoopReport extends Omit<OpenRunResult, 'windows'> {
  readonly mix: MixName;
  readonly title: string;
  readonly players: number;
  readonly connections: number;
  readonly seconds: number;
  /** Of the bare server at the same rate. */
  readonly floor?: Latencies;
  /** What the closed loop reached before; absent where the rate was given. */
  readonly maximumPerSecond?: number;
  readonly windows: readonly OpenRunResult['windows'][number][];
  /** Memory that the server holds itself, one reading each window. */
  readonly heldMib: readonly number[];
  /** Largest less smallest, as a share of the median, over the second half of the windows. */
  readonly flatness?: { readonly throughput: number; readonly memory: number };
}

const PROGRAM = new URL('./open-loop-program.js', import.meta.url);
/** The bare server does the same all the time. */
const FLOOR_SECONDS_MAX = 60;
const BYTES_PER_MIB = 1024 * 1024;
/** Fewer windows than this tell nothing of a course. */
const WINDOWS_FOR_FLATNESS_MIN = 4;

/** How many times runOpenLoops() reports a step. */
export function openLoopSteps(plan: OpenLoopPlan): number {
  return 3 * plan.mixes.length;
}

/** Each mix gets a world of its own: the one before has left nothing behind. */
export async function runOpenLoops(
  plan: OpenLoopPlan,
  loop: ClosedLoop,
  progress: Progress,
): Promise<OpenLoopReport[]> {
  const reports: OpenLoopReport[] = [];
  for (const name of plan.mixes) {
    const report = await inTemporaryFolder(TEMPORARY_PLACE, (folder) => runMix(plan, name, folder, loop, progress));
    if (report !== undefined) reports.push(report);
  }
  return reports;
}

async function runMix(
  plan: OpenLoopPlan,
  name: MixName,
  folder: string,
  loop: ClosedLoop,
  progress: Progress,
): Promise<OpenLoopReport | undefined> {
  const mix: Mix = MIXES[name];
  const { durability, players } = plan;
  progress.say(`setting up a world of ${players} bots`);
  const { server, names, client } = await startGalaxydWorld({
    size: sizeOfWorld(players),
    pace: mix.pace,
    durability,
    folder,
  });
  try {
    const requests = mix.requests(names, plan.seed);
    const connections = plan.connections ?? mix.connections;
    const first = requests[0];
    if (first === undefined || !(await client.offers(first))) {
      progress.step(`${name}: not offered by this server`);
      progress.step(name);
      progress.step(name);
      return undefined;
    }
    const load: LoadPlan = { url: server.url, connections, requests, cancelsWhatItBegins: mix.cancelsWhatItBegins };
    const maximumPerSecond =
      plan.ratePerSecond === undefined
        ? (await loop.measure({ ...load, requests: portionOf(load, 0, 2), seconds: plan.closedSeconds }))
            .requestsPerSecond
        : undefined;
    const ratePerSecond = plan.ratePerSecond ?? Math.max(1, Math.round((maximumPerSecond ?? 0) * plan.share));
    progress.step(`${name}: open loop at ${ratePerSecond} requests/s for ${plan.seconds} s`);
    const { seconds, windowSeconds } = plan;
    const open: OpenLoad = { ...load, requests: portionOf(load, 1, 2), ratePerSecond, seconds, windowSeconds };
    const sampler = new MemorySampler(server, windowSeconds);
    const result = await measureInChild<OpenLoad, OpenRunResult>(PROGRAM, open);
    const heldMib = sampler.stop();
    progress.step(`${name}: p99 ${result.p99Ms} ms`);
    const replies = await bareReplies(client, requests, mix.cancelsWhatItBegins);
    await server.stop();
    const floor = await measureFloor(replies, open);
    progress.step(`${name}: p99 ${floor.p99Ms} ms of the bare server`);
    const flatness = flatnessOf(result, heldMib);
    return {
      ...{ mix: name, title: mix.title, players, connections, seconds, heldMib, floor, ...result },
      ...(maximumPerSecond === undefined ? {} : { maximumPerSecond }),
      ...(flatness === undefined ? {} : { flatness }),
    };
  } finally {
    await server.stop();
  }
}

async function measureFloor(replies: readonly BareReply[], open: OpenLoad): Promise<Latencies> {
  const bare = await startBareServer(replies);
  try {
    const seconds = Math.min(open.seconds, FLOOR_SECONDS_MAX);
    const load: OpenLoad = { ...open, url: bare.url, seconds, windowSeconds: seconds };
    const { p50Ms, p99Ms, p999Ms, maxMs } = await measureInChild<OpenLoad, OpenRunResult>(PROGRAM, load);
    return { p50Ms, p99Ms, p999Ms, maxMs };
  } finally {
    await bare.stop();
  }
}

/** Looks at a server's memory once in every window. */
class MemorySampler {
  readonly #readings: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(server: ChildServer, windowSeconds: number) {
    this.#timer = setInterval(() => {
      const bytes = server.heldBytes();
      if (bytes !== undefined) this.#readings.push(Math.round(bytes / BYTES_PER_MIB));
    }, windowSeconds * 1000);
  }

  stop(): number[] {
    clearInterval(this.#timer);
    return this.#readings;
  }
}

/** The first half is warming up. */
function flatnessOf({ windows }: OpenRunResult, heldMib: readonly number[]): OpenLoopReport['flatness'] {
  if (windows.length < WINDOWS_FOR_FLATNESS_MIN) return undefined;
  const answered = windows.map((window) => window.answered);
  const half = Math.floor(windows.length / 2);
  return {
    throughput: relativeRange(answered.slice(half)),
    memory: relativeRange(heldMib.slice(Math.floor(heldMib.length / 2))),
  };
}
