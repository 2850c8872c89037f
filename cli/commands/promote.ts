// galaxyd promote: makes the leader of a shared world hand over to a standby.
import { type Command, Option } from 'commander';
import { type Promotion, promote } from '../../persistence/replication/promotion.js';
import { storeAt } from '../../persistence/store-url.js';
import { operatorCommand, printResult, runToExitCode, withSignals } from './command.js';
import { WrongUsage } from './exit-codes.js';
import { storeUrl } from './options.js';

const NAME = 'promote';

interface PromoteFlags {
  readonly data: string;
  readonly to?: string;
  readonly json?: true;
}

export function promoteCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Makes the leader of a world hand over to a standby, without a failed command.',
    examples: [
      'galaxyd promote --data postgres://galaxyd@db.example/world',
      'galaxyd promote --data postgres://galaxyd@db.example/world --to http://10.0.0.2:3000',
    ],
    remarks:
      'The leader accepts no new commands, finishes those that it has, and becomes a standby; then the standby leads. Commands\n' +
      'wait meanwhile. The subcommand ends when the standby leads. If the leader is gone, a standby takes over by itself, and\n' +
      'there is nothing to promote. galaxyd status lists the processes that serve a world.',
  })
    .addOption(
      new Option('--data <url>', 'where the world is kept, such as postgres://galaxyd@db.example/world')
        .argParser(storeUrl)
        .env('GALAXYD_DATA')
        .makeOptionMandatory(),
    )
    .option('--to <member>', 'id or URL of the standby (default: the one that has applied most)')
    .action((flags: PromoteFlags) => runToExitCode(NAME, () => run(flags)));
}

async function run(flags: PromoteFlags): Promise<void> {
  const { leadership, label } = storeAt(flags.data);
  if (leadership === null) throw new WrongUsage(`only one process can serve the world in ${label}; it has no standby`);
  try {
    const promotion = await withSignals(
      (signal) => promote(leadership, { ...(flags.to === undefined ? {} : { to: flags.to }), signal, label }),
      'it was interrupted, and the request is withdrawn',
    );
    const { leader, before, epoch, durationMs } = promotion;
    const result = { leader, before, epoch, durationMs: Math.round(durationMs) };
    printResult(flags, result, () => [sentence(promotion)]);
  } finally {
    await leadership.close();
  }
}

function sentence({ leader, before, epoch, durationMs }: Promotion): string {
  if (before === null) return `${leader.url} leads already (epoch ${epoch})`;
  return `${leader.url} leads (epoch ${epoch}); ${before.url} handed over in ${Math.round(durationMs)} ms`;
}
