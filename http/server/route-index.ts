// Finds the endpoints of a path, whatever the method: for 405 with Allow, and for servers without a router of their
// own.
import { type Method, methodList } from '../exchange/methods.js';

export interface PathMatch<E> {
  readonly endpoint: E;
  /** Path parameters in the order of the path, as sent. */
  readonly parameters: readonly string[];
}

interface IndexedPath<E> {
  readonly endpoint: E;
  readonly segments: readonly string[];
}

export class RouteIndex<E extends { readonly method: string; readonly path: string }> {
  readonly #paths: IndexedPath<E>[];

  constructor(endpoints: readonly E[]) {
    this.#paths = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.path.split('/') }));
    // A literal segment takes precedence over a parameter, as in the native router.
    this.#paths.sort((a, b) => compareSpecificity(a.segments, b.segments));
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
