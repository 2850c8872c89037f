// What bots compute agrees with the engine: loot, distances, and forecasts of planets.
import t from 'tap';
import type { Planet, PlayerPort } from '../../../arena/bot.js';
import type { Report } from '../../../arena/bots/support/espionage.js';
import { distance, type Place } from '../../../arena/bots/support/galaxy-map.js';
import { Projection } from '../../../arena/bots/support/projection.js';
import { lootOf } from '../../../arena/bots/support/raids.js';
import { Random } from '../../../arena/random.js';
import { distanceBetween } from '../../../engine/map/universe.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { catalogOf } from '../support/catalog.js';

const STOCKS = { iron: 1_000, silver: 600, ember: 0, h2: 40, energy: 77 };

t.test('loot is half of what can be carried', async (t) => {
  t.equal(lootOf(catalogOf(STANDARD_1_RULES), reportOf({})), 820);
});

t.test('distances are those of the engine', async (t) => {
  const port = { catalog: catalogOf(STANDARD_1_RULES) } as unknown as PlayerPort;
  const random = Random.of(2, 'distances');
  for (let flight = 0; flight < 100; flight += 1) {
    const system = random.below(random.chance(0.5) ? 2 : 300);
    const [from, to] = [
      { galaxy: 1, system: 0, slot: 1 + random.below(30) },
      { galaxy: 1, system, slot: 1 + random.below(30) },
    ];
    const planet = { slot: from.slot, system: { galaxyIndex: 1, index: 0 } } as Planet;
    const place: Place = { planetId: '', galaxyIndex: 1, index: system, slot: to.slot, ownerId: null };
    t.equal(distance(port, planet, place), distanceBetween(from, to));
  }
});

t.test('a forecast spends the stock, and looks no further than its limit', async (t) => {
  const catalog = catalogOf(STANDARD_1_RULES);
  const fighter = catalog.ships.find(({ type }) => type === 'fighter');
  const projection = new Projection(catalog, fighter);
  const buildings = ['zentrale', 'iron_mine', 'silver_mine', 'fusion_plant', 'shipyard'];
  const planet = { buildings: buildings.map((type) => ({ type, level: 1 })) } as unknown as Planet;
  const stock = { ...STOCKS, production: { iron: 85, silver: 55, ember: 0, h2: 6, energy: 53 } };
  const forecast = (hours: number, policy = { settles: false, arms: false }, first: string | null = null) =>
    projection.forecast(planet, stock, policy, hours, first);
  t.match(forecast(0), { points: 0, colonyHours: [], production: 199 });
  // Level 2 of the mine costs 75 iron and 18 silver, takes four minutes, and makes 139 - 64 units more.
  t.match(forecast(0.05, undefined, 'iron_mine'), { points: 93, production: 199 + 75 });
  const [day, week] = [forecast(24), forecast(168)];
  t.ok(day.points > 5_000 && day.production > 1_000, 'it grows');
  t.ok(week.points > 3 * day.points);
  // Stock and production have paid for everything that is built.
  t.ok(day.points < 2_000 + 24 * day.production);
  t.ok(forecast(24, { settles: false, arms: true }).points > day.points, 'ships are points, too');
  t.same(forecast(24, { settles: true, arms: false }).colonyHours, [], 'without ember there is no colony ship');
});

function reportOf(seen: Partial<Pick<Report, 'ships' | 'buildings'>>): Report {
  const ids = { reportId: 'report-1', fleetId: 'fleet-1', planetId: 'planet-1-2-3', defenderId: 'player-2' };
  return { ...ids, stocks: STOCKS, ships: [], buildings: [], at: '2000-01-01T00:00:00.000Z', ...seen };
}
