#!/usr/bin/env node
// The command line: reads flags and environment, and dispatches to one file per subcommand. It contains nothing of the
// game.
import { Command } from 'commander';
import { VERSION } from '../http/version.js';
import { copyCommand } from './commands/copy.js';
import { logCommand } from './commands/log.js';
import { mcpCommand } from './commands/mcp.js';
import { promoteCommand } from './commands/promote.js';
import { type ReplayOptions, replayCommand } from './commands/replay.js';
import { forkCommand, restoreCommand } from './commands/restore.js';
import { rulesCommand } from './commands/rules.js';
import { snapshotCommand } from './commands/snapshot.js';
import { snapshotsCommand } from './commands/snapshots.js';
import { statusCommand } from './commands/status.js';
import { type SwarmFlags, swarmCommand } from './commands/swarm.js';
import { type TournamentFlags, tournamentCommand, type VerifyFlags } from './commands/tournament.js';
import { verifyCommand } from './commands/verify.js';
import { worldsCommand } from './commands/worlds.js';
import { EXIT_CODES } from './exit-codes.js';
import { printLines, tellLines } from './line-output.js';
import { type ServeOptions, serveCommand } from './serve-options.js';
import { usageLines } from './shared-options.js';

/** Loaded on demand: the other subcommands do not need the server, and start faster without it. */
async function serve(options: ServeOptions): Promise<void> {
  await (await import('./serve.js')).serve(options);
}

async function replay(options: ReplayOptions): Promise<void> {
  await (await import('./replay.js')).replay(options);
}

const TOURNAMENT = {
  tournament: async (flags: TournamentFlags) => (await import('./tournament.js')).tournament(flags),
  verify: async (folder: string, flags: VerifyFlags) => (await import('./tournament.js')).verify(folder, flags),
};
async function swarm(flags: SwarmFlags): Promise<void> {
  await (await import('./swarm.js')).swarm(flags);
}

const COMMANDS = [
  serveCommand(serve),
  replayCommand(replay),
  snapshotCommand(),
  snapshotsCommand(),
  restoreCommand(),
  forkCommand(),
  copyCommand(),
  verifyCommand(),
  statusCommand(),
  promoteCommand(),
  logCommand(),
  rulesCommand(),
  tournamentCommand(TOURNAMENT),
  mcpCommand(),
  worldsCommand(),
  swarmCommand(swarm),
];

const program = new Command('galaxyd')
  .description('A self-hosted, multiplayer space-conquest world that is played by programs over a REST API.')
  .version(VERSION)
  // What follows the name of a subcommand is its own.
  .enablePositionalOptions()
  .configureOutput({
    writeOut: (text) => printLines(text.trimEnd().split('\n')),
    outputError: (text) => tellLines(usageLines(text)),
  })
  .showHelpAfterError('(see galaxyd --help and galaxyd COMMAND --help)')
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? EXIT_CODES.done.code : EXIT_CODES.usage.code);
  });
for (const command of COMMANDS) {
  program.addCommand(command.copyInheritedSettings(program));
  for (const part of command.commands) part.copyInheritedSettings(program);
}
program.addHelpText(
  'after',
  `\nExit codes:\n${Object.values(EXIT_CODES)
    .map(({ code, meaning }) => `  ${String(code).padStart(2)}  ${meaning}`)
    .join('\n')}`,
);

await program.parseAsync();
