// galaxyd admin: the options of the subcommand that sends an operator's request to a server. Its operations are those of the route table.
import { Command, Option } from 'commander';
import { runToExitCode } from './command.js';
import { ADMIN_KEY_VARIABLE, SERVER_VARIABLE, serverUrl } from './options.js';

export interface AdminFlags {
  readonly server: string;
  readonly keyFile?: string;
  readonly body?: string;
  readonly set: readonly string[];
  readonly json?: true;
}

const REMARKS = `
Examples:
  galaxyd admin
  galaxyd admin suspendPlayer player-7
  galaxyd admin renamePlayer player-7 --set name='player seven'
  galaxyd admin blockAddress --set address=203.0.113.7 --set seconds=3600
  galaxyd admin listPlayers --set sort=activity --set limit=10
  galaxyd admin switchRules --body "$(cat next.json)"

Without an operation it lists all of them with their parameters. --set names a member of the body, or a parameter of the query of a read;
its value is JSON if it can be read as such, else text. The key is read from a file, or from the variable ${ADMIN_KEY_VARIABLE}. It cannot be
an argument, since other users of the machine can read those.`;

/** @param send is loaded on demand: it needs the table of routes */
export function adminCommand(
  send: (operation: string | undefined, parameters: readonly string[], flags: AdminFlags) => Promise<void>,
): Command {
  return new Command('admin')
    .description('Sends a request of the operator to a running server, or lists those that there are.')
    .argument('[operation]', 'operation id, such as suspendPlayer')
    .argument('[parameters...]', 'parameters of its path, in their order')
    .addOption(
      new Option('--server <url>', 'URL of the galaxyd server')
        .default('http://127.0.0.1:3000')
        .argParser(serverUrl)
        .env(SERVER_VARIABLE),
    )
    .option('--key-file <file>', `file with the admin key; else ${ADMIN_KEY_VARIABLE}`)
    .option('--body <json>', 'body of the request as JSON')
    .option(
      '--set <name=value>',
      'a member of the body, or of the query',
      (text: string, before: string[]) => [...before, text],
      [],
    )
    .option('--json', 'print the reply as one line of JSON, for programs')
    .addHelpText('after', REMARKS)
    .action((operation: string | undefined, parameters: readonly string[], flags: AdminFlags) =>
      runToExitCode('admin', () => send(operation, parameters, flags)),
    );
}
