// What `galaxyd serve` finds out before it opens the world: whether this machine and the files that the options name are fit for it.
// `galaxyd config check` finds out the same.
import type { Rules } from '../../engine/rules/rules.js';
import { DEFAULT_RULES } from '../../engine/rules/shipped.js';
import { AdminKeys } from '../../http/admission/identity.js';
import { CONNECTIONS_MAX, RESERVED_FILES } from '../../http/limits.js';
import {
  CannotListen,
  defaultTransport,
  NativeServerMissing,
  nativeLibrary,
  type TransportKind,
} from '../../http/world-server.js';
import { CannotCreate } from '../../persistence/stores/world-store.js';
import { readAdminKeys } from '../commands/admin-key-file.js';
import type { Ending, ErrorKind } from '../commands/exit-codes.js';
import { rulesOf } from '../commands/rule-source.js';
import type { ServeOptions } from '../commands/serve.js';
import { openFilesMax } from './process.js';

/** The limit of open files is too low for the number of connections. */
class TooFewFiles extends Error {
  constructor(connections: number, filesMax: number) {
    super(
      `${connections} connections need a limit of ${connections + RESERVED_FILES} open files, and it is ${filesMax} (ulimit -n)`,
    );
  }
}

/** Refusals that only a start has. */
export const START_REFUSALS: readonly (readonly [ErrorKind, Ending])[] = [
  [CannotListen, 'failed'],
  [CannotCreate, 'unfit'],
  [NativeServerMissing, 'unfit'],
  [TooFewFiles, 'unfit'],
];

/** @throws NativeServerMissing */
export function chosenTransport({ transport = defaultTransport(), requireNative }: ServeOptions): TransportKind {
  if (transport === 'native') nativeLibrary();
  else if (requireNative) throw new NativeServerMissing();
  return transport;
}

/** @returns undefined if the options name neither a rule set nor a variation */
export async function chosenRules({ rules, vary }: ServeOptions): Promise<Rules | undefined> {
  return rules === undefined && vary === undefined ? undefined : await rulesOf(rules ?? DEFAULT_RULES.set.name, vary);
}

/** @throws TooFewFiles if the process may not open enough files for the connections */
export function connectionsMaxOf({ connections }: ServeOptions): number {
  const filesMax = openFilesMax();
  const left = filesMax - RESERVED_FILES;
  if (left < 1 || (connections !== undefined && connections > left)) throw new TooFewFiles(connections ?? 1, filesMax);
  return connections ?? Math.min(CONNECTIONS_MAX, left);
}

/** The keys of operators; null if there are none. @throws as readAdminKeys() */
export async function adminKeysOf({ adminKey, adminKeys }: ServeOptions): Promise<AdminKeys | null> {
  if (adminKey === undefined && adminKeys === undefined) return null;
  return new AdminKeys(adminKey ?? null, adminKeys === undefined ? [] : await readAdminKeys(adminKeys));
}

/** Addresses that mean all addresses of this machine. No other machine can connect to them. */
const WILDCARDS = ['', '0.0.0.0', '::', '[::]', '0:0:0:0:0:0:0:0'];

/** Why options do not go together with a store that several processes share; null if they do. */
export function shareFaultOf({ clock, host, advertise, onDowntime }: ServeOptions): string | null {
  if (onDowntime === 'pause') {
    return 'a standby takes over a world in a shared store, and its time goes on meanwhile, so --on-downtime pause needs a world in a folder';
  }
  if (clock === 'turns') return 'one process plays a game of turns, so --clock turns needs a world in a folder';
  if (advertise !== undefined || !WILDCARDS.includes(host)) return null;
  return `--host ${host} does not say where other processes send clients to; name a URL, such as --advertise http://10.0.0.5:3000`;
}

/** With whom nobody can create players. */
export function isUnattended({ registration, adminKey, adminKeys }: ServeOptions): boolean {
  return registration === 'closed' && adminKey === undefined && adminKeys === undefined;
}

/** What follows from it. */
export const UNATTENDED =
  'registration is closed and there is no admin key, so nobody can create players until a restart';
