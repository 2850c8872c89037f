// Which file imports which, those that import types included, and which need each other in circles.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { inRepository } from './repository.mjs';

/**
 * What each file imports of the others.
 * @param {string[]} paths relative to the repository
 * @returns {Map<string, string[]>}
 */
export function importGraph(paths) {
  const known = new Set(paths);
  return new Map(paths.map((path) => [path, importsOf(path, known)]));
}

/**
 * @param {string} path
 * @param {Set<string>} known
 */
function importsOf(path, known) {
  if (path.endsWith('.py')) return [];
  return ts
    .preProcessFile(readFileSync(inRepository(path), 'utf8'), true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(path), fileName))
    .flatMap((file) => [file, file.replace(/\.js$/, '.ts'), file.replace(/\.js$/, '.tsx')])
    .filter((file) => known.has(file));
}

/**
 * Circles of files or folders that need each other, the largest first: strongly connected components, by Tarjan's algorithm.
 * @param {Map<string, string[]>} graph
 */
export function circlesOf(graph) {
  /** @type {Map<string, number>} */
  const lows = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  const visit = (/** @type {string} */ node) => {
    const index = lows.size;
    let low = index;
    lows.set(node, index);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!lows.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lows.get(next) ?? low);
    }
    if (low === index) found.push(stack.splice(stack.indexOf(node)));
    else lows.set(node, low);
    return low;
  };
  for (const node of graph.keys()) if (!lows.has(node)) visit(node);
  return found.filter(({ length }) => length > 1).sort((one, other) => other.length - one.length);
}

/**
 * Which folder imports from which. A file that is directly in an area of the repository counts as a folder of its own.
 * @param {Map<string, string[]>} graph of files
 */
export function roomsOf(graph) {
  const roomOf = (/** @type {string} */ file) => (dirname(file).includes('/') ? dirname(file) : file);
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [file, needed] of graph) {
    const room = roomOf(file);
    const others = needed.map(roomOf).filter((other) => other !== room);
    found.set(room, [...new Set([...(found.get(room) ?? []), ...others])]);
  }
  return found;
}
