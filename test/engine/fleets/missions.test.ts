// What the peaceful missions do at arrival and after: transport, deploy, colonize, espionage. Attack has its own file.
import t from 'tap';
import { stockUnits } from '../../../engine/planets/stocks.js';
import { PLANETS_PER_PLAYER_MAX, REPORTS_PER_PLAYER_MAX } from '../../../engine/rules/limits.js';
import type { Report } from '../../../engine/terms/reports.js';
import { buildingIndex, colonize, recall, shipIndex, shipList } from '../../support/command-words.js';
import { HOUR_MS, openScene, SECOND_MS } from '../../support/world-story.js';

const CARGO = { iron: 300, silver: 200, ember: 100, h2: 50 } as const;
const CARGO_UNITS = [300, 200, 100, 50];

t.test('transport unloads at the target of any player, and flies home empty', async (t) => {
  for (const owner of ['human', 'bot'] as const) {
    const scene = openScene();
    const { story, human, home } = scene;
    const target = owner === 'bot' ? scene.foreign : story.colony(human, home);
    const fleet = story.launch({
      by: human,
      from: home,
      to: target,
      ships: { transport: 1 },
      mission: 'transport',
      cargo: CARGO,
    });
    const before = [0, 1, 2, 3].map((resource) => stockUnits(story.world, target, resource, fleet.arrivesAtMs));
    story.advanceTo(fleet.arrivesAtMs);
    t.same(
      story.stocks(target).slice(0, 4),
      before.map((units, resource) => units + (CARGO_UNITS[resource] ?? 0)),
    );
    t.same([fleet.isReturning, fleet.cargo, fleet.ships], [true, [0, 0, 0, 0], shipList({ transport: 1 })]);
    t.equal(fleet.returnsAtMs, fleet.arrivesAtMs + fleet.flightMs);
    const homeBefore = [0, 1, 2, 3].map((resource) => stockUnits(story.world, home, resource, fleet.returnsAtMs ?? 0));
    story.advanceTo(fleet.returnsAtMs ?? 0);
    t.same([home.ships[shipIndex('transport')], human.fleets], [5, []]);
    t.same(story.stocks(home).slice(0, 4), homeBefore, 'nothing comes back');
  }
});

t.test('deploy leaves ships and cargo at another planet of the player, and nothing returns', async (t) => {
  const { story, human, home } = openScene();
  const colony = story.colony(human, home);
  const ships = { scout: 1, fighter: 20, transport: 2, colony_ship: 1 };
  const fleet = story.launch({ by: human, from: home, to: colony, ships, mission: 'deploy', cargo: CARGO });
  t.equal(fleet.returnsAtMs, null);
  const before = [0, 1, 2, 3].map((resource) => stockUnits(story.world, colony, resource, fleet.arrivesAtMs));
  story.advanceTo(fleet.arrivesAtMs - 1);
  t.same(colony.ships, shipList({}));
  story.advance(1);
  t.same(colony.ships, shipList(ships));
  t.same(
    story.stocks(colony).slice(0, 4),
    before.map((units, resource) => units + (CARGO_UNITS[resource] ?? 0)),
  );
  t.same([human.fleets, story.world.fleets.size, story.engine.nextDeadlineMs()], [[], 0, Number.POSITIVE_INFINITY]);
});

t.test('colonize uses up one colony_ship; cargo and the other ships stay with the new colony', async (t) => {
  const { story, human, home, free } = openScene();
  const points = human.points;
  const fleet = story.launch({
    by: human,
    from: home,
    to: free,
    ships: { colony_ship: 2, transport: 1, fighter: 3 },
    mission: 'colonize',
    cargo: CARGO,
  });
  t.equal(fleet.returnsAtMs, null);
  story.advanceTo(fleet.arrivesAtMs);
  const colony = story.world.planets.get(free.key);
  t.equal(colony?.owner.number, human.number);
  t.same(
    human.planets.map(({ key }) => key),
    [home.key, free.key],
  );
  t.same(colony?.ships, shipList({ colony_ship: 1, transport: 1, fighter: 3 }));
  t.same(
    colony?.stock.slice(0, 4),
    CARGO_UNITS.map((units) => units * 1000),
  );
  t.equal(colony?.levels[buildingIndex('zentrale')], 1);
  t.equal(human.points, points - (3000 + 1500 + 500 + 100) + 150, 'the ship is gone, the zentrale is new');
  t.same([human.fleets, story.world.fleets.size], [[], 0]);
});

