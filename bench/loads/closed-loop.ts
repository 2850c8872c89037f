// The closed loop: how many requests a server answers when each client waits for its reply. wrk sends them if it is
// installed, since it takes the least from the server on the same machine; else a process of the bench does.
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailed } from '../bench-failed.js';
import { SHORT_REPLY_SHARE } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import { type ClosedLoad, failureText, type Measurement, requestSource } from './load.js';
import type { LoadConnection } from './load-connection.js';
import { latenciesOf, latencyHistogram, openConnections } from './open-loop.js';
import { measureWithWrk, wrkVersion } from './wrk.js';

export type LoaderName = 'wrk' | 'own';

export interface ClosedLoop {
  /** Its name, with its version if it reports one. */
  readonly loader: string;
  /** @throws BenchFailed if there are no replies, or replies that are too short, or if the loader fails */
  measure(load: ClosedLoad): Promise<Measurement>;
}

/**
 * @param wanted the loader to use; wrk by default if it is installed
 * @throws BenchFailed if wrk is wanted and not installed
 */
export function closedLoop(wanted?: LoaderName): ClosedLoop {
  const version = wanted === 'own' ? undefined : wrkVersion();
  if (version !== undefined) return { loader: version, measure: checking(measureWithWrk) };
  if (wanted === 'wrk') throw new BenchFailed('wrk is not installed (Debian: apt-get install wrk)');
  return { loader: 'own', measure: checking((load) => measureInChild(new URL(import.meta.url), load)) };
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

/** Sends one load from this process, which is one of its own. */
export async function measure({ seconds, ...load }: ClosedLoad): Promise<Measurement> {
  const source = requestSource(load);
  const latencies = latencyHistogram();
  const connections = await openConnections(load);
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  let [answered, bytes, failures] = [0, 0, 0];
  let firstFailure: string | undefined;
  const failed = (text: string): void => {
    failures += 1;
    firstFailure ??= text;
  };
  const repeat = (connection: LoadConnection): void => {
    const request = source.next();
    const sentMs = performance.now();
    connection.send(request, (reply, fault) => {
      const nowMs = performance.now();
      if (nowMs >= endMs) return;
      const { status } = reply ?? { status: 0 };
      const body = reply?.body.toString() ?? '';
      const isSuccess = status >= 200 && status <= 299;
      const isRight = source.answered(request, body, isSuccess);
      if (reply === undefined) failed(fault);
      else {
        answered += 1;
        bytes += reply.body.length;
        latencies.record(Math.max(1, Math.round((nowMs - sentMs) * 1_000)));
        if (!isSuccess || !isRight) failed(failureText(status, body));
      }
      repeat(connection);
    });
  };
  for (const connection of connections) repeat(connection);
  await sleep(seconds * 1_000);
  for (const connection of connections) connection.close();
  const requestsPerSecond = answered / seconds;
  const bytesPerReply = bytes / Math.max(answered, 1);
  return { ...latenciesOf(latencies), requestsPerSecond, answered, bytesPerReply, failures, firstFailure };
}
