// Sends one closed load with autocannon, in a process of its own, if wrk is not installed.
import autocannon from 'autocannon';
import type { LoadRequest } from '../servers/game-client.js';
import { type ClosedLoad, failureText, type Measurement, requestSource } from './load.js';

export async function measure(load: ClosedLoad): Promise<Measurement> {
  const source = requestSource(load);
  let wrongCount = 0;
  let firstFailure: string | undefined;
  const { requests, throughput, latency, errors, non2xx } = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    requests: [
      {
        setupRequest: (_request, context) => {
          const next = source.next();
          context['sent'] = next;
          const type = next.body === undefined ? {} : { 'content-type': 'application/json' };
          return { ...next, headers: { ...type, ...next.headers } };
        },
        onResponse: (status, body, context) => {
          const isSuccess = status >= 200 && status <= 299;
          const isRight = source.answered(context['sent'] as LoadRequest, body, isSuccess);
          if (!isRight) wrongCount += 1;
          if (!isRight || !isSuccess) firstFailure ??= failureText(status, body);
        },
      },
    ],
  });
  const { p50, p99, p99_9, max } = latency;
  const failures = errors + non2xx + wrongCount;
  if (errors > 0) firstFailure ??= `broken connections: ${errors}`;
  return {
    ...{ p50Ms: p50, p99Ms: p99, p999Ms: p99_9, maxMs: max },
    requestsPerSecond: requests.average,
    answered: requests.total,
    bytesPerReply: throughput.total / Math.max(requests.total, 1),
    failures,
    ...(firstFailure === undefined ? {} : { firstFailure }),
  };
}
