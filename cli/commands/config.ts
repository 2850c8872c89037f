// galaxyd config: looks at the configuration file of a server.
import { Command } from 'commander';
import type { ConfigCheck, Setting } from '../serve/config-check.js';
import { printResult, runToExitCode } from './command.js';
import { EXIT_CODES } from './exit-codes.js';
import { faultText } from './operator-file.js';

interface CheckFlags {
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  galaxyd config check /etc/galaxyd/galaxyd.toml
  galaxyd config check ./galaxyd.toml --json

It starts nothing and opens no world: whether the world has another seed is seen at a start. Variables of the environment count as
they do for galaxyd serve.`;

/** @param check looks at a file */
export function configCommand(check: (file: string) => Promise<ConfigCheck>): Command {
  const command = new Command('config')
    .description('Looks at the configuration file of a server.')
    .addHelpText('after', EXAMPLES);
  command
    .command('check <file>')
    .description(
      `Prints what galaxyd serve --config would run with, and what is wrong; exit code ${EXIT_CODES.unfit.code} if anything is.`,
    )
    .allowExcessArguments(false)
    .option('--json', 'print JSON, for programs')
    .action((file: string, flags: CheckFlags) =>
      runToExitCode('config check', async () => show(await check(file), flags)),
    );
  return command;
}

function show(check: ConfigCheck, flags: CheckFlags): void {
  printResult(flags, check, () => linesOf(check));
  if (!check.isSound) process.exitCode = EXIT_CODES.unfit.code;
}

function linesOf({ file, isSound, settings, faults, warnings }: ConfigCheck): string[] {
  return [
    ...settings.map(settingLine),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...faults.map((fault) => `fault: ${faultText(fault)}`),
    isSound ? `${file} is sound` : `${file} is not sound`,
  ];
}

function settingLine({ option, value, source, meaning }: Setting): string {
  const shown = value === null ? `(${meaning ?? 'none'})` : JSON.stringify(value);
  return `${option} = ${shown}${source === 'default' ? '' : `  # from the ${source}`}`;
}
