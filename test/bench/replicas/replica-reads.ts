// Reads of a world that one, two or three processes serve: each has its own closed loop, all at the same time.
import { availableParallelism } from 'node:os';
import { failuresOf, type Measurement } from '../../../bench/loads/load.js';
import { MIXES } from '../../../bench/loads/mixes.js';
import type { ChildServer } from '../../../bench/processes/child-server.js';
import { latencyCells, type Run, type Samples } from '../../../bench/runner/run.js';
import { getRequest, TESTED } from '../../../bench/servers/game-client.js';
import { REPLICAS } from './limits.js';

interface Sample {
  /** Rate of all together. */
  readonly requestsPerSecond: number;
  readonly measured: readonly Measurement[];
  /** Processor time of a server for a read. */
  readonly processorUs: number;
  /** Cores that the servers had, together; the loaders have the rest. */
  readonly serverCores: number;
}

const US_PER_SECOND = 1_000_000;

export function replicaReads(
  run: Run,
  servers: readonly ChildServer[],
  playerIds: readonly string[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  const requests = playerIds.map((id) => getRequest(`/api/game/state/${id}`));
  const connections = Math.ceil(MIXES.read.connections / REPLICAS.length);
  const load = { server: TESTED, connections, requests, seconds, cancelsWhatItBegins: false };
  const measure = async (replicas: number): Promise<Sample> => {
    const used = servers.slice(0, replicas);
    const before = processorSeconds(used);
    const measured = await Promise.all(used.map(({ url }) => run.loop.measure({ ...load, url })));
    const usedSeconds = processorSeconds(used) - before;
    const requestsPerSecond = measured.reduce((sum, one) => sum + one.requestsPerSecond, 0);
    const processorUs = (usedSeconds * US_PER_SECOND) / (requestsPerSecond * seconds);
    return { requestsPerSecond, measured, processorUs, serverCores: usedSeconds / seconds };
  };
  const conclude = (all: readonly Samples<Sample>[]) => {
    for (const [index, samples] of all.entries()) {
      const measured = samples.rounds.flatMap((sample) => sample.measured);
      const cells = {
        ...{ processes: String(REPLICAS[index]), 'reads/s': samples.median('requestsPerSecond') },
        'to one': samples.ratio('requestsPerSecond', all[0]),
        ...latencyCells(measured, ['p50Ms', 'p99Ms']),
        'CPU µs': samples.median('processorUs'),
        'cores of servers': Math.min(availableParallelism(), samples.median('serverCores')),
      };
      run.table('reads').add(cells, `reads from ${REPLICAS[index]} processes`, failuresOf(measured));
    }
  };
  return run.contest('reads', REPLICAS, { rounds, measure, conclude });
}

function processorSeconds(servers: readonly ChildServer[]): number {
  return servers.reduce((sum, server) => sum + server.processorSeconds(), 0);
}
