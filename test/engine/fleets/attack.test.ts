// The attack: battle, loot, losses, and the reports to both sides.

import t from 'tap';
import { cargoCapacity } from '../../../engine/fleets/flight.js';
import { stockUnits } from '../../../engine/planets/stocks.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import type { CombatReport } from '../../../engine/terms/reports.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import type { Player } from '../../../engine/world/player-table.js';
import { type ShipCounts, shipIndex, shipList, type Units } from '../../support/command-words.js';
import { exactPoints, total } from '../../support/exact-formulas.js';
import { openScene, type Scene } from '../../support/world-story.js';

interface Raid extends Scene {
  readonly fleet: Fleet;
  readonly report: CombatReport;
  /** Whole units of the target just before the fleet arrived. */
  readonly stocks: readonly number[];
}

/** Sends an attack from home to the bot's planet and lets it arrive. */
function raid(
  attackers: ShipCounts,
  defenders: ShipCounts,
  shield: number,
  stock: Units = {},
  cargo: Units = {},
): Raid {
  const scene = openScene();
  const { story, human, bot, home, foreign } = scene;
  if (total(shipList(defenders)) > 0) story.equip(foreign, defenders);
  story.raise(foreign, 'planetary_shield', shield);
  story.grant(foreign, stock);
  const fleet = story.launch({ by: human, from: home, to: foreign, ships: attackers, mission: 'attack', cargo });
  const stocks = [0, 1, 2, 3, 4].map((resource) => stockUnits(story.world, foreign, resource, fleet.arrivesAtMs));
  story.advanceTo(fleet.arrivesAtMs);
  const [report] = bot.reports;
  if (report?.type !== 'combat') throw new Error('there was no battle');
  return { ...scene, fleet, report, stocks };
}

const ships = (player: Player): number[] =>
  shipList({}).map((_, type) => total([...player.planets, ...player.fleets].map((place) => place.ships[type] ?? 0)));

t.test('the winner takes half of each stock except energy if its hold is large enough', async (t) => {
  const stock = { iron: 401, silver: 200, ember: 99, h2: 60, energy: 500 };
  const { story, human, home, foreign, fleet, report, stocks } = raid({ transport: 1, fighter: 15 }, {}, 0, stock);
  const halves = stocks.slice(0, 4).map((units) => Math.floor(units / 2));
  t.match(report, { outcome: 'attacker_won', rounds: 0, loot: halves, cargoLost: [0, 0, 0, 0] });
  t.ok(halves.every((units) => units > 0));
  t.same(
    story.stocks(foreign),
    stocks.map((units, resource) => units - (halves[resource] ?? 0)),
    'and energy stays',
  );
  t.same([fleet.isReturning, fleet.cargo], [true, halves]);
  const before = [0, 1, 2, 3].map((resource) => stockUnits(story.world, home, resource, fleet.returnsAtMs ?? 0));
  story.advanceTo(fleet.returnsAtMs ?? 0);
  t.same(
    story.stocks(home).slice(0, 4),
    before.map((units, resource) => units + (halves[resource] ?? 0)),
    'the loot lands at the origin',
  );
  t.same([human.fleets, home.ships], [[], shipList({ scout: 20, fighter: 20, transport: 5, colony_ship: 2 })]);
});

t.test('a hold that is too small is filled in proportion', async (t) => {
  const stock = { iron: 8000, silver: 4000, ember: 2000, h2: 1000 };
  const { fleet, report, stocks } = raid({ transport: 1, fighter: 15 }, {}, 0, stock);
  const halves = stocks.slice(0, 4).map((units) => Math.floor(units / 2));
  const free = 750 + 15 * 25;
  t.same(
    report.loot,
    halves.map((units) => Math.floor((units * free) / total(halves))),
  );
  t.ok(total(report.loot) <= free && total(report.loot) > free - 4, 'it is full except for rounding');
  t.same(fleet.cargo, report.loot);
});

t.test('what the fleet carries already leaves less room for loot', async (t) => {
  const { fleet, report } = raid({ transport: 1 }, {}, 0, { iron: 10_000 }, { silver: 700 });
  t.ok(total(report.loot) <= 50 && total(report.loot) >= 47);
  t.same(
    fleet.cargo,
    report.loot.map((units, resource) => units + (resource === 1 ? 700 : 0)),
  );
});

t.test('both sides get the same report with what was sent, lost and left', async (t) => {
  const { story, human, bot, foreign, fleet, report } = raid(
    { transport: 1, fighter: 20 },
    { fighter: 5, scout: 3 },
    0,
  );
  t.same(human.reports[0], bot.reports[0]);
  t.match(report, {
    type: 'combat',
    atMs: fleet.arrivesAtMs,
    planetKey: foreign.key,
    outcome: 'attacker_won',
    rounds: 1,
  });
  t.match([report.attackerNumber, report.defenderNumber], [human.number, bot.number]);
  t.same(report.attacker.sent, shipList({ transport: 1, fighter: 20 }));
  t.same(report.defender, {
    sent: shipList({ fighter: 5, scout: 3 }),
    lost: shipList({ fighter: 5, scout: 3 }),
    left: shipList({}),
  });
  t.same(foreign.ships, shipList({}));
  t.same(fleet.ships, report.attacker.left);
  t.same(
    report.attacker.left.map((left, type) => left + (report.attacker.lost[type] ?? 0)),
    report.attacker.sent,
  );
  // 5 fighters did 70 damage to 220 hit points: 136.36 of 200 and 13.63 of 20 are left, rounded up to whole ships.
  t.same(report.attacker.left, shipList({ transport: 1, fighter: 14 }));
  t.equal(story.world.lastReportNumber, 1);
});

