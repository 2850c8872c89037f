// Refuses releases of Node that galaxyd does not run on, in words: without it they fail with a stack trace. It is loaded by those
// releases, so it uses only what they have.

import { readFileSync } from 'node:fs';

/** The exit code for what trying again does not help. */
const UNFIT = 78;

/** Ends the process with a message if this release of Node is none of `engines` in package.json. */
export function requireNodeRelease() {
  const release = process.versions.node;
  /** @type {{ engines: { node: string } }} */
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const ranges = engines.node.split(' || ').map(rangeOf);
  const [major, minor] = numbersOf(release);
  if (ranges.some((range) => range.has(major, minor))) return;
  console.error(
    `galaxyd: this is Node ${release}; galaxyd needs Node ${ranges.map(({ words }) => words).join(', ')}. ` +
      `Install the newest of them from https://nodejs.org/en/download, and run the same command again.`,
  );
  process.exit(UNFIT);
}

/** @param {string} text `^20.15`, or `>=24` */
function rangeOf(text) {
  const [, operator, first] = /^(\^|>=)(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (first === undefined) throw new Error(`package.json has engines that ${import.meta.url} does not read: ${text}`);
  const [firstMajor, firstMinor] = numbersOf(first);
  const isOneMajor = operator === '^';
  return {
    words: isOneMajor ? `${first} or a later ${firstMajor}` : `or ${first} or later`,
    /**
     * @param {number} major
     * @param {number} minor
     */
    has: (major, minor) => (major === firstMajor ? minor >= firstMinor : !isOneMajor && major > firstMajor),
  };
}

/**
 * @param {string} text such as `20.15.1`
 * @returns {[major: number, minor: number]}
 */
function numbersOf(text) {
  const [major = 0, minor = 0] = text.split('.').map(Number);
  return [major, minor];
}
