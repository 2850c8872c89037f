// The sandbox of an entrant, made by bubblewrap: it can read system folders and the files of its program, write to a folder of its own
// in memory, sees no other process, and reaches nothing but its relay. Limits of a process bound its private memory.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SANDBOX_FILES_MAX, SANDBOX_FOLDER_MIB, SANDBOX_PROCESSES_MAX, SANDBOX_START_MS } from '../limits.js';
import { programAt } from './entrants.js';
import { isWithin } from './manifest.js';
import { UnfitTournament } from './result.js';

export interface Sandbox {
  /** Paths of the programs bwrap and prlimit. */
  readonly bubblewrap: string;
  readonly prlimit: string;
  /** Further folders that entrants can read. */
  readonly folders: readonly string[];
  /** Private memory of each process. */
  readonly memoryMib: number;
}

interface SandboxRequest {
  /** PATH of the environment. */
  readonly path: string;
  readonly folders: readonly string[];
  readonly memoryMib: number;
  /** Folder of the tournament, which entrants must not see. */
  readonly out: string;
}

/** What an entrant in a sandbox runs, and what of the machine it sees besides. */
interface SandboxedEntrant {
  readonly words: readonly string[];
  /** Paths of the files of its program. */
  readonly files: readonly string[];
  /** Path of the Unix socket of its relay. */
  readonly socket: string;
}

/** The folder of an entrant in its sandbox, and the URL of its game there. */
export const SANDBOX_HOME = '/entrant';
const PORT = 8080;
export const SANDBOX_SERVER = `http://127.0.0.1:${PORT}`;

/** What programs need of the system; what is missing is left out. Nothing else of /etc: it has secrets of the machine. */
const SYSTEM_PATHS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ca-certificates'],
  ...['/etc/group', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/localtime'],
  ...['/etc/nsswitch.conf', '/etc/passwd', '/etc/ssl/certs', '/etc/ssl/openssl.cnf'],
];

const OWN = '/galaxyd';
const FORWARDER = fileURLToPath(new URL('sandbox-forwarder.js', import.meta.url));
const BYTES_PER_MIB = 1024 * 1024;
const HOW = '--sandbox needs bubblewrap 0.7 or later and prlimit (on Debian: apt-get install bubblewrap util-linux)';

/** What is not bounded without a sandbox, and what is not with one. */
export const UNBOUNDED_WITHOUT = [
  'memory and processor',
  'files and network',
  'what it sees of other processes',
  'processes that share no session, environment, file and parent with it',
];
export function unboundedWith(): string[] {
  // The kernel exempts the superuser from limits of the number of processes.
  const processes = process.getuid?.() === 0 ? ['number of processes'] : [];
  // RLIMIT_DATA does not count shared mappings. RLIMIT_AS does, but fetch() of Node reserves 10 GiB of addresses.
  return ['processor', 'memory of all its processes together', 'shared memory', ...processes];
}

/**
 * Finds what a sandbox needs, and tries it.
 *
 * @throws UnfitTournament if it does not work here, with what to do
 */
export async function requireSandbox({ path, folders, memoryMib, out }: SandboxRequest): Promise<Sandbox> {
  const where = { folder: process.cwd(), path };
  const [bubblewrap, prlimit] = ['bwrap', 'prlimit'].map((name) => programAt(name, where));
  if (bubblewrap == null || prlimit == null) throw new UnfitTournament(`${HOW}; one of them is not in PATH`);
  const open = [...SYSTEM_PATHS, ...folders].find((folder) => isWithin(folder, out));
  if (open !== undefined)
    throw new UnfitTournament(`${out} cannot be used: entrants in a sandbox could read it, since they read ${open}`);
  const sandbox = { bubblewrap, prlimit, folders, memoryMib };
  const [program = '', ...rest] = sandboxed({ words: [prlimit, '--version'], files: [], socket: FORWARDER }, sandbox);
  try {
    await promisify(execFile)(program, rest, { timeout: SANDBOX_START_MS });
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    throw new UnfitTournament(`${HOW}, and a kernel that lets this user make namespaces: ${stderr.trim() || message}`);
  }
  return sandbox;
}

/** @returns program and arguments that run an entrant in a sandbox. They end with it, and everything in it ends with them */
export function sandboxed(
  { words, files, socket }: SandboxedEntrant,
  { bubblewrap, prlimit, folders, memoryMib }: Sandbox,
): string[] {
  const [program = ''] = words;
  const folderBytes = String(SANDBOX_FOLDER_MIB * BYTES_PER_MIB);
  return [
    ...[bubblewrap, '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...SYSTEM_PATHS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--remount-ro', '/dev'],
    ...[SANDBOX_HOME, '/tmp'].flatMap((path) => ['--size', folderBytes, '--tmpfs', path]),
    ...[...folders, program, ...files].flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', process.execPath, `${OWN}/node`, '--ro-bind', FORWARDER, `${OWN}/forwarder.mjs`],
    ...['--ro-bind', socket, `${OWN}/server.sock`, '--remount-ro', '/', '--chdir', SANDBOX_HOME, '--'],
    ...[`${OWN}/node`, `${OWN}/forwarder.mjs`, `${OWN}/server.sock`, String(PORT)],
    ...[prlimit, `--data=${memoryMib * BYTES_PER_MIB}`, `--nproc=${SANDBOX_PROCESSES_MAX}`],
    ...[`--nofile=${SANDBOX_FILES_MAX}`, '--core=0', '--', ...words],
  ];
}
