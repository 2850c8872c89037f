// The closed loop: how many requests a server answers when each client waits for its reply. wrk sends them if it is
// installed, since it takes the least from the server on the same machine; else autocannon does.
import { BenchFailed } from '../bench-failed.js';
import { SHORT_REPLY_SHARE } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import type { Progress } from '../reports/progress.js';
import type { ClosedLoad, Measurement } from './load.js';
import { measureWithWrk, wrkVersion } from './wrk.js';

export type LoaderName = 'wrk' | 'autocannon';

export interface ClosedLoop {
  /** Its name, with its version if it reports one. */
  readonly loader: string;
  /** @throws BenchFailed if there are no replies, or replies that are too short, or if the loader fails */
  measure(load: ClosedLoad): Promise<Measurement>;
}

/** What every run with loads works with. */
export interface Run<Plan, Reading> {
  readonly plan: Plan;
  readonly loop: ClosedLoop;
  readonly progress: Progress;
  /** Takes each reading as soon as it is there, so that it is not lost if the run fails later. */
  readonly keep: (reading: Reading) => void;
}

const AUTOCANNON = new URL('./autocannon-load.js', import.meta.url);

/**
 * @param wanted the loader to use; wrk by default if it is installed
 * @throws BenchFailed if wrk is wanted and not installed
 */
export function closedLoop(wanted?: LoaderName): ClosedLoop {
  const version = wanted === 'autocannon' ? undefined : wrkVersion();
  if (version !== undefined) return { loader: version, measure: checking(measureWithWrk) };
  if (wanted === 'wrk') throw new BenchFailed('wrk is not installed (Debian: apt-get install wrk)');
  return { loader: 'autocannon', measure: checking((load) => measureInChild(AUTOCANNON, load)) };
}

/** A measurement without replies, or of replies that are cut short, measures nothing. */
function checking(measure: ClosedLoop['measure']): ClosedLoop['measure'] {
  return async (load) => {
    const { server, replyBytes = 0 } = load;
    const measured = await measure(load).catch((error) => {
      throw error instanceof BenchFailed ? new BenchFailed(`${server}: ${error.message}`) : error;
    });
    const { answered, bytesPerReply, firstFailure } = measured;
    if (answered === 0) throw new BenchFailed(`${server} answered nothing (${firstFailure ?? 'within the time'})`);
    if (bytesPerReply < replyBytes * SHORT_REPLY_SHARE) {
      const found = `${Math.round(bytesPerReply)} bytes on average instead of ${replyBytes} at least`;
      throw new BenchFailed(`the replies of ${server} are too short: ${found}`);
    }
    return measured;
  };
}
