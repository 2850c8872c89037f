// Drives, flight times and fuel: what each drive makes of a flight, which one is chosen, and the dry run.

import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import {
  bestOption,
  cargoCapacity,
  type FlightOption,
  flightBetween,
  flightOption,
  flightSeconds,
  hangarExcess,
} from '../../../engine/fleets/flight.js';
import { FLIGHT_TYPES } from '../../../engine/map/universe.js';
import { type PlannedLaunch, simulateFlight } from '../../../engine/queries/simulate-flight.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { type DriveTypeName, STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { MISSIONS } from '../../../engine/terms/missions.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import { driveIndex, type Keyed, type ShipCounts, shipList } from '../../support/command-words.js';
import { exactFlightSeconds, exactH2, multiplierTenths } from '../../support/exact-formulas.js';
import fc from '../../support/properties.js';
import { firstPlanet, NOWHERE, openScene, SECOND_MS, WorldStory } from '../../support/world-story.js';

const SYSTEMS = 300;
const { world } = new WorldStory({ systemsPerGalaxy: SYSTEMS });
const at = (galaxy: number, system: number, slot: number) => ((galaxy - 1) * SYSTEMS + system) * 30 + slot - 1;
const researcher = (levels: readonly number[]) => ({ researchLevel: (type: number) => levels[type] ?? 0 });
const planBetween = (levels: readonly number[], from: number, to: number, ships: ShipCounts) => {
  const flight = flightBetween(world, researcher(levels), from, to, shipList(ships));
  const { distance, flightType } = flight;
  return { distance, flightType, options: STANDARD_1.drives.map((_, drive) => flightOption(world, flight, drive)) };
};
const plan = (levels: readonly number[], to: number, ships: ShipCounts) =>
  planBetween(levels, at(1, 100, 1), to, ships);
const best = (levels: readonly number[], to: number, ships: ShipCounts, h2Units = Number.POSITIVE_INFINITY) => {
  const option = bestOption(
    world,
    flightBetween(world, researcher(levels), at(1, 100, 1), to, shipList(ships)),
    h2Units,
  );
  return option === null ? null : STANDARD_1.drives[option.drive]?.type;
};

const ALL = [1, 1, 1, 1];
const INTRA = at(1, 100, 30);
const INTER = at(1, 107, 9);
const GALAXY = at(4, 100, 1);

t.test('each drive has its time and its h2 for each flight type', async (t) => {
  const rows = [
    // A scout flies 2 units a second and burns 0.5 h2. Seconds, h2 by drive; null where it cannot fly the type.
    ['intraSystem', INTRA, 145, [73, 2], [29, 5], [25, 3], [25, 3], null],
    ['interSystem', INTER, 240, [1200, 3], [150, 8], [40, 5], [40, 4], null],
    ['interGalaxy', GALAXY, 3600, null, null, null, null, [36, 360]],
  ] as const;
  for (const [flightType, target, distance, ...drives] of rows) {
    const { options, ...flight } = plan(ALL, target, { scout: 1 });
    t.same(flight, { distance, flightType: FLIGHT_TYPES.indexOf(flightType) });
    t.same(
      options.map(({ canFlyType, flightMs, h2Cost }) => (canFlyType ? [flightSeconds(flightMs), h2Cost] : null)),
      drives,
      flightType,
    );
  }
});

