// `npm run platforms`: tries each supported release of Node as a new user would, and a current release of uWebSockets.js where it can be
// loaded. It exits with 1 if something fails.
import { Command, Option } from 'commander';
import { Progress } from '../../bench/runner/progress.js';
import { tableText } from '../../bench/runner/table.js';
import { withOwner } from '../support/process/with-owner.js';
import { debianRoot } from './debian-root.js';
import { CURRENT_LIBRARY, fetched, NODES } from './fetched-packages.js';
import { TRIES, tryPlatform } from './platform.js';

const MAJORS = Object.keys(NODES);

const { node, tests, json } = new Command('platforms')
  .description(
    'Clones the last commit for each release of Node. Runs there the two commands of the README, and by themselves the tests of the ' +
      'clients, of the contract, of attacks, and of the native server over a current release of uWebSockets.js. That needs root and ' +
      "Debian's package debootstrap, with which a Debian 13 is made in dist/. Packages come from npm.",
  )
  .addOption(new Option('--node <major...>', 'releases of Node').choices(MAJORS).default(MAJORS))
  .option('--tests <file...>', 'test files for npm test, instead of all of them', [])
  .option('--json', 'prints JSON', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ node: (keyof typeof NODES)[]; tests: string[]; json: boolean }>();

process.exitCode = await withOwner(async (owner) => {
  const progress = new Progress(node.length * TRIES.length, process.stderr, 'platforms');
  progress.step('packages and a Debian 13', 0);
  const library = await fetched(CURRENT_LIBRARY);
  const debian = await debianRoot('trixie');
  const rows: Record<string, string>[] = [];
  let faults = 0;
  for (const major of node) {
    const { version } = NODES[major];
    const release = await fetched(NODES[major]);
    if ('missing' in release) {
      rows.push({ node: version, [TRIES[0]]: release.missing });
      faults += 1;
      continue;
    }
    const outcomes = await tryPlatform(owner, {
      node: release.folder,
      tests,
      library,
      debian,
      onTry: (name) => progress.step(`Node ${version}: ${name}`),
    });
    rows.push({ node: version, ...Object.fromEntries(outcomes.map(({ text }, index) => [TRIES[index], text])) });
    faults += outcomes.filter(({ isFault }) => isFault).length;
  }
  progress.end();
  console.log(json ? JSON.stringify({ faults, rows }, null, 2) : tableText(rows));
  return faults === 0 ? 0 : 1;
});
