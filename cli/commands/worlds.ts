// galaxyd worlds: holds many worlds in memory for a program that trains agents or searches in trees. The program writes orders to
// standard input; when that ends, for whatever reason, so does this process, and nothing is left.
import { createInterface } from 'node:readline';
import { Command, Option } from 'commander';
import { killOnUncaughtException } from '../../persistence/fatal.js';
import { failureOf } from '../exit-codes.js';
import { WORLD_LINE_LENGTH_MAX } from '../limits.js';
import { FileOutput, STANDARD_OUTPUT } from '../line-output.js';
import { sharedKey } from '../shared-options.js';

const REMARKS = `
Example:
  echo '{"id":1,"action":"open","seed":7}' | galaxyd worlds --admin-key let-me-advance-time

Orders, one JSON object a line:
  {"id":1,"action":"open"}            a new world; also seed, speed, systemsPerGalaxy, rules, as for galaxyd serve
  {"id":2,"action":"fork","world":1}  a new world with the present state of another one, and its own future
  {"id":3,"action":"close","world":2}
The answer to each is one line, in order: {"id":1,"world":1,"url":"http://127.0.0.1:49152"}, or {"id":3,"error":"..."}.

Each world has a manual clock and no keys but the operator's. All of them end with standard input. The environment of the Python
client uses this: see clients/python/README.md.`;

export function worldsCommand(): Command {
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
    .action(({ adminKey }: { readonly adminKey: string }) => worlds(adminKey));
}

async function worlds(adminKey: string): Promise<void> {
  killOnUncaughtException();
  // Loaded on demand: the other subcommands do not need the server.
  const [{ HeldWorlds, OrderRefused }, { NotAnOrder, orderOf }] = await Promise.all([
    import('../worlds.js'),
    import('../world-orders.js'),
  ]);
  const held = new HeldWorlds(adminKey);
  const output = new FileOutput(STANDARD_OUTPUT);
  const answer = (body: object): void => void output.write(JSON.stringify(body));

  const carryOut = async (line: string): Promise<void> => {
    let id: number | null = null;
    try {
      if (line.length > WORLD_LINE_LENGTH_MAX) throw new NotAnOrder(null, 'the line is too long');
      const order = orderOf(line);
      id = order.id;
      answer({ id, ...(await held.carryOut(order)) });
    } catch (error) {
      if (error instanceof NotAnOrder) answer({ id: error.id, error: error.message });
      else answer({ id, error: sentenceOf(error, OrderRefused) });
    }
  };

  // One after the other, so that answers come in the order of the lines.
  for await (const line of createInterface({ input: process.stdin })) if (line !== '') await carryOut(line);
  process.exit();
}

/** @throws what is a bug */
function sentenceOf(error: unknown, refusal: new (message: string) => Error): string {
  if (error instanceof refusal) return error.message;
  const failure = failureOf(error);
  if (failure === null) throw error;
  return failure.lines.join('\n');
}
