// Why one player had more points than another: which differences are named, in which order, and in which words.
import t from 'tap';
import type { PlayerFacts } from '../../../cli/play/game-facts.js';
import { gameTime, REASONS_MAX, reasonsFor } from '../../../cli/play/game-reasons.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const EVEN: PlayerFacts = {
  name: 'ada',
  points: [1, 2, 3, 4],
  pointsFor: { buildings: 4, ships: 0, battles: 0 },
  commands: {},
  planets: 2,
  secondPlanetMs: 0,
  isSecondPlanetFree: true,
  production: { iron: 1000 },
  stocks: { iron: 1000 },
  buildings: { iron_mine: 10 },
  research: {},
  ships: {},
  launches: {},
  idleShare: 0.5,
  unusedShare: 0.25,
};

const reasons = (ahead: Partial<PlayerFacts>, behind: Partial<PlayerFacts>): string[] =>
  reasonsFor({ ...EVEN, ...ahead }, { ...EVEN, name: 'bob', ...behind }, DAY_MS);

t.test('each difference has its sentence', async (t) => {
  for (const [ahead, behind, sentence] of [
    [{}, { secondPlanetMs: 6 * HOUR_MS }, 'ada took its free second planet at 00:00:00, bob at 06:00:00.'],
    [
      { secondPlanetMs: HOUR_MS / 3, isSecondPlanetFree: false },
      { secondPlanetMs: null },
      'ada took its second planet at 00:20:00, bob never had one.',
    ],
    [{ planets: 3 }, { planets: 1 }, 'ada had 3 planets, bob 1 planet.'],
    [
      { production: { iron: 2000, h2: 500 } },
      { production: { iron: 1000, h2: 600 } },
      'ada produced 2,500 units an hour at the end, bob 1,600; most of all iron: 2,000 and 1,000.',
    ],
    [{ buildings: { iron_mine: 20 } }, {}, 'ada had 20 levels of buildings, bob 10; most of all iron_mine: 20 and 10.'],
    [{ research: { mining: 2 } }, {}, 'ada had 2 levels of research, bob 0; most of all mining: 2 and 0.'],
    [{ ships: { scout: 2 } }, {}, 'ada ordered 2 ships, bob 0; most of all scout: 2 and 0.'],
    [{ launches: { attack: 2 } }, {}, 'ada launched 2 fleets, bob 0; most of all attack: 2 and 0.'],
    [{ pointsFor: { ...EVEN.pointsFor, ships: 9 } }, {}, 'ada had 9 points in ships, bob 0.'],
    [{ pointsFor: { ...EVEN.pointsFor, battles: 9 } }, {}, 'ada had 9 points for what it destroyed, bob 0.'],
    [{ idleShare: 0.25 }, {}, 'The planets of bob stood idle for 50 % of the time, those of ada for 25 %.'],
    [
      {},
      { unusedShare: 0.5 },
      'The planets of bob stood idle for 50 % of the time although they could pay for a building, those of ada for 25 %.',
    ],
    [{}, { stocks: { iron: 4000 } }, 'bob left 4,000 units unspent, ada 1,000.'],
  ] as const satisfies readonly (readonly [Partial<PlayerFacts>, Partial<PlayerFacts>, string])[]) {
    t.same(reasons(ahead, behind), [sentence]);
  }
});

t.test('the largest comes first; what is small, or speaks for the other one, is left out', async (t) => {
  t.same(reasons({}, {}), []);
  t.same(reasons({ production: { iron: 1052 } }, {}), [], 'less than 5 %');
  t.same(
    reasons({}, { production: { iron: 2000 }, idleShare: 0.1, unusedShare: 0, stocks: {}, research: { mining: 1 } }),
    [],
  );
  const ordered = reasons(
    { planets: 4, research: { mining: 10 } },
    { planets: 2, research: { mining: 1 }, idleShare: 0.7 },
  );
  t.same(
    ordered.map((sentence) => sentence.match(/research|planets|unspent|of the time/)?.[0]),
    ['research', 'planets', 'planets'],
  );
  t.match(ordered[2], /stood idle for 70 %/);
  const more = {
    pointsFor: { buildings: 0, ships: 9, battles: 9 },
    ships: { scout: 1 },
    launches: { attack: 1 },
    research: { mining: 1 },
  };
  const all = reasons(
    { ...more, planets: 9, production: { iron: 9000 }, buildings: { iron_mine: 90 }, idleShare: 0 },
    {},
  );
  t.equal(all.length, REASONS_MAX);
});

t.test('times count from the beginning of the game, also beyond a day', async (t) => {
  t.equal(gameTime(0), '00:00:00');
  t.equal(gameTime(26 * HOUR_MS + 61_999), '26:01:01');
});
