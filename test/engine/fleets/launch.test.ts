// The launch: its six rules in their order (specification, section 13), what follows them, and what leaves the origin.

import t from 'tap';
import { cargoCapacity } from '../../../engine/fleets/flight.js';
import { FLEETS_PER_PLAYER_MAX } from '../../../engine/rules/limits.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import type { RefusalCode } from '../../../engine/terms/rejections.js';
import {
  build,
  colonize,
  construct,
  type LaunchWords,
  launch,
  shipList,
  unitList,
} from '../../support/command-words.js';
import { DAY_MS, firstPlanet, NOWHERE, openScene, SECOND_MS, WorldStory } from '../../support/world-story.js';

t.test('if one rule and all after it are broken, that rule is reported', async (t) => {
  const story = new WorldStory({ systemsPerGalaxy: 300 });
  const human = story.human();
  const home = firstPlanet(human);
  const bot = story.bot('bot-1');
  const { universe } = story.world;
  // A hundred systems away 20 transports burn 1260 h2, which a starter planet does not have.
  const farSystem = (universe.positionOf(home.key).system + 100) % 200;
  const [free = -1] = universe.planetKeys(universe.systemKey(1, farSystem));
  const [otherGalaxy = -1] = universe.planetKeys(universe.systemKey(2, farSystem));
  const words: LaunchWords = {
    by: human,
    from: firstPlanet(bot),
    to: { key: otherGalaxy },
    ships: { fighter: 500, transport: 20 },
    mission: 'deploy',
    cargo: { iron: 50_000 },
  };
  const fitting = { ...words, from: home, to: { key: free }, ships: { fighter: 400, transport: 20 } };

  const rules: readonly (readonly [rule: string, words: LaunchWords, code: RefusalCode, repair: () => void])[] = [
    ['1. the origin planet belongs to the player', words, 'not_owner', () => undefined],
    [
      '2. the origin planet holds enough of each listed ship',
      { ...words, from: home },
      'insufficient_ships',
      () => {
        // Just what shipyard, fighters and transports cost, so that the planet stays poor.
        story.grant(home, { iron: 108_200, silver: 54_100, energy: 2700 });
        story.does(construct(home, 'shipyard'));
        story.advance(60 * SECOND_MS);
        story.does(build(home, 'fighter', 500));
        story.advance(500 * 60 * SECOND_MS);
        story.does(build(home, 'transport', 20));
        story.advance(20 * 120 * SECOND_MS);
      },
    ],
    ['3. a researched drive flies the flight type', { ...words, from: home }, 'no_drive_available', () => undefined],
    [
      '4. the hangars hold all carried ships',
      { ...words, from: home, to: { key: free } },
      'hangar_capacity_exceeded',
      () => undefined,
    ],
    ['5. enough h2 is present', fitting, 'insufficient_h2', () => story.grant(home, { h2: 1260 })],
    ['6. the cargo fits', fitting, 'cargo_capacity_exceeded', () => undefined],
    [
      'then: the cargo is there',
      { ...fitting, cargo: { iron: 25_000 } },
      'insufficient_resources',
      () => story.grant(home, { iron: 25_000 }),
    ],
    [
      'then: the mission is possible',
      { ...fitting, cargo: { iron: 25_000 } },
      'mission_not_possible',
      () => story.does(colonize(human, { key: free })),
    ],
  ];
  for (const [rule, words, code, repair] of rules) {
    t.equal(story.refusal(launch(words)).code, code, rule);
    repair();
  }
  story.does(launch({ ...fitting, cargo: { iron: 25_000 } }));
});

t.test('a refused launch says what is missing', async (t) => {
  const { story, human, home, foreign } = openScene();
  const words: LaunchWords = {
    by: human,
    from: home,
    to: foreign,
    ships: { scout: 21, fighter: 22 },
    mission: 'attack',
  };
  t.same(story.refusal(launch(words)).facts.missing, { scout: 1, fighter: 2 });
  t.same(story.refusal(launch({ ...words, ships: { fighter: 7 } })).facts.missing, { hangar: 7 });
  const cargo = { iron: 3000, silver: 700, ember: 50, h2: 1 };
  t.same(story.refusal(launch({ ...words, ships: { transport: 5 }, cargo })).facts.missing, { cargo: 1 });
  const colony = story.colony(human, home);
  story.does(launch({ ...words, to: colony, ships: { transport: 1 }, mission: 'deploy' }));
  story.advanceUntilIdle();
  const { code, facts } = story.refusal(launch({ ...words, from: colony, ships: { transport: 1 } }));
  t.match([code, facts.missing], ['insufficient_h2', { h2: 1 }]);
});

