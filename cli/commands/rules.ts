// galaxyd rules: lists, shows, checks and compares rule sets.
import { Command, Option } from 'commander';
import type { Rules } from '../../engine/rules/rules.js';
import { SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { obstacleToSwitch } from '../../engine/rules/succession.js';
import { type RulesIdentity, rulesIdentity, rulesLabel } from '../../persistence/rules/stored-rules.js';
import { printLines } from '../output/lines.js';
import { printResult, runToExitCode } from './command.js';
import { EXIT_CODES, RuleSetUnsound } from './exit-codes.js';
import { integer } from './options.js';

interface Options {
  readonly json?: true;
  /** Seed. */
  readonly vary?: number;
}

const EXAMPLES = `
Examples:
  galaxyd rules list
  galaxyd rules show standard-2 > mine.json
  galaxyd rules show standard-2 --vary 7 > instance.json
  galaxyd rules check mine.json
  galaxyd rules diff standard-2 mine.json
  galaxyd serve --data ./new-world --rules mine.json

A built-in rule set is given by its name, any other one by its file. POST /api/admin/rules switches the rule set of a
running world.`;

export function rulesCommand(): Command {
  const command = new Command('rules')
    .description('Lists, shows, checks and compares rule sets.')
    .addHelpText('after', EXAMPLES);
  part(command, 'list', 'Lists the built-in rule sets.').action((options: Options) =>
    runToExitCode('rules list', async () => list(options)),
  );
  part(command, 'show <rules>', 'Prints a rule set as JSON.')
    .addOption(
      new Option('--vary <seed>', 'with other numbers and names, drawn from this seed').argParser(
        integer(0, Number.MAX_SAFE_INTEGER),
      ),
    )
    .action((source: string, { vary }: Options) =>
      runToExitCode('rules show', async () =>
        printLines(JSON.stringify((await rulesOf(source, vary)).set, null, 2).split('\n')),
      ),
    );
  part(command, 'check <rules>', 'Reports what is wrong with a rule set; exit code 1 if anything is.').action(
    (source: string, options: Options) => runToExitCode('rules check', () => check(source, options)),
  );
  part(
    command,
    'diff <before> <after>',
    'Reports the differences, and whether a world can be switched from one to the other.',
  ).action((before: string, after: string, options: Options) =>
    runToExitCode('rules diff', () => diff(before, after, options)),
  );
  return command;
}

/** Adds a subcommand of `galaxyd rules`. @param usage its name and arguments */
function part(command: Command, usage: string, summary: string): Command {
  return command
    .command(usage)
    .description(summary)
    .allowExcessArguments(false)
    .option('--json', 'print JSON, for programs');
}

/** Loads the schema checks on demand: the other subcommands start faster without them. */
async function rulesOf(source: string, variation?: number): Promise<Rules> {
  return (await import('./rule-source.js')).rulesOf(source, variation);
}

function list(options: Options): void {
  printResult(options, SHIPPED_RULES.map(rulesIdentity), () => SHIPPED_RULES.map(rulesLabel));
}

async function check(source: string, options: Options): Promise<void> {
  try {
    const rules = await rulesOf(source);
    printResult(options, { isSound: true, rules: rulesIdentity(rules), faults: [] }, () => [
      `${rulesLabel(rules)} is sound`,
    ]);
  } catch (error) {
    if (!(error instanceof RuleSetUnsound)) throw error;
    printResult(options, { isSound: false, rules: null, faults: error.faults }, () => error.lines);
    process.exitCode = EXIT_CODES.failed.code;
  }
}

interface Difference {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  /** Null if only the other rule set has it. */
  readonly before: unknown;
  readonly after: unknown;
}

async function diff(beforeSource: string, afterSource: string, options: Options): Promise<void> {
  const [before, after] = [await rulesOf(beforeSource), await rulesOf(afterSource)];
  const differences = differencesOf(before.set, after.set, '');
  const obstacle = obstacleToSwitch(before.set, after.set);
  const identities: readonly RulesIdentity[] = [rulesIdentity(before), rulesIdentity(after)];
  printResult(options, { rules: identities, differences, canSwitch: obstacle === null, obstacle }, () =>
    sentences(before, after, differences, obstacle),
  );
}

function sentences(before: Rules, after: Rules, differences: readonly Difference[], obstacle: string | null): string[] {
  return [
    `${rulesLabel(before)} and ${rulesLabel(after)}`,
    ...differences.map((each) => `  ${each.path}: ${JSON.stringify(each.before)} -> ${JSON.stringify(each.after)}`),
    differences.length === 0
      ? 'They are the same.'
      : obstacle === null
        ? 'A running world can be switched from the first to the second.'
        : `A running world cannot be switched from the first to the second. ${obstacle}`,
  ];
}

/** Lists where two JSON values differ, down to the depth at which their shapes differ. */
function differencesOf(before: unknown, after: unknown, path: string): Difference[] {
  if (Object.is(before, after)) return [];
  if (!isContainer(before) || !isContainer(after)) return [{ path, before: before ?? null, after: after ?? null }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => differencesOf(before[key], after[key], `${path}/${key}`));
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
