// The version of this program, from its package.json, and the commit that it was built from.
import { createRequire } from 'node:module';

/** dist/http/version.js is two folders below package.json. */
const packageFile = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

export const VERSION = packageFile.version;

/** The version with its commit, as Semantic Versioning 2.0.0, section 10, has it: `0.1.0+1a2b3c4d`. Only the version if nobody knows the commit. */
export const BUILD: string = buildOf(VERSION);

function buildOf(version: string): string {
  try {
    // Written by tools/build.mjs.
    const { commit } = createRequire(import.meta.url)('../build.json') as { readonly commit: string };
    return commit === '' ? version : `${version}+${commit}`;
  } catch {
    return version;
  }
}
