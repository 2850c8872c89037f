// Checks whether the installed uWebSockets.js has a native build for this platform and release of Node. It does not
// import the package: one variant of it would then fall back to a JavaScript server.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TransportKind } from '../transport.js';

export const hasNativeBuild: boolean = findBuild();
export const DEFAULT_TRANSPORT: TransportKind = hasNativeBuild ? 'native' : 'javascript';

function findBuild(): boolean {
  const { arch, platform, versions } = process;
  const file = `uws_${platform}_${arch}_${versions.modules}.node`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('uWebSockets.js/package.json'));
    return existsSync(join(folder, file)) || existsSync(join(folder, 'binaries', file));
  } catch {
    return false;
  }
}

/** Shown at start and in GET /api/status if Node's own HTTP server handles the requests. */
export const JAVASCRIPT_SERVER_HINT =
  'It is correct but slower than uWebSockets.js. The installed package has builds for Node 20 only. ' +
  'For the native server, run Node 20 or install the official release: ' +
  'npm install uWebSockets.js@uNetworking/uWebSockets.js#v20.67.0 (see README).';
