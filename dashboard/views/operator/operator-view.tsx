// What an operator watches: load, latency, durability, timers, readers of events, disk and memory, and what is wrong with them.
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { SCRAPE_PERIOD_MS, SLOW_PERIOD_MS } from '../../limits.js';
import { formatDuration } from '../../parts/format.js';
import { FailureNotice, Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { usePolled } from '../../world/poll.js';
import { status } from '../../world/status.js';
import { Charts } from './charts.js';
import { Facts } from './facts.js';
import { figures, takeMetrics } from './history.js';
import { Loads } from './loads.js';
import { Replicas } from './replicas.js';
import { Tiles } from './tiles.js';
import { Verdict } from './verdict.js';

export default function OperatorView() {
  const metrics = usePolled('/metrics', (client, signal) => client.get('/metrics', { signal }), SCRAPE_PERIOD_MS);
  const readiness = usePolled('/readyz', (client, signal) => client.get('/readyz', { signal }), SLOW_PERIOD_MS);
  useEffect(
    () =>
      effect(() => {
        const { state, body } = metrics.value;
        if (state === 'ready') takeMetrics(body, performance.now(), Date.now());
      }),
    [metrics],
  );
  const newest = figures.value.at(-1);
  const { state, failure } = metrics.value;
  if (state === 'error' && (failure.kind !== 'offline' || newest === undefined))
    return <FailureNotice failure={failure} />;
  return (
    <Page title="Server" subtitle={subtitleText()} isWide>
      {newest === undefined ? (
        <Notice kind="loading" title="Loading…" />
      ) : (
        <div class={state === 'ready' ? '' : 'is-stale'}>
          <Verdict newest={newest} failure={failure} readiness={readiness.value} />
          <Replicas />
          <Tiles />
          <Charts />
          <Loads />
          <Facts newest={newest} />
        </div>
      )}
    </Page>
  );
}

function subtitleText(): string {
  const body = status.value;
  if (body === null) return ' ';
  const transport = body.http === 'native' ? 'uWebSockets.js' : 'Node’s own HTTP server';
  return `galaxyd ${body.version} · Node ${body.node} · ${transport} · up ${formatDuration(body.uptimeSeconds * 1_000)}`;
}