t.test('a fleet that finds its planet occupied turns round and brings everything home', async (t) => {
  for (const occupant of ['human', 'bot'] as const) {
    const scene = openScene();
    const { story, human, home, free } = scene;
    const fleet = story.launch({
      by: human,
      from: home,
      to: free,
      ships: { colony_ship: 1, transport: 1 },
      mission: 'colonize',
      cargo: CARGO,
    });
    story.advance(SECOND_MS);
    story.does(colonize(scene[occupant], free));
    story.advanceTo(fleet.arrivesAtMs);
    t.same([fleet.isReturning, fleet.returnsAtMs], [true, fleet.arrivesAtMs + fleet.flightMs]);
    t.same([fleet.cargo, fleet.ships], [CARGO_UNITS, shipList({ colony_ship: 1, transport: 1 })]);
    const before = [0, 1, 2, 3].map((resource) => stockUnits(story.world, home, resource, fleet.returnsAtMs ?? 0));
    story.advanceTo(fleet.returnsAtMs ?? 0);
    t.same(home.ships, shipList({ scout: 20, fighter: 20, transport: 5, colony_ship: 2 }));
    t.same(
      story.stocks(home).slice(0, 4),
      before.map((units, resource) => units + (CARGO_UNITS[resource] ?? 0)),
    );
  }
});

t.test('of two fleets that arrive to colonize at the same instant, the one launched first wins', async (t) => {
  const { story, human, home, free } = openScene();
  const words = { by: human, from: home, to: free, ships: { colony_ship: 1 }, mission: 'colonize' } as const;
  const first = story.launch(words);
  const second = story.launch(words);
  t.equal(first.arrivesAtMs, second.arrivesAtMs);
  story.advanceTo(first.arrivesAtMs);
  t.same(
    [...story.world.fleets.values()].map(({ number }) => number),
    [second.number],
  );
  t.equal(second.isReturning, true);
});

t.test('a player that has as many planets as it may does not colonize another one', async (t) => {
  const { story, human, home, free } = openScene();
  const fleet = story.launch({ by: human, from: home, to: free, ships: { colony_ship: 1 }, mission: 'colonize' });
  const { universe } = story.world;
  const keys = [...Array(40).keys()].flatMap((system) => universe.planetKeys(100 + system));
  for (const key of keys.slice(0, PLANETS_PER_PLAYER_MAX - 1)) story.does(colonize(human, { key }));
  story.advanceTo(fleet.arrivesAtMs);
  t.equal(story.world.planets.has(free.key), false);
  t.equal(fleet.isReturning, true);
});

