// What every loader is given and gives back, closed loop or open.
import type { LoadRequest } from '../servers/load-request.js';

/** Requests that a load sends over and over. */
export interface LoadPlan {
  readonly url: string;
  readonly connections: number;
  /** Sent in turn, over and over. */
  readonly requests: readonly LoadRequest[];
  /** Whether each upgrade that a reply tells of is cancelled by the next free connection. */
  readonly cancelsWhatItBegins: boolean;
}

/** A closed loop: every connection sends its next request when it has the reply to the one before. */
export interface ClosedLoad extends LoadPlan {
  readonly seconds: number;
}

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

export interface Measurement extends Latencies {
  readonly requestsPerSecond: number;
  /** Replies with another status than 2xx, and broken connections. */
  readonly failures: number;
}

/**
 * What one of several runs sends: everything, from the beginning. But where upgrades are cancelled, a part of its own,
 * since those that a run leaves begun at its end would be refused to the next one.
 *
 * @param run from 0
 */
export function portionOf(
  { requests, cancelsWhatItBegins }: Pick<LoadPlan, 'requests' | 'cancelsWhatItBegins'>,
  run: number,
  runs: number,
): readonly LoadRequest[] {
  if (!cancelsWhatItBegins) return requests;
  const size = requests.length / runs;
  return requests.slice(Math.floor(run * size), Math.floor((run + 1) * size));
}
