// Raids in a real world: scouts visit all planets, a wake launches raids, and they bring the expected loot.
import t from 'tap';
import type { Player } from '../../../arena/bot.js';
import { total } from '../../../arena/bots/support/amounts.js';
import { Espionage, type Report } from '../../../arena/bots/support/espionage.js';
import { launch } from '../../../arena/bots/support/flights.js';
import { lootOf, raid } from '../../../arena/bots/support/raids.js';
import type { GameEvent } from '../../../arena/galaxyd-client.js';
import { Rules } from '../../../engine/rules/rules.js';
import { STANDARD_2 } from '../../../engine/rules/standard-2.js';
import { BotWorld, type Owner } from '../support/bot-world.js';

type Fleet = Player['fleets'][number];

const RICH = { iron: 40_000, silver: 40_000 };
const FUEL = { h2: 100_000 };
const DAY = 86_400;
/** Longer than a flight of scouts in the galaxy of a test, and shorter than a report is fresh. */
const SCOUTING_SECONDS = 4 * 3_600;

/** By these rules a player takes from each other one as much as battles allow. */
const UNLIMITED = new Rules({ ...STANDARD_2, name: 'unlimited', war: { ...STANDARD_2.war, lootPairPercent: 0 } });

const countOf = ({ ships }: Fleet, wanted: string): number => ships.find(({ type }) => type === wanted)?.count ?? 0;

/** Sends scouts to all planets of others. @returns the events of their player once they have arrived */
async function scout(world: BotWorld, owner: Owner, espionage: Espionage, scoutsPerFlight: number) {
  await world.wake(owner, async (plan) => {
    await launch(plan, await espionage.flights(plan, scoutsPerFlight));
  });
  await world.play.advance(SCOUTING_SECONDS);
  const news = await world.wake(owner, ({ port }) => port.events);
  espionage.learn(news);
  return news;
}

/** Lets a player raid. @returns its attacking fleets by target */
async function attacks(world: BotWorld, owner: Owner, espionage: Espionage): Promise<ReadonlyMap<string, Fleet>> {
  await world.wake(owner, (plan) => raid(plan, espionage));
  const { fleets } = await world.state(owner);
  const outbound = fleets.filter(({ mission, state }) => mission === 'attack' && state === 'outbound');
  t.equal(new Set(outbound.map(({ targetPlanetId }) => targetPlanetId)).size, outbound.length, 'one for each target');
  return new Map(outbound.map((fleet) => [fleet.targetPlanetId, fleet]));
}

/** Waits until all of these fleets have fought. @returns their battles, by target */
async function battles(world: BotWorld, owner: Owner, fleets: ReadonlyMap<string, Fleet>) {
  const to = [...fleets.values()]
    .map(({ arrivesAt }) => arrivesAt)
    .sort()
    .at(-1);
  await world.play.admin.command('/api/admin/clock/advance', { to });
  const news = await world.wake(owner, ({ port }) => port.events);
  const reports = news.flatMap((event) => (event.type === 'combat_report' ? [event.data] : []));
  return new Map(reports.map((report) => [report.planetId, report]));
}

const reportOn = (news: readonly GameEvent[], planetId: string): Report => {
  const seen = news.find((event) => event.type === 'espionage_report' && event.data.planetId === planetId);
  if (seen?.type !== 'espionage_report') throw new Error(`nothing was reported of ${planetId}`);
  return { ...seen.data, at: seen.at };
};

