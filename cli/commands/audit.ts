// galaxyd audit: prints what operators have done, from the trail beside a world.
import type { Command } from 'commander';
import { type AuditRecord, recordsOf } from '../../http/admission/audit.js';
import { storeAt } from '../../persistence/store-url.js';
import { type OperatorOptions, operatorCommand, printResult, runToExitCode } from './command.js';
import { dataOption } from './options.js';

const NAME = 'audit';

export function auditCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Prints what operators have done, the oldest first.',
    examples: [
      'galaxyd audit --data ./data',
      "galaxyd audit --data ./data --json | jq -c '.[] | select(.key == null)'",
    ],
    remarks:
      'It reads the trail beside the world, with or without a running server: each action with the admin key except for reads, and\n' +
      'requests that tried one without it. The trail is bounded, and outlives the log of the world, in which seq is the entry that an\n' +
      'action caused. A restored, forked or copied world begins a trail of its own.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode(NAME, () => print(options)));
}

async function print(options: OperatorOptions): Promise<void> {
  const store = storeAt(options.data);
  await store.requireWorld();
  const records = (await recordsOf(store.operatorRecords())).reverse();
  printResult(options, records, () =>
    records.length === 0 ? [`no action of an operator is recorded in ${store.label}`] : records.map(sentence),
  );
}

function sentence({ at, key, address, method, path, body, status, code, seq, unrecorded }: AuditRecord): string {
  const parts = [
    at,
    key ?? '(no key)',
    address,
    `${method} ${path}`,
    ...(body === null || body === '{}' ? [] : [body]),
    `${status ?? 'no reply'}${code === null ? '' : ` ${code}`}`,
    ...(seq === null ? [] : [`seq ${seq}`]),
    ...(unrecorded === undefined ? [] : [`after ${unrecorded} more that are not recorded`]),
  ];
  return parts.join('  ');
}
