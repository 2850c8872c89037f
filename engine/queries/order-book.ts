// The order book of a galaxy: its open offers to everybody, by the resources that they give and want, the lowest price first.

import type { ReadonlyOffer, ReadonlyWorld } from '../world/state.js';

/** What places an offer in the book. */
export type BookPlace = Pick<ReadonlyOffer, 'give' | 'want' | 'number'>;

/** Which offers are listed. */
export interface BookPart {
  readonly galaxy: number;
  /** Resources; null for any. */
  readonly give: number | null;
  readonly want: number | null;
}

/** Returns the offers of a part of the book in its order. Offers to one player are not in it. */
export function orderBook({ offers }: ReadonlyWorld, { galaxy, give, want }: BookPart): ReadonlyOffer[] {
  return offers
    .inGalaxy(galaxy)
    .filter(
      (offer) =>
        offer.toNumber === 0 &&
        (give === null || offer.give.resource === give) &&
        (want === null || offer.want.resource === want),
    )
    .sort(inBook);
}

/** Compares the places of two offers. Equal prices are in the order in which they were made. */
export function inBook(one: BookPlace, other: BookPlace): number {
  return (
    one.give.resource - other.give.resource ||
    one.want.resource - other.want.resource ||
    priceOf(one) - priceOf(other) ||
    one.number - other.number
  );
}

/** Units that an offer wants for each that it gives. */
export function priceOf({ give, want }: Pick<ReadonlyOffer, 'give' | 'want'>): number {
  return want.units / give.units;
}