t.test('raids go where loot pays for the losses, win, and fetch all that can be had', async (t) => {
  const world = await BotWorld.begin(t, 1, UNLIMITED);
  const { catalog, play } = world;
  const easy = await world.owner('easy', {}, RICH);
  const worthwhile = await world.owner('worthwhile', {}, { iron: 500_000 });
  const costly = await world.owner('costly');
  for (const { planetId } of [worthwhile, costly]) await world.raise(planetId, 'laser_battery', 6);
  const strong = await world.owner('strong', { cruiser: 300 }, RICH);
  const hidden = await world.owner('hidden', {}, RICH);
  await world.raise(hidden.planetId, 'anti_spy', 3);
  const ada = await world.owner('ada', { scout: 60, transport: 300, fighter: 200, cruiser: 20 }, FUEL);
  await play.advance(2 * DAY);
  const protectedOne = await world.owner('protected', {}, RICH);

  const espionage = new Espionage();
  const news = await scout(world, ada, espionage, 3);
  t.equal(reportOn(news, hidden.planetId).ships, null);
  const fleets = await attacks(world, ada, espionage);
  t.same(new Set(fleets.keys()), new Set([easy.planetId, worthwhile.planetId]));
  const again = new Espionage();
  again.learn(news);
  t.same(await attacks(world, ada, again), fleets, 'no second fleet flies where one flies');

  const fleet = fleets.get(easy.planetId) as Fleet;
  t.ok(countOf(fleet, 'cruiser') > 0 && countOf(fleet, 'cruiser') < 20, 'no more fight than it takes');
  const loot = lootOf(catalog, reportOn(news, easy.planetId));
  const room = fleet.ships.reduce((sum, { type, count }) => {
    return sum + count * (catalog.ships.find((ship) => ship.type === type)?.cargo ?? 0);
  }, 0);
  t.ok(room >= loot && room < loot + 750, `room for ${room} of ${loot}`);
  const fought = await battles(world, ada, fleets);
  for (const planetId of fleets.keys()) t.match(fought.get(planetId), { outcome: 'attacker_won' });
  // The units of each resource are rounded down.
  t.ok(total(fought.get(easy.planetId)?.loot ?? {}) > loot - 5);

  await play.advance(2 * DAY);
  await play.grant(costly.planetId, { iron: 500_000 });
  await scout(world, ada, espionage, 7);
  const later = await attacks(world, ada, espionage);
  for (const { planetId } of [protectedOne, hidden, costly]) t.ok(later.has(planetId), 'now nothing is in the way');
  t.notOk(later.has(strong.planetId));
});

t.test('ships that cannot fly by themselves come as far as there is room for them', async (t) => {
  const world = await BotWorld.begin(t, 1, UNLIMITED);
  const { planetId } = await world.owner('easy', {}, RICH);
  const eve = await world.owner('eve', { scout: 9, fighter: 400, transport: 4 }, FUEL);
  const fay = await world.owner('fay', { scout: 9, fighter: 400 }, FUEL);
  await world.play.advance(2 * DAY);
  for (const [owner, expected] of [
    [
      eve,
      [
        { type: 'fighter', count: 80 },
        { type: 'transport', count: 4 },
      ],
    ],
    [fay, undefined],
  ] as const) {
    const espionage = new Espionage();
    await scout(world, owner, espionage, 3);
    t.same((await attacks(world, owner, espionage)).get(planetId)?.ships, expected);
  }
});

t.test('raids fetch what the rules let them take from one player, from one of its planets at a time', async (t) => {
  const world = await BotWorld.begin(t);
  const { catalog, play } = world;
  const rich = await world.owner('rich', {}, { iron: 900_000 });
  const colony = await world.colony(rich, rich.planetId);
  await play.grant(colony, { iron: 900_000 });
  const ada = await world.owner('ada', { scout: 60, transport: 300, cruiser: 20 }, FUEL);
  for (const mine of ['fusion_plant', 'iron_mine', 'silver_mine']) await world.raise(ada.planetId, mine, 18);
  await play.advance(2 * DAY);
  const { production } = await play.planet(ada.planetId);
  const share = (total({ ...production, energy: 0 }) * 24 * (catalog.war?.lootPairPercent ?? 0)) / 100;
  const espionage = new Espionage();
  await scout(world, ada, espionage, 3);
  const fleets = await attacks(world, ada, espionage);
  t.equal(fleets.size, 1);
  const [fleet] = fleets.values();
  t.equal(countOf(fleet as Fleet, 'transport'), Math.ceil((share - 300 * countOf(fleet as Fleet, 'cruiser')) / 750));
  const [battle] = (await battles(world, ada, fleets)).values();
  const loot = total(battle?.loot ?? {});
  t.ok(loot > 2_000 && Math.abs(loot - share) < 5, `${loot} of ${share} units`);
  await scout(world, ada, espionage, 3);
  t.equal((await attacks(world, ada, espionage)).size, 0, 'nothing more can be had in the period');
});
