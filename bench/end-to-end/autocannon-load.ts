// Sends one closed load with autocannon, in a process of its own, if wrk is not installed.
import autocannon from 'autocannon';
import type { LoadRequest } from '../servers/game-client.js';
import { type ClosedLoad, type Measurement, requestSource } from './load.js';

export async function measure(load: ClosedLoad): Promise<Measurement> {
  const source = requestSource(load);
  const { requests, latency, errors, non2xx } = await autocannon({
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
        onResponse: (_status, body, context) => source.answered(context['sent'] as LoadRequest, body),
      },
    ],
  });
  const { p50, p99, p99_9, max } = latency;
  const failures = errors + non2xx;
  return { requestsPerSecond: requests.average, p50Ms: p50, p99Ms: p99, p999Ms: p99_9, maxMs: max, failures };
}
