// The command line of the bench: which scenarios it asks for, with which options. It starts nothing.
import { Argument, Command, Option } from 'commander';
import type { LoaderName } from '../loads/closed-loop.js';
import type { Run } from './run.js';
import type { OptionRow, OptionRows, Scenario } from './scenario.js';

export interface MeasuringPlan {
  readonly kind: 'measure';
  readonly parts: readonly Part[];
  readonly durability: 'durable' | 'relaxed';
  readonly loader: LoaderName | undefined;
  readonly isJson: boolean;
  /** Whether the result is added to bench/results/chosen.jsonl, to be committed. */
  readonly isChosen: boolean;
}

/** One scenario of a run. */
export interface Part {
  readonly scenario: Scenario;
  readonly wanted: Readonly<Record<string, unknown>>;
}

/** Measure, or write what was measured into the documents. */
export type BenchPlan = MeasuringPlan | { readonly kind: 'report'; readonly files: readonly string[] };

/** What is measured if no command is given. It takes the options of all of its scenarios; if they differ, those of the first one. */
export type Whole = readonly {
  readonly scenario: Scenario;
  readonly names?: readonly string[];
  readonly without?: string;
}[];

type Given = Readonly<Record<string, unknown>>;

const KEPT = {
  json: { flags: '--json', description: 'print one JSON object instead of tables', standard: false },
  choose: {
    flags: '--choose',
    description: 'also keep the result in bench/results/chosen.jsonl, to be committed',
    standard: false,
  },
} as const satisfies OptionRows;

/**
 * @param words the command line without the program
 * @param prepare changes how commander ends and prints; for tests
 * @throws CommanderError if commander does not end the process, which it does on wrong arguments and --help
 */
export function parseCommandLine(
  words: readonly string[],
  scenarios: readonly Scenario[],
  whole: Whole,
  prepare: (command: Command) => void = () => {},
): BenchPlan {
  let plan: BenchPlan | undefined;
  const measure = (given: Given, parts: readonly Part[]) => {
    const { durability = 'durable', loader, json = false, choose = false } = given as Partial<Kept>;
    plan = { kind: 'measure', parts, durability, loader, isJson: json, isChosen: choose };
  };
  const program = new Command('bench')
    .description('Measures galaxyd: units, end to end beside its peers, and latency at a fixed rate.')
    .showHelpAfterError('(--help lists the options)')
    .enablePositionalOptions();
  prepare(program);
  const { names: _, ...options }: OptionRows = Object.assign(
    {},
    ...whole.map((part) => part.scenario.options).reverse(),
  );
  takeOptions(program, options).action((given: Given) => measure(given, wholeParts(whole, given)));
  for (const scenario of scenarios) {
    const command = program.command(scenario.command).description(scenario.description);
    takeOptions(command, scenario.options).action((...passed: readonly unknown[]) => {
      const operands = command.registeredArguments.map((argument, index) => [argument.name(), passed[index]]);
      const given = { ...command.opts(), ...Object.fromEntries(operands) };
      measure(given, [{ scenario, wanted: wantedOf(scenario.options, given) }]);
    });
  }
  program
    .command('report')
    .description('writes results into docs/performance.md; the chosen ones by default')
    .argument('[files...]')
    .action((files: string[]) => {
      plan = { kind: 'report', files };
    });
  program.parse([...words], { from: 'user' });
  if (plan === undefined) throw new Error('commander ran no action');
  return plan;
}

interface Kept extends Pick<MeasuringPlan, 'durability' | 'loader'> {
  readonly json: boolean;
  readonly choose: boolean;
}

/** How many steps measureParts() reports. */
export function stepsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { scenario, wanted }) => sum + scenario.steps(wanted), 0);
}

export async function measureParts(parts: readonly Part[], run: Run): Promise<void> {
  for (const { scenario, wanted } of parts) await scenario.measure(run, wanted);
}

function wholeParts(whole: Whole, given: Given): Part[] {
  return whole.map(({ scenario, names, without = '' }) => {
    const wanted = wantedOf(scenario.options, { ...given, [without]: undefined, names });
    return { scenario, wanted };
  });
}

function wantedOf(options: OptionRows, given: Given): Given {
  return Object.fromEntries(Object.entries(options).map(([name, row]) => [name, chosenOf(row, given[name], given)]));
}

function chosenOf(row: OptionRow<unknown>, value: unknown, given: Given): unknown {
  const isGiven = value !== undefined && !(Array.isArray(value) && row.choices !== undefined && value.length === 0);
  if (!isGiven) return given['full'] === true && row.full !== undefined ? row.full : row.standard;
  // Names are measured in the order of the table, however they are given.
  return Array.isArray(value) && row.choices !== undefined ? row.choices.filter((name) => value.includes(name)) : value;
}

function takeOptions(command: Command, options: OptionRows): Command {
  for (const row of Object.values({ ...options, ...KEPT } as OptionRows)) {
    const { flags, description, choices, standard } = row;
    const isShown = standard !== undefined && standard !== false && standard !== '' && standard !== choices;
    const shown = isShown ? ` (default: ${String(standard)})` : '';
    const isOption = flags.startsWith('-');
    const made = isOption ? new Option(flags, `${description}${shown}`) : new Argument(flags, `${description}${shown}`);
    if (choices !== undefined) made.choices(choices);
    else if (row.parse !== undefined) made.argParser(row.parse);
    if (made instanceof Option) command.addOption(made);
    else command.addArgument(made);
  }
  return command;
}
