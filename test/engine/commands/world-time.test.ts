// The time of a world never runs backwards: not from entry to entry, and not within a tick, which fires each timer at
// its own deadline. The test watches every instant that the real engine sets, and so every instant that a handler sees.

import t from 'tap';
import { TIMERS_PER_TICK } from '../../../engine/rules/limits.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { ReadonlyWorld } from '../../../engine/world/state.js';
import { research } from '../../support/command-words.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { chooseCommand, chooseWaitMs, listedChoice, settleBots } from '../../support/random-play.js';
import { loadRows, MINUTE_MS, WorldStory } from '../../support/world-story.js';

/** Every instant that a world's time is set to from now on. */
function watch(world: ReadonlyWorld): number[] {
  let nowMs = world.nowMs;
  const instants: number[] = [];
  Object.defineProperty(world, 'nowMs', {
    get: () => nowMs,
    set: (toMs: number) => {
      instants.push(toMs);
      nowMs = toMs;
    },
  });
  return instants;
}

function requireForward(fromMs: number, instants: readonly number[]): void {
  let latestMs = fromMs;
  for (const toMs of instants) {
    if (toMs < latestMs) throw new Error(`the time of the world runs backwards from ${latestMs} to ${toMs}`);
    latestMs = toMs;
  }
}

t.test('whatever happens, the time of a world runs forward, and a refusal leaves it where it was', async (t) => {
  const moves = fc.array(fc.array(fc.nat(1_000_000), { minLength: 12, maxLength: 12 }), {
    maxLength: 150,
    size: 'max',
  });
  let deadlines = 0;
  let refusals = 0;
  fc.assert(
    fc.property(fc.constantFrom(1000, 500, 60_000), fc.nat(1000), moves, (speedThousandths, seed, moves) => {
      const story = new WorldStory({ speedThousandths, seed, systemsPerGalaxy: 2 });
      settleBots(story, 8);
      const instants = watch(story.world);
      for (const numbers of moves) {
        const choose = listedChoice(numbers);
        const startMs = story.world.nowMs;
        story.advance(chooseWaitMs(story, choose));
        requireForward(startMs, instants);
        deadlines += instants.filter((atMs) => atMs < story.nowMs).length;
        instants.length = 0;
        const beforeMs = story.world.nowMs;
        const isRefused = isRefusal(story.attempt(chooseCommand(story.world, choose)));
        if (!isRefused) requireForward(beforeMs, instants);
        else if (story.world.nowMs !== beforeMs) throw new Error('a refusal moved the time of the world');
        refusals += isRefused ? 1 : 0;
        instants.length = 0;
      }
    }),
    { numRuns: 60, seed: drawSeed(t) },
  );
  t.ok(deadlines > 1000 && refusals > 100, `${deadlines} deadlines within ticks, ${refusals} refusals`);
});

t.test(
  'a full tick stops the time at the next deadline, and so does a world that is loaded at that point',
  async (t) => {
    const players = TIMERS_PER_TICK + 100;
    const story = new WorldStory();
    story.does({ type: 'create_players', count: players, namePrefix: 'bot', keyHashes: [], namePrefixKey: 'bot' });
    // Half of the remaining timers are due a minute later.
    for (let number = 1; number <= players; number += 1) {
      if (number === players - 50) story.advance(MINUTE_MS);
      story.does(research({ number }, 'drive_ion'));
    }
    const { engine, world } = story;
    const firstMs = engine.nextDeadlineMs();
    const atMs = story.nowMs + 10 * MINUTE_MS;
    const startMs = world.nowMs;
    const instants = watch(world);
    engine.apply(atMs, { type: 'advance_time' });
    t.equal(engine.nowMs, atMs, 'the entry itself keeps its own instant');
    t.equal(world.nowMs, firstMs);
    t.equal(engine.nextDeadlineMs(), firstMs);

    const loaded = loadRows(engine.rows());
    t.equal(loaded.world.nowMs, firstMs);
    const loadedInstants = watch(loaded.world);
    for (const one of [engine, loaded]) one.apply(atMs, { type: 'advance_time' });
    requireForward(startMs, instants);
    requireForward(firstMs, loadedInstants);
    t.ok(loadedInstants.includes(firstMs + MINUTE_MS), 'with deadlines before the last entry');
    t.same([world.nowMs, loaded.world.nowMs], [atMs, atMs]);
    t.equal(loaded.stateHash(), engine.stateHash());
  },
);
