// A fleet that is launched with a warning comes back without what it flies for if nothing changes; one without a warning does not. Each code
// has a row.
import t from 'tap';
import { launchWarning } from '../../../engine/fleets/launching.js';
import { lootUnitsMaxOf } from '../../../engine/fleets/loot.js';
import { sum } from '../../../engine/numbers/arithmetic.js';
import { type PlannedLaunch, simulateFlight } from '../../../engine/queries/simulate-flight.js';
import { SLOTS_PER_SYSTEM } from '../../../engine/rules/limits.js';
import { ATTACK, MISSIONS, type MissionName, WARNINGS, type WarningCode } from '../../../engine/terms/missions.js';
import { NON_AGGRESSION } from '../../../engine/terms/pacts.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import type { Keyed } from '../../support/command-words.js';
import { PARTS_RULES, partsPosition, partsShips } from '../../support/parts-rules.js';
import { DAY_MS, firstPlanet, PLENTY, type Scene, WorldStory } from '../../support/world-story.js';

const SHIPS = { scout: 1, transport: 1, cruiser: 1, colony_ship: 1 };

/** A world with all parts in which everybody is newly created, and the human has ships at home. */
function openScene(): Scene {
  const story = new WorldStory({ rules: PARTS_RULES.text });
  const human = story.human();
  const home = firstPlanet(human);
  for (let time = 0; time < 3; time += 1) story.grant(home, PLENTY);
  story.does({ type: 'construct_building', planetKey: home.key, buildingType: partsPosition('buildings', 'shipyard') });
  story.advanceUntilIdle();
  for (const type of Object.keys(SHIPS)) {
    story.does({ type: 'build_ships', planetKey: home.key, shipType: partsPosition('ships', type), count: 3 });
    story.advanceUntilIdle();
  }
  const bot = story.bot('newcomer');
  return { story, human, bot, home, foreign: story.colony(bot, home), free: story.freeNeighbour(home) };
}

interface Row {
  /** Null if the fleet carries out its mission. */
  readonly code: WarningCode | null;
  /** It fights nevertheless. */
  readonly fights?: true;
  readonly mission: MissionName;
  /** @returns the target */
  prepare(scene: Scene): Keyed;
}

const atLimit = ({ story, human, home }: Scene): Keyed => {
  while (human.planets.length < PARTS_RULES.planetsMaxOf(human)) story.colony(human, home);
  return story.freeNeighbour(home);
};
const unprotected = ({ story, foreign }: Scene): Keyed => {
  story.advance(2 * DAY_MS);
  return foreign;
};

/** The target's owner has a pact with the human. */
const allied = (scene: Scene): Keyed => {
  const { story, human, bot } = scene;
  const target = unprotected(scene);
  const parties = { playerNumber: human.number, partnerNumber: bot.number };
  const { number: pactNumber } = story.does({
    type: 'propose_pact',
    ...parties,
    kind: NON_AGGRESSION,
    durationMs: DAY_MS,
  });
  story.does({ type: 'accept_pact', playerNumber: bot.number, pactNumber });
  return target;
};

/** Others have brought all that the target takes in a period. */
const fed = ({ story, human, home, foreign }: Scene): Keyed => {
  const load = 700;
  const fleet = story.does({
    type: 'launch_fleet',
    playerNumber: human.number,
    originKey: home.key,
    targetKey: foreign.key,
    ships: partsShips({ transport: 1 }),
    mission: MISSIONS.indexOf('transport'),
    drive: null,
    cargo: [load, 0, 0, 0],
  });
  story.advanceUntilIdle();
  if (sum(fleet.cargo) === 0) throw new Error(`the target takes more than ${load} units`);
  return foreign;
};

/** The human has taken from the target's owner what it may. */
const looted = (scene: Scene): Keyed => {
  const { story, human, home } = scene;
  const target = unprotected(scene);
  for (let units = Number.POSITIVE_INFINITY; units > 0; ) {
    const fleet = story.does({
      type: 'launch_fleet',
      playerNumber: human.number,
      originKey: home.key,
      targetKey: target.key,
      ships: partsShips({ transport: 1, cruiser: 1 }),
      mission: ATTACK,
      drive: null,
      cargo: [0, 0, 0, 0],
    });
    story.advanceUntilIdle();
    units = lootUnitsMaxOf(story.world, { player: human, targetKey: target.key, mission: ATTACK }, story.nowMs) ?? 0;
    if (fleet.cargo.every((count) => count === 0) && units > 0) throw new Error('nothing is left to take');
  }
  return target;
};

