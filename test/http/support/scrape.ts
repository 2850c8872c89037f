// A scrape, as a Prometheus server would make it, and what changed between two of them.

import { type Family, parseExposition } from './exposition.js';
import type { GameClient } from './game-client.js';

export class Scrape {
  private constructor(readonly families: ReadonlyMap<string, Family>) {}

  static async of(client: GameClient): Promise<Scrape> {
    const { text } = await client.request('GET', '/metrics');
    return new Scrape(parseExposition(text));
  }

  /** Scrapes until the condition holds. */
  static async until(client: GameClient, condition: (scrape: Scrape) => boolean): Promise<Scrape> {
    for (;;) {
      const scrape = await Scrape.of(client);
      if (condition(scrape)) return scrape;
    }
  }

  static ofText(text: string): Scrape {
    return new Scrape(parseExposition(text));
  }

  /** The value of a sample, named as in the text without `galaxyd_`; undefined if it is absent. */
  value(sample: string): number | undefined {
    const name = `galaxyd_${sample}`;
    for (const { samples } of this.families.values()) if (samples.has(name)) return samples.get(name);
    return undefined;
  }

  /** The growth of each sample of a counter that has changed, except for those that scrapes cause. */
  growth(family: string, before: Scrape): Record<string, number> {
    const grown: Record<string, number> = {};
    for (const [sample, value] of this.family(family).samples) {
      const growth = value - (before.family(family).samples.get(sample) ?? 0);
      if (growth !== 0 && !sample.includes('route="/metrics"')) grown[sample.replace(/^\w+/, '')] = growth;
    }
    return grown;
  }

  family(name: string): Family {
    const family = this.families.get(`galaxyd_${name}`);
    if (family === undefined) throw new Error(`there is no ${name}`);
    return family;
  }

  /** The number of samples, without garbage collection, whose kinds appear only after they have happened. */
  get sampleCount(): number {
    let count = 0;
    for (const [name, { samples }] of this.families) if (!name.includes('_gc_')) count += samples.size;
    return count;
  }
}
