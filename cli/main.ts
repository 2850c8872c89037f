#!/usr/bin/env node
// The command line: reads flags and environment, and hands over to one file a subcommand. It holds nothing of the game.
import { Command } from 'commander';
import { VERSION } from '../http/version.js';
import { serve } from './serve.js';
import { serveCommand } from './serve-options.js';

const EXIT_USAGE = 2;

const program = new Command('galaxyd')
  .description('A self-hosted, multiplayer space-conquest world that is played by programs over a REST API.')
  .version(VERSION)
  .showHelpAfterError('(galaxyd --help and galaxyd serve --help tell what there is)')
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE);
  });
program.addCommand(serveCommand(serve).copyInheritedSettings(program));

await program.parseAsync();
