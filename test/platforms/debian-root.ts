// An empty Debian in a folder: 13 for programs that need its C library, current releases of uWebSockets.js; 12 for the steps of
// deploy/Containerfile. Only root can make and enter it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KEPT_FOLDER } from './fetched-packages.js';

const execute = promisify(execFile);

/** Folder of the system, or why there is none. */
export type DebianRoot = { readonly root: string } | { readonly missing: string };

/** Folders of the releases, which a machine for tests may keep. */
const RELEASES = { bookworm: '.debian-12', trixie: '.debian-13' } as const;

/** Makes it with debootstrap if it is not there yet. It appears under its name once it is complete. */
export async function debianRoot(release: keyof typeof RELEASES): Promise<DebianRoot> {
  const root = join(KEPT_FOLDER, RELEASES[release]);
  if (existsSync(root)) return { root };
  try {
    await execute('debootstrap', ['--variant=minbase', release, `${root}.part`], {
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    await rename(`${root}.part`, root);
    return { root };
  } catch (error) {
    return { missing: String(error).split('\n', 1)[0] ?? '' };
  }
}

/** Mounts are seen only by this process and its children, so they end with it. */
const ENTER = `
set -e
root=$1 clone=$2 node=$3 library=$4; shift 4
mkdir -p "$root/srv/galaxyd" "$root/opt/node"
mount --bind "$clone" "$root/srv/galaxyd"
mount --bind "$library" "$root/srv/galaxyd/node_modules/uWebSockets.js"
mount --bind "$node" "$root/opt/node"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/opt/node/bin:/usr/bin:/bin TEST_TRANSPORT=native \\
  sh -c 'cd /srv/galaxyd && exec node tools/run-tests.mjs "$@"' sh "$@"
`;

export interface EnteredPlaces {
  readonly root: string;
  readonly clone: string;
  /** Folder of a release of Node. */
  readonly node: string;
  /** Folder of the package that takes the place of uWebSockets.js. */
  readonly library: string;
}

/** @returns the command that runs compiled test files of a clone there, over the native transport */
export function commandIn({ root, clone, node, library }: EnteredPlaces, files: readonly string[]): [string, string[]] {
  const places = [root, clone, node, library];
  return ['unshare', ['--mount', '--propagation', 'private', 'sh', '-c', ENTER, 'sh', ...places, ...files]];
}
