// When a ship order was begun. The API says only when it ends; the events of the player say the rest.
import type { GameEvent } from 'galaxyd-client';

/**
 * Returns when the shipyard began an order: when it was ordered, or when the one before it was delivered.
 *
 * @param events of the player, the newest first
 * @param finishAt end of the order
 * @returns world time; null if the order is older than the events
 */
export function shipOrderStart(
  events: readonly GameEvent[],
  planetId: string,
  shipType: string,
  finishAt: string,
): string | null {
  let deliveredAt: string | null = null;
  for (const { type, at, data } of events) {
    if (type === 'ships_completed' && data.planetId === planetId && data.shipType === shipType) deliveredAt ??= at;
    if (type !== 'ships_ordered' || data.planetId !== planetId || data.finishAt !== finishAt) continue;
    return deliveredAt !== null && deliveredAt > at ? deliveredAt : at;
  }
  return null;
}
