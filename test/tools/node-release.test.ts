// Every way to start galaxyd says in words that a release of Node is too old, before it loads or installs anything.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { root } from '../tidy/repository.js';

const execute = promisify(execFile);
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: { galaxyd: string } };

/** Each row: a release, and whether galaxyd runs on it. */
const RELEASES: readonly (readonly [release: string, runs: boolean])[] = [
  ['18.20.8', false],
  ['20.14.0', false],
  ['20.15.0', true],
  ['21.7.3', false],
  ['22.10.0', false],
  ['22.11.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['26.1.0', true],
];

for (const program of [bin.galaxyd, 'tools/run.mjs']) {
  t.test(`${program} names the release of Node that it needs`, async (t) => {
    const endings = RELEASES.map(([release]) => endingUnder(release, [join(root, program), '--help']));
    for (const [index, ending] of (await Promise.all(endings)).entries()) {
      const [release = '', runs] = RELEASES[index] ?? [];
      const words = `galaxyd: this is Node ${release}; galaxyd needs Node 20.15 or a later 20, 22.11 or a later 22, or 24 or later. `;
      t.equal(ending.stderr.startsWith(words), !runs, release);
      if (!runs)
        t.match(ending, {
          code: 78,
          stdout: '',
          stderr: /Install the newest of them from https:\S+, and run [^\n]+\n$/,
        });
    }
  });
}

/** Runs a program under this Node, which says that it is another release. */
async function endingUnder(release: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const versions = JSON.stringify({ ...process.versions, node: release });
  const disguise = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`;
  try {
    return { code: 0, ...(await execute(process.execPath, ['--import', disguise, ...args])) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}
