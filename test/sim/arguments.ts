// The command line of the simulation: which seeds, how many steps, and the form of the output.
import { Command, Option } from 'commander';
import { wholeNumber, wholeNumbers } from '../../bench/option-values.js';
import { RUN_KINDS, type RunKind } from './kinds.js';

const SEED_MAX = 999_999_999;
const STEPS_MAX = 1_000_000;
export const STEPS_DEFAULT = 500;
export const NIGHTLY_SEEDS = 10_000;

export interface SimulationPlan {
  readonly firstSeed: number;
  readonly seedCount: number;
  /** Steps from 0 on, or only those that are listed. */
  readonly steps: number | readonly number[];
  readonly kind: RunKind;
  /** Name of a breakage that is put in; undefined for the shipped parts. */
  readonly breakage: string | undefined;
  readonly isJson: boolean;
  readonly isStoryShown: boolean;
}

interface Flags {
  readonly seed?: number;
  readonly from: number;
  readonly seeds?: number;
  readonly nightly: boolean;
  readonly steps: number;
  readonly only?: number[];
  readonly kind: RunKind;
  readonly breakage?: string;
  readonly json: boolean;
  readonly story: boolean;
}

/**
 * @param words the command line without the program
 * @param breakages names that --breakage knows
 * @param prepare changes how commander ends and prints; for tests
 * @throws CommanderError if commander does not end the process, which it does on wrong arguments and --help
 */
export function parseArguments(
  words: readonly string[],
  breakages: readonly string[],
  prepare: (command: Command) => void = () => {},
): SimulationPlan {
  const program = new Command('sim')
    .description(
      'Runs the engine, the log, recovery and snapshots on a simulated clock and disk, or several processes on a ' +
        'simulated shared store, with faults drawn from a seed.',
    )
    .showHelpAfterError('(--help lists the options)')
    .allowExcessArguments(false)
    .addOption(new Option('--seed <number>', 'runs this seed alone').argParser(wholeNumber(0, SEED_MAX)))
    .addOption(new Option('--from <number>', 'first of many seeds').default(1).argParser(wholeNumber(0, SEED_MAX)))
    .addOption(new Option('--seeds <count>', 'number of seeds, 100 by default').argParser(wholeNumber(1, SEED_MAX)))
    .addOption(new Option('--nightly', `${NIGHTLY_SEEDS} seeds`).default(false))
    .addOption(
      new Option('--steps <count>', 'steps of each run').default(STEPS_DEFAULT).argParser(wholeNumber(0, STEPS_MAX)),
    )
    .addOption(
      new Option('--only <list>', 'only these steps, as a failed run prints them').argParser(
        wholeNumbers(0, STEPS_MAX),
      ),
    )
    .addOption(
      new Option('--kind <kind>', 'one process on its disk, or several on a shared store')
        .choices(RUN_KINDS)
        .default('single'),
    )
    .addOption(new Option('--breakage <name>', 'breaks something on purpose').choices(breakages))
    .addOption(new Option('--story', 'prints everything that happens').default(false))
    .addOption(new Option('--json', 'prints one JSON object').default(false))
    .addHelpText(
      'after',
      '\nExamples:\n  npm run sim -- --seed 7 --steps 400   one seed\n  npm run sim -- --seeds 1000           seeds 1 to 1000\n' +
        '  npm run sim -- --kind shared          several processes on a shared store\n' +
        '  npm run sim -- --nightly              what runs at night\n\nExit code: 0 all promises kept, 1 a promise was broken.',
    );
  prepare(program);
  program.parse([...words], { from: 'user' });
  const { seed, from, seeds, nightly, steps, only, kind, breakage, json, story } = program.opts<Flags>();
  return {
    firstSeed: seed ?? from,
    seedCount: seed === undefined ? (seeds ?? (nightly ? NIGHTLY_SEEDS : 100)) : 1,
    steps: only ?? steps,
    kind,
    breakage,
    isJson: json,
    isStoryShown: story,
  };
}
