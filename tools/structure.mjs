// Prints how large and how entangled the repository is: `npm run check -- --structure`. It changes nothing.

import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import WebSocket from 'ws';
import { circlesOf, importGraph, roomsOf } from './import-graph.mjs';
import { inRepository, repository } from './repository.mjs';

/** The interface whose fields handlers get. */
const HANDLED = { file: 'http/game/game-ports.ts', name: 'GamePorts' };
/** Folders whose files must not need each other in circles. */
const LAYERED = /^(engine|http|persistence)(\/|$)/;

/** A timer of the server may run during one upgrade, but not during each of them. */
const UPGRADES = 5;
/** The server counts a request once its reply is sent. */
const COUNTED_AFTER_MS = 20;

const { json, verbose } = parseArgs({
  options: { structure: { type: 'boolean' }, json: { type: 'boolean' }, verbose: { type: 'boolean', short: 'v' } },
}).values;

/** @typedef {[title: string, value: number | string, names?: string[] | undefined]} Row */

/** @param {string[]} options @param {string} [input] */
const git = (options, input) =>
  execFileSync('git', options, { cwd: repository, encoding: 'utf8', input, maxBuffer: 2 ** 26 }).split('\0');
const textOf = (/** @type {string} */ path) => readFileSync(inRepository(path), 'utf8');

const tracked = git(['ls-files', '-z']).filter(Boolean);
/** Files that .gitattributes marks as generated, without the lock file, which belongs to npm. */
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

/** @typedef {{ url: string, functions: { ranges: { count: number }[] }[] }} ScriptCoverage */

/**
 * The files that an upgrade with an Idempotency-Key passes, from its request to its reply: those with a function that V8 counts as
 * called meanwhile, in a server that has answered one before.
 * @returns {Promise<string[]>} sorted paths, relative to the repository
 */
async function filesOfKeyedUpgrade() {
  const folder = mkdtempSync(join(tmpdir(), 'galaxyd-upgrade-path-'));
  const serve = ['serve', '--host', '127.0.0.1', '--port', '0', '--data', folder, '--log-format', 'json'];
  const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', inRepository('dist/cli/main.js'), ...serve]);
  try {
    const [debuggerUrl, url] = await Promise.all([
      found(server.stderr, /Debugger listening on (\S+)/),
      found(server.stdout, /"url":"([^"]+)"/),
    ]);
    const profiler = await profilerAt(debuggerUrl);
    await profiler('Profiler.enable');
    await profiler('Profiler.startPreciseCoverage', { callCount: true });
    await (await upgradeOfNewPlayer(url))();
    /** @type {string[][]} */
    const passed = [];
    for (let time = 0; time < UPGRADES; time += 1) {
      const upgrade = await upgradeOfNewPlayer(url);
      await profiler('Profiler.takePreciseCoverage');
      await upgrade();
      await delay(COUNTED_AFTER_MS);
      passed.push(calledFiles((await profiler('Profiler.takePreciseCoverage')).result));
    }
    return (passed[0] ?? []).filter((file) => passed.every((files) => files.includes(file)));
  } finally {
    // A process with a debugger does not end by itself.
    server.kill('SIGKILL');
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  }
}

/** @param {ScriptCoverage[]} scripts */
function calledFiles(scripts) {
  return scripts
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .map(({ url }) => relative(inRepository('dist'), fileURLToPath(url)).replace(/\.js$/, '.ts'))
    .sort();
}

/**
 * Creates a player.
 * @param {string} url
 * @returns {Promise<() => Promise<void>>} upgrades a building of its planet
 */
async function upgradeOfNewPlayer(url) {
  const player = /** @type {{ planets: { id: string }[] }} */ (
    await post(`${url}/api/game/player`, { name: randomUUID().slice(0, 20), isBot: true })
  );
  const upgrade = { planetId: player.planets[0]?.id, buildingType: 'iron_mine' };
  return async () => void (await post(`${url}/api/building/upgrade`, upgrade, { 'idempotency-key': randomUUID() }));
}

/**
 * Throws if the answer is a refusal.
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<unknown>}
 */
async function post(url, body, headers = {}) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(url, { ...request, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} was answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

/**
 * @param {import('node:stream').Readable} output
 * @param {RegExp} pattern with a group
 * @returns {Promise<string>} what the group matches in the first line that has it
 */
async function found(output, pattern) {
  for await (const line of createInterface({ input: output })) {
    const [, group] = pattern.exec(line) ?? [];
    // The rest must be read, too: otherwise the server waits for its output.
    if (group !== undefined) return output.resume() && group;
  }
  throw new Error(`the server ended without ${pattern}`);
}

/** @param {string} url of the debugger of a process */
async function profilerAt(url) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return async (/** @type {string} */ method, params = {}) => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [message] = await once(socket, 'message');
    return JSON.parse(message).result;
  };
}
