// Prints how large and how entangled the repository is: `npm run check -- --structure`. It changes nothing.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { circlesOf, importGraph, roomsOf } from './import-graph.mjs';
import { inRepository, repository } from './repository.mjs';
import { filesOfKeyedUpgrade } from './upgrade-path.mjs';

/** The interface whose fields handlers get. */
const HANDLED = { file: 'http/game/game-ports.ts', name: 'GamePorts' };
/** Folders whose files must not need each other in circles. */
const LAYERED = /^(engine|http|persistence)(\/|$)/;

const { json, verbose } = parseArgs({
  options: { structure: { type: 'boolean' }, json: { type: 'boolean' }, verbose: { type: 'boolean', short: 'v' } },
}).values;

/** @typedef {[title: string, value: number | string, names?: string[] | undefined]} Row */

/** @param {string[]} options @param {string} [input] */
const git = (options, input) =>
  execFileSync('git', options, { cwd: repository, encoding: 'utf8', input, maxBuffer: 2 ** 26 }).split('\0');
const textOf = (/** @type {string} */ path) => readFileSync(inRepository(path), 'utf8');

const tracked = git(['ls-files', '-z']).filter(Boolean);
/** Those that .gitattributes calls generated. The lock file is npm's own. */
const generated = new Set(
  git(['check-attr', '-z', '--stdin', 'linguist-generated'], tracked.join('\0'))
    .flatMap((path, index, fields) => (index % 3 === 0 && fields[index + 2] === 'set' ? [path] : []))
    .filter((path) => path !== 'package-lock.json'),
);
const sources = tracked.filter((path) => /\.(tsx?|mjs|py)$/.test(path) && !generated.has(path));
const isTest = (/** @type {string} */ path) => /(^|\/)tests?\//.test(path);
const program = sources.filter((path) => !isTest(path));
const programFiles = new Set(program);
const imports = importGraph(program);
const circles = circlesOf(imports);
const large = circles.filter(({ length }) => length > 5);
const rooms = roomsOf(imports);
const pairs = pairsOf(rooms);
const layers = new Map([...rooms].filter(([room]) => LAYERED.test(room)));
const roomCircle = circlesOf(layers)[0] ?? [];
const path = await filesOfKeyedUpgrade();

/** @type {Row[]} */
const rows = [
  ['source files outside tests', program.length],
  ['lines of code outside tests', sum(program.map(linesOfCode))],
  ['lines of code in tests', sum(sources.filter(isTest).map(linesOfCode))],
  ['generated lines in git', sum([...generated].map((file) => textOf(file).split('\n').length - 1)), [...generated]],
  ['largest circle of files, types counted', circles[0]?.length ?? 0, circles[0]],
  ['circles of more than 5 files', large.length, large.map((circle) => circle.join(' '))],
  ['pairs of folders that need each other, types counted', pairs.length, pairs],
  ['those in engine, http, persistence', pairs.filter((pair) => LAYERED.test(pair)).length],
  ['largest circle of folders in engine, http, persistence', roomCircle.length, roomCircle],
  ['chapters of docs/decisions', tracked.filter((file) => /^docs\/decisions\/\d+-.*\.md$/.test(file)).length],
  ['fields of the object that handlers get', fieldsOf(HANDLED).length, fieldsOf(HANDLED)],
  ['files that an upgrade with a key passes', path.length, path],
];
if (json) {
  const values = rows.map(([title, value, names]) => [title, names === undefined ? value : { value, names }]);
  console.log(JSON.stringify(Object.fromEntries(values), null, 2));
} else {
  for (const [title, value, names = []] of rows) {
    console.log(`${title.padEnd(56)}${String(value).padStart(7)}`);
    if (verbose) for (const name of names) console.log(`  ${name}`);
  }
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Lines that hold more than white space and comments. Docstrings of Python are comments.
 * @param {string} path
 */
function linesOfCode(path) {
  const text = textOf(path);
  if (path.endsWith('.py')) {
    const bare = text.replace(/^[ \t]*[rf]?"""[\s\S]*?"""[ \t]*$/gm, '');
    return bare.split('\n').filter((line) => !/^\s*(#|$)/.test(line)).length;
  }
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Set<number>} */
  const lines = new Set();
  const lineOf = (/** @type {number} */ position) => file.getLineAndCharacterOfPosition(position).line;
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    if (node.getWidth(file) === 0) return;
    for (let line = lineOf(node.getStart(file)); line <= lineOf(node.end); line += 1) lines.add(line);
  };
  visit(file);
  const texts = text.split('\n');
  return [...lines].filter((line) => texts[line]?.trim() !== '').length;
}

/** @param {Map<string, string[]>} graph */
function pairsOf(graph) {
  return [...graph].flatMap(([one, needed]) =>
    needed.filter((other) => one < other && graph.get(other)?.includes(one)).map((other) => `${one} ${other}`),
  );
}

/**
 * The fields of an interface.
 * @param {{ file: string, name: string }} place
 */
function fieldsOf({ file, name }) {
  if (!programFiles.has(file)) return [];
  const { statements } = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
  const type = statements.filter(ts.isInterfaceDeclaration).find((statement) => statement.name.text === name);
  return (type?.members ?? []).flatMap((member) =>
    member.name && ts.isIdentifier(member.name) ? [member.name.text] : [],
  );
}
