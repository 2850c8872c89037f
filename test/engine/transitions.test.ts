// The table of states and transitions (specification, section 6): each row with its state, its trigger and its next state, and what is
// refused. A refusal changes nothing. The table does not say what a finished timer does; the file of its subject tests that.
import t, { type Test } from 'tap';
import type { WorldCommand } from '../../engine/commands/table.js';
import { BUILDING_LEVEL_MAX, RESEARCH_LEVEL_MAX, SHIP_ORDERS_PER_PLANET_MAX } from '../../engine/rules/limits.js';
import type { RefusalCode } from '../../engine/terms/rejections.js';
import type { Fleet } from '../../engine/world/fleet-table.js';
import {
  build,
  buildingIndex,
  cancelShips,
  cancelUpgrade,
  construct,
  launch,
  recall,
  research,
  researchIndex,
  shipIndex,
  shipList,
  upgrade,
} from '../support/command-words.js';
import { HOUR_MS, NOBODY, NOWHERE, openScene, type Scene, SECOND_MS } from '../support/world-story.js';

type Action = (scene: Scene) => WorldCommand;
/** Brings a scene into a state. */
type Preparation = (scene: Scene) => void;

interface Transition {
  /** State, trigger and next state in the words of the table. */
  readonly row: string;
  readonly before?: Preparation;
  readonly action: Action;
  /** Checks the scene after the accepted action. */
  readonly after: (t: Test, scene: Scene) => void;
  readonly refused: readonly (readonly [because: string, action: Action, code: RefusalCode, before?: Preparation])[];
}

const upgradeZentrale: Preparation = ({ story, home }) => story.does(upgrade(home, 'zentrale'));
const upgradeForeignZentrale: Preparation = ({ story, foreign }) => {
  story.grant(foreign, { iron: 125, silver: 62 });
  story.does(upgrade(foreign, 'zentrale'));
};
const constructAntiSpy: Preparation = ({ story, home }) => story.does(construct(home, 'anti_spy'));
const buildFighter: Preparation = ({ story, home }) => story.does(build(home, 'fighter', 1));

