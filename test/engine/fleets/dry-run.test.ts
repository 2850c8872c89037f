// The dry run and the launch agree: what a simulation calls possible is accepted, and what it refuses is refused for the same reason.

import t from 'tap';
import type { PlanetKey } from '../../../engine/map/universe.js';
import { type PlannedLaunch, type SimulatedOption, simulateFlight } from '../../../engine/queries/simulate-flight.js';
import { FLEETS_PER_PLAYER_MAX } from '../../../engine/rules/limits.js';
import { H2 } from '../../../engine/rules/resources.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { MISSIONS } from '../../../engine/terms/missions.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import { colonize, launch, shipList } from '../../support/command-words.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { firstPlanet, openScene, type Scene, type WorldStory } from '../../support/world-story.js';

const RESEARCH = STANDARD_1.research.map(({ type }) => type);

/** Who launches from a planet that holds little h2, and where to. */
interface Base extends Scene {
  readonly colony: Planet;
  readonly targetKeys: readonly PlanetKey[];
}

const EVERY_RESEARCH = 2 ** RESEARCH.length - 1;
/** One bit for each research. */
const learned = fc.oneof(fc.constant(EVERY_RESEARCH), fc.nat(EVERY_RESEARCH));

/** Scouts on the planet that everything is launched from. */
const SCOUTS = 50;

const flights = fc.record({
  target: fc.nat(5),
  mission: fc.nat(MISSIONS.length - 1),
  ships: fc.record({
    scout: fc.constantFrom(0, 1, 2, SCOUTS + 1),
    fighter: fc.nat(20),
    transport: fc.nat(3),
    colony_ship: fc.nat(1),
  }),
  iron: fc.constantFrom(0, 100, 900, 4000),
  /** The drive whose cost the shipped h2 leaves on the planet, with `spare` units on top. */
  spareDrive: fc.nat(STANDARD_1.drives.length - 1),
  spare: fc.constantFrom(-1, 0, 1, 500),
  drive: fc.option(fc.nat(STANDARD_1.drives.length - 1), { nil: null }),
});

type Flight = typeof flights extends fc.Arbitrary<infer F> ? F : never;

/** @param learned one bit for each research */
function openBase(learned: number): Base {
  const scene = openScene();
  const { story, human, home, foreign, free } = scene;
  RESEARCH.forEach((type, index) => {
    if ((learned >> index) % 2 === 1) story.learn(human, type);
  });
  const colony = story.does(colonize(human, free));
  const ships = { scout: SCOUTS, fighter: 200, transport: 50, colony_ship: 20 };
  story.equip(home, ships);
  const cargo = { iron: 1000, h2: 200 };
  story.launch({ by: human, from: home, to: colony, ships, mission: 'deploy', cargo });
  const far = firstPlanet(story.bot('far'));
  story.advanceUntilIdle();
  const { universe } = story.world;
  const [otherGalaxy = -1] = universe.planetKeys(universe.systemKey(2, 0));
  const targets = [colony, home, foreign, story.freeNeighbour(home), far, { key: otherGalaxy }];
  return { ...scene, colony, targetKeys: targets.map(({ key }) => key) };
}

function plan({ story, colony, targetKeys }: Base, flight: Flight): PlannedLaunch {
  const { mission, iron } = flight;
  const targetKey = targetKeys[flight.target] as PlanetKey;
  const planned = { originKey: colony.key, targetKey, ships: shipList(flight.ships), mission, cargo: [iron, 0, 0, 0] };
  const { h2Cost = 0 } = simulated(story, planned).find(({ drive }) => drive === flight.spareDrive) ?? {};
  const shippedH2 = Math.max(0, story.stock(colony, 'h2') - h2Cost - flight.spare);
  return { ...planned, cargo: planned.cargo.with(H2, shippedH2) };
}

function simulated({ world, nowMs }: WorldStory, planned: PlannedLaunch): readonly SimulatedOption[] {
  const dryRun = simulateFlight(world, planned, nowMs);
  if (isRefusal(dryRun)) throw new Error(dryRun.code);
  return dryRun.results;
}

/** The drive of a launch that names none: the fastest that is possible, then the cheapest, then the first. */
function fastestPossible(results: readonly SimulatedOption[]): number | undefined {
  const possible = results.filter(({ refusal }) => refusal === null);
  return possible.toSorted((a, b) => a.flightMs - b.flightMs || a.h2Cost - b.h2Cost || a.drive - b.drive)[0]?.drive;
}

