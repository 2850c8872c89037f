// What an operator watches: load, latency, durability, timers, readers of events, disk and memory, and what is wrong with them.
import { effect, useSignalEffect } from '@preact/signals';
import type { GalaxydClient } from 'galaxyd-client';
import { useEffect } from 'preact/hooks';
import { SCRAPE_PERIOD_MS, SLOW_PERIOD_MS } from '../../limits.js';
import { formatDuration } from '../../parts/format.js';
import { FailureNotice, Loading } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { api, failureOf } from '../../world/api.js';
import { usePolled } from '../../world/poll.js';
import { status } from '../../world/status.js';
import { Actions } from './actions.js';
import { Charts } from './charts.js';
import { Facts } from './facts.js';
import { figures, takeHistory, takeMetrics } from './figures.js';
import { Loads } from './loads.js';
import { Replicas } from './replicas.js';
import { Tiles } from './tiles.js';
import { Traffic } from './traffic.js';
import { Verdict } from './verdict.js';

/** The panels of the view, from top to bottom. Each gets the newest figures, and takes what it needs. */
const PANELS = [Verdict, Replicas, Tiles, Charts, Loads, Traffic, Actions, Facts] as const;

export function OperatorView() {
  const metrics = usePolled('/metrics', (client, signal) => client.get('/metrics', { signal }), SCRAPE_PERIOD_MS);
  const readiness = usePolled('/readyz', (client, signal) => client.get('/readyz', { signal }), SLOW_PERIOD_MS);
  useSignalEffect(() => {
    const { state, body } = metrics.value;
    if (state === 'ready') takeMetrics(body, performance.now(), Date.now());
  });
  useHistory();
  const newest = figures.value.at(-1);
  const { state, failure } = metrics.value;
  if (state === 'error' && (failure.kind !== 'offline' || newest === undefined))
    return <FailureNotice failure={failure} />;
  return (
    <Page title="Server" subtitle={subtitleText()} isWide>
      {newest === undefined ? (
        <Loading />
      ) : (
        <div class={state === 'ready' ? '' : 'is-stale'}>
          {PANELS.map((Panel) => (
            <Panel key={Panel.name} newest={newest} failure={failure} readiness={readiness.value} />
          ))}
        </div>
      )}
    </Page>
  );
}

/** Fills the charts with what the server has kept. */
function useHistory(): void {
  useEffect(() => {
    const reading = new AbortController();
    const read = effect(() => {
      const client = api.value;
      void fill(client, reading.signal);
    });
    return () => {
      read();
      reading.abort();
    };
  }, []);
}

async function fill(client: GalaxydClient, ended: AbortSignal): Promise<void> {
  try {
    const { body } = await client.get('/api/metrics/history', { signal: ended });
    if (!ended.aborted) takeHistory(body, Date.now());
  } catch (error) {
    // The charts fill as time passes.
    if (!ended.aborted) failureOf(error);
  }
}

function subtitleText(): string {
  const body = status.value;
  if (body === null) return ' ';
  const transport = body.http === 'native' ? 'uWebSockets.js' : 'Node’s own HTTP server';
  return `galaxyd ${body.version} · Node ${body.node} · ${transport} · up ${formatDuration(body.uptimeSeconds * 1_000)}`;
}
