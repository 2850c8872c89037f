// The rules of the world as data, read as long as a view needs them. The names of types are taken from them.
import type { ReadonlySignal } from '@preact/signals';
import { CATALOG_PERIOD_MS } from '../limits.js';
import type { Shapes } from './api.js';
import { type Polled, usePolled } from './poll.js';
import { rememberTypeNames } from './type-names.js';

export type Catalog = Shapes['Catalog'];

/** The catalogue. It changes only if the operator switches the rules, or a replay shows another world. */
export function useCatalog(): ReadonlySignal<Polled<Catalog>> {
  return usePolled(
    'catalog',
    async (client, signal) => {
      const reply = await client.get('/api/catalog', { signal });
      const { buildings, ships, drives, research } = reply.body;
      rememberTypeNames([...buildings, ...ships, ...drives, ...research]);
      return reply;
    },
    CATALOG_PERIOD_MS,
  );
}