t.test('a fleet that is destroyed does not return, and its cargo is lost with it', async (t) => {
  const { story, human, bot, home, foreign, report, stocks } = raid(
    { transport: 1, fighter: 2 },
    { fighter: 30 },
    0,
    {},
    { iron: 500 },
  );
  t.match(report, { outcome: 'defender_won', loot: [0, 0, 0, 0], cargoLost: [500, 0, 0, 0], rounds: 1 });
  t.same([human.fleets, story.world.fleets.size], [[], 0]);
  t.same(story.stocks(foreign), stocks, 'the defender does not get it');
  t.same(home.ships, shipList({ scout: 20, fighter: 18, transport: 4, colony_ship: 2 }));
  t.equal(foreign.ships[shipIndex('fighter')], 28, '28 damage costs 2.8 of 30 fighters, rounded up');
  t.equal(human.points, exactPoints(home.levels, ships(human)));
  t.equal(
    bot.points,
    total(bot.planets.map(({ levels }) => exactPoints(levels, shipList({})))) + exactPoints([], ships(bot)),
  );
});

t.test('if both sides fall, the defender has won', async (t) => {
  const { human, foreign, report } = raid({ transport: 1, fighter: 10 }, { fighter: 10 }, 0, { iron: 1000 });
  t.match(report, { outcome: 'defender_won', rounds: 1, loot: [0, 0, 0, 0] });
  t.same([report.attacker.left, report.defender.left], [shipList({}), shipList({})]);
  t.same([human.fleets, foreign.ships], [[], shipList({})]);
});

t.test('after six rounds without a winner the fleet flies home without loot', async (t) => {
  const { human, fleet, report, foreign, story, stocks } = raid(
    { transport: 1, fighter: 5 },
    {},
    5,
    { iron: 1000 },
    { ember: 7 },
  );
  t.match(report, { outcome: 'draw', rounds: 6, shieldHitPoints: 1500, loot: [0, 0, 0, 0], cargoLost: [0, 0, 0, 0] });
  t.same(report.attacker.lost, shipList({}));
  t.same([fleet.isReturning, fleet.cargo, human.fleets], [true, [0, 0, 7, 0], [fleet]]);
  t.same(story.stocks(foreign), stocks);
});

t.test('the planetary_shield adds 300 hit points a level and heals between battles', async (t) => {
  const { story, human, home, foreign, report } = raid({ transport: 1, fighter: 10 }, {}, 1, { iron: 1000 });
  t.match(report, { outcome: 'attacker_won', rounds: 3, shieldHitPoints: 300 }, '140 a round');
  story.advanceUntilIdle();
  const again = story.launch({
    by: human,
    from: home,
    to: foreign,
    ships: { transport: 1, fighter: 10 },
    mission: 'attack',
  });
  story.advanceTo(again.arrivesAtMs);
  t.match(human.reports[1], { outcome: 'attacker_won', rounds: 3, shieldHitPoints: 300 });
});

t.test('the shield takes its share of the damage, so that more defenders survive', async (t) => {
  const bare = raid({ transport: 1, fighter: 10 }, { transport: 4 }, 0).report;
  const shielded = raid({ transport: 1, fighter: 10 }, { transport: 4 }, 4).report;
  t.equal(bare.outcome, 'attacker_won');
  // Six rounds of 140 against 80 + 1200 hit points leave about a third: a battle without a winner.
  t.match(shielded, { outcome: 'draw', rounds: 6 });
  t.ok((shielded.defender.left[shipIndex('transport')] ?? 0) >= 2);
});

t.test('survivors keep the cargo that they can still hold, and the rest is lost in proportion', async (t) => {
  const cargo = { iron: 600, silver: 300, ember: 200, h2: 100 };
  const { fleet, report } = raid({ transport: 2, fighter: 20 }, { fighter: 12 }, 0, {}, cargo);
  t.equal(report.outcome, 'attacker_won');
  const capacity = cargoCapacity(STANDARD_1_RULES, report.attacker.left);
  const carried = [600, 300, 200, 100];
  t.ok(capacity < total(carried), 'ships were lost');
  const kept = carried.map((units) => Math.floor((units * capacity) / total(carried)));
  t.same(
    report.cargoLost,
    carried.map((units, resource) => units - (kept[resource] ?? 0)),
  );
  t.same(
    fleet.cargo,
    kept.map((units, resource) => units + (report.loot[resource] ?? 0)),
  );
  t.ok(total(fleet.cargo) <= capacity);
});

t.test('scouts alone loot nothing, but they win against an empty planet', async (t) => {
  const { report, fleet } = raid({ scout: 3 }, {}, 0, { iron: 1000 });
  t.match(report, { outcome: 'attacker_won', rounds: 0, loot: [0, 0, 0, 0] });
  t.equal(fleet.isReturning, true);
  t.match(raid({ scout: 3 }, { transport: 1 }, 0).report, { outcome: 'draw', rounds: 0 }, 'neither side is armed');
});

t.test('of two attacks that arrive at the same instant, the one launched first loots first', async (t) => {
  const { story, human, home, foreign } = openScene();
  story.grant(foreign, { iron: 400 });
  const words = { by: human, from: home, to: foreign, ships: { transport: 1 }, mission: 'attack' } as const;
  const fleets = [story.launch(words), story.launch(words)];
  const iron = stockUnits(story.world, foreign, 0, fleets[0]?.arrivesAtMs ?? 0);
  story.advanceTo(fleets[0]?.arrivesAtMs ?? 0);
  const half = Math.floor(iron / 2);
  t.same(
    fleets.map((fleet) => fleet.cargo[0]),
    [half, Math.floor((iron - half) / 2)],
  );
});
