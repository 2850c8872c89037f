// The rows of the market: the open offers of a player and the goods on their way to it, which follow its fleets, and the last trades of each
// pair of resources. A world in which nobody trades has none.

import type { PlanetKey } from '../map/universe.js';
import { OFFER_UNITS_MAX, TRADES_PER_PAIR_MAX, WORLD_TIME_MS_MAX } from '../rules/limits.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Lot } from '../terms/lots.js';
import { goodsId } from '../world/market-tables.js';
import type { Player } from '../world/player-table.js';
import type { World } from '../world/state.js';
import { TIMER_KINDS } from '../world/timer-queue.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

export function* writeOffers({ offers, timers }: World, { number }: Player): Generator<Row> {
  for (const offer of offers.of(number)) {
    yield [
      ROW_KINDS.offer,
      offer.number,
      offer.planetKey,
      offer.give.resource,
      offer.give.units,
      offer.want.resource,
      offer.want.units,
      offer.h2Max,
      offer.toNumber,
      offer.madeAtMs,
      offer.untilMs,
      timers.idOf(offer.timer),
    ];
  }
}

export function readOffer(draft: WorldDraft, row: RowReader): void {
  row.requireLength(12);
  const { world, owner } = draft;
  if (world.rules.market === null) throw new Error('the rules have no market');
  const number = row.integer('number', 1, world.lastTimerId);
  if (world.offers.get(number) !== undefined) throw new Error(`offer ${number} has two rows`);
  const planetKey = planetOf(draft, row.integer('planet'));
  const give = readLot(row);
  const want = readLot(row);
  if (give.resource === want.resource) throw new Error('it wants what it gives');
  const h2Max = row.integer('h2', 0, OFFER_UNITS_MAX);
  const toNumber = draft.addressOffer(row.integer('addressee'));
  if (toNumber === owner.number) throw new Error('it is for its maker');
  const madeAtMs = row.integer('time', world.settings.startMs, world.lastEntryMs);
  const untilMs = row.integer('end', madeAtMs + 1, WORLD_TIME_MS_MAX);
  const offer = world.offers.add({
    number,
    ownerNumber: owner.number,
    planetKey,
    give,
    want,
    h2Max,
    toNumber,
    madeAtMs,
    untilMs,
  });
  offer.timer = draft.schedule(row.integer('timer', 1, world.lastTimerId), untilMs, TIMER_KINDS.offer_end, number);
}

export function* writeGoods(world: World, { number }: Player): Generator<Row> {
  for (const goods of world.goods.of(number)) {
    yield [
      ROW_KINDS.goods,
      goods.offerNumber,
      goods.isForMaker,
      goods.toKey,
      goods.senderNumber,
      goods.fromKey,
      goods.lot.resource,
      goods.lot.units,
      goods.sentAtMs,
      goods.arrivesAtMs,
      world.timers.idOf(goods.timer),
    ];
  }
}

export function readGoods(draft: WorldDraft, row: RowReader): void {
  row.requireLength(11);
  const { world, owner } = draft;
  if (world.rules.market === null) throw new Error('the rules have no market');
  const offerNumber = row.integer('offer', 1, world.lastTimerId);
  const isForMaker = row.flag('for the maker');
  const id = goodsId({ offerNumber, isForMaker });
  if (world.goods.get(id) !== undefined) throw new Error(`such goods of offer ${offerNumber} have two rows`);
  const toKey = planetOf(draft, row.integer('planet'));
  const senderNumber = draft.referencePlayer(row.integer('sender', 1));
  if (senderNumber === owner.number) throw new Error('their sender receives them');
  const fromKey = row.integer('origin');
  if (!world.universe.holds(fromKey)) throw new Error(`the universe has no planet ${fromKey}`);
  const lot = readLot(row);
  const sentAtMs = row.integer('time', world.settings.startMs, world.lastEntryMs);
  const arrivesAtMs = row.integer('arrival time', sentAtMs + 1, WORLD_TIME_MS_MAX);
  const goods = world.goods.add({
    offerNumber,
    isForMaker,
    ownerNumber: owner.number,
    toKey,
    senderNumber,
    fromKey,
    lot,
    sentAtMs,
    arrivesAtMs,
  });
  goods.timer = draft.schedule(row.integer('timer', 1, world.lastTimerId), arrivesAtMs, TIMER_KINDS.goods_arrive, id);
}

export function* writeTrades({ trades }: World): Generator<Row> {
  for (let give = 0; give < CARGO_RESOURCE_COUNT; give += 1) {
    for (let want = 0; want < CARGO_RESOURCE_COUNT; want += 1) {
      const last = trades.of(give, want);
      if (last.length === 0) continue;
      yield [
        ROW_KINDS.trades,
        give,
        want,
        last.map(({ offerNumber, atMs, giveUnits, wantUnits }) => [offerNumber, atMs, giveUnits, wantUnits]),
      ];
    }
  }
}

export function readTrades({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(4);
  if (world.rules.market === null) throw new Error('the rules have no market');
  const give = row.integer('resource given', 0, CARGO_RESOURCE_COUNT - 1);
  const want = row.integer('resource wanted', 0, CARGO_RESOURCE_COUNT - 1);
  if (give === want || world.trades.of(give, want).length > 0) throw new Error('the pair has no such row, or two');
  const trades = row.groups('trades', TRADES_PER_PAIR_MAX, 4);
  if (trades.length === 0) throw new Error('it says nothing');
  let atMs = world.settings.startMs;
  for (const trade of trades) {
    const offerNumber = trade.integer('offer', 1, world.lastTimerId);
    atMs = trade.integer('time', atMs, world.lastEntryMs);
    const giveUnits = trade.integer('units given', 1, OFFER_UNITS_MAX);
    world.trades.add(give, want, {
      offerNumber,
      atMs,
      giveUnits,
      wantUnits: trade.integer('units wanted', 1, OFFER_UNITS_MAX),
    });
  }
}

function readLot(row: RowReader): Lot {
  const resource = row.integer('resource', 0, CARGO_RESOURCE_COUNT - 1);
  return { resource, units: row.integer('units', 1, OFFER_UNITS_MAX) };
}

/** A planet of the player. Rows of planets come first. */
function planetOf({ world, owner }: WorldDraft, key: PlanetKey): PlanetKey {
  if (world.planets.get(key)?.ownerNumber === owner.number) return key;
  throw new Error(`planet ${key} does not belong to player ${owner.number}`);
}