/** The bot's planet has only its zentrale, so it is poor. */
const TRANSITIONS: readonly Transition[] = [
  {
    row: 'building idle → POST /api/building/upgrade → building upgrading',
    action: ({ home }) => upgrade(home, 'iron_mine'),
    after: (t, { story, home }) => {
      t.match(home.upgrade, { buildingType: buildingIndex('iron_mine'), targetLevel: 2, startedAtMs: story.nowMs });
      t.equal(home.upgrade?.finishAtMs, story.nowMs + 2 * 2 * 60 * SECOND_MS, 'upgradeFinishAt is (1+1)^2 x 60 s away');
      t.equal(home.levels[buildingIndex('iron_mine')], 1, 'the level is still the old one');
    },
    refused: [
      ['there is no such planet', () => upgrade(NOWHERE, 'zentrale'), 'planet_not_found'],
      [
        'the planet has no owner, so it has no buildings',
        ({ free }) => upgrade(free, 'zentrale'),
        'building_not_found',
      ],
      ['the building is absent', ({ home }) => upgrade(home, 'anti_spy'), 'building_not_found'],
      [
        'another building of the planet is upgrading',
        ({ home }) => upgrade(home, 'iron_mine'),
        'upgrade_in_progress',
        upgradeZentrale,
      ],
      [
        'the building itself is upgrading',
        ({ home }) => upgrade(home, 'iron_mine'),
        'upgrade_in_progress',
        ({ story, home }) => story.does(upgrade(home, 'iron_mine')),
      ],
      [
        'the building is still under its first construction',
        ({ home }) => upgrade(home, 'anti_spy'),
        'upgrade_in_progress',
        constructAntiSpy,
      ],
      ['there are not enough resources', ({ foreign }) => upgrade(foreign, 'zentrale'), 'insufficient_resources'],
      [
        'the building has reached its highest level',
        ({ home }) => upgrade(home, 'fusion_plant'),
        'limit_reached',
        ({ story, home }) => {
          for (let round = 0; round < 4000; round += 1) story.grant(home, { iron: 2e8, silver: 1e8, energy: 2e7 });
          story.raise(home, 'fusion_plant', BUILDING_LEVEL_MAX);
        },
      ],
      [
        'an absent building comes before another upgrade (404 before 409)',
        ({ home }) => upgrade(home, 'anti_spy'),
        'building_not_found',
        upgradeZentrale,
      ],
      [
        'another upgrade comes before missing resources (409 before 422)',
        ({ foreign }) => upgrade(foreign, 'zentrale'),
        'upgrade_in_progress',
        upgradeForeignZentrale,
      ],
    ],
  },
  {
    row: 'building absent → POST /api/building/construct → building upgrading',
    action: ({ home }) => construct(home, 'ember_extractor'),
    after: (t, { story, home }) => {
      t.match(home.upgrade, { buildingType: buildingIndex('ember_extractor'), targetLevel: 1 });
      t.equal(home.upgrade?.finishAtMs, story.nowMs + 60 * SECOND_MS, 'upgradeFinishAt is (0+1)^2 x 60 s away');
      t.equal(home.levels[buildingIndex('ember_extractor')], 0, 'it is at level 0');
    },
    refused: [
      ['there is no such planet', () => construct(NOWHERE, 'anti_spy'), 'planet_not_found'],
      ['the planet has no owner', ({ free }) => construct(free, 'anti_spy'), 'not_owner'],
      ['the type is already on the planet', ({ home }) => construct(home, 'shipyard'), 'building_exists'],
      [
        'the type is already under construction',
        ({ home }) => construct(home, 'anti_spy'),
        'building_exists',
        constructAntiSpy,
      ],
      [
        'another building of the planet is upgrading',
        ({ home }) => construct(home, 'anti_spy'),
        'upgrade_in_progress',
        upgradeZentrale,
      ],
      ['there are not enough resources', ({ foreign }) => construct(foreign, 'anti_spy'), 'insufficient_resources'],
      [
        'an existing type comes before another upgrade',
        ({ home }) => construct(home, 'shipyard'),
        'building_exists',
        upgradeZentrale,
      ],
      [
        'another upgrade comes before missing resources (409 before 422)',
        ({ foreign }) => construct(foreign, 'planetary_shield'),
        'upgrade_in_progress',
        upgradeForeignZentrale,
      ],
    ],
  },
  {
    row: 'building upgrading → POST /api/building/cancel → building idle',
    before: ({ story, home }) => {
      story.does(upgrade(home, 'zentrale'));
      story.advance(SECOND_MS);
    },
    action: ({ home }) => cancelUpgrade(home, home.upgrade?.queueNumber ?? 0),
    after: (t, { home }) => {
      t.equal(home.upgrade, null, 'constructionQueue is empty');
      t.equal(home.levels[buildingIndex('zentrale')], 1, 'the level stays');
    },
    refused: [
      ['there is no such planet', () => cancelUpgrade(NOWHERE, 1), 'planet_not_found'],
      ['nothing is active', ({ home }) => cancelUpgrade(home, 1), 'queue_entry_not_found'],
      ['the planet has no owner', ({ free }) => cancelUpgrade(free, 1), 'queue_entry_not_found'],
      [
        'the active entry is another one',
        ({ home }) => cancelUpgrade(home, (home.upgrade?.queueNumber ?? 0) + 1),
        'queue_entry_not_found',
        upgradeZentrale,
      ],
      [
        'the entry is active on another planet',
        ({ home, foreign }) => cancelUpgrade(foreign, home.upgrade?.queueNumber ?? 0),
        'queue_entry_not_found',
        upgradeZentrale,
      ],
      [
        'the upgrade finishes at this same instant',
        ({ story, home }) => cancelUpgrade(home, story.world.lastQueueNumber),
        'queue_entry_not_found',
        ({ story, home }) => {
          story.does(upgrade(home, 'zentrale'));
          story.advance(240 * SECOND_MS);
        },
      ],
    ],
  },
  {
    row: 'ship queue empty → POST /api/shipyard/build → ship entry building',
    action: ({ home }) => build(home, 'fighter', 3),
    after: (t, { story, home }) => {
      t.same(home.orders, [{ shipType: shipIndex('fighter'), count: 3, finishAtMs: story.nowMs + 3 * 60 * SECOND_MS }]);
    },
    refused: [
      ['there is no such planet', () => build(NOWHERE, 'scout', 1), 'planet_not_found'],
      ['the planet has no owner', ({ free }) => build(free, 'scout', 1), 'not_owner'],
      [
        'another ship type is in production',
        ({ home }) => build(home, 'scout', 1),
        'other_ship_in_production',
        buildFighter,
      ],
      [
        'the queue is full',
        ({ home }) => build(home, 'scout', 1),
        'limit_reached',
        ({ story, home }) => {
          for (let order = 0; order < SHIP_ORDERS_PER_PLANET_MAX; order += 1) story.does(build(home, 'scout', 1));
        },
      ],
      [
        'the planet has no shipyard',
        ({ foreign }) => build(foreign, 'scout', 1),
        'shipyard_required',
        ({ story, foreign }) => story.grant(foreign, { iron: 5000, silver: 5000 }),
      ],
      [
        'the shipyard is still at level 0',
        ({ foreign }) => build(foreign, 'scout', 1),
        'shipyard_required',
        ({ story, foreign }) => {
          story.grant(foreign, { iron: 5000, silver: 5000 });
          story.does(construct(foreign, 'shipyard'));
        },
      ],
      [
        'there are not enough resources',
        ({ home }) => build(home, 'colony_ship', 10_000),
        'insufficient_resources',
        ({ story, home }) => story.does(build(home, 'colony_ship', 10_000)),
      ],
      [
        'another ship type comes before missing resources (409 before 422)',
        ({ home }) => build(home, 'colony_ship', 10_000),
        'other_ship_in_production',
        buildFighter,
      ],
      [
        'the missing shipyard comes before missing resources',
        ({ foreign }) => build(foreign, 'colony_ship', 1),
        'shipyard_required',
      ],
    ],
  },
  {
    row: 'ship entry building → POST /api/shipyard/cancel → ship entry removed',
    before: ({ story, home }) => {
      story.does(build(home, 'fighter', 3));
      story.does(build(home, 'fighter', 2));
      story.advance(SECOND_MS);
    },
    action: ({ home }) => cancelShips(home, 'fighter'),
    after: (t, { story, home }) => {
      t.same(home.orders, [], 'all entries of the type are gone');
      story.advance(HOUR_MS);
      t.same(home.ships, shipList({ scout: 20, fighter: 20, transport: 5, colony_ship: 2 }), 'no ship is delivered');
    },
    refused: [
      ['there is no such planet', () => cancelShips(NOWHERE, 'scout'), 'planet_not_found'],
      ['the planet has no owner', ({ free }) => cancelShips(free, 'scout'), 'not_owner'],
      ['nothing is active', ({ home }) => cancelShips(home, 'scout'), 'nothing_in_production'],
      ['another type is active', ({ home }) => cancelShips(home, 'scout'), 'nothing_in_production', buildFighter],
      [
        'the ships are delivered at this same instant',
        ({ home }) => cancelShips(home, 'fighter'),
        'nothing_in_production',
        ({ story, home }) => {
          story.does(build(home, 'fighter', 1));
          story.advance(60 * SECOND_MS);
        },
      ],
    ],
  },
  {
    row: 'research idle → POST /api/research/start → research researching',
    action: ({ human }) => research(human, 'drive_ion'),
    after: (t, { story, human }) => {
      t.match(human.research, { researchType: researchIndex('drive_ion'), startedAtMs: story.nowMs });
      t.equal(human.research?.finishAtMs, story.nowMs + 120 * SECOND_MS, 'researchFinishAt is (0+1)^2 x 120 s away');
      t.equal(human.researchLevel(researchIndex('drive_ion')), 0, 'the entry is at level 0');
    },
    refused: [
      ['there is no such player', () => research(NOBODY, 'drive_ion'), 'player_not_found'],
      [
        'another research is active',
        ({ human }) => research(human, 'drive_ion'),
        'research_in_progress',
        ({ story, human }) => story.does(research(human, 'drive_hyper')),
      ],
      [
        'this research is active already',
        ({ human }) => research(human, 'drive_ion'),
        'research_in_progress',
        ({ story, human }) => story.does(research(human, 'drive_ion')),
      ],
      [
        'the research has reached its highest level',
        ({ human }) => research(human, 'drive_ion'),
        'limit_reached',
        ({ story, human }) => story.learn(human, 'drive_ion', RESEARCH_LEVEL_MAX),
      ],
    ],
  },
  {
    row: 'fleet not launched → POST /api/fleet/launch → fleet in transit',
    action: ({ human, home, foreign }) =>
      launch({
        by: human,
        from: home,
        to: foreign,
        ships: { transport: 2 },
        mission: 'transport',
        cargo: { iron: 700 },
      }),
    after: (t, { story, human, home }) => {
      const [fleet] = human.fleets;
      t.same(home.ships, shipList({ scout: 20, fighter: 20, transport: 3, colony_ship: 2 }), 'the ships have left');
      t.match(fleet, { launchedAtMs: story.nowMs, isReturning: false, recalledAtMs: null });
      t.ok(fleet !== undefined && fleet.h2Cost > 0 && fleet.arrivesAtMs > story.nowMs);
    },
    // launch.test.ts tests the six rules of the launch, one by one and in order.
    refused: [
      [
        'there is no such player',
        ({ home, foreign }) =>
          launch({ by: NOBODY, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' }),
        'player_not_found',
      ],
      [
        'there is no such target planet',
        ({ human, home }) => launch({ by: human, from: home, to: NOWHERE, ships: { scout: 1 }, mission: 'espionage' }),
        'planet_not_found',
      ],
      [
        'a missing target comes before a foreign origin (404 before 403)',
        ({ human, foreign }) =>
          launch({ by: human, from: foreign, to: NOWHERE, ships: { scout: 1 }, mission: 'espionage' }),
        'planet_not_found',
      ],
    ],
  },
  {
    row: 'fleet in transit → POST /api/fleet/:fleetId/recall → fleet returning to origin',
    before: (scene) => {
      sendScout(scene);
      scene.story.advance(SECOND_MS);
    },
    action: (scene) => recall(scene.human, flying(scene)),
    after: (t, scene) => {
      const { story } = scene;
      t.match(flying(scene), { isReturning: true, recalledAtMs: story.nowMs, returnsAtMs: story.nowMs + SECOND_MS });
    },
    refused: [
      ['there is no such player', () => recall(NOBODY, NOBODY), 'player_not_found'],
      ['there is no such fleet', ({ human }) => recall(human, NOBODY), 'fleet_not_found'],
      [
        'the fleet belongs to another player',
        (scene) => recall(scene.bot, flying(scene)),
        'fleet_not_found',
        sendScout,
      ],
      [
        'the fleet arrives at this same instant',
        (scene) => recall(scene.human, flying(scene)),
        'fleet_not_in_transit',
        (scene) => {
          sendScout(scene);
          scene.story.advanceTo(flying(scene).arrivesAtMs);
        },
      ],
      [
        'the fleet is on its way back already',
        (scene) => recall(scene.human, flying(scene)),
        'fleet_not_in_transit',
        (scene) => {
          sendScout(scene);
          scene.story.advance(SECOND_MS);
          scene.story.does(recall(scene.human, flying(scene)));
        },
      ],
      [
        'the fleet has landed',
        ({ story, human }) => recall(human, { number: story.world.lastFleetNumber }),
        'fleet_not_found',
        (scene) => {
          sendScout(scene);
          scene.story.advanceUntilIdle();
        },
      ],
      [
        'a foreign fleet comes before one that has arrived (404 before 409)',
        (scene) => recall(scene.bot, flying(scene)),
        'fleet_not_found',
        (scene) => {
          sendScout(scene);
          scene.story.advanceTo(flying(scene).arrivesAtMs);
        },
      ],
    ],
  },
];

for (const { row, before, action, after, refused } of TRANSITIONS) {
  t.test(row, async (t) => {
    const scene = openScene();
    before?.(scene);
    scene.story.does(action(scene));
    after(t, scene);
  });
  t.test(`${row}: refused`, async (t) => {
    for (const [because, action, code, before] of refused) {
      const scene = openScene();
      before?.(scene);
      t.equal(scene.story.refusal(action(scene)).code, code, because);
    }
  });
}

function sendScout({ story, human, home, foreign }: Scene): void {
  story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
}

function flying({ human }: Scene): Fleet {
  const [fleet] = human.fleets;
  if (fleet === undefined) throw new Error('the human has no fleet');
  return fleet;
}
