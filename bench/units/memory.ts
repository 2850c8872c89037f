// What a player costs in memory: resident bytes of a process that holds many, and for fewer of them what each byte is for.

import { text } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
import type { Rules } from '../../engine/rules/rules.js';
import { EngineWorld } from './engine-world.js';
import { consume, counted } from './samplers.js';
import { type DirectCase, type DirectReading, rulesOf, type UnitGroup } from './unit-case.js';

/** A snapshot of the heap is a text of a few kilobytes a player. */
const BREAKDOWN_PLAYERS_MAX = 10_000;
/** Parts below this share of all bytes are reported together. */
const SMALL_SHARE = 0.01;

const reading = (name: string, bytes: number) => bytesReading(name, 'bytes per player', bytes);

export const memoryUnits: UnitGroup = function* (sizes) {
  const { players, seed } = sizes;
  const rules = rulesOf(sizes);
  const fewer = Math.min(players, BREAKDOWN_PLAYERS_MAX);
  yield direct(`parts (of ${fewer})`, () => breakdownReadings(fewer, seed, rules));
  yield direct('starter planets', async () => residentReadings(players, seed, rules));
};

function residentReadings(players: number, seed: number, rules: Rules): DirectReading[] {
  const before = settledMemory();
  const bench = new EngineWorld(seed, rules);
  bench.addBots(players);
  const after = settledMemory();
  // The world must be there until now.
  consume(bench.world.playerCount);
  return [
    reading('resident', (after.rss - before.rss) / players),
    reading('heap', (after.heapUsed - before.heapUsed) / players),
    reading('typed arrays', (after.arrayBuffers - before.arrayBuffers) / players),
  ];
}

async function breakdownReadings(players: number, seed: number, rules: Rules): Promise<DirectReading[]> {
  const bench = new EngineWorld(seed, rules);
  bench.addBots(players);
  const parts = await heapBreakdown('World');
  consume(bench.world.playerCount);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const large = parts.filter(({ bytes }) => bytes >= total * SMALL_SHARE);
  const rest = total - large.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    reading('all', total / players),
    ...large.map(({ path, bytes }) => reading(path, bytes / players)),
    reading('everything else', rest / players),
  ];
}

/** Memory once nothing is left to collect. */
export function settledMemory(): NodeJS.MemoryUsage {
  for (let turn = 0; turn < 4; turn += 1) globalThis.gc?.();
  return process.memoryUsage();
}

/** Rounds to tenths of a byte. */
export function bytesReading(name: string, unit: string, bytes: number): DirectReading {
  return counted(name, unit, Math.round(bytes * 10) / 10);
}

function direct(name: string, measure: DirectCase['measure']): DirectCase {
  return { kind: 'direct', name, measure };
}

interface MemoryPart {
  /** Such as `planets[].stock`; what several paths lead to counts under the shortest. */
  readonly path: string;
  readonly bytes: number;
}

/** The parts of V8's snapshot format that are read: nodes and edges are rows of numbers whose columns `meta` names. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/** Edges that lead to code and classes, which exist once, and to what something else keeps alive. */
const EDGES_LEFT_OUT = new Set(['weak', 'hidden', 'shortcut', 'context']);
const NAMES_LEFT_OUT = new Set(['map', '__proto__', 'constructor', 'prototype']);
const NODES_LEFT_OUT = new Set(['code', 'closure', 'object shape', 'hidden']);
/** Where an object keeps its elements and properties: part of the object itself. */
const OWN_STORES = new Set(['elements', 'properties', 'table', 'backing_store', 'shared', 'hash_code']);

/**
 * What the bytes of an object in memory are for, by the path that leads to them: reads a snapshot of V8's heap and follows the properties
 * from one object on. Elements of lists and entries of maps of the same kind count together.
 *
 * @param className of the one object whose bytes are asked for
 * @returns its parts, the largest first
 */
