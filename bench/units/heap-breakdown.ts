// What the bytes of an object in memory are for, by the way that leads to them: reads a snapshot of V8's heap and follows
// the properties from one object on. Elements of lists and entries of maps of the same kind count together.

import { text } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';

export interface MemoryPart {
  /** Such as `planets[].stock`; what several ways lead to counts under the shortest. */
  readonly path: string;
  readonly bytes: number;
}

/** The parts of V8's snapshot format that are read. */
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

/** Ways that lead to code and classes, which exist once, and to what something else keeps alive. */
const EDGES_LEFT_OUT = new Set(['weak', 'hidden', 'shortcut', 'context']);
const NAMES_LEFT_OUT = new Set(['map', '__proto__', 'constructor', 'prototype']);
const NODES_LEFT_OUT = new Set(['code', 'closure', 'object shape', 'hidden']);
/** Where an object keeps its elements and properties: part of the object itself. */
const OWN_STORES = new Set(['elements', 'properties', 'table', 'backing_store', 'shared', 'hash_code']);

/**
 * @param className of the one object whose bytes are asked for
 * @returns its parts, the largest first
 */
export async function heapBreakdown(className: string): Promise<MemoryPart[]> {
  const snapshot = JSON.parse(await text(getHeapSnapshot())) as Snapshot;
  const graph = new HeapGraph(snapshot);
  const bytesByPath = new Map<string, number>();
  graph.walk(graph.find(className), (path, bytes) => {
    bytesByPath.set(path, (bytesByPath.get(path) ?? 0) + bytes);
  });
  return [...bytesByPath].map(([path, bytes]) => ({ path, bytes })).sort((a, b) => b.bytes - a.bytes);
}

class HeapGraph {
  readonly #nodes: readonly number[];
  readonly #edges: readonly number[];
  readonly #strings: readonly string[];
  readonly #nodeTypes: readonly string[];
  readonly #edgeTypes: readonly string[];
  readonly #nodeWidth: number;
  readonly #edgeWidth: number;
  readonly #nodeAt: Readonly<Record<'type' | 'name' | 'size' | 'edgeCount', number>>;
  readonly #edgeAt: Readonly<Record<'type' | 'name' | 'to', number>>;
  /** By node: where its edges begin. */
  readonly #firstEdges: Uint32Array;

  constructor({ snapshot: { meta }, nodes, edges, strings }: Snapshot) {
    this.#nodes = nodes;
    this.#edges = edges;
    this.#strings = strings;
    this.#nodeTypes = meta.node_types[0];
    this.#edgeTypes = meta.edge_types[0];
    this.#nodeWidth = meta.node_fields.length;
    this.#edgeWidth = meta.edge_fields.length;
    this.#nodeAt = {
      type: meta.node_fields.indexOf('type'),
      name: meta.node_fields.indexOf('name'),
      size: meta.node_fields.indexOf('self_size'),
      edgeCount: meta.node_fields.indexOf('edge_count'),
    };
    this.#edgeAt = {
      type: meta.edge_fields.indexOf('type'),
      name: meta.edge_fields.indexOf('name_or_index'),
      to: meta.edge_fields.indexOf('to_node'),
    };
    this.#firstEdges = new Uint32Array(nodes.length / this.#nodeWidth + 1);
    for (let node = 0; node * this.#nodeWidth < nodes.length; node += 1) {
      this.#firstEdges[node + 1] = (this.#firstEdges[node] as number) + this.#nodeField(node, 'edgeCount');
    }
  }

  /** The first object of a class. */
  find(className: string): number {
    const count = this.#firstEdges.length - 1;
    for (let node = 0; node < count; node += 1) {
      const isObject = this.#nodeTypes[this.#nodeField(node, 'type')] === 'object';
      if (isObject && this.#strings[this.#nodeField(node, 'name')] === className) return node;
    }
    throw new Error(`there is no ${className} in memory`);
  }

  /** Visits everything that is reached from a node once, the nearest first. */
  walk(start: number, visit: (path: string, bytes: number) => void): void {
    const seen = new Set([start]);
    let front: [node: number, path: string][] = [[start, '']];
    while (front.length > 0) {
      const next: typeof front = [];
      for (const [node, path] of front) {
        visit(path === '' ? 'itself' : path, this.#nodeField(node, 'size'));
        this.#forEachEdge(node, (to, step) => {
          if (seen.has(to)) return;
          seen.add(to);
          next.push([to, joined(path, step)]);
        });
      }
      front = next;
    }
  }

  #forEachEdge(node: number, visit: (to: number, step: string) => void): void {
    const end = this.#firstEdges[node + 1] as number;
    for (let edge = this.#firstEdges[node] as number; edge < end; edge += 1) {
      const type = this.#edgeTypes[this.#edgeField(edge, 'type')] ?? '';
      const to = this.#edgeField(edge, 'to') / this.#nodeWidth;
      if (EDGES_LEFT_OUT.has(type) || NODES_LEFT_OUT.has(this.#nodeTypes[this.#nodeField(to, 'type')] ?? '')) continue;
      const name = type === 'element' ? '[]' : (this.#strings[this.#edgeField(edge, 'name')] ?? '');
      if (!NAMES_LEFT_OUT.has(name)) visit(to, stepOf(type, name));
    }
  }

  #nodeField(node: number, field: 'type' | 'name' | 'size' | 'edgeCount'): number {
    return this.#nodes[node * this.#nodeWidth + this.#nodeAt[field]] as number;
  }

  #edgeField(edge: number, field: 'type' | 'name' | 'to'): number {
    return this.#edges[edge * this.#edgeWidth + this.#edgeAt[field]] as number;
  }
}

/** What an edge adds to the path: nothing where it leads to a store of the object itself. */
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
