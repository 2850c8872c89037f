// The rows of the table of states and transitions (specification, section 6) that are about research and fleets. The table does not
// say what a finished timer does; the file of its subject tests that.
import t from 'tap';
import { RESEARCH_LEVEL_MAX } from '../../../engine/rules/limits.js';
import type { Fleet } from '../../../engine/world/state.js';
import { launch, recall, research, researchIndex, shipList } from '../../support/command-words.js';
import { type Transition, testTransitions } from '../../support/transition.js';
import { NOBODY, NOWHERE, type Scene, SECOND_MS } from '../../support/world-story.js';

const transitions: readonly Transition[] = [
  {
    row: 'research idle → POST /api/research/start → research researching',
    action: ({ human }) => research(human, 'drive_ion'),
    after: (t, { story, human }) => {
      t.match(human.research, { researchType: researchIndex('drive_ion'), startedAtMs: story.nowMs });
      t.equal(human.research?.finishAtMs, story.nowMs + 120 * SECOND_MS, 'researchFinishAt is (0+1)^2 x 120 s away');
      t.equal(human.researchLevels[researchIndex('drive_ion')], 0, 'the entry is at level 0');
    },
    refused: [
      { because: 'there is no such player', action: () => research(NOBODY, 'drive_ion'), code: 'player_not_found' },
      {
        because: 'another research is active',
        before: ({ story, human }) => story.does(research(human, 'drive_hyper')),
        action: ({ human }) => research(human, 'drive_ion'),
        code: 'research_in_progress',
      },
      {
        because: 'this research is active already',
        before: ({ story, human }) => story.does(research(human, 'drive_ion')),
        action: ({ human }) => research(human, 'drive_ion'),
        code: 'research_in_progress',
      },
      {
        because: 'the research has reached its highest level',
        before: ({ story, human }) => story.learn(human, 'drive_ion', RESEARCH_LEVEL_MAX),
        action: ({ human }) => research(human, 'drive_ion'),
        code: 'limit_reached',
      },
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
      {
        because: 'there is no such player',
        action: ({ home, foreign }) =>
          launch({ by: NOBODY, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' }),
        code: 'player_not_found',
      },
      {
        because: 'there is no such target planet',
        action: ({ human, home }) =>
          launch({ by: human, from: home, to: NOWHERE, ships: { scout: 1 }, mission: 'espionage' }),
        code: 'planet_not_found',
      },
      {
        because: 'a missing target comes before a foreign origin (404 before 403)',
        action: ({ human, foreign }) =>
          launch({ by: human, from: foreign, to: NOWHERE, ships: { scout: 1 }, mission: 'espionage' }),
        code: 'planet_not_found',
      },
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
      { because: 'there is no such player', action: () => recall(NOBODY, NOBODY), code: 'player_not_found' },
      { because: 'there is no such fleet', action: ({ human }) => recall(human, NOBODY), code: 'fleet_not_found' },
      {
        because: 'the fleet belongs to another player',
        before: sendScout,
        action: (scene) => recall(scene.bot, flying(scene)),
        code: 'not_owner',
      },
      {
        because: 'the fleet arrives at this same instant',
        before: (scene) => {
          sendScout(scene);
          scene.story.advanceTo(flying(scene).arrivesAtMs);
        },
        action: (scene) => recall(scene.human, flying(scene)),
        code: 'fleet_not_in_transit',
      },
      {
        because: 'the fleet is on its way back already',
        before: (scene) => {
          sendScout(scene);
          scene.story.advance(SECOND_MS);
          scene.story.does(recall(scene.human, flying(scene)));
        },
        action: (scene) => recall(scene.human, flying(scene)),
        code: 'fleet_not_in_transit',
      },
      {
        because: 'the fleet has landed',
        before: (scene) => {
          sendScout(scene);
          scene.story.advanceUntilIdle();
        },
        action: ({ story, human }) => recall(human, { number: story.world.lastFleetNumber }),
        code: 'fleet_not_found',
      },
      {
        because: 'a foreign fleet comes before one that has arrived (403 before 409)',
        before: (scene) => {
          sendScout(scene);
          scene.story.advanceTo(flying(scene).arrivesAtMs);
        },
        action: (scene) => recall(scene.bot, flying(scene)),
        code: 'not_owner',
      },
    ],
  },
];

testTransitions(t, transitions);

function sendScout({ story, human, home, foreign }: Scene): void {
  story.launch({ by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' });
}

function flying({ human }: Scene): Fleet {
  const [fleet] = human.fleets;
  if (fleet === undefined) throw new Error('the human has no fleet');
  return fleet;
}
