// The process in which autocannon sends one closed load, started by closed-loop.ts where wrk is not installed.
import autocannon from 'autocannon';
import { answerTask } from '../processes/child-measurement.js';
import type { LoadRequest } from '../servers/load-request.js';
import type { ClosedLoad, Measurement } from './load.js';
import { requestSource } from './request-source.js';

await answerTask<ClosedLoad, Measurement>(async (load) => {
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
});
