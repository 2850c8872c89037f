// The version of this program, from its package.json.
import { createRequire } from 'node:module';

/** dist/http/version.js is two folders below package.json. */
const packageFile = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

export const VERSION = packageFile.version;
