// What a row of the table of tools is, and how tools are run.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PackageName } from './packages.js';

export const TRANSPORTS = ['native', 'javascript'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What a tool gets. */
export interface Trial {
  /** The release of Node that tools of npm run on. */
  readonly node: string;
  /** Folder of each package of the tool. */
  readonly folderOf: (name: PackageName) => string;
  /** Path of the program of the tool, if it is one of the machine. */
  readonly program: string;
  /** An empty folder. */
  readonly folder: string;
  /** Paths of the documents of the world. */
  readonly openApi: string;
  readonly asyncApi: string;
  /** URL of the world, which has no keys and a manual clock. */
  readonly url: string;
  /** A new player of it, with its only planet. */
  readonly playerId: string;
  readonly planetId: string;
  readonly adminKey: string;
}

export interface Tool {
  readonly packages?: readonly PackageName[];
  /** A program of the machine, with the arguments that print its version, and the package of Debian that has it. */
  readonly program?: { readonly name: string; readonly versionArgs: readonly string[]; readonly debian: string };
  /** Version of a tool that is a development package of the repository. */
  readonly version?: string;
  /** A tool that only reads documents is tried once. */
  readonly reads: 'documents' | 'server';
  /** Why it cannot work over a transport. */
  readonly impossible?: Readonly<Partial<Record<Transport, string>>>;
  /** @returns what was seen. @throws Error if it finds a fault */
  readonly run: (trial: Trial) => Promise<string>;
}

/** With this flag of Node a driver finds packages that are not its own. */
export const RESOLVE = '--experimental-import-meta-resolve';
/** A hang becomes a failure after this. */
const DEADLINE_MS = 180_000;
const OUTPUT_MAX = 64 * 1_024 * 1_024;
/** Characters of the output of a tool that failed. */
const SHOWN_LENGTH = 300;

/** @returns what a program prints. @throws Error with the end of what it printed, if it fails */
export async function outputOf(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const options = {
    ...(cwd === undefined ? {} : { cwd }),
    env: plainEnvironment(),
    timeout: DEADLINE_MS,
    maxBuffer: OUTPUT_MAX,
  };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const said = `${stdout}\n${stderr}`.trim() || message;
    throw new Error(said.replaceAll(/\s+/g, ' ').slice(-SHOWN_LENGTH));
  }
}

/** Without what the test runner adds, and with nothing reported to the makers of a tool. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|_?TAP|NODE_OPTIONS$|GALAXYD_)/.test(name));
  return { ...Object.fromEntries(own), ARTILLERY_DISABLE_TELEMETRY: 'true', DO_NOT_TRACK: '1' };
}