t.test('a launch does what its dry run says, with each drive and without one', async (t) => {
  const outcomes = new Map<string, number>();
  fc.assert(
    fc.property(learned, fc.array(flights, { maxLength: 30, size: 'max' }), (learned, flights) => {
      const base = openBase(learned);
      for (const flight of flights) {
        if (Object.values(flight.ships).every((count) => count === 0)) continue;
        const outcome = launchAsForeseen(base, flight);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }),
    { numRuns: 60, seed: drawSeed(t) },
  );
  const seen = [
    'launched',
    'launched with a drive',
    'no_drive_available',
    'hangar_capacity_exceeded',
    'insufficient_h2',
  ];
  seen.push('insufficient_ships', 'cargo_capacity_exceeded', 'insufficient_resources', 'mission_not_possible');
  for (const outcome of seen) t.ok((outcomes.get(outcome) ?? 0) > 0, `${outcome}: ${outcomes.get(outcome) ?? 0} times`);
});

/** @throws Error if the launch does anything but what its dry run said */
function launchAsForeseen(base: Base, flight: Flight): string {
  const { story, human } = base;
  const { drive } = flight;
  const planned = plan(base, flight);
  const results = simulated(story, planned);
  const command = { type: 'launch_fleet', playerNumber: human.number, ...planned, mission: flight.mission } as const;
  const launched = story.attempt({ ...command, drive });
  if (isRefusal(launched)) {
    const foreseen = drive === null ? results : results.filter((result) => result.drive === drive);
    if (foreseen.some(({ refusal }) => refusal === null)) throw new Error(`${launched.code}, although it is possible`);
    if (!foreseen.some(({ refusal }) => refusal?.code === launched.code))
      throw new Error(`${launched.code} is not foreseen`);
    return launched.code;
  }
  const expected = drive ?? fastestPossible(results);
  if (launched.drive !== expected) throw new Error(`drive ${launched.drive} instead of ${expected}`);
  const { flightMs, h2Cost, refusal } = results[launched.drive] as SimulatedOption;
  if (refusal !== null) throw new Error(`it was launched, although ${refusal.code} was foreseen`);
  if (launched.flightMs !== flightMs || launched.h2Cost !== h2Cost) throw new Error('another flight');
  return drive === null ? 'launched' : 'launched with a drive';
}

t.test('the dry run of a player with all its fleets in flight reports the limit, too', async (t) => {
  const { story, human, home, foreign } = openScene();
  story.equip(home, { scout: FLEETS_PER_PLAYER_MAX });
  for (let fleet = 0; fleet < FLEETS_PER_PLAYER_MAX; fleet += 1) {
    story.does(launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' }));
  }
  const planned = {
    originKey: home.key,
    targetKey: foreign.key,
    ships: [1, 0, 0, 0],
    mission: null,
    cargo: [0, 0, 0, 0],
  };
  const dryRun = simulateFlight(story.world, planned, story.nowMs);
  t.ok(!isRefusal(dryRun) && dryRun.results.every(({ refusal }) => refusal?.code === 'limit_reached'));
});

t.test('a fleet that finds nobody at its target comes back with all ships and cargo', async (t) => {
  const { story, human, home, free } = openScene();
  const words = [
    { ships: { transport: 1 }, mission: 'transport', cargo: { iron: 300, h2: 20 } },
    { ships: { scout: 1 }, mission: 'espionage' },
    { ships: { transport: 1, fighter: 10 }, mission: 'attack', cargo: { silver: 9 } },
  ] as const;
  for (const { ships, mission, ...rest } of words) {
    const before = [...home.ships];
    const fleet = story.launch({ by: human, from: home, to: free, ships, mission, ...rest });
    const { cargo } = fleet;
    story.advanceTo(fleet.arrivesAtMs);
    t.match(fleet, {
      isReturning: true,
      cargo,
      ships: shipList(ships),
      returnsAtMs: fleet.arrivesAtMs + fleet.flightMs,
    });
    story.advanceTo(fleet.returnsAtMs ?? 0);
    t.same([home.ships, human.fleets, human.reports], [before, [], []], mission);
  }
  t.notOk(story.world.planets.has(free.key), 'the planet still has no owner');
});
