// Latency at a fixed rate: first how much the server can take, then a share of that, sent whether it answers or not. Then
// the same to the bare server, which shows what the loader and the machine alone take.
import { BenchFailed } from '../bench-failed.js';
import { MemorySampler } from '../processes/child-server.js';
import { relativeRange } from '../reports/statistics.js';
import { type GalaxydWorld, inGalaxydWorld } from '../servers/galaxyd-world.js';
import { BARE, type BareReply, sampleReplies, startBareServer } from '../servers/peers.js';
import type { Run } from './closed-loop.js';
import { type Latencies, portionOf } from './load.js';
import { loadOf, MIXES, type MixName } from './mixes.js';
import { measureOpenLoop, type OpenLoad, type OpenRunResult } from './open-loop-run.js';

export interface OpenLoopPlan {
  readonly mixes: readonly MixName[];
  readonly players: number;
  readonly connections?: number | undefined;
  /** Requests a second; a share of the measured maximum by default. */
  readonly ratePerSecond?: number;
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
  /** What the closed loop reached before; absent if the rate was given. */
  readonly maximumPerSecond?: number;
  readonly windows: readonly OpenRunResult['windows'][number][];
  /** Memory that the server holds itself, one reading each window. */
  readonly heldMib: readonly number[];
  /** Largest less smallest, as a share of the median, over the second half of the windows. */
  readonly flatness?: { readonly throughput: number; readonly memory: number };
}

/** The bare server does the same all the time. */
const FLOOR_SECONDS_MAX = 60;
/** Fewer windows than this show no trend. */
const WINDOWS_FOR_FLATNESS_MIN = 4;
const STEPS_OF_MIX = 3;

/** How many times runOpenLoops() reports a step. */
export function openLoopSteps(plan: OpenLoopPlan): number {
  return STEPS_OF_MIX * plan.mixes.length;
}

/** Each mix gets a world of its own: the one before has left nothing behind. */
export async function runOpenLoops(run: Run<OpenLoopPlan, OpenLoopReport>): Promise<void> {
  const { players, durability, mixes } = run.plan;
  for (const mix of mixes) {
    const options = { players, durability, pace: MIXES[mix].pace };
    await inGalaxydWorld(options, run.progress, (world) => measureMix(run, mix, world));
  }
}

async function measureMix(
  { plan, loop, progress, keep }: Run<OpenLoopPlan, OpenLoopReport>,
  mix: MixName,
  world: GalaxydWorld,
): Promise<void> {
  const { server, client } = world;
  const { players, seconds, windowSeconds } = plan;
  const load = loadOf(mix, world, plan.seed, plan.connections);
  // Afterwards some planets are still busy.
  const replies = await sampleReplies(client, load);
  const closed = { ...load, requests: portionOf(load, 0, 2), seconds: plan.closedSeconds };
  const maximumPerSecond =
    plan.ratePerSecond === undefined ? (await loop.measure(closed)).requestsPerSecond : undefined;
  const ratePerSecond = plan.ratePerSecond ?? Math.max(1, Math.round((maximumPerSecond ?? 0) * plan.share));
  progress.step(`${mix}: open loop at ${ratePerSecond} requests/s for ${seconds} s`);
  const open: OpenLoad = { ...load, requests: portionOf(load, 1, 2), ratePerSecond, seconds, windowSeconds };
  const sampler = new MemorySampler(server, windowSeconds * 1000);
  const result = await measureOpenLoop(open);
  const heldMib = sampler.stop();
  progress.step(`${mix}: p99 ${result.p99Ms} ms`);
  await server.stop();
  const flatness = flatnessOf(result, heldMib);
  const { connections } = load;
  const report = {
    ...{ mix, title: MIXES[mix].title, players, connections, seconds, heldMib, ...result },
    ...(maximumPerSecond === undefined ? {} : { maximumPerSecond }),
    ...(flatness === undefined ? {} : { flatness }),
  };
  try {
    const floor = await measureFloor(replies, open);
    progress.step(`${mix}: p99 ${floor.p99Ms} ms of the bare server`);
    keep({ ...report, floor });
  } catch (error) {
    keep(report);
    throw error;
  }
}

/** @throws BenchFailed if a request fails: the bare server refuses none */
async function measureFloor(replies: readonly BareReply[], open: OpenLoad): Promise<Latencies> {
  const bare = await startBareServer(replies);
  try {
    const seconds = Math.min(open.seconds, FLOOR_SECONDS_MAX);
    const load = { ...open, url: bare.url, server: BARE, seconds, windowSeconds: seconds };
    const { p50Ms, p99Ms, p999Ms, maxMs, failures, firstFailure } = await measureOpenLoop(load);
    if (failures > 0)
      throw new BenchFailed(`${failures} requests to ${BARE} failed, the first one with: ${firstFailure}`);
    return { p50Ms, p99Ms, p999Ms, maxMs };
  } finally {
    await bare.stop();
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
