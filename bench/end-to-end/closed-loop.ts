// The closed loop: how many requests a server answers when each client waits for its reply. wrk sends them if it is
// installed, since it takes the least from the server on the same machine; else autocannon does.
import { BenchFailed } from '../bench-failed.js';
import { measureInChild } from '../processes/child-measurement.js';
import type { Progress } from '../reports/progress.js';
import type { ClosedLoad, Measurement } from './load.js';
import { measureWithWrk, wrkVersion } from './wrk.js';

export type LoaderName = 'wrk' | 'autocannon';

export interface ClosedLoop {
  /** Its name, with its version if it reports one. */
  readonly loader: string;
  measure(load: ClosedLoad): Promise<Measurement>;
}

/** What every run with loads works with. */
export interface Run<Plan> {
  readonly plan: Plan;
  readonly loop: ClosedLoop;
  readonly progress: Progress;
}

const AUTOCANNON = new URL('./autocannon-load.js', import.meta.url);

/**
 * @param wanted the loader to use; wrk by default if it is installed
 * @throws BenchFailed if wrk is wanted and not installed
 */
export function closedLoop(wanted?: LoaderName): ClosedLoop {
  const version = wanted === 'autocannon' ? undefined : wrkVersion();
  if (version !== undefined) return { loader: version, measure: measureWithWrk };
  if (wanted === 'wrk') throw new BenchFailed('wrk is not installed (Debian: apt-get install wrk)');
  return { loader: 'autocannon', measure: (load) => measureInChild(AUTOCANNON, load) };
}
