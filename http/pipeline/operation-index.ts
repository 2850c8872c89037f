// Finds the operation that a method and a path ask for: for batches and for calls over a WebSocket, which come without a
// router.
import { METHOD_NAMES, type Method } from '../exchange/methods.js';
import { type PathMatch, RouteIndex } from '../server/route-index.js';
import type { Operation } from './operation.js';

/** What a method and a path ask for. */
export interface Found {
  /** Endpoints of the path, whatever the method. */
  readonly matches: readonly PathMatch<Operation>[];
  /** Undefined if there is none for the method. */
  readonly match: PathMatch<Operation> | undefined;
  /** The part after the question mark; '' if there is none. */
  readonly query: string;
}

export class OperationIndex {
  readonly #index: RouteIndex<Operation>;
  /** By method and path, for paths without parameters, which clients send most often. */
  readonly #plain: Readonly<Record<Method, Map<string, Found>>>;

  constructor(operations: readonly Operation[]) {
    this.#index = new RouteIndex(operations);
    this.#plain = plainPaths();
    for (const { method, path } of operations) {
      if (!path.includes(':')) this.#plain[method].set(path, this.#search(method, path));
    }
  }

  /** The paths without parameters, with what they ask for. */
  plainPaths(method: Method): readonly (readonly [path: string, found: Found])[] {
    return [...this.#plain[method]];
  }

  find(method: Method, path: string): Found {
    return this.#plain[method].get(path) ?? this.#search(method, path);
  }

  #search(method: Method, path: string): Found {
    const end = path.indexOf('?');
    const matches = this.#index.match(end === -1 ? path : path.slice(0, end));
    const match = matches.find(({ endpoint }) => endpoint.method === method);
    return { matches, match, query: end === -1 ? '' : path.slice(end + 1) };
  }
}

function plainPaths(): Record<Method, Map<string, Found>> {
  return Object.fromEntries(METHOD_NAMES.map((method) => [method, new Map<string, Found>()])) as Record<
    Method,
    Map<string, Found>
  >;
}
