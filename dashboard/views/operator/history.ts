// The figures of the last minutes, kept as long as the page is open, also while another view is shown.
import { signal } from '@preact/signals';
import { FIGURES_MAX } from '../../limits.js';
import { parseExposition } from '../../world/exposition.js';
import { blankFigures, type Figures, figuresOf } from './figures.js';
import { type Scrape, withScrape } from './scrapes.js';

/** The scrapes that the newest figures were made of. */
export const scrapes = signal<readonly Scrape[]>([]);

/** Figures by time, the newest last. */
export const figures = signal<readonly Figures[]>([]);

let lastText = '';

/**
 * Takes over a reply of /metrics. The server renders it once a second at most: the same text twice is one scrape.
 *
 * @param atMs time of performance.now()
 * @param wallMs time of the viewer's clock
 */
export function takeMetrics(text: string, atMs: number, wallMs: number): void {
  if (text === lastText) return;
  lastText = text;
  const metrics = parseExposition(text);
  const before = scrapes.peek();
  const after = withScrape(before, { atMs, metrics });
  const isBroken = before.length > 0 && after.length === 1;
  const gap = isBroken ? [blankFigures(wallMs - 1)] : [];
  scrapes.value = after;
  figures.value = [...figures.peek(), ...gap, figuresOf(after, metrics, wallMs)].slice(-FIGURES_MAX);
}