t.test('flights are linear in distance and exact, whatever flies', async (t) => {
  const level = fc.integer({ min: 1, max: 50 });
  const position = fc.tuple(fc.integer({ min: 1, max: 100 }), fc.nat(SYSTEMS - 1), fc.integer({ min: 1, max: 30 }));
  const ships = fc.record({ scout: fc.nat(5), fighter: fc.nat(1000), transport: fc.nat(5), colony_ship: fc.nat(2) });
  fc.assert(
    fc.property(
      position,
      position,
      ships,
      fc.array(level, { minLength: 4, maxLength: 4 }),
      (from, to, ships, levels) => {
        if (ships.scout + ships.transport + ships.colony_ship === 0) return true;
        const speedTenths = ships.colony_ship > 0 ? 5 : ships.transport > 0 ? 10 : 20;
        const rateTenths = 5 * ships.scout + 15 * ships.transport + 20 * ships.colony_ship;
        const { distance, flightType, options } = planBetween(levels, at(...from), at(...to), ships);
        return options.every(({ canFlyType, flightMs, h2Cost, drive }) => {
          const { type, h2FactorTenths } = STANDARD_1.drives[drive] ?? { type: 'combustion', h2FactorTenths: 0 };
          const multiplier = multiplierTenths(type, FLIGHT_TYPES[flightType] ?? 'intraSystem');
          if (multiplier === 0) return !canFlyType;
          const usePercent = drive === 0 ? 100 : Math.max(50, 105 - 5 * (levels[drive - 1] ?? 0));
          return (
            flightMs === Math.max(1, exactFlightSeconds(distance, speedTenths, multiplier) * SECOND_MS) &&
            h2Cost === exactH2(distance, rateTenths, h2FactorTenths, usePercent)
          );
        });
      },
    ),
    { numRuns: 500 },
  );
  const seconds = [1, 2, 4, 8].map((galaxies) => {
    const { distance, options } = plan(ALL, at(1 + galaxies, 100, 1), { colony_ship: 1 });
    return flightSeconds(options[4]?.flightMs ?? 0) / distance;
  });
  t.same(seconds, [1 / 25, 1 / 25, 1 / 25, 1 / 25], 'twice the distance takes twice as long');
});

t.test('carried ships neither slow the fleet nor add h2', async (t) => {
  const alone = plan(ALL, INTER, { scout: 4 });
  t.same(plan(ALL, INTER, { scout: 4, fighter: 30 }).options, alone.options);
  const transports = plan(ALL, INTER, { transport: 4 });
  t.same(plan(ALL, INTER, { transport: 4, fighter: 80 }).options, transports.options);
  t.ok((plan(ALL, INTER, { transport: 4, scout: 1 }).options[0]?.h2Cost ?? 0) > (transports.options[0]?.h2Cost ?? 0));
});

t.test('the slowest ship that flies by itself sets the pace', async (t) => {
  const seconds = (ships: ShipCounts) => flightSeconds(plan(ALL, INTER, ships).options[0]?.flightMs ?? 0);
  t.equal(seconds({ scout: 3 }), 1200);
  t.equal(seconds({ scout: 3, transport: 1 }), 2400);
  t.equal(seconds({ scout: 3, transport: 1, colony_ship: 1 }), 4800);
  t.equal(seconds({ fighter: 3 }), 2400, 'if all would be carried, the slowest of all');
});

t.test('each research level above the first saves 5 % of that drive alone, half at most', async (t) => {
  const h2 = (hyperLevel: number) => plan([1, hyperLevel, 1, 1], at(1, 145, 1), { transport: 500 }).options;
  t.same(
    [1, 2, 3, 10, 11, 12, 50].map((level) => h2(level)[2]?.h2Cost),
    [30_000, 28_500, 27_000, 16_500, 15_000, 15_000, 15_000],
  );
  t.same(
    [0, 1, 3].map((drive) => h2(50)[drive]?.h2Cost),
    [15_000, 45_000, 22_500],
    'other drives burn what they did',
  );
});

t.test('the best drive is the shortest flight, and among equals the one with lower h2', async (t) => {
  const rows: readonly (readonly [string, readonly number[], number, ShipCounts, DriveTypeName | null])[] = [
    ['without research there is combustion', [0, 0, 0, 0], INTRA, { scout: 1 }, 'combustion'],
    ['also between systems', [0, 0, 0, 0], INTER, { scout: 1 }, 'combustion'],
    ['but not between galaxies', [0, 0, 0, 0], GALAXY, { scout: 1 }, null],
    ['no drive but interdim flies between galaxies', [9, 9, 9, 0], GALAXY, { scout: 1 }, null],
    ['interdim flies between galaxies', [0, 0, 0, 1], GALAXY, { scout: 1 }, 'interdim'],
    ['and nowhere else', [0, 0, 0, 1], INTER, { scout: 1 }, 'combustion'],
    ['ion is faster than combustion', [1, 0, 0, 0], INTER, { scout: 1 }, 'ion'],
    ['hyper is faster than ion', [1, 1, 0, 0], INTER, { scout: 1 }, 'hyper'],
    ['nexus is as fast as hyper, and saves h2', [1, 1, 1, 1], INTER, { scout: 1 }, 'nexus'],
    ['hyper at level 11 saves more', [1, 11, 1, 1], INTER, { scout: 10 }, 'hyper'],
    ['if time and h2 are equal, the first in the catalogue', [0, 1, 1, 0], INTRA, { scout: 1 }, 'hyper'],
    ['rounding up can make drives equal, and then h2 decides', [1, 1, 0, 0], at(1, 100, 2), { scout: 10 }, 'hyper'],
    ['combustion is cheapest if all take a second', [1, 1, 1, 1], at(1, 100, 1), { scout: 1 }, 'combustion'],
  ];
  for (const [because, levels, target, ships, drive] of rows) t.equal(best(levels, target, ships), drive, because);
});

