// The stocks of a planet, growing between two reads as the client's planning helper computes them. Only the texts that change are
// written, a few times a second.
import { type ReadonlySignal, signal, useComputed, useSignal } from '@preact/signals';
import { type Resource, stockAt } from 'galaxyd-client';
import { useEffect } from 'preact/hooks';
import { STOCK_TICK_MS } from '../../limits.js';
import { formatCount, formatShort } from '../../parts/format.js';
import type { Shapes } from '../../world/api.js';
import { worldMsAt } from '../../world/world-clock.js';

type Planet = Shapes['Planet'];

export const RESOURCES: readonly Resource[] = ['iron', 'silver', 'ember', 'h2', 'energy'];

/** World time in ms, renewed while stocks are shown; null before the first answer. */
const nowMs = signal<number | null>(null);
let readers = 0;
let writtenMs = 0;

function tick(atMs: number): void {
  if (readers === 0) return;
  if (atMs - writtenMs >= STOCK_TICK_MS) {
    writtenMs = atMs;
    nowMs.value = worldMsAt(atMs);
  }
  requestAnimationFrame(tick);
}

/** Renews `nowMs` as long as the component is shown. */
function useTicks(): void {
  useEffect(() => {
    readers += 1;
    if (readers === 1) requestAnimationFrame(tick);
    return () => {
      readers -= 1;
    };
  }, []);
}

interface GrowingStocksProps {
  readonly planet: Planet;
  /** World time at which the stocks were read. */
  readonly asOf: string;
}

export function GrowingStocks({ planet, asOf }: GrowingStocksProps) {
  useTicks();
  const reading = useSignal({ planet, asOf });
  if (reading.peek().planet !== planet) reading.value = { planet, asOf };
  const stocks = useComputed(() => stocksAt(reading.value.planet, reading.value.asOf, nowMs.value));
  return (
    <dl class="stocks">
      {RESOURCES.map((resource) => (
        <div key={resource} class={`stock is-${resource}`}>
          <dt>{resource}</dt>
          <dd>
            <Stock stocks={stocks} resource={resource} />
            <span class="stock-rate">{rateText(planet.production[resource])}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface StockProps {
  readonly stocks: ReadonlySignal<Readonly<Record<Resource, number>>>;
  readonly resource: Resource;
}

function Stock({ stocks, resource }: StockProps) {
  const text = useComputed(() => formatCount(stocks.value[resource]));
  return <span class="count stock-amount">{text}</span>;
}

/** The stocks at an instant. After the next timer the planet may produce more: until it is read again, they stand still. */
function stocksAt(planet: Planet, asOf: string, atMs: number | null): Readonly<Record<Resource, number>> {
  if (atMs === null) return planet;
  const endMs = planet.nextTimerAt === null ? atMs : Math.min(atMs, Date.parse(planet.nextTimerAt));
  return stockAt(planet, asOf, new Date(endMs).toISOString());
}

function rateText(perHour: number): string {
  return perHour === 0 ? 'none' : `+${perHour < 100_000 ? formatCount(perHour) : formatShort(perHour)}/h`;
}