t.test('h2 that is shipped comes on top of the h2 that is burned', async (t) => {
  const { story, human, home } = openScene();
  const colony = story.colony(human, home);
  story.does(
    launch({ by: human, from: home, to: colony, ships: { transport: 1 }, mission: 'deploy', cargo: { h2: 101 } }),
  );
  story.advanceUntilIdle();
  const words: LaunchWords = { by: human, from: colony, to: home, ships: { transport: 1 }, mission: 'deploy' };
  const h2 = story.stock(colony, 'h2');
  const { code, facts } = story.refusal(launch({ ...words, cargo: { h2 } }));
  t.equal(code, 'insufficient_resources');
  t.same(Object.keys(facts.missing ?? {}), ['h2']);
  const fleet = story.launch({ ...words, cargo: { h2: h2 - (facts.missing?.['h2'] ?? 0) } });
  t.equal(fleet.h2Cost, facts.missing?.['h2']);
  t.equal(story.stock(colony, 'h2'), 0);
});

t.test('ships, cargo and h2 leave the origin at once', async (t) => {
  const { story, human, home, foreign } = openScene();
  const before = story.stocks(home);
  const fleet = story.launch({
    by: human,
    from: home,
    to: foreign,
    ships: { scout: 1, fighter: 15, transport: 2 },
    mission: 'attack',
    cargo: { iron: 100, silver: 20, ember: 3, h2: 4 },
  });
  t.same(home.ships, shipList({ scout: 19, fighter: 5, transport: 3, colony_ship: 2 }));
  t.same(fleet.ships, shipList({ scout: 1, fighter: 15, transport: 2 }));
  const gone = unitList({ iron: 100, silver: 20, ember: 3, h2: 4 + fleet.h2Cost });
  t.same(
    story.stocks(home),
    before.map((units, resource) => units - (gone[resource] ?? 0)),
  );
  t.same(fleet.cargo, [100, 20, 3, 4]);
  t.equal(fleet.arrivesAtMs, story.nowMs + fleet.flightMs);
  t.equal(fleet.returnsAtMs, story.nowMs + 2 * fleet.flightMs);
});

t.test('a hold can be filled to the last unit', async (t) => {
  const { story, human, home, foreign } = openScene();
  const capacity = cargoCapacity(STANDARD_1_RULES, shipList({ transport: 2, fighter: 1 }));
  const words: LaunchWords = {
    by: human,
    from: home,
    to: foreign,
    ships: { transport: 2, fighter: 1 },
    mission: 'transport',
  };
  t.equal(story.refusal(launch({ ...words, cargo: { silver: capacity + 1 } })).code, 'cargo_capacity_exceeded');
  story.does(launch({ ...words, cargo: { silver: capacity } }));
});

t.test('missions that cannot be flown are refused last', async (t) => {
  const { story, human, home, foreign, free } = openScene();
  const colony = story.does(colonize(human, free));
  const other = story.freeNeighbour(home);
  const rows = [
    ['attack one’s own planet', { to: colony, ships: { scout: 1 }, mission: 'attack' }],
    ['deploy to a foreign planet', { to: foreign, ships: { scout: 1 }, mission: 'deploy' }],
    ['deploy to a planet without owner', { to: other, ships: { scout: 1 }, mission: 'deploy' }],
    ['colonize an own planet', { to: colony, ships: { colony_ship: 1 }, mission: 'colonize' }],
    ['colonize a foreign planet', { to: foreign, ships: { colony_ship: 1 }, mission: 'colonize' }],
    ['colonize without a colony_ship', { to: other, ships: { transport: 1 }, mission: 'colonize' }],
    ['spy without a scout', { to: foreign, ships: { transport: 1 }, mission: 'espionage' }],
    ['spy on one’s own planet', { to: colony, ships: { scout: 1 }, mission: 'espionage' }],
    ['fly to where one is already', { to: home, ships: { scout: 1 }, mission: 'deploy' }],
    ['attack where one is', { to: home, ships: { scout: 1 }, mission: 'attack' }],
  ] as const;
  for (const [what, words] of rows) {
    const { code, facts } = story.refusal(launch({ by: human, from: home, ...words }));
    t.equal(code, 'mission_not_possible', `a fleet cannot ${what}`);
    t.match(facts.reason, /\.$/, 'and the refusal says why');
  }
});

t.test('a player has a bounded number of fleets', async (t) => {
  const { story, human, home, foreign } = openScene();
  story.equip(home, { scout: FLEETS_PER_PLAYER_MAX });
  const words: LaunchWords = { by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' };
  for (let fleet = 0; fleet < FLEETS_PER_PLAYER_MAX; fleet += 1) story.does(launch(words));
  const { code, facts } = story.refusal(launch({ ...words, ships: { scout: 1_000_000 } }));
  t.equal(code, 'limit_reached', 'also before the ships are counted');
  t.same(facts.limit, { name: 'FLEETS_PER_PLAYER_MAX', maximum: FLEETS_PER_PLAYER_MAX });
  story.advance(DAY_MS);
  story.does(launch(words));
});

t.test('nobody launches from or to what does not exist', async (t) => {
  const { story, human, home, foreign, free } = openScene();
  const words: LaunchWords = { by: human, from: home, to: foreign, ships: { scout: 1 }, mission: 'espionage' };
  t.equal(story.refusal(launch({ ...words, from: NOWHERE })).code, 'planet_not_found');
  t.equal(story.refusal(launch({ ...words, to: NOWHERE })).code, 'planet_not_found');
  t.equal(story.refusal(launch({ ...words, from: free })).code, 'not_owner', 'nobody owns the origin');
});
