// Checks that the engine contains nothing that is banned, so that the same log gives the same world on every machine.
// The bans are in biome.json and tools/engine-bans.grit, except the one that needs types; each is also tried on a bad
// line here.

import { copyFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { committedFiles, root, runTool } from './repository.js';

const lint = (folder: string): { exitCode: number | null; output: string } =>
  runTool(
    'node_modules/@biomejs/biome/bin/biome',
    ['lint', '--reporter=github', '--max-diagnostics=none', 'engine'],
    folder,
  );

/** The files of the engine that change the world. */
const CHANGES = /^engine\/(commands|diplomacy|events|fleets|market|planets|plans|players|shocks|world)\/.*\.ts$/;

/** Its set of plans to examine is filled and emptied within each entry, in the order in which the entry marks them. */
const QUEUE = 'engine/world/plan-table.ts';
/** It adds up counts, whose order does not matter. */
const SUM = 'engine/diplomacy/messages.ts';

/** Each row is one line of a file of the engine. */
const banned: readonly string[] = [
  'export const a01 = Date.now();',
  'export const a02 = new Date();',
  'export type A03 = Date;',
  'export const a04 = Promise.resolve(1);',
  'export type A05 = Promise<number>;',
  'export async function a06(): Promise<void> {}',
  'export const a07 = async () => 1;',
  'export class A08 { async wait() { return 1; } }',
  'export const a09 = { async wait() { return 1; } };',
  'export const a10 = await 1;',
  "export const a11 = import('./other.js');",
  'for await (const x of []) a12(x);',
  'export const a13 = Math.random();',
  'export const a14 = Math.pow(2, 3);',
  'export const a15 = Math.exp(2);',
  'export const a16 = Math.log(2);',
  'export const a17 = Math.sin(2);',
  'export const a18 = Math.cos(2);',
  'export const a19 = Math.tan(2);',
  'export const a20 = Math.cbrt(2);',
  'export const a21 = Math.hypot(3, 4);',
  'export const { pow: a22 } = Math;',
  'export const a23 = a22 ** 2;',
  'a24.power **= 2;',
  'export const a25 = JSON.stringify({});',
  "export const a26 = new Intl.NumberFormat('en');",
  'export const a27 = (1).toLocaleString();',
  "export const a28 = 'a'.localeCompare('b');",
  "export const a29 = 'a'.toLocaleUpperCase();",
  'for (const key in {}) a30(key);',
  'export const a31 = globalThis;',
  'export const a32 = new WeakRef({});',
  "export const a33 = eval('1');",
  "export const a34 = parseFloat('1.5');",
];

/** Lines that look like the above and are allowed. */
const allowed: readonly string[] = [
  'export const b01 = Math.floor(7 / 2) + Math.max(1, 2) - Math.abs(-1) * Math.trunc(1);',
  'export const b02 = { dateMs: 1, async: true };',
  'export function* b03(): Iterable<number> { yield 1; }',
  'for (const value of [1, 2]) b04(value);',
  'export const b05 = /** said twice ** */ 1 + 2;',
];

t.test('the engine contains nothing that differs between two runs', async (t) => {
  const { exitCode, output } = lint(root);
  t.equal(output, '', 'the linter reports nothing');
  t.equal(exitCode, 0, 'and it did find files');
});

t.test('each ban refuses its line', async (t) => {
  const folder = t.testdir({ engine: { 'banned.ts': banned.join('\n'), 'allowed.ts': allowed.join('\n') } });
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  mkdirSync(join(folder, 'tools'));
  copyFileSync(join(root, 'tools/engine-bans.grit'), join(folder, 'tools/engine-bans.grit'));

  const { output } = lint(folder);
  const refused = new Set(
    Array.from(output.matchAll(/file=(?:.*\/)?(\w+)\.ts,line=(\d+)/g), ([, file, line]) => `${file} ${line}`),
  );
  banned.forEach((text, index) => void t.ok(refused.has(`banned ${index + 1}`), `refuses ${text}`));
  allowed.forEach((text, index) => void t.notOk(refused.has(`allowed ${index + 1}`), `allows ${text}`));
});

t.test('no ambient name typechecks in the engine', async (t) => {
  const names = [
    'process',
    'Buffer',
    'setTimeout',
    'setImmediate',
    'console',
    'crypto',
    'performance',
    'fetch',
    'require',
  ];
  const folder = t.testdir({ 'sample.ts': names.map((name) => `export const ${name}Used = ${name};`).join('\n') });
  const program = ts.createProgram([join(folder, 'sample.ts')], engineOptions());
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  for (const name of names) {
    t.ok(
      messages.some((message) => message.startsWith(`Cannot find name '${name}'`)),
      `${name} is unknown`,
    );
  }
});

t.test('no change of the world iterates over a Map or a Set, whose order is that of insertion', async (t) => {
  const walks = [
    'for (const [key] of map) use(key);',
    'for (const value of map.values()) use(value);',
    'for (const value of set) use(value);',
    'map.forEach((value) => use(value));',
    'use([...set]);',
    'use(Array.from(map.keys()));',
    'for (const [key] of readonlyMap) use(key);',
  ];
  const harmless = [
    'for (const value of list) use(value);',
    'use(map.get(1));',
    'use(map.size);',
    'list.forEach((value) => use(value));',
  ];
  const declared = [
    'declare const map: Map<number, number>; declare const set: Set<number>; declare const list: readonly number[];',
    'declare const readonlyMap: ReadonlyMap<number, number>; declare function use(value: unknown): void;',
  ].join(' ');
  const folder = t.testdir({ 'sample.ts': [declared, ...walks, ...harmless, 'export {};'].join('\n') });
  const found = walksOverHashedOrder([join(folder, 'sample.ts')]);
  walks.forEach(
    (text, index) =>
      void t.ok(
        found.some((place) => place.endsWith(`sample.ts:${index + 2}`)),
        `refuses ${text}`,
      ),
  );
  t.equal(found.length, walks.length, 'and refuses nothing else');

  const files = committedFiles().filter((path) => CHANGES.test(path));
  t.ok(files.length > 20, `${files.length} files change the world`);
  const walked = walksOverHashedOrder(files.map((path) => join(root, path)));
  t.same(
    walked.map((place) => relative(root, place).replace(/:\d+$/, '')),
    [SUM, QUEUE],
    'the engine does not, except for a queue and a sum',
  );
});

/** @returns `file:line` of every loop, spread or Array.from in these files that iterates over a Map or a Set */
function walksOverHashedOrder(files: readonly string[]): string[] {
  const program = ts.createProgram(files, engineOptions());
  const checker = program.getTypeChecker();
  const hashed = new Set([
    'Map',
    'Set',
    'ReadonlyMap',
    'ReadonlySet',
    'MapIterator',
    'SetIterator',
    'WeakMap',
    'WeakSet',
  ]);
  const isHashed = (node: ts.Node): boolean => hashed.has(checker.getTypeAtLocation(node).getSymbol()?.getName() ?? '');
  const found: string[] = [];

  const visit = (file: ts.SourceFile, node: ts.Node): void => {
    const walked = walkedBy(node);
    if (walked !== undefined && isHashed(walked)) {
      found.push(`${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, (child) => visit(file, child));
  };
  for (const name of files) {
    const file = program.getSourceFile(name);
    if (file !== undefined) visit(file, file);
  }
  return found;
}

/** @returns the expression that this node iterates over */
function walkedBy(node: ts.Node): ts.Node | undefined {
  if (ts.isForOfStatement(node) || ts.isSpreadElement(node)) return node.expression;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  if (name.text === 'forEach') return expression;
  return name.text === 'from' && expression.getText() === 'Array' ? node.arguments[0] : undefined;
}

/** What engine/tsconfig.json says, so that a change there is tested here. */
function engineOptions(): ts.CompilerOptions {
  const path = join(root, 'engine/tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'engine'));
  return { ...options, composite: false, incremental: false, noEmit: true };
}
