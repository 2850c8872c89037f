// Measures what viewers of the map cost: commands at a fixed rate with and without viewers, in turn on one server, while fleets set out
// all the time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../end-to-end/closed-loop.js';
import type { Latencies } from '../end-to-end/load.js';
import { medianLatencies } from '../end-to-end/side-by-side.js';
import { VIEWED_TRANSPORTS } from '../limits.js';
import { startStay } from '../processes/child-stay.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { median, pairedRatio } from '../reports/statistics.js';
import { type GalaxydWorld, startGalaxydWorld } from '../servers/galaxyd-world.js';
import type { CallTask } from './call-client.js';
import type { ViewersResult, ViewersTask } from './map-viewers.js';
import { measureOfferedCalls, type OfferedCallResult } from './offered-calls.js';
import { callTaskOf } from './read-world.js';

export interface ViewersPlan {
  readonly viewers: number;
  readonly players: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Commands a second. */
  readonly ratePerSecond: number;
  /** Fleets that set out each second. */
  readonly launchesPerSecond: number;
  readonly durability: 'durable' | 'relaxed';
}

export interface ViewersReport extends Omit<ViewersPlan, 'durability'> {
  /** Of commands, from when each was due. */
  readonly without: Latencies;
  readonly withViewers: Latencies;
  /** Median of the rounds' own ratios of p99 with viewers to p99 without. */
  readonly p99Ratio: number;
  /** Processor time of the server in a second, without viewers and with them. */
  readonly serverMsPerSecond: { readonly without: number; readonly withViewers: number };
  readonly framesPerSecond: number;
  readonly kibPerMinute: number;
  /** Frames that the viewer with the fewest has less than that with the most, in any round. */
  readonly spread: number;
  readonly cutOff: number;
  /** Of commands. */
  readonly failures: number;
  readonly loaderPauseMaxMs: number;
  readonly firstFailure?: string;
}

/** A load, and processor time of the server in a second of it. */
interface WatchedLoad extends OfferedCallResult {
  readonly serverMsPerSecond: number;
}

interface Round {
  readonly without: WatchedLoad;
  readonly withViewers: WatchedLoad;
  readonly viewed: ViewersResult;
}

const VIEWERS = new URL('./map-viewers.js', import.meta.url);

/** How many times runViewers() reports a step. */
export function viewerSteps({ rounds }: ViewersPlan): number {
  return rounds;
}

/** Keeps the report after each round, with the rounds so far. */
export function runViewers({ plan, progress, keep }: Run<ViewersPlan, ViewersReport>): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    const { players, durability, rounds } = plan;
    progress.say(`setting up a world of ${players} bots with fleets`);
    const size = { players, workedPlanets: players, grownPlayers: 0, transports: VIEWED_TRANSPORTS };
    const world = await startGalaxydWorld({ size, pace: 'calm', durability, folder });
    try {
      const measured: Round[] = [];
      for (let round = 0; round < rounds; round += 1) {
        measured.push(await measureRound(world, plan, round));
        keep(reportOf(plan, measured));
        progress.step(`viewers: round ${round + 1} of ${rounds}`);
      }
    } finally {
      await world.server.stop();
    }
  });
}

async function measureRound(world: GalaxydWorld, plan: ViewersPlan, round: number): Promise<Round> {
  const { seconds, ratePerSecond, viewers } = plan;
  const calls: CallTask = callTaskOf(world.server.url, world.names);
  const launching = new AbortController();
  const launches = launchAllTheTime(world, plan, launching.signal);
  const task = { ...calls, ratePerSecond, seconds, keptOneIn: Number.MAX_SAFE_INTEGER };
  const offer = async (): Promise<WatchedLoad> => {
    const before = usedMsOf(world);
    const startMs = performance.now();
    const load = await measureOfferedCalls(task);
    return { ...load, serverMsPerSecond: ((usedMsOf(world) - before) / (performance.now() - startMs)) * 1_000 };
  };
  const before = round % 2 === 0 ? await offer() : undefined;
  const stay = await startStay<ViewersTask, ViewersResult>(VIEWERS, { url: world.server.url, viewers });
  const withViewers = await offer();
  const viewed = await stay.leave();
  const without = before ?? (await offer());
  launching.abort();
  await launches;
  return { without, withViewers, viewed };
}

function usedMsOf({ server }: GalaxydWorld): number {
  return (server.processorSeconds() ?? Number.NaN) * 1_000;
}

/** Sends a batch of launches each second: to the planet of the next player, far enough to be under way for longer than the bench. */
async function launchAllTheTime(
  { client, names }: GalaxydWorld,
  plan: ViewersPlan,
  signal: AbortSignal,
): Promise<void> {
  const { bots } = names;
  let next = 0;
  while (!signal.aborted) {
    const operations = Array.from({ length: plan.launchesPerSecond }, () => {
      const [from, to] = [bots[next % bots.length], bots[(next + 1) % bots.length]];
      next += 1;
      const body = {
        playerId: from?.playerId,
        originPlanetId: from?.planetId,
        targetPlanetId: to?.planetId,
        ships: [{ type: 'transport', count: 1 }],
        mission: 'transport',
      };
      return { method: 'POST', path: '/api/fleet/launch', body };
    });
    await client.post('/api/batch', { operations });
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
}

function reportOf({ durability: _, ...plan }: ViewersPlan, rounds: readonly Round[]): ViewersReport {
  const of = (pick: (round: Round) => number) => rounds.map(pick);
  const loads = rounds.flatMap(({ without, withViewers }) => [without, withViewers]);
  const firstFailure = [...loads, ...rounds.map(({ viewed }) => viewed)].find(
    (each) => each.firstFailure,
  )?.firstFailure;
  return {
    ...plan,
    without: medianLatencies(rounds.map(({ without }) => without)),
    withViewers: medianLatencies(rounds.map(({ withViewers }) => withViewers)),
    p99Ratio: pairedRatio(
      of(({ withViewers }) => withViewers.p99Ms),
      of(({ without }) => without.p99Ms),
    ),
    serverMsPerSecond: {
      without: median(of(({ without }) => without.serverMsPerSecond)),
      withViewers: median(of(({ withViewers }) => withViewers.serverMsPerSecond)),
    },
    framesPerSecond: median(of(({ viewed }) => viewed.frames / plan.viewers / viewed.seconds)),
    kibPerMinute: median(of(({ viewed }) => ((viewed.bytes / plan.viewers / viewed.seconds) * 60) / 1_024)),
    spread: Math.max(...of(({ viewed }) => viewed.most - viewed.fewest)),
    cutOff: of(({ viewed }) => viewed.cutOff).reduce((sum, count) => sum + count, 0),
    failures: loads.reduce((sum, { failures }) => sum + failures, 0),
    loaderPauseMaxMs: Math.max(...loads.map((load) => load.loaderPauseMaxMs)),
    ...(firstFailure === undefined ? {} : { firstFailure }),
  };
}
