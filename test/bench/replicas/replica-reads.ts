// Reads of a world that one, two or three processes serve: each has its own closed loop, all at the same time.
import { availableParallelism } from 'node:os';
import type { ClosedLoop } from '../../../bench/end-to-end/closed-loop.js';
import type { Latencies, Measurement } from '../../../bench/end-to-end/load.js';
import { MIXES } from '../../../bench/end-to-end/mixes.js';
import { type Failures, failuresOf, medianLatencies } from '../../../bench/end-to-end/side-by-side.js';
import type { ChildServer } from '../../../bench/processes/child-server.js';
import { median, type Spread, spreadOf } from '../../../bench/reports/statistics.js';
import { getRequest, TESTED } from '../../../bench/servers/game-client.js';
import { REPLICAS } from './limits.js';

export interface ReadsReading extends Failures {
  readonly replicas: number;
  /** Of all together. */
  readonly requestsPerSecond: Spread;
  /** To one process. */
  readonly ratio: number;
  readonly latencies: Latencies;
  /** Processor time of a server for a read. */
  readonly processorUs: number;
  /** Cores that the servers had, together; the loaders have the rest. */
  readonly serverCores: number;
}

interface Round {
  readonly requestsPerSecond: number;
  readonly measured: readonly Measurement[];
  readonly processorSeconds: number;
}

const US_PER_SECOND = 1_000_000;
const CORES = availableParallelism();

export async function replicaReads(
  servers: readonly ChildServer[],
  playerIds: readonly string[],
  { loop, rounds, seconds, onRound }: { loop: ClosedLoop; rounds: number; seconds: number; onRound: () => void },
): Promise<ReadsReading[]> {
  const requests = playerIds.map((id) => getRequest(`/api/game/state/${id}`));
  const connections = Math.ceil(MIXES.read.connections / REPLICAS.length);
  const all = REPLICAS.map((): Round[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, replicas] of REPLICAS.entries()) {
      const used = servers.slice(0, replicas);
      const before = processorSeconds(used);
      const measured = await Promise.all(
        used.map(({ url }) =>
          loop.measure({ server: TESTED, url, connections, requests, seconds, cancelsWhatItBegins: false }),
        ),
      );
      const requestsPerSecond = measured.reduce((sum, one) => sum + one.requestsPerSecond, 0);
      all[index]?.push({ requestsPerSecond, measured, processorSeconds: processorSeconds(used) - before });
    }
    onRound();
  }
  const perSecond = (index: number): number[] => (all[index] ?? []).map((round) => round.requestsPerSecond);
  return REPLICAS.map((replicas, index): ReadsReading => {
    const own = all[index] ?? [];
    return {
      replicas,
      requestsPerSecond: spreadOf(perSecond(index)),
      ratio: median(perSecond(index).map((value, round) => value / (perSecond(0)[round] ?? Number.NaN))),
      latencies: medianLatencies(own.flatMap(({ measured }) => measured)),
      processorUs: median(
        own.map((round) => (round.processorSeconds * US_PER_SECOND) / (round.requestsPerSecond * seconds)),
      ),
      serverCores: Math.min(CORES, median(own.map((round) => round.processorSeconds / seconds))),
      ...failuresOf(own.flatMap(({ measured }) => measured)),
    };
  });
}

function processorSeconds(servers: readonly ChildServer[]): number {
  return servers.reduce((sum, server) => sum + (server.processorSeconds() ?? Number.NaN), 0);
}
