// Finds endpoints by path: for batches and calls, which come without a router, for servers without one of their own, and for 405 with Allow.
import { METHOD_NAMES, type Method, methodList } from '../exchange/exchange.js';

export interface PathMatch<E> {
  readonly endpoint: E;
  /** Path parameters in the order of the path, as sent. */
  readonly parameters: readonly string[];
}

interface IndexedPath<E> {
  readonly endpoint: E;
  readonly segments: readonly string[];
}

/** What a method and a path ask for. */
export interface Found<E> {
  /** Endpoints of the path, of all methods. */
  readonly matches: readonly PathMatch<E>[];
  /** Undefined if there is none for the method. */
  readonly match: PathMatch<E> | undefined;
  /** The part after the question mark; '' if there is none. */
  readonly query: string;
}

export class RouteIndex<E extends { readonly method: Method; readonly path: string }> {
  readonly #paths: IndexedPath<E>[];
  /** Paths without parameters, which clients send most often, indexed by method and path. */
  readonly #plain = new Map(METHOD_NAMES.map((method) => [method, new Map<string, Found<E>>()]));

  constructor(endpoints: readonly E[]) {
    this.#paths = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.path.split('/') }));
    // A literal segment takes precedence over a parameter, as in the native router.
    this.#paths.sort((a, b) => compareSpecificity(a.segments, b.segments));
    for (const { method, path } of endpoints) {
      if (!path.includes(':')) this.#plain.get(method)?.set(path, this.#search(method, path));
    }
  }

  /** The paths without parameters, with what they ask for. */
  plainPaths(method: Method): readonly (readonly [path: string, found: Found<E>])[] {
    return [...(this.#plain.get(method) ?? [])];
  }

  /** @param path with its query */
  find(method: Method, path: string): Found<E> {
    return this.#plain.get(method)?.get(path) ?? this.#search(method, path);
  }

  /** All endpoints of a path, the most specific first. @param path without its query */
  match(path: string): PathMatch<E>[] {
    const segments = path.split('/');
    const matches: PathMatch<E>[] = [];
    for (const candidate of this.#paths) {
      const parameters = parametersOf(candidate.segments, segments);
      if (parameters !== null) matches.push({ endpoint: candidate.endpoint, parameters });
    }
    return matches;
  }

  #search(method: Method, path: string): Found<E> {
    const end = path.indexOf('?');
    const matches = this.match(end === -1 ? path : path.slice(0, end));
    const match = matches.find(({ endpoint }) => endpoint.method === method);
    return { matches, match, query: end === -1 ? '' : path.slice(end + 1) };
  }
}

/** The value of the Allow header for a path. */
export function allowedMethods(matches: readonly PathMatch<{ readonly method: Method }>[]): string {
  return methodList(matches.map(({ endpoint }) => endpoint.method));
}

function parametersOf(pattern: readonly string[], segments: readonly string[]): string[] | null {
  if (pattern.length !== segments.length) return null;
  const parameters: string[] = [];
  for (let index = 0; index < pattern.length; index += 1) {
    const expected = pattern[index] as string;
    const actual = segments[index] as string;
    if (expected.startsWith(':')) {
      if (actual === '') return null;
      parameters.push(actual);
    } else if (expected !== actual) {
      return null;
    }
  }
  return parameters;
}

function compareSpecificity(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = Number(a[index]?.startsWith(':')) - Number(b[index]?.startsWith(':'));
    if (difference !== 0) return difference;
  }
  return 0;
}
