// Cross-origin resource sharing (Fetch standard, section 3.3): which pages in a browser may read replies and send
// requests.
import { METHOD_NAMES, methodList } from '../exchange/exchange.js';
import { PREFLIGHT_MAX_AGE_SECONDS } from '../limits.js';

/** Stands for every origin. No cookie identifies a client, so a page gets no more than any other program. */
export const ANY_ORIGIN = '*';

/** Headers of replies that a page may read. */
const EXPOSED_HEADERS = [
  'etag',
  'x-request-id',
  'x-world-time',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'idempotency-replayed',
  'preference-applied',
];
/** The headers that a page may read if several processes serve the world. */
const EXPOSED_BY_REPLICAS = [...EXPOSED_HEADERS, 'x-world-seq', 'location'];
const ACCEPTED_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'prefer',
];
const ACCEPTED_BY_REPLICAS = [...ACCEPTED_HEADERS, 'x-min-seq'];

const VARY = ['vary', 'origin'];
const NO_HEADERS: readonly string[] = [];

export class CrossOrigin {
  readonly #allowsAny: boolean;
  readonly #origins: ReadonlySet<string>;
  readonly #exposed: string;
  readonly #anyHeaders: readonly string[];
  /** Headers of the reply to a preflight, besides those of replyHeaders(). */
  readonly preflightHeaders: readonly string[];

  /**
   * @param origins as browsers send them, or ANY_ORIGIN alone
   * @param isReplicated whether several processes serve the world
   */
  constructor(origins: readonly string[], isReplicated = false) {
    this.#allowsAny = origins.includes(ANY_ORIGIN);
    this.#origins = new Set(origins);
    this.#exposed = (isReplicated ? EXPOSED_BY_REPLICAS : EXPOSED_HEADERS).join(', ');
    this.#anyHeaders = ['access-control-allow-origin', ANY_ORIGIN, 'access-control-expose-headers', this.#exposed];
    this.preflightHeaders = [
      'access-control-allow-methods',
      methodList(METHOD_NAMES),
      'access-control-allow-headers',
      (isReplicated ? ACCEPTED_BY_REPLICAS : ACCEPTED_HEADERS).join(', '),
      'access-control-max-age',
      String(PREFLIGHT_MAX_AGE_SECONDS),
    ];
  }

  allows(origin: string): boolean {
    return this.#allowsAny || this.#origins.has(origin);
  }

  /**
   * Alternating names and values for the reply to a request from an origin. An origin that is not allowed may not read it. A cache learns
   * that the reply depends on the origin, also from a reply to a request without one.
   *
   * @param origin '' for none
   */
  replyHeaders(origin: string): readonly string[] {
    if (this.#allowsAny) return origin === '' ? NO_HEADERS : this.#anyHeaders;
    if (!this.#origins.has(origin)) return VARY;
    return ['access-control-allow-origin', origin, 'access-control-expose-headers', this.#exposed, ...VARY];
  }
}

/**
 * Whether a page of another host sends a request. Browsers ask before such a page may send JSON, but not before it sends a request without a
 * body (Fetch standard, section 4.10), so a command without a body must say that it is JSON, too.
 *
 * @param origin of the page
 * @param crossOrigin null if no origin is allowed
 */
export function isForeignPage(origin: string, host: string, crossOrigin: CrossOrigin | null): boolean {
  if (crossOrigin?.allows(origin) === true) return false;
  return origin !== `http://${host}` && origin !== `https://${host}`;
}

/** `scheme://host` or `scheme://host:port`, in lower case, as browsers send it. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]_-]+$/;

/** @throws RangeError if a text is not an origin. It does not repeat the text, which may hold a login */
export function originList(texts: readonly string[]): readonly string[] {
  if (texts.length === 1 && texts[0] === ANY_ORIGIN) return texts;
  for (const text of texts) {
    if (!ORIGIN.test(text)) throw new RangeError('Each origin must be like https://example.org');
  }
  return texts;
}
