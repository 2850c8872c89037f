// Finds endpoints by path: for batches and calls, which come without a router, for servers without one of their own, and for 405 with Allow.
import { METHOD_NAMES, type Method, methodList } from '../exchange/exchange.js';

export interface PathMatch<E> {
  readonly endpoint: E;
  /** Path parameters in the order of the path, as sent. */
  readonly parameters: readonly string[];
}

/** What may follow some segments of a path. */
interface Step<E> {
  readonly literals: Map<string, Step<E>>;
  /** Null if no parameter may follow. */
  parameter: Step<E> | null;
  /** Endpoints of the path that ends here. */
  readonly endpoints: E[];
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
  readonly #root: Step<E> = newStep();
  /** Paths without parameters, which clients send most often, indexed by method and path. */
  readonly #plain = new Map<string, Map<string, Found<E>>>(METHOD_NAMES.map((method) => [method, new Map()]));

  constructor(endpoints: readonly E[]) {
    for (const endpoint of endpoints) this.#add(endpoint);
    for (const { method, path } of endpoints) {
      if (!path.includes(':')) this.#plain.get(method)?.set(path, this.#search(method, path));
    }
  }

  /** The paths without parameters, with what they ask for. */
  plainPaths(method: Method): readonly (readonly [path: string, found: Found<E>])[] {
    return [...(this.#plain.get(method) ?? [])];
  }

  /** @param path with its query */
  find(method: string, path: string): Found<E> {
    return this.#plain.get(method)?.get(path) ?? this.#search(method, path);
  }

  #add(endpoint: E): void {
    let step = this.#root;
    for (const segment of endpoint.path.split('/')) {
      const isParameter = segment.startsWith(':');
      const next = (isParameter ? step.parameter : step.literals.get(segment)) ?? newStep();
      if (isParameter) step.parameter = next;
      else step.literals.set(segment, next);
      step = next;
    }
    step.endpoints.push(endpoint);
  }

  #search(method: string, path: string): Found<E> {
    const end = path.indexOf('?');
    const matches: PathMatch<E>[] = [];
    addMatches(matches, this.#root, (end === -1 ? path : path.slice(0, end)).split('/'), 0, NO_PARAMETERS);
    const match = matches.find(({ endpoint }) => endpoint.method === method);
    return { matches, match, query: end === -1 ? '' : path.slice(end + 1) };
  }
}

function newStep<E>(): Step<E> {
  return { literals: new Map(), parameter: null, endpoints: [] };
}

/**
 * Adds the endpoints of a path, the most specific first: a literal segment takes precedence over a parameter, as in the native router.
 *
 * @param depth number of segments before the step
 */
function addMatches<E>(
  matches: PathMatch<E>[],
  step: Step<E>,
  segments: readonly string[],
  depth: number,
  parameters: readonly string[],
): void {
  if (depth === segments.length) {
    for (const endpoint of step.endpoints) matches.push({ endpoint, parameters });
    return;
  }
  const segment = segments[depth] as string;
  const literal = step.literals.get(segment);
  if (literal !== undefined) addMatches(matches, literal, segments, depth + 1, parameters);
  if (step.parameter === null || segment === '') return;
  addMatches(matches, step.parameter, segments, depth + 1, [...parameters, segment]);
}

const NO_PARAMETERS: readonly string[] = [];

/** The value of the Allow header for a path. */
export function allowedMethods(matches: readonly PathMatch<{ readonly method: Method }>[]): string {
  return methodList(matches.map(({ endpoint }) => endpoint.method));
}
