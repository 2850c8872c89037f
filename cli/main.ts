// The command line: the list of subcommands, their help and their exit codes. Read next: commands/promote.ts, a short subcommand.
//   commands/  options and help of each subcommand, and its work if that is short; command.ts, options.ts and exit-codes.ts are shared
//   serve/     processes that serve: a world, the past of a world, many worlds in memory
//   play/      swarms, tournaments and trials of bots: connects the arena with the server
//   output/    lines, log lines and progress
import { Command } from 'commander';
import { BUILD } from '../http/version.js';
import { adminCommand } from './commands/admin.js';
import { adminKeyCommand } from './commands/admin-key.js';
import { auditCommand } from './commands/audit.js';
import { botCommand } from './commands/bot.js';
import { configCommand } from './commands/config.js';
import { copyCommand } from './commands/copy.js';
import { EXIT_CODES } from './commands/exit-codes.js';
import { logCommand } from './commands/log.js';
import { mcpCommand } from './commands/mcp.js';
import { usageLines } from './commands/options.js';
import { promoteCommand } from './commands/promote.js';
import { replayCommand } from './commands/replay.js';
import { forkCommand, restoreCommand } from './commands/restore.js';
import { rulesCommand } from './commands/rules.js';
import { serveCommand } from './commands/serve.js';
import { snapshotCommand, snapshotsCommand } from './commands/snapshots.js';
import { statusCommand } from './commands/status.js';
import { swarmCommand } from './commands/swarm.js';
import { tournamentCommand } from './commands/tournament.js';
import { verifyCommand } from './commands/verify.js';
import { worldsCommand } from './commands/worlds.js';
import { printLines, tellLines } from './output/lines.js';

/** In the order of the help text. What needs the server or the arena is loaded on demand, so the other subcommands start faster. */
const COMMANDS = [
  serveCommand(async (options) => (await import('./serve/live-world.js')).serve(options)),
  configCommand(async (file) => (await import('./serve/config-check.js')).checkConfig(file)),
  adminKeyCommand(),
  replayCommand(async (options) => (await import('./serve/past-world.js')).replay(options)),
  snapshotCommand(),
  snapshotsCommand(),
  restoreCommand(),
  forkCommand(),
  copyCommand(),
  verifyCommand(),
  statusCommand(),
  promoteCommand(),
  logCommand(),
  auditCommand(),
  adminCommand(async (...request) => (await import('./serve/operator-request.js')).adminRequest(...request)),
  rulesCommand(),
  tournamentCommand({
    play: async (flags) => (await import('./play/tournament-run.js')).tournament(flags),
    verify: async (folder, flags) => (await import('./play/tournament-run.js')).verify(folder, flags),
    table: async (folder, flags) => (await import('./play/tournament-run.js')).table(folder, flags),
  }),
  botCommand({
    create: async (folder, flags) => (await import('./play/bot-folder.js')).createBot(folder, flags),
    try: async (folder, flags) => (await import('./play/bot-trial.js')).tryBot(folder, flags),
  }),
  mcpCommand(),
  worldsCommand(async (adminKey) => (await import('./serve/held-worlds.js')).serveWorlds(adminKey)),
  swarmCommand(async (flags) => (await import('./play/swarm-run.js')).swarm(flags)),
];

const program = new Command('galaxyd')
  .description('A self-hosted, multiplayer space-conquest world that is played by programs over a REST API.')
  .version(BUILD)
  // Options after the name of a subcommand belong to the subcommand.
  .enablePositionalOptions()
  .configureOutput({ writeOut: (text) => printLines(text.trimEnd().split('\n')) })
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? EXIT_CODES.done.code : EXIT_CODES.usage.code);
  });
for (const command of COMMANDS) {
  program.addCommand(command.copyInheritedSettings(program));
  for (const part of command.commands) reportWrongUse(part.copyInheritedSettings(program), `galaxyd ${command.name()}`);
  reportWrongUse(command, 'galaxyd');
}
reportWrongUse(program, '');
const exitCodes = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padStart(2)}  ${meaning}`);
program.addHelpText('after', `\nExit codes:\n${exitCodes.join('\n')}`);

/** Makes a wrong command line end with a sentence and the usage of its subcommand. @param parent the words before its name */
function reportWrongUse(command: Command, parent: string): void {
  const words = `${parent} ${command.name()}`.trim();
  command
    .configureOutput({ outputError: (text) => tellLines(usageLines(text, command)) })
    .showHelpAfterError(`(usage: ${words} ${command.usage()}; see ${words} --help)`);
}

await program.parseAsync();
