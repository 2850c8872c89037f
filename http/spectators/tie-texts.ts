// Pacts in force and goods on their way as rows of the map. Both tie two players together, and public events tell of both: `pact` and
// `trade_agreed`. What only the two know, such as proposals, is never here.
import type { PlanetKey, Universe } from '../../engine/map/universe.js';
import { goodsId } from '../../engine/world/market-tables.js';
import type { ReadonlyGoods, ReadonlyPact, ReadonlyWorld } from '../../engine/world/state.js';
import { MAP_GOODS_MAX, MAP_PACTS_MAX, MAP_PACTS_READ_MAX } from '../limits.js';

/** @returns JSON; the fields are in the order of PACT in http/schemas/map.ts */
export function pactText(
  world: ReadonlyWorld,
  { number, kind, proposerNumber, partnerNumber, endsAtMs }: ReadonlyPact,
): string {
  const parties = [proposerNumber, partnerNumber];
  const players = parties.map((party) => world.lineages.idNumberOf(party));
  const homes = parties.map((party) => placeText(world.universe, homeOf(world, party)));
  return `[${number},${kind},${players.join()},${homes.join()},${endsAtMs}]`;
}

/** @returns JSON; the fields are in the order of GOODS in http/schemas/map.ts */
export function goodsText({ universe, lineages }: ReadonlyWorld, goods: ReadonlyGoods): string {
  const players = [goods.senderNumber, goods.ownerNumber].map((number) => lineages.idNumberOf(number));
  const places = [goods.fromKey, goods.toKey].map((key) => placeText(universe, key));
  return `[${goodsId(goods)},${players.join()},${places.join()},${goods.sentAtMs},${goods.arrivesAtMs}]`;
}

/** The oldest pacts in force. */
export function pactTexts(world: ReadonlyWorld): string[] {
  const texts: string[] = [];
  let read = 0;
  for (const pact of world.pacts.values()) {
    if (texts.length >= MAP_PACTS_MAX || read >= MAP_PACTS_READ_MAX) break;
    read += 1;
    if (pact.isInForce) texts.push(pactText(world, pact));
  }
  return texts;
}

/** The oldest goods on their way. */
export function goodsTexts(world: ReadonlyWorld): string[] {
  const texts: string[] = [];
  for (const goods of world.goods.values()) {
    if (texts.length >= MAP_GOODS_MAX) break;
    texts.push(goodsText(world, goods));
  }
  return texts;
}

/** The planet from which a player began. */
function homeOf({ players }: ReadonlyWorld, playerNumber: number): PlanetKey {
  const planet = players.get(playerNumber)?.firstPlanet;
  if (planet === undefined) throw new Error(`player ${playerNumber} has no planet`);
  return planet.key;
}

/** Galaxy, system and slot, without brackets. */
export function placeText(universe: Universe, key: PlanetKey): string {
  const { galaxy, system, slot } = universe.positionOf(key);
  return `${galaxy},${system},${slot}`;
}
