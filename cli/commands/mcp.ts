// galaxyd mcp: lets a language model play one player of a running galaxyd, over the Model Context Protocol.
import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { VERSION } from '../../http/version.js';
import { protocolOutput, tellLines } from '../output/lines.js';
import { runToExitCode } from './command.js';
import { WrongUsage } from './exit-codes.js';
import { API_KEY_VARIABLE, ENTRANT_KEY_VARIABLE, PLAYER_VARIABLE, SERVER_VARIABLE, serverUrl } from './options.js';

const NAME = 'mcp';

interface Options {
  readonly server: string;
  readonly player: string;
  readonly keyFile?: string;
}

const REMARKS = `
Examples:
  galaxyd mcp --server http://127.0.0.1:3000 --player player-1
  galaxyd mcp --server https://galaxy.example.org --player player-1 --key-file ./ada.key

The host of a language model starts it and speaks to it over standard input and output; docs/mcp.md shows how. A world with
--auth key needs the API key of the player: in a file, or in the variable ${API_KEY_VARIABLE}. It cannot be an argument, since other
users of the machine can read those. An entrant of a tournament has the variable ${ENTRANT_KEY_VARIABLE}, which is read as well.`;

export function mcpCommand(): Command {
  return new Command(NAME)
    .description('Lets a language model play, over the Model Context Protocol on standard input and output.')
    .allowExcessArguments(false)
    .addOption(
      new Option('--server <url>', 'URL of the galaxyd server')
        .default('http://127.0.0.1:3000')
        .argParser(serverUrl)
        .env(SERVER_VARIABLE),
    )
    .addOption(new Option('--player <id>', 'player that it acts for').makeOptionMandatory().env(PLAYER_VARIABLE))
    .option('--key-file <file>', `file with the API key of the player; else ${API_KEY_VARIABLE}`)
    .addHelpText('after', REMARKS)
    .action((options: Options) => runToExitCode(NAME, () => mcp(options)));
}

async function mcp({ server, player, keyFile }: Options): Promise<void> {
  const apiKey = keyFile === undefined ? keyOfEnvironment() : (await readFile(keyFile, 'utf8')).trim();
  if (apiKey !== null && !/^[!-~]+$/.test(apiKey)) {
    throw new WrongUsage(`${keyFile ?? API_KEY_VARIABLE} does not hold an API key`);
  }
  // Loaded on demand: the other subcommands do not need the protocol.
  const { serveMcp } = await import('../../mcp/server.js');
  const settings = { serverUrl: server, playerId: player, apiKey, version: VERSION };
  serveMcp(settings, process.stdin, protocolOutput(), ({ message }) => tellLines([`galaxyd ${NAME}: ${message}`]));
  // Idle connections to the server would keep the process alive for some seconds.
  process.stdin.once('close', () => process.exit());
  tellLines([`galaxyd ${NAME} acts for ${player} at ${server}`]);
}

function keyOfEnvironment(): string | null {
  return process.env[API_KEY_VARIABLE] ?? process.env[ENTRANT_KEY_VARIABLE] ?? null;
}