t.test('espionage reports what the anti_spy level of the target lets through', async (t) => {
  const rows: readonly (readonly [antiSpy: number, scouts: number, seesShips: boolean, seesBuildings: boolean])[] = [
    [0, 1, true, true],
    [1, 1, false, false],
    [1, 2, true, false],
    [1, 3, true, true],
    [2, 2, false, false],
    [2, 3, true, false],
    [2, 4, true, false],
    [2, 5, true, true],
  ];
  for (const [antiSpy, scouts, seesShips, seesBuildings] of rows) {
    const { story, human, bot, home, foreign } = openScene();
    story.equip(foreign, { fighter: 7 });
    story.raise(foreign, 'anti_spy', antiSpy);
    const fleet = story.launch({ by: human, from: home, to: foreign, ships: { scout: scouts }, mission: 'espionage' });
    story.advanceTo(fleet.arrivesAtMs);
    const what = `${scouts} scouts against anti_spy ${antiSpy}`;
    const head = {
      atMs: fleet.arrivesAtMs,
      planetKey: foreign.key,
      attackerNumber: human.number,
      defenderNumber: bot.number,
    };
    t.match(
      human.reports,
      [{ ...head, type: 'espionage', stocks: story.stocks(foreign) }],
      `${what}: stocks are always seen`,
    );
    const [report] = human.reports as (Report & { type: 'espionage' })[];
    t.same(report?.ships, seesShips ? shipList({ fighter: 7 }) : null, `${what}: ships`);
    t.same(report?.buildings, seesBuildings ? foreign.levels : null, `${what}: buildings`);
    t.match(bot.reports, [{ ...head, type: 'espionage_detected', scouts }], `${what}: the target learns of it`);
    story.advanceTo(fleet.returnsAtMs ?? 0);
    t.equal(home.ships[shipIndex('scout')], 20, 'the scouts come home');
  }
});

t.test('a report tells of its instant and does not change afterwards', async (t) => {
  const { story, human, home, foreign } = openScene();
  const fleet = story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
  const seen = [0, 1, 2, 3, 4].map((resource) => stockUnits(story.world, foreign, resource, fleet.arrivesAtMs));
  story.advance(HOUR_MS);
  const told = JSON.stringify(human.reports);
  t.match(human.reports, [{ stocks: seen }], 'however late the tick');
  story.equip(foreign, { scout: 3 });
  story.raise(foreign, 'anti_spy', 2);
  t.equal(JSON.stringify(human.reports), told);
});

t.test('a player keeps its newest reports', async (t) => {
  const { story, human, bot, home, foreign } = openScene();
  for (let flight = 0; flight < REPORTS_PER_PLAYER_MAX + 3; flight += 1) {
    story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
    story.advanceUntilIdle();
  }
  const last = story.world.lastReportNumber;
  t.equal(last, 2 * (REPORTS_PER_PLAYER_MAX + 3));
  t.same([human.reports.length, bot.reports.length], [REPORTS_PER_PLAYER_MAX, REPORTS_PER_PLAYER_MAX]);
  t.same([human.reports.at(-1)?.number, bot.reports.at(-1)?.number], [last - 1, last]);
  t.same([human.reports[0]?.number, bot.reports[0]?.number], [7, 8], 'the oldest went first');
});

t.test('a recalled fleet does nothing at its target, and brings ships and cargo home', async (t) => {
  for (const mission of ['transport', 'deploy', 'colonize', 'espionage', 'attack'] as const) {
    const { story, human, bot, home, foreign } = openScene();
    const colony = story.colony(human, foreign);
    const target = mission === 'deploy' ? colony : mission === 'colonize' ? story.freeNeighbour(home) : foreign;
    const ships = { scout: 1, colony_ship: 1, transport: 1, fighter: 5 };
    const before = story.stocks(home);
    const fleet = story.launch({ by: human, from: home, to: target, ships, mission, cargo: CARGO });
    story.advanceTo(fleet.arrivesAtMs - 1);
    story.does(recall(human, fleet));
    t.same([fleet.returnsAtMs, fleet.recalledAtMs], [story.nowMs + fleet.flightMs - 1, story.nowMs]);
    story.advanceTo(fleet.returnsAtMs ?? 0);
    t.same(home.ships, shipList({ scout: 20, fighter: 20, transport: 5, colony_ship: 2 }), mission);
    t.same([human.fleets, human.reports, bot.reports, human.planets.length], [[], [], [], 2]);
    const missing = before.map((units, resource) => units - (story.stocks(home)[resource] ?? 0));
    t.ok(missing.every((units, resource) => units <= (resource === 3 ? fleet.h2Cost : 0)));
    t.ok((missing[3] ?? 0) > 0, 'the h2 is not given back');
  }
});
