// The engine carries out a build order exactly as computed: the same levels at the same times, the same stocks.
import t from 'tap';
import type { Planet } from '../../../arena/bot.js';
import { buildOrderFor, buildOrderOf } from '../../../arena/bots/support/build-order.js';
import { growingOf } from '../../../arena/bots/support/growth.js';
import { hourlyThousandths } from '../../../engine/planets/stocks.js';
import { RESOURCES } from '../../../engine/rules/resources.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { type PlanStep, packStep } from '../../../engine/terms/plan-step.js';
import { DAY_MS, firstPlanet, HOUR_MS, WorldStory } from '../../support/world-story.js';
import { catalogOf } from '../support/catalog.js';

const catalog = catalogOf(STANDARD_2_RULES);

const NOW = '2000-01-01T00:00:00.000Z';

t.test('the engine carries out a plan exactly as its build order says, day after day', async (t) => {
  const story = new WorldStory({ rules: STANDARD_2_RULES.text });
  const home = firstPlanet(story.bot('ada'));
  const priorities = { weights: [], outputHours: 400, wanted: [], shares: catalog.buildings.map(() => 0.1) };
  for (let day = 0; day < 5; day += 1) {
    const [iron = 0, silver = 0, ember = 0, h2 = 0, energy = 0] = story.stocks(home);
    const production = named(RESOURCES.map((_, resource) => hourlyThousandths(story.world, home, resource) / 1000));
    const stock = { iron, silver, ember, h2, energy, production };
    const buildings = catalog.buildings.map(({ type }, index) => {
      const isUpgraded = home.upgrade?.buildingType === index;
      const upgradeFinishAt = new Date(Date.parse(NOW) + (home.upgrade?.finishAtMs ?? 0) - story.nowMs).toISOString();
      return { type, level: home.levels[index] ?? 0, constructionQueue: isUpgraded ? [{ upgradeFinishAt }] : [] };
    });
    const growing = growingOf(catalog, NOW, { ...stock, buildings } as unknown as Planet, stock);
    const { steps } = buildOrderOf(catalog, growing, { priorities, hours: 24, stepsMax: 50 });
    t.ok(steps.length > 3, `${steps.length} steps`);
    const plan = steps.map(({ building, level }): PlanStep => {
      return { action: level === 1 ? 'construct' : 'upgrade', buildingType: building };
    });
    story.does({
      type: 'put_plan',
      planetKey: home.key,
      isSkipping: false,
      longerThanMs: null,
      launches: [],
      steps: plan.map(packStep),
    });
    const startMs = story.nowMs;
    for (const { building, level, endsAt } of steps) {
      if (endsAt > 24) continue;
      // A minute, since the build order begins with whole units.
      story.advanceTo(startMs + Math.ceil(endsAt * HOUR_MS) + 60_000);
      t.ok((home.levels[building] ?? 0) >= level, `${catalog.buildings[building]?.type} reaches level ${level}`);
    }
    story.advanceTo(startMs + DAY_MS);
  }
});

t.test('a build order keeps what is wanted for something else', async (t) => {
  const production = hourlyOn(catalog.buildings.map((_, index) => (index < 6 ? 5 : 0)));
  const stock = { iron: 1_000, silver: 1_000, ember: 0, h2: 0, energy: 500, production };
  const buildings = catalog.buildings.slice(0, 6).map(({ type }) => ({ type, level: 5, constructionQueue: [] }));
  const growing = growingOf(catalog, NOW, { ...stock, buildings } as unknown as Planet, stock);
  const priorities = { weights: [], outputHours: 400, wanted: [], shares: [] };
  const cost = [3_000, 1_500, 0, 0, 100];

  const part = buildOrderFor(catalog, growing, { cost, hours: 12 }, { priorities, hours: 12, stepsMax: 50 });
  if (part === null) throw new Error('nothing can be kept');
  const { stock: left, production: made } = part.after;
  t.ok(part.steps.length > 0);
  t.ok(
    cost.every((units, index) => (left[index] ?? 0) + (12 - part.hours) * (made[index] ?? 0) + 1 >= units),
    String(left),
  );
  t.equal(buildOrderFor(catalog, growing, { cost, hours: 0.1 }, { priorities, hours: 12, stepsMax: 50 }), null);
});

/** What a planet makes in an hour. */
function hourlyOn(levels: readonly number[]) {
  const made = catalog.buildings.reduce<number[]>(
    (sum, { outputsPerHour }, index) => {
      const output = outputsPerHour[(levels[index] ?? 0) - 1] ?? [];
      return sum.map((units, resource) => units + (output[resource] ?? 0));
    },
    [0, 0, 0, 0, 0],
  );
  return named(made);
}

function named([iron = 0, silver = 0, ember = 0, h2 = 0, energy = 0]: readonly number[]) {
  return { iron, silver, ember, h2, energy };
}
