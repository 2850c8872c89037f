// A fork in memory is the same world with its own future, whatever happens in either.
import t from 'tap';
import { MemoryWorld } from '../../persistence/memory-world.js';
import { createPlayers } from '../support/opened-world.js';
import { chooseCommand, seededChoice } from '../support/random-play.js';
import { SUPPORTED_RULES } from '../support/supported-rules.js';
import { HOUR_MS } from '../support/world-story.js';

/** Every kind of row appears in as many steps. */
const STEPS = 400;

/** Plays at random: what is done depends only on the world and the seed. */
function play({ engine, sequencer }: MemoryWorld, seed: number, steps: number): void {
  const choose = seededChoice(seed);
  for (let step = 0; step < steps; step += 1) {
    sequencer.submit(chooseCommand(engine.world, choose));
    if (step % 4 === 0) sequencer.advanceTo(engine.nowMs + 1 + choose(HOUR_MS));
  }
}

t.test('a fork goes on as the other world would have', async (t) => {
  const world = await MemoryWorld.begin({ seed: 3, systemsPerGalaxy: 2, speed: 100 });
  world.sequencer.submit(createPlayers(6, 'bot'));
  for (const planet of world.engine.world.planets.values()) {
    const amounts = [1e6, 1e6, 1e6, 1e6, 1e5];
    world.sequencer.submit({ type: 'grant_resources', planetKey: planet.key, amounts });
  }
  for (let round = 1; round <= 3; round += 1) {
    play(world, round, STEPS);
    const fork = await world.fork();
    const before = world.engine.stateHash();
    t.equal(fork.engine.stateHash(), before, `round ${round}`);
    t.equal(fork.sequencer.readNow(), world.sequencer.readNow());
    play(fork, 100 + round, STEPS);
    t.not(fork.engine.stateHash(), before);
    t.equal(world.engine.stateHash(), before, 'the fork shares nothing with it');
    play(world, 100 + round, STEPS);
    t.equal(world.engine.stateHash(), fork.engine.stateHash());
    await fork.close();
  }
  t.ok(world.engine.world.fleets.size + world.engine.world.eventLog.recordedCount > STEPS, 'something has happened');
  await world.close();
});

t.test(
  'a fork has the fleets that are stationed, and they fight and fly home there as in the other world',
  async (t) => {
    const world = await MemoryWorld.begin({ seed: 4, systemsPerGalaxy: 1, speed: 100, rules: SUPPORTED_RULES });
    world.sequencer.submit(createPlayers(6, 'bot'));
    for (const planet of world.engine.world.planets.values()) {
      const amounts = [1e6, 1e6, 1e6, 1e6, 1e5];
      world.sequencer.submit({ type: 'grant_resources', planetKey: planet.key, amounts });
    }
    const stationed = () => [...world.engine.world.fleets.values()].filter(({ isStationed }) => isStationed);
    for (let round = 1; stationed().length < 2; round += 1) play(world, round, STEPS);
    const fork = await world.fork();
    t.equal(fork.engine.stateHash(), world.engine.stateHash());
    for (const { number } of stationed()) t.equal(fork.engine.world.fleets.get(number)?.isStationed, true);
    for (const each of [fork, world]) play(each, 7, STEPS);
    t.equal(world.engine.stateHash(), fork.engine.stateHash());
    for (const each of [fork, world]) await each.close();
  },
);

t.test('settings out of range are refused', async (t) => {
  await t.rejects(MemoryWorld.begin({ speed: -1 }), RangeError);
});
