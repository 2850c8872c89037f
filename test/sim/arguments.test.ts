// The command line of the simulation.
import { CommanderError } from 'commander';
import t from 'tap';
import { NIGHTLY_SEEDS, parseArguments, type SimulationPlan, STEPS_DEFAULT } from './arguments.js';

const BREAKAGES = ['it is broken'];

function parse(...words: string[]): SimulationPlan {
  return parseArguments(words, BREAKAGES, (command) => {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  });
}

t.test('a single seed runs alone, and many seeds run from the first one on', async (t) => {
  t.match(parse('--seed', '7', '--steps', '30'), { firstSeed: 7, seedCount: 1, steps: 30, breakage: undefined });
  t.match(parse(), { firstSeed: 1, seedCount: 100, steps: STEPS_DEFAULT, isJson: false, isStoryShown: false });
  t.match(parse('--from', '50', '--seeds', '20', '--json'), { firstSeed: 50, seedCount: 20, isJson: true });
  t.match(parse('--nightly'), { firstSeed: 1, seedCount: NIGHTLY_SEEDS });
});

t.test('the command that a failed run prints is accepted', async (t) => {
  const plan = parse('--seed', '7', '--only', '3,17,44', '--breakage', 'it is broken', '--story');
  t.match(plan, { firstSeed: 7, seedCount: 1, steps: [3, 17, 44], breakage: 'it is broken', isStoryShown: true });
});

t.test('invalid arguments are refused', async (t) => {
  for (const words of [['--seed', '-1'], ['--steps', 'many'], ['--only', '1,,2'], ['--breakage', 'no'], ['now']]) {
    t.throws(() => parse(...words), CommanderError, words.join(' '));
  }
});