/** Another planet of the system of the home, with asteroids or without. */
function besideAsteroids({ world: { universe } }: Scene['story'], home: Keyed, hasAsteroids: boolean): Keyed {
  const keys = universe.planetKeys(Math.floor(home.key / SLOTS_PER_SYSTEM));
  const key = keys.find((key) => key !== home.key && universe.hasAsteroids(key) === hasAsteroids);
  if (key === undefined) throw new Error('the system has no such planet');
  return { key };
}
/** As many fleets support the target as it takes. */
const full = (scene: Scene): Keyed => {
  const { story, human, home } = scene;
  const target = unprotected(scene);
  for (let count = 0; count < (PARTS_RULES.support?.fleetsPerPlanetMax ?? 0); count += 1) {
    story.does({
      type: 'launch_fleet',
      playerNumber: human.number,
      originKey: home.key,
      targetKey: target.key,
      ships: partsShips({ transport: 1 }),
      mission: MISSIONS.indexOf('support'),
      drive: null,
      cargo: [0, 0, 0, 0],
    });
    story.does({
      type: 'build_ships',
      planetKey: home.key,
      shipType: partsPosition('ships', 'transport'),
      count: 1,
    });
    story.advanceUntilIdle();
  }
  return target;
};

/** Supporters carry nothing. */
const cargoOf = (mission: MissionName): readonly number[] => [mission === 'support' ? 0 : 7, 0, 0, 0];

const ROWS: readonly Row[] = [
  { code: 'target_unowned', mission: 'attack', prepare: ({ free }) => free },
  { code: 'target_unowned', mission: 'transport', prepare: ({ free }) => free },
  { code: 'target_unowned', mission: 'espionage', prepare: ({ free }) => free },
  { code: 'target_protected', mission: 'attack', prepare: ({ foreign }) => foreign },
  { code: 'target_in_pact', mission: 'attack', prepare: allied },
  { code: 'loot_used_up', fights: true, mission: 'attack', prepare: looted },
  { code: 'deliveries_used_up', mission: 'transport', prepare: fed },
  { code: 'field_empty', mission: 'harvest', prepare: ({ story, home }) => besideAsteroids(story, home, false) },
  { code: 'target_protected', mission: 'support', prepare: ({ foreign }) => foreign },
  { code: 'support_full', mission: 'support', prepare: full },
  { code: 'planet_limit', mission: 'colonize', prepare: atLimit },
  { code: null, mission: 'attack', prepare: unprotected },
  { code: null, mission: 'transport', prepare: ({ foreign }) => foreign },
  { code: null, mission: 'espionage', prepare: ({ foreign }) => foreign },
  { code: null, mission: 'harvest', prepare: ({ story, home }) => besideAsteroids(story, home, true) },
  { code: null, mission: 'colonize', prepare: ({ free }) => free },
  { code: null, mission: 'support', prepare: unprotected },
  { code: null, mission: 'deploy', prepare: ({ story, human, home }) => story.colony(human, home) },
];

t.test('every warning has a row, and every mission one without', async (t) => {
  t.same(new Set(ROWS.flatMap(({ code }) => code ?? [])), new Set(Object.keys(WARNINGS)));
  t.same(new Set(ROWS.flatMap(({ code, mission }) => (code === null ? mission : []))), new Set(MISSIONS));
});

for (const { code, fights = false, mission, prepare } of ROWS) {
  const outcome = fights ? 'takes nothing' : 'turns round';
  const name = code === null ? 'has no warning, and is carried out' : `has the warning ${code}, and ${outcome}`;
  t.test(`${mission} ${name}`, async (t) => {
    const scene = openScene();
    const { story, human, home } = scene;
    const planned: PlannedLaunch = {
      originKey: home.key,
      targetKey: prepare(scene).key,
      ships: partsShips(SHIPS),
      mission: MISSIONS.indexOf(mission),
      cargo: cargoOf(mission),
    };
    const dryRun = simulateFlight(story.world, planned, story.nowMs);
    if (isRefusal(dryRun)) throw new Error(dryRun.code);
    const fleet = story.does({
      type: 'launch_fleet',
      playerNumber: human.number,
      ...planned,
      mission: MISSIONS.indexOf(mission),
      drive: null,
    });
    const seen = [
      dryRun.results[0]?.warning,
      launchWarning(story.world, { player: human, ...planned }, fleet.arrivesAtMs),
    ];
    t.same(
      seen.map((warning) => warning?.code ?? null),
      [code, code],
      'before and after the launch',
    );
    const before = traces(scene, fleet);
    story.advanceTo(fleet.arrivesAtMs);
    t.equal(traces(scene, fleet) === before, code !== null && !fights, 'whether the fleet has changed anything');
    if (code !== null) t.match(fleet, { isReturning: true, ships: partsShips(SHIPS), cargo: cargoOf(mission) });
  });
}

/** What a mission that is carried out changes: who owns what, reports, and what the fleet carries. */
function traces({ story, human, bot }: Scene, fleet: Fleet): string {
  const { lastReportNumber, planets } = story.world;
  return JSON.stringify([
    lastReportNumber,
    planets.size,
    human.planets.length,
    bot.planets.length,
    fleet.cargo,
    human.fleets.length,
    fleet.isStationed,
  ]);
}
