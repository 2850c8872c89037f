// What a brief says of trade: the offers of the player, those to it alone, and the goods on their way to it.
import { cargoOf } from '../../engine/planets/offers.js';
import { offerId, planetId, playerId } from '../../engine/terms/ids.js';
import type { Lot } from '../../engine/terms/lots.js';
import type { ReadonlyOffer, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import { cargoAmounts } from './ships.js';

/** Offers to the player first, the newest before the others: others wait for its answer. */
export function tradeLines(world: ReadonlyWorld, { number }: ReadonlyPlayer): string[] {
  const { offers, goods, universe } = world;
  return [
    ...offers
      .addressedTo(number)
      .toReversed()
      .map((offer) => `${termsOf(world, offer)}, ${playerId(world, offer.ownerNumber)} to you`),
    ...goods
      .of(number)
      .map(
        ({ lot, toKey, arrivesAtMs }) =>
          `- ${lotText(lot)} arrive at ${planetId(universe, toKey)} at ${isoText(arrivesAtMs)}`,
      ),
    ...offers.of(number).map((offer) => `${termsOf(world, offer)}, yours${receiverText(world, offer)}`),
  ];
}

function termsOf({ universe }: ReadonlyWorld, { number, planetKey, give, want, untilMs }: ReadonlyOffer): string {
  const terms = `${lotText(give)} for ${lotText(want)}`;
  return `- ${offerId(number)} at ${planetId(universe, planetKey)}: ${terms} until ${isoText(untilMs)}`;
}

function receiverText(world: ReadonlyWorld, { toNumber }: ReadonlyOffer): string {
  return toNumber === 0 ? '' : ` to ${playerId(world, toNumber)}`;
}

function lotText(lot: Lot): string {
  const [[name, units] = ['', 0]] = Object.entries(cargoAmounts(cargoOf(lot))).filter(([, count]) => count > 0);
  return `${units} ${name}`;
}
