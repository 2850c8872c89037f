// galaxyd admin-key: makes and lists keys of operators.
import { Argument, Command, Option } from 'commander';
import { ADMIN_KEY_KINDS, type AdminKey, type AdminKeyKind, newApiKey } from '../../http/admission/identity.js';
import { ADMIN_KEYS_MAX } from '../../http/limits.js';
import { tellLines } from '../output/lines.js';
import { ADMIN_KEY_NAMES, adminKeyName, appendAdminKey, readAdminKeys } from './admin-key-file.js';
import { printResult, runToExitCode } from './command.js';
import { KeyNotMade, WrongUsage } from './exit-codes.js';

interface Flags {
  readonly adminKeys: string;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  galaxyd admin-key new alice --admin-keys /etc/galaxyd.admin-keys
  galaxyd admin-key new grafana --kind read --admin-keys /etc/galaxyd.admin-keys
  galaxyd admin-key list --admin-keys /etc/galaxyd.admin-keys

A server that was started with --admin-keys reads the file again on SIGHUP. To take a key away, delete its line and send the
signal. The file has only hashes: who has lost a key needs a new one.`;

export function adminKeyCommand(): Command {
  const command = new Command('admin-key')
    .description('Makes and lists keys of operators.')
    .addHelpText('after', EXAMPLES);
  part(command, 'new', 'Makes a key, prints it once, and appends its hash to the file.')
    .addArgument(new Argument('<name>', 'whose key it is'))
    .addOption(
      new Option('--kind <kind>', 'full: may do everything; read: sees everything, and changes nothing')
        .choices(ADMIN_KEY_KINDS)
        .default('full'),
    )
    .action((name: string, flags: Flags & { readonly kind: AdminKeyKind }) =>
      runToExitCode('admin-key new', () => make(name, flags)),
    );
  part(command, 'list', 'Lists the names and kinds of the keys.').action((flags: Flags) =>
    runToExitCode('admin-key list', () => list(flags)),
  );
  return command;
}

function part(command: Command, name: string, summary: string): Command {
  return command
    .command(name)
    .description(summary)
    .allowExcessArguments(false)
    .addOption(new Option('--admin-keys <file>', 'file of the keys').env('GALAXYD_ADMIN_KEYS').makeOptionMandatory())
    .option('--json', 'print JSON, for programs');
}

async function make(name: string, flags: Flags & { readonly kind: AdminKeyKind }): Promise<void> {
  const { adminKeys: path, kind } = flags;
  if (adminKeyName(name) === null) throw new WrongUsage(`the name of a key must be ${ADMIN_KEY_NAMES}`);
  const keys = await keysOrNone(path);
  if (keys.some((key) => key.name === name)) throw new KeyNotMade(`${path} has a key of ${name} already`);
  if (keys.length >= ADMIN_KEYS_MAX) throw new KeyNotMade(`${path} has as many keys as it may: ${ADMIN_KEYS_MAX}`);
  const { key, hash } = newApiKey();
  await appendAdminKey(path, { name, kind, hash });
  printResult(flags, { name, kind, key }, () => [key]);
  if (flags.json === undefined) {
    tellLines([`This is the only time that the key of ${name} is shown. A running server takes it after SIGHUP.`]);
  }
}

/** A file that is missing will be made. */
async function keysOrNone(path: string): Promise<readonly AdminKey[]> {
  try {
    return await readAdminKeys(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function list(flags: Flags): Promise<void> {
  const keys = await readAdminKeys(flags.adminKeys);
  const shown = keys.map(({ name, kind }) => ({ name, kind }));
  printResult(flags, { keys: shown }, () => shown.map(({ name, kind }) => `${name} ${kind}`));
}