async function heapBreakdown(className: string): Promise<MemoryPart[]> {
  const graph = new HeapGraph(JSON.parse(await text(getHeapSnapshot())) as Snapshot);
  const bytesByPath = new Map<string, number>();
  graph.walk(graph.find(className), (path, bytes) => {
    bytesByPath.set(path, (bytesByPath.get(path) ?? 0) + bytes);
  });
  return [...bytesByPath].map(([path, bytes]) => ({ path, bytes })).sort((a, b) => b.bytes - a.bytes);
}

class HeapGraph {
  readonly #snapshot: Snapshot;
  /** Where the edges of each node begin, indexed by node. */
  readonly #firstEdges: number[] = [0];

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    const nodeCount = snapshot.nodes.length / snapshot.snapshot.meta.node_fields.length;
    let edgeCount = 0;
    for (let node = 0; node < nodeCount; node += 1) {
      edgeCount += this.#node(node, 'edge_count');
      this.#firstEdges.push(edgeCount);
    }
  }

  /** The first object of a class. */
  find(className: string): number {
    for (let node = 0; node < this.#firstEdges.length - 1; node += 1) {
      if (this.#nodeType(node) === 'object' && this.#snapshot.strings[this.#node(node, 'name')] === className)
        return node;
    }
    throw new Error(`there is no ${className} in memory`);
  }

  /** Visits everything that is reached from a node once, the nearest first. */
  walk(start: number, visit: (path: string, bytes: number) => void): void {
    const seen = new Set([start]);
    let front: (readonly [node: number, path: string])[] = [[start, '']];
    while (front.length > 0) {
      const next: typeof front = [];
      for (const [node, path] of front) {
        visit(path === '' ? 'itself' : path, this.#node(node, 'self_size'));
        for (const [to, step] of this.#steps(node)) {
          if (seen.has(to)) continue;
          seen.add(to);
          next.push([to, joined(path, step)]);
        }
      }
      front = next;
    }
  }

  /** The nodes that edges lead to, and what each adds to the path. */
  *#steps(node: number): Iterable<readonly [to: number, step: string]> {
    const { meta } = this.#snapshot.snapshot;
    const end = this.#firstEdges[node + 1] ?? 0;
    for (let edge = this.#firstEdges[node] ?? 0; edge < end; edge += 1) {
      const type = meta.edge_types[0][this.#edge(edge, 'type')] ?? '';
      const to = this.#edge(edge, 'to_node') / meta.node_fields.length;
      if (EDGES_LEFT_OUT.has(type) || NODES_LEFT_OUT.has(this.#nodeType(to))) continue;
      const name = type === 'element' ? '[]' : (this.#snapshot.strings[this.#edge(edge, 'name_or_index')] ?? '');
      if (!NAMES_LEFT_OUT.has(name)) yield [to, stepOf(type, name)];
    }
  }

  #nodeType(node: number): string {
    return this.#snapshot.snapshot.meta.node_types[0][this.#node(node, 'type')] ?? '';
  }

  #node(node: number, field: string): number {
    const { node_fields } = this.#snapshot.snapshot.meta;
    return this.#snapshot.nodes[node * node_fields.length + node_fields.indexOf(field)] as number;
  }

  #edge(edge: number, field: string): number {
    const { edge_fields } = this.#snapshot.snapshot.meta;
    return this.#snapshot.edges[edge * edge_fields.length + edge_fields.indexOf(field)] as number;
  }
}

/** What an edge adds to the path: nothing if it leads to a store of the object itself. */
function stepOf(type: string, name: string): string {
  if (type === 'element') return '[]';
  if (type === 'internal') return OWN_STORES.has(name) ? '' : '[]';
  return name;
}

function joined(path: string, step: string): string {
  if (step === '') return path;
  if (step === '[]') return path.endsWith('[]') ? path : `${path}[]`;
  return path === '' ? step : `${path}.${step}`;
}
