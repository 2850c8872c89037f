// galaxyd worlds: serves many worlds in memory, for a program that trains agents or searches in trees.
import { Command, Option } from 'commander';
import { sharedKey } from './options.js';

const REMARKS = `
Example:
  echo '{"id":1,"action":"open","seed":7}' | galaxyd worlds --admin-key let-me-advance-time

Orders, one JSON object a line:
  {"id":1,"action":"open"}            a new world; also seed, speed, systemsPerGalaxy, rules, as for galaxyd serve
  {"id":2,"action":"fork","world":1}  a new world with the present state of another one, and its own future
  {"id":3,"action":"close","world":2}
The answer to each is one line, in order: {"id":1,"world":1,"url":"http://127.0.0.1:49152"}, or {"id":3,"error":"..."}.

Each world has a manual clock and no keys except the operator's. All of them end with standard input. The environment of the Python
client uses this: see clients/python/README.md.`;

/** @param run serves until standard input ends */
export function worldsCommand(run: (adminKey: string) => Promise<void>): Command {
  return new Command('worlds')
    .description('Serves many worlds in memory from one process, for training.')
    .allowExcessArguments(false)
    .addOption(
      new Option('--admin-key <key>', 'moves the clocks of all worlds')
        .argParser(sharedKey)
        .makeOptionMandatory()
        .env('GALAXYD_ADMIN_KEY'),
    )
    .addHelpText('after', REMARKS)
    .action(({ adminKey }: { readonly adminKey: string }) => run(adminKey));
}
