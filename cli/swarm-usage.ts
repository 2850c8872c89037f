// Memory and processor time of a swarm and of its server.

export interface ProcessUsage {
  readonly memoryMib: number;
  /** Of one core. */
  readonly cpuPercent: number;
}

export interface Usage {
  readonly swarm: ProcessUsage;
  /** Null if the server shows no metrics. */
  readonly server: ProcessUsage | null;
}

interface Reading {
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;
const MICROSECONDS_PER_SECOND = 1_000_000;
const MS_PER_SECOND = 1_000;
const METRICS_DEADLINE_MS = 2_000;

/** Begins to measure. @returns a function that ends it */
export async function usageOf(serverUrl: string): Promise<() => Promise<Usage>> {
  const before = { atMs: performance.now(), own: own(), server: await metrics(serverUrl) };
  return async () => {
    const seconds = Math.max(0.001, (performance.now() - before.atMs) / MS_PER_SECOND);
    const server = await metrics(serverUrl);
    const share = (first: Reading, last: Reading): ProcessUsage => ({
      memoryMib: Math.round(last.memoryBytes / BYTES_PER_MEBIBYTE),
      cpuPercent: Math.round((100 * Math.max(0, last.cpuSeconds - first.cpuSeconds)) / seconds),
    });
    return {
      swarm: share(before.own, own()),
      server: before.server === null || server === null ? null : share(before.server, server),
    };
  };
}

function own(): Reading {
  const { user, system } = process.cpuUsage();
  return { memoryBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / MICROSECONDS_PER_SECOND };
}

async function metrics(serverUrl: string): Promise<Reading | null> {
  try {
    const reply = await fetch(`${serverUrl}/metrics`, { signal: AbortSignal.timeout(METRICS_DEADLINE_MS) });
    const text = await reply.text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    const reading = {
      memoryBytes: value('process_resident_memory_bytes'),
      cpuSeconds: value('process_cpu_seconds_total'),
    };
    return Number.isFinite(reading.memoryBytes) && Number.isFinite(reading.cpuSeconds) ? reading : null;
  } catch {
    return null;
  }
}