t.test('hangars and holds add up over the fleet', async (t) => {
  t.equal(hangarExcess(STANDARD_1_RULES, shipList({ fighter: 40, transport: 2 })), 0);
  t.equal(hangarExcess(STANDARD_1_RULES, shipList({ fighter: 41, transport: 2 })), 1);
  t.equal(hangarExcess(STANDARD_1_RULES, shipList({ fighter: 1, scout: 9, colony_ship: 9 })), 1);
  t.ok(hangarExcess(STANDARD_1_RULES, shipList({ transport: 1 })) <= 0);
  t.equal(
    cargoCapacity(STANDARD_1_RULES, shipList({ scout: 9, fighter: 4, transport: 2, colony_ship: 1 })),
    100 + 1500 + 500,
  );
});

t.test('a drive whose h2 cannot be paid gives way to the fastest that can be paid', async (t) => {
  // 10 scouts between systems: combustion 30 h2 in 1200 s, ion 75 in 150 s, hyper 45 in 40 s, nexus 34 in 40 s.
  const ships = { scout: 10 };
  const costs = plan(ALL, INTER, ships).options.map(({ h2Cost }) => h2Cost);
  const [combustion = 0, ion = 0, hyper = 0, nexus = 0] = costs;
  t.ok(combustion < nexus && nexus < hyper && hyper < ion, `costs ${costs.join(', ')}`);
  const rows = [
    [ALL, nexus, 'nexus'],
    [ALL, nexus - 1, 'combustion'],
    [[1, 0, 0, 0], ion, 'ion'],
    [[1, 0, 0, 0], ion - 1, 'combustion'],
    [[1, 1, 0, 0], hyper - 1, 'combustion'],
    [ALL, combustion - 1, 'nexus'],
    [[1, 0, 0, 0], -1, 'ion'],
  ] as const;
  for (const [levels, h2Units, drive] of rows) {
    t.equal(best(levels, INTER, ships, h2Units), drive, `${drive} with ${h2Units} h2`);
  }
});

/** The choice before h2 counted, as standard-1 made it until then; the fastest of all, then the cheapest, then the first. */
function fastestOption(options: readonly FlightOption[]): FlightOption | null {
  const flyable = options.filter(({ canFlyType, isResearched }) => canFlyType && isResearched);
  return flyable.toSorted((a, b) => a.flightMs - b.flightMs || a.h2Cost - b.h2Cost || a.drive - b.drive)[0] ?? null;
}

t.test('a launch that the fastest drive could fly takes that drive, as it always did', async (t) => {
  let affordable = 0;
  let slower = 0;
  const position = fc.tuple(fc.integer({ min: 1, max: 100 }), fc.nat(SYSTEMS - 1), fc.integer({ min: 1, max: 30 }));
  const near = fc.tuple(fc.integer({ min: 1, max: 1 }), fc.nat(SYSTEMS - 1), fc.integer({ min: 1, max: 30 }));
  const ships = fc.record({ scout: fc.nat(5), transport: fc.nat(5), colony_ship: fc.integer({ min: 1, max: 2 }) });
  const levels = fc.array(fc.nat(12), { minLength: 4, maxLength: 4 });
  const percent = fc.nat(150);
  fc.assert(
    fc.property(near, fc.oneof(near, position), ships, levels, percent, (from, to, ships, levels, percent) => {
      const flight = flightBetween(world, researcher(levels), at(...from), at(...to), shipList(ships));
      const fastest = fastestOption(STANDARD_1.drives.map((_, drive) => flightOption(world, flight, drive)));
      const h2Units = Math.floor(((fastest?.h2Cost ?? 0) * percent) / 100);
      const chosen = bestOption(world, flight, h2Units);
      if (fastest === null || fastest.h2Cost <= h2Units) {
        affordable += 1;
        return isDeepStrictEqual(chosen, fastest);
      }
      if (chosen?.drive !== fastest.drive) slower += 1;
      return chosen !== null && (chosen.drive === fastest.drive || chosen.h2Cost <= h2Units);
    }),
    { numRuns: 2000 },
  );
  t.ok(affordable > 20 && slower > 20, `${affordable} were affordable, ${slower} took a slower drive`);
});

