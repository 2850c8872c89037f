// The speed of a world changes while it is played: nothing that was produced or promised is lost, and replays agree.

import t from 'tap';
import { hourlyThousandths, stockThousandths } from '../../../engine/planets/stocks.js';
import { anyMoves, playAudited } from '../../support/audited-play.js';
import { buildingIndex } from '../../support/command-words.js';
import { Ledger } from '../../support/ledger.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { settleBots } from '../../support/random-play.js';
import { HOUR_MS, loadRows, openScene, replay, WorldStory, written } from '../../support/world-story.js';

const moves = anyMoves({ minLength: 10, maxLength: 60 });
const speed = fc.constantFrom(1, 370, 1_000, 2_000, 60_000);

t.test('production and new durations follow the new speed; what is produced or in progress stays', async (t) => {
  const { story, home, human } = openScene();
  const iron = () => stockThousandths(story.world, home, 0, story.nowMs);
  const hourly = hourlyThousandths(story.world, home, 0);
  const startMs = story.nowMs;
  const before = iron();
  story.does({ type: 'start_research', playerNumber: human.number, researchType: 0 });
  const finishAtMs = human.research?.finishAtMs;
  const spent = before - iron();
  story.advance(HOUR_MS / 100);
  t.equal(iron(), before - spent + hourly / 100);
  story.does({ type: 'set_speed', speedThousandths: 2_000 });
  t.equal(iron(), before - spent + hourly / 100, 'the same instant');
  t.equal(human.research?.finishAtMs, finishAtMs, 'a promised instant');
  story.advance(HOUR_MS / 100);
  t.equal(iron(), before - spent + hourly / 100 + hourly / 50);
  const upgrade = { type: 'upgrade_building', planetKey: home.key, buildingType: buildingIndex('iron_mine') } as const;
  story.does(upgrade);
  t.equal((home.upgrade?.finishAtMs ?? 0) - story.nowMs, 120_000, 'half of the four minutes');
  story.does({ type: 'set_speed', speedThousandths: 2_000 });
  t.ok(story.nowMs > startMs);
});

t.test(
  'in any game, at any moment: no stock changes, and the world is the same from its log and its rows',
  async (t) => {
    fc.assert(
      fc.property(fc.nat(1000), speed, moves, moves, (seed, speedThousandths, before, after) => {
        const story = new WorldStory({ seed, systemsPerGalaxy: 2 });
        const ledger = new Ledger(story);
        settleBots(story, 6);
        playAudited(ledger, before);
        ledger.advanceTo(story.nowMs);
        const stocks = () => JSON.stringify([...story.world.planets.values()].map((planet) => story.stocks(planet)));
        const [held, timers] = [stocks(), story.world.timers.size];
        if (!ledger.attempt({ type: 'set_speed', speedThousandths })) throw new Error('it was refused');
        if (stocks() !== held) throw new Error('stocks have changed');
        if (story.world.timers.size !== timers) throw new Error('timers have changed');
        playAudited(ledger, after);
        for (const engine of [loadRows(written([...story.engine.rows()])), replay(written(story.entries))]) {
          if (engine.stateHash() !== story.engine.stateHash()) throw new Error('the worlds differ');
        }
      }),
      { numRuns: 20, seed: drawSeed(t) },
    );
  },
);
