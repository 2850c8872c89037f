// The rows of the table of states and transitions (specification, section 6) that are about buildings and ships in production. The
// table does not say what a finished timer does; the file of its subject tests that.
import t from 'tap';
import { BUILDING_LEVEL_MAX, SHIP_ORDERS_PER_PLANET_MAX } from '../../../engine/rules/limits.js';
import {
  build,
  buildingIndex,
  cancelShips,
  cancelUpgrade,
  construct,
  shipIndex,
  shipList,
  upgrade,
} from '../../support/command-words.js';
import { type Transition, testTransitions } from '../../support/transition.js';
import { HOUR_MS, NOWHERE, SECOND_MS } from '../../support/world-story.js';

/** The bot's planet has only its zentrale, so it is poor. */
const transitions: readonly Transition[] = [
  {
    row: 'building idle → POST /api/building/upgrade → building upgrading',
    action: ({ home }) => upgrade(home, 'iron_mine'),
    after: (t, { story, home }) => {
      t.match(home.upgrade, { buildingType: buildingIndex('iron_mine'), targetLevel: 2, startedAtMs: story.nowMs });
      t.equal(home.upgrade?.finishAtMs, story.nowMs + 2 * 2 * 60 * SECOND_MS, 'upgradeFinishAt is (1+1)^2 x 60 s away');
      t.equal(home.levels[buildingIndex('iron_mine')], 1, 'the level is still the old one');
    },
    refused: [
      { because: 'there is no such planet', action: () => upgrade(NOWHERE, 'zentrale'), code: 'planet_not_found' },
      {
        because: 'the planet has no owner, so it has no buildings',
        action: ({ free }) => upgrade(free, 'zentrale'),
        code: 'building_not_found',
      },
      {
        because: 'the building is absent',
        action: ({ home }) => upgrade(home, 'anti_spy'),
        code: 'building_not_found',
      },
      {
        because: 'another building of the planet is upgrading',
        before: ({ story, home }) => story.does(upgrade(home, 'zentrale')),
        action: ({ home }) => upgrade(home, 'iron_mine'),
        code: 'upgrade_in_progress',
      },
      {
        because: 'the building itself is upgrading',
        before: ({ story, home }) => story.does(upgrade(home, 'iron_mine')),
        action: ({ home }) => upgrade(home, 'iron_mine'),
        code: 'upgrade_in_progress',
      },
      {
        because: 'the building is still under its first construction',
        before: ({ story, home }) => story.does(construct(home, 'anti_spy')),
        action: ({ home }) => upgrade(home, 'anti_spy'),
        code: 'upgrade_in_progress',
      },
      {
        because: 'there are not enough resources',
        action: ({ foreign }) => upgrade(foreign, 'zentrale'),
        code: 'insufficient_resources',
      },
      {
        because: 'the building has reached its highest level',
        before: ({ story, home }) => {
          for (let round = 0; round < 4000; round += 1) story.grant(home, { iron: 2e8, silver: 1e8, energy: 2e7 });
          story.raise(home, 'fusion_plant', BUILDING_LEVEL_MAX);
        },
        action: ({ home }) => upgrade(home, 'fusion_plant'),
        code: 'limit_reached',
      },
      {
        because: 'an absent building comes before another upgrade (404 before 409)',
        before: ({ story, home }) => story.does(upgrade(home, 'zentrale')),
        action: ({ home }) => upgrade(home, 'anti_spy'),
        code: 'building_not_found',
      },
      {
        because: 'another upgrade comes before missing resources (409 before 422)',
        before: ({ story, foreign }) => {
          story.grant(foreign, { iron: 125, silver: 62 });
          story.does(upgrade(foreign, 'zentrale'));
        },
        action: ({ foreign }) => upgrade(foreign, 'zentrale'),
        code: 'upgrade_in_progress',
      },
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
      { because: 'there is no such planet', action: () => construct(NOWHERE, 'anti_spy'), code: 'planet_not_found' },
      { because: 'the planet has no owner', action: ({ free }) => construct(free, 'anti_spy'), code: 'not_owner' },
      {
        because: 'the type is already on the planet',
        action: ({ home }) => construct(home, 'shipyard'),
        code: 'building_exists',
      },
      {
        because: 'the type is already under construction',
        before: ({ story, home }) => story.does(construct(home, 'anti_spy')),
        action: ({ home }) => construct(home, 'anti_spy'),
        code: 'building_exists',
      },
      {
        because: 'another building of the planet is upgrading',
        before: ({ story, home }) => story.does(upgrade(home, 'zentrale')),
        action: ({ home }) => construct(home, 'anti_spy'),
        code: 'upgrade_in_progress',
      },
      {
        because: 'there are not enough resources',
        action: ({ foreign }) => construct(foreign, 'anti_spy'),
        code: 'insufficient_resources',
      },
      {
        because: 'an existing type comes before another upgrade',
        before: ({ story, home }) => story.does(upgrade(home, 'zentrale')),
        action: ({ home }) => construct(home, 'shipyard'),
        code: 'building_exists',
      },
      {
        because: 'another upgrade comes before missing resources (409 before 422)',
        before: ({ story, foreign }) => {
          story.grant(foreign, { iron: 125, silver: 62 });
          story.does(upgrade(foreign, 'zentrale'));
        },
        action: ({ foreign }) => construct(foreign, 'planetary_shield'),
        code: 'upgrade_in_progress',
      },
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
      { because: 'there is no such planet', action: () => cancelUpgrade(NOWHERE, 1), code: 'planet_not_found' },
      { because: 'nothing is active', action: ({ home }) => cancelUpgrade(home, 1), code: 'queue_entry_not_found' },
      {
        because: 'the planet has no owner',
        action: ({ free }) => cancelUpgrade(free, 1),
        code: 'queue_entry_not_found',
      },
      {
        because: 'the active entry is another one',
        before: ({ story, home }) => story.does(upgrade(home, 'zentrale')),
        action: ({ home }) => cancelUpgrade(home, (home.upgrade?.queueNumber ?? 0) + 1),
        code: 'queue_entry_not_found',
      },
      {
        because: 'the entry is active on another planet',
        before: ({ story, home }) => story.does(upgrade(home, 'zentrale')),
        action: ({ home, foreign }) => cancelUpgrade(foreign, home.upgrade?.queueNumber ?? 0),
        code: 'queue_entry_not_found',
      },
      {
        because: 'the upgrade finishes at this same instant',
        before: ({ story, home }) => {
          story.does(upgrade(home, 'zentrale'));
          story.advance(240 * SECOND_MS);
        },
        action: ({ story, home }) => cancelUpgrade(home, story.world.lastQueueNumber),
        code: 'queue_entry_not_found',
      },
    ],
  },
  {
    row: 'ship queue empty → POST /api/shipyard/build → ship entry building',
    action: ({ home }) => build(home, 'fighter', 3),
    after: (t, { story, home }) => {
      t.same(home.orders, [{ shipType: shipIndex('fighter'), count: 3, finishAtMs: story.nowMs + 3 * 60 * SECOND_MS }]);
    },
    refused: [
      { because: 'there is no such planet', action: () => build(NOWHERE, 'scout', 1), code: 'planet_not_found' },
      { because: 'the planet has no owner', action: ({ free }) => build(free, 'scout', 1), code: 'not_owner' },
      {
        because: 'another ship type is in production',
        before: ({ story, home }) => story.does(build(home, 'fighter', 1)),
        action: ({ home }) => build(home, 'scout', 1),
        code: 'other_ship_in_production',
      },
      {
        because: 'the queue is full',
        before: ({ story, home }) => {
          for (let order = 0; order < SHIP_ORDERS_PER_PLANET_MAX; order += 1) story.does(build(home, 'scout', 1));
        },
        action: ({ home }) => build(home, 'scout', 1),
        code: 'limit_reached',
      },
      {
        because: 'the planet has no shipyard',
        before: ({ story, foreign }) => story.grant(foreign, { iron: 5000, silver: 5000 }),
        action: ({ foreign }) => build(foreign, 'scout', 1),
        code: 'shipyard_required',
      },
      {
        because: 'the shipyard is still at level 0',
        before: ({ story, foreign }) => {
          story.grant(foreign, { iron: 5000, silver: 5000 });
          story.does(construct(foreign, 'shipyard'));
        },
        action: ({ foreign }) => build(foreign, 'scout', 1),
        code: 'shipyard_required',
      },
      {
        because: 'there are not enough resources',
        before: ({ story, home }) => story.does(build(home, 'colony_ship', 10_000)),
        action: ({ home }) => build(home, 'colony_ship', 10_000),
        code: 'insufficient_resources',
      },
      {
        because: 'another ship type comes before missing resources (409 before 422)',
        before: ({ story, home }) => story.does(build(home, 'fighter', 1)),
        action: ({ home }) => build(home, 'colony_ship', 10_000),
        code: 'other_ship_in_production',
      },
      {
        because: 'the missing shipyard comes before missing resources',
        action: ({ foreign }) => build(foreign, 'colony_ship', 1),
        code: 'shipyard_required',
      },
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
      { because: 'there is no such planet', action: () => cancelShips(NOWHERE, 'scout'), code: 'planet_not_found' },
      {
        because: 'the planet has no owner',
        action: ({ free }) => cancelShips(free, 'scout'),
        code: 'not_owner',
      },
      { because: 'nothing is active', action: ({ home }) => cancelShips(home, 'scout'), code: 'nothing_in_production' },
      {
        because: 'another type is active',
        before: ({ story, home }) => story.does(build(home, 'fighter', 1)),
        action: ({ home }) => cancelShips(home, 'scout'),
        code: 'nothing_in_production',
      },
      {
        because: 'the ships are delivered at this same instant',
        before: ({ story, home }) => {
          story.does(build(home, 'fighter', 1));
          story.advance(60 * SECOND_MS);
        },
        action: ({ home }) => cancelShips(home, 'fighter'),
        code: 'nothing_in_production',
      },
    ],
  },
];

testTransitions(t, transitions);
