// Loads the native part of uWebSockets.js: the file in the installed package that is built for this platform and release of Node. It
// never imports the package itself: one variant of it would then fall back to a JavaScript server of its own. Nothing is loaded before
// somebody asks, so a server with --transport javascript never runs code of the library.

import type * as uws from 'uWebSockets.js';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { shownText } from '../../../text/foreign-text.js';
import { HEAD_BYTES_MAX } from '../../limits.js';
import type { TransportKind } from '../transport.js';

export type { HttpRequest, HttpResponse, us_listen_socket, us_socket_context_t, WebSocket } from 'uWebSockets.js';

/** What is used of the library. */
export type NativeLibrary = Pick<typeof uws, 'App' | 'DISABLED' | 'us_listen_socket_close' | 'us_socket_local_port'>;

/** The library, or why it did not load. */
type Outcome = { readonly library: NativeLibrary } | { readonly reason: string };

/** Where a package has its builds, seen from its folder: official releases, and the package from npm. */
const BUILD_FOLDERS = ['.', 'binaries'];
const ADVICE =
  'For the native server, run Node 20, or on Node 22 or 24 install a release from GitHub, which needs glibc 2.38: ' +
  'npm install uWebSockets.js@uNetworking/uWebSockets.js#v20.57.0 (see docs/operating.md).';

/** Null until somebody asks for the library. */
let outcome: Outcome | null = null;

/** The native server is needed, but it did not load or was not asked for. */
export class NativeServerMissing extends Error {
  override readonly name = 'NativeServerMissing';

  constructor() {
    super(`the native part of uWebSockets.js ${absence()}. ${ADVICE}`);
  }
}

/** @throws NativeServerMissing */
export function nativeLibrary(): NativeLibrary {
  outcome ??= load();
  if ('reason' in outcome) throw new NativeServerMissing();
  return outcome.library;
}

/** Native if the library loads. */
export function defaultTransport(): TransportKind {
  outcome ??= load();
  return 'library' in outcome ? 'native' : 'javascript';
}

/** Shown at start and in GET /api/status if Node's own HTTP server handles the requests. */
export function javascriptServerHint(): string {
  return `It is correct but slower than uWebSockets.js, whose native part ${absence()}. ${ADVICE}`;
}

function absence(): string {
  return outcome !== null && 'reason' in outcome ? `did not load (${outcome.reason})` : 'was not asked for';
}

function load(): Outcome {
  const require = createRequire(import.meta.url);
  const folder = packageFolder(require);
  if (folder === null) return { reason: 'the package is not installed' };
  const { arch, platform, versions } = process;
  const name = `uws_${platform}_${arch}_${versions.modules}.node`;
  const path = BUILD_FOLDERS.map((each) => join(folder, each, name)).find(existsSync);
  if (path === undefined) return { reason: `the installed package has no ${name}` };
  // Current releases read their limit when they are loaded. It is 4 KiB by default.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(HEAD_BYTES_MAX);
  try {
    return { library: require(path) as NativeLibrary };
  } catch (error) {
    // Anybody may read the status, so the folder is not shown.
    return { reason: shownText(String(error).replaceAll(join(folder, '/'), '')) };
  }
}

/** Official releases hide their package.json, so the folder is found from the main file. Null if there is none. */
function packageFolder(require: NodeJS.Require): string | null {
  try {
    let folder = dirname(require.resolve('uWebSockets.js'));
    while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
    return folder;
  } catch {
    return null;
  }
}
