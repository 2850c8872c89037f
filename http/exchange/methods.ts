// The one table of the methods of the API. Routing, bodies, Idempotency-Keys, preflights, schemas, metrics, documents and tests
// follow it.

/** What a method means for every route that has it. */
export interface MethodRule {
  /** Whether a request has a body, may change the world and may carry an Idempotency-Key. */
  readonly isWrite: boolean;
}

export const METHODS = {
  /** HEAD comes with it. */
  GET: { isWrite: false },
  POST: { isWrite: true },
  /** Replaces what its path names. */
  PUT: { isWrite: true },
} as const satisfies Record<string, MethodRule>;

/** A method of a route. */
export type Method = keyof typeof METHODS;

/** A method as a request may have it and be routed. */
export type RoutedMethod = Method | 'HEAD';

export const METHOD_NAMES: readonly Method[] = Object.keys(METHODS) as Method[];

/** The methods of a set of routes that have a path in common, as `Allow` lists them (RFC 9110, section 10.2.1). */
export function methodList(methods: Iterable<Method>): string {
  const names = new Set<RoutedMethod>(methods);
  if (names.has('GET')) names.add('HEAD');
  return [...names].sort().join(', ');
}

export function isWrite(method: Method): boolean {
  return METHODS[method].isWrite;
}