const WORDS = { mission: null, cargo: [0, 0, 0, 0] } as const;

t.test('a simulated flight has one result for each drive, and is what a launch would be', async (t) => {
  const { story, human, home } = openScene();
  const target = firstPlanet(story.bot('far'));
  story.learn(human, 'drive_ion');
  const ships = { transport: 3, fighter: 20 };
  const before = story.engine.stateHash();
  const planned = { originKey: home.key, targetKey: target.key, ships: shipList(ships), ...WORDS };
  const dryRun = simulateFlight(story.world, planned, story.nowMs);
  if (isRefusal(dryRun)) return t.fail(dryRun.code);
  t.equal(story.engine.stateHash(), before, 'nothing is launched');
  t.same(
    dryRun.results.map(({ drive, refusal }) => [STANDARD_1.drives[drive]?.type, refusal?.code, refusal?.facts.reason]),
    [
      ['combustion', undefined, undefined],
      ['ion', undefined, undefined],
      ['hyper', 'no_drive_available', 'The drive hyper needs the research drive_hyper.'],
      ['nexus', 'no_drive_available', 'The drive nexus needs the research drive_nexus.'],
      ['interdim', 'no_drive_available', 'The drive interdim cannot fly this flight type.'],
    ],
  );
  const fleet = story.launch({ by: human, from: home, to: target, ships, mission: 'attack' });
  const ion = dryRun.results[driveIndex('ion')];
  t.match(fleet, { drive: ion?.drive, distance: dryRun.distance, flightMs: ion?.flightMs, h2Cost: ion?.h2Cost });
  return undefined;
});

t.test('a simulation says why no drive is possible, and needs planets that exist', async (t) => {
  const { story, human, home } = openScene();
  story.equip(home, { transport: 1000, fighter: 1 });
  const colony = story.colony(human, home);
  const free = story.freeNeighbour(home);
  const ships = { transport: 1000 };
  story.launch({ by: human, from: home, to: colony, ships, mission: 'deploy', cargo: { h2: 20 } });
  story.advanceUntilIdle();
  const reason = (from: Keyed, to: Keyed, ships: ShipCounts, words: Partial<PlannedLaunch> = {}) => {
    const planned = { originKey: from.key, targetKey: to.key, ships: shipList(ships), ...WORDS, ...words };
    const dryRun = simulateFlight(story.world, planned, story.nowMs);
    return isRefusal(dryRun) ? dryRun.code : dryRun.results[0]?.refusal?.code;
  };
  const deploy = { mission: MISSIONS.indexOf('deploy') };
  t.equal(reason(home, free, { scout: 21 }), 'insufficient_ships', 'the planet has twenty');
  t.equal(reason(home, free, { scout: 21, fighter: 22 }), 'insufficient_ships', 'that comes before room in hangars');
  t.equal(reason(home, free, { fighter: 21, transport: 1 }), 'hangar_capacity_exceeded');
  t.equal(reason(colony, free, { transport: 1000 }), 'insufficient_h2');
  t.equal(reason(home, free, { scout: 1 }, { cargo: [51, 0, 0, 0] }), 'cargo_capacity_exceeded');
  t.equal(reason(colony, free, { transport: 1 }, { cargo: [0, 0, 0, 750] }), 'insufficient_resources');
  t.equal(reason(home, home, { scout: 1 }), 'mission_not_possible', 'no mission flies to where the fleet is');
  t.equal(reason(home, free, { scout: 1 }, deploy), 'mission_not_possible');
  t.equal(reason(home, free, { scout: 1 }), undefined, 'without a mission none is checked');
  t.equal(reason(NOWHERE, free, { scout: 1 }), 'planet_not_found');
  t.equal(reason(home, NOWHERE, { scout: 1 }), 'planet_not_found');
  t.equal(reason(free, home, { scout: 1 }), 'not_owner', 'nobody owns the origin');
});
