// Requests that are broken below the level of paths and bodies, and the outcome of each. If the two servers differ, the
// row names the difference.

import type { RELEASE_DIFFERENCES, SERVER_DIFFERENCES } from '../../../http/documents/server-differences.js';
import { BODY_BYTES_MAX } from '../../../http/limits.js';

/**
 * What comes back when a request is sent together with a second, sound one: the statuses in order, with the code of the
 * first if it is one of our problems; then `open` if the connection stays open, or `ends` if it ends, at once or after
 * a timeout of the server.
 */
export type Outcome = string;

type DifferenceName = keyof typeof SERVER_DIFFERENCES;

export interface BrokenRequest {
  readonly request: string;
  readonly bytes: Uint8Array;
  readonly native: Outcome;
  readonly javascript: Outcome;
  /** Given if and only if the outcomes differ. */
  readonly difference?: DifferenceName;
}

const BODY = '{"name":7}';
const CHUNKED_BODY = 'a\r\n{"name":7}\r\n0\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';
const ANSWERED = '400 invalid_request, 200, open';

/** A POST whose body is refused for its shape: this refusal shows that the request was read as intended. */
function post(fields: readonly string[], body = BODY): Uint8Array {
  return raw(['POST /api/game/player HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...fields], body);
}

function get(fields: readonly string[], target = '/healthz', version = ' HTTP/1.1'): Uint8Array {
  return raw([`GET ${target}${version}`, 'Host: a', ...fields]);
}

/** One byte per character. */
function raw(lines: readonly string[], body = '', lineEnd = '\r\n'): Uint8Array {
  return Buffer.from(lines.join(lineEnd) + lineEnd + lineEnd + body, 'latin1');
}

type Same = readonly [request: string, bytes: Uint8Array, outcome: Outcome];
type Differing = readonly [request: string, bytes: Uint8Array, native: Outcome, javascript: Outcome];

const same: readonly Same[] = [
  ['a chunked body', post([CHUNKED], CHUNKED_BODY), ANSWERED],
  ['a length with a zero in front', post(['Content-Length: 010']), ANSWERED],
  ['no length, no body', raw(['POST /api/game/player HTTP/1.1', 'Host: a']), '400 invalid_request, 200, open'],
  ['a field of 20 KB', get([`X: ${'a'.repeat(20_000)}`]), 'ends'],
  ['fields of 20 KB together', get(Array.from({ length: 20 }, () => `X: ${'a'.repeat(1_000)}`)), 'ends'],
  ['a path of 20 KB', get([], `/${'a'.repeat(20_000)}`), 'ends'],
  ['a query of 20 KB', get([], `/healthz?${'a'.repeat(20_000)}`), 'ends'],
  ['CONNECT', raw(['CONNECT a:80 HTTP/1.1', 'Host: a']), 'ends'],
  ['an unfinished coding', post(['Transfer-Encoding: gzip']), 'ends'],
  ['a coding before chunked', post(['Transfer-Encoding: gzip, chunked'], CHUNKED_BODY), 'ends'],
  ['an unknown coding', post(['Transfer-Encoding: xchunked'], CHUNKED_BODY), 'ends'],
  ['chunked in capitals', post(['Transfer-Encoding: CHUNKED'], CHUNKED_BODY), 'ends'],
  ['GET with an empty body', get(['Content-Length: 0']), '200, 200, open'],
  [
    'a body for an unknown path',
    raw(['POST /nowhere HTTP/1.1', 'Host: a', 'Content-Length: 10'], BODY),
    '404 route_not_found, 200, open',
  ],
  [
    'a chunked body for an unknown path',
    raw(['POST /nowhere HTTP/1.1', 'Host: a', CHUNKED], CHUNKED_BODY),
    '404 route_not_found, 200, open',
  ],
  [
    'a body with the wrong method',
    raw(['PUT /healthz HTTP/1.1', 'Host: a', 'Content-Length: 10'], BODY),
    '405 method_not_allowed, 200, open',
  ],
  ['a fragment', get([], '/healthz#a'), '404 route_not_found, 200, open'],
  ['45 more fields', get(fields(45)), '200, 200, open'],
  ['a field of 3 KiB', get([`X: ${'a'.repeat(3 * 1024)}`]), '200, 200, open'],
  ['a value with bytes above 127', get(['X: \xff']), '200, 200, open'],
  [
    'an expectation that is met',
    post(['Content-Length: 10', 'Expect: 100-continue']),
    '100, 400 invalid_request, 200, open',
  ],
  ['two lengths', post(['Content-Length: 10', 'Content-Length: 5']), 'ends'],
  ['the same length twice', post(['Content-Length: 10', 'Content-Length: 10']), 'ends'],
  ['a list of lengths', post(['Content-Length: 10, 10']), 'ends'],
  ['length and chunks', post(['Content-Length: 10', CHUNKED], CHUNKED_BODY), 'ends'],
  ['chunked twice', post([CHUNKED, CHUNKED], CHUNKED_BODY), 'ends'],
  ['a negative length', post(['Content-Length: -1']), 'ends'],
  ['a length with a sign', post(['Content-Length: +10']), 'ends'],
  ['a hexadecimal length', post(['Content-Length: 0xa']), 'ends'],
  ['a length of twenty digits', post(['Content-Length: 99999999999999999999']), 'ends'],
  ['a length without digits', post(['Content-Length:']), 'ends'],
  ['a body that no field announces', post([]), 'ends'],
  ['a chunk without a size', post([CHUNKED], `zz\r\n${BODY}\r\n0\r\n\r\n`), 'ends'],
  ['a chunk of negative size', post([CHUNKED], `-1\r\n${BODY}\r\n0\r\n\r\n`), 'ends'],
  ['a chunk longer than its size', post([CHUNKED], `5\r\n${BODY}\r\n0\r\n\r\n`), 'ends'],
  ['a space before the colon', post(['Transfer-Encoding : chunked'], CHUNKED_BODY), 'ends'],
  ['no Host', raw(['GET /healthz HTTP/1.1', 'X: a']), 'ends'],
  ['a space after Host', raw(['GET /healthz HTTP/1.1', 'Host : a']), 'ends'],
  ['a folded line', get(['X: a', ' b']), 'ends'],
  ['a NUL in a value', get(['X: a\0b']), 'ends'],
  ['a NUL in the path', get([], '/a\0b'), 'ends'],
  ['a line without a colon', get(['garbage']), 'ends'],
  ['a space in a name', get(['a b: c']), 'ends'],
  ['an unknown method', raw(['FOO /healthz HTTP/1.1', 'Host: a']), 'ends'],
  ['a method in small letters', raw(['get /healthz HTTP/1.1', 'Host: a']), 'ends'],
  ['a path with a space', get([], '/health z'), 'ends'],
  ['a tab instead of a space', raw(['GET\t/healthz HTTP/1.1', 'Host: a']), 'ends'],
  ['lines that end in LF', raw(['GET /healthz HTTP/1.1', 'Host: a'], '', '\n'), 'ends'],
  ['lines that end in CR', raw(['GET /healthz HTTP/1.1', 'Host: a'], '', '\r'), 'ends'],
  ['the preface of HTTP/2', raw(['PRI * HTTP/2.0', '', 'SM']), 'ends'],
  ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex'), 'ends'],
  ['a greeting', raw(['hello']), 'ends'],
  ['HTTP/1.0', get([], '/healthz', ' HTTP/1.0'), 'ends'],
  ['no version', raw(['GET /healthz']), 'ends'],
  ['a whole URL', get([], 'http://a/healthz'), 'ends'],
  ['a star', raw(['OPTIONS * HTTP/1.1', 'Host: a']), 'ends'],
  ['60 more fields', get(fields(60)), 'ends'],
  ['a length of ten digits', post(['Content-Length: 0000000010']), 'ends'],
  ['an underscore in a name', get(['X_Y: a']), 'ends'],
  ['an unknown expectation', post(['Content-Length: 10', 'Expect: magic']), ANSWERED],
  ['CONNECT with a path', raw(['CONNECT /healthz HTTP/1.1', 'Host: a']), 'ends'],
  ['a path with bytes above 127', get([], '/\xff'), 'ends'],
  ['an id with bytes above 127', get([], '/api/game/state/\xc3\xa9'), 'ends'],
  ['a query with bytes above 127', get([], '/healthz?\xff'), 'ends'],
];

const differing: Readonly<Partial<Record<DifferenceName, readonly Differing[]>>> = {
  chunkExtras: [
    ['a chunk with an extension', post([CHUNKED], CHUNKED_BODY.replace('a\r\n', 'a;x=y\r\n')), 'ends', ANSWERED],
    [
      'a trailer',
      post([CHUNKED], CHUNKED_BODY.replace('0\r\n', '0\r\nX: y\r\n')),
      '400 invalid_request, ends',
      ANSWERED,
    ],
  ],
  chunkSeparators: [
    ['a chunk without a line end', post([CHUNKED], CHUNKED_BODY.replace('}\r\n', '}XX')), ANSWERED, 'ends'],
    ['a space after the size of a chunk', post([CHUNKED], CHUNKED_BODY.replace('a', 'a ')), ANSWERED, 'ends'],
    ['a tab after the size of a chunk', post([CHUNKED], CHUNKED_BODY.replace('a', 'a\t')), ANSWERED, 'ends'],
    ['a size that ends in LF alone', post([CHUNKED], CHUNKED_BODY.replace('a\r\n', 'a\n')), ANSWERED, 'ends'],
    ['an empty line for the last size', post([CHUNKED], CHUNKED_BODY.replace('\r\n0', '\r\n')), ANSWERED, 'ends'],
  ],
  headSize: [
    [
      'a path of 10 KB and a field of 10 KB',
      get([`X: ${'a'.repeat(10_000)}`], `/${'a'.repeat(10_000)}`),
      '404 route_not_found, 200, open',
      'ends',
    ],
  ],
  lenientLines: [
    ['an empty line before the request', raw(['', 'GET /healthz HTTP/1.1', 'Host: a']), 'ends', '200, 200, open'],
    ['two spaces', raw(['GET  /healthz HTTP/1.1', 'Host: a']), 'ends', '200, 200, open'],
  ],
  bytesAtValueEnd: [
    [
      'an Idempotency-Key that ends in a byte above 127',
      raw(['POST /api/game/planet/starter/player-99 HTTP/1.1', 'Host: a', 'Idempotency-Key: a\xff']),
      '404 player_not_found, 200, open',
      '400 invalid_request, 200, open',
    ],
  ],
  emptyFieldName: [['a field without a name', get([': b']), '200, 200, open', 'ends']],
  upgrade: [
    ['Upgrade to WebSocket', get(['Connection: Upgrade', 'Upgrade: websocket']), '200, 200, open', '200, ends'],
  ],
  closingReply: [
    ['Connection: close', get(['Connection: close']), 'ends', '200, ends'],
    [
      'a Connection value of five characters, which the native library takes for close',
      get(['Connection: other']),
      'ends',
      '200, ends',
    ],
    ['close among other Connection options', get(['Connection: x, Close']), 'ends', '200, ends'],
    [
      'GET with a body',
      raw(['GET /healthz HTTP/1.1', 'Host: a', 'Content-Length: 10'], BODY),
      'ends',
      '400 invalid_request, ends',
    ],
    [
      'GET with chunks',
      raw(['GET /healthz HTTP/1.1', 'Host: a', CHUNKED], CHUNKED_BODY),
      'ends',
      '400 invalid_request, ends',
    ],
    ['two Hosts', get(['Host: b']), 'ends', '400 invalid_request, ends'],
    ['two Idempotency-Keys', get(['Idempotency-Key: a', 'Idempotency-Key: a']), 'ends', '400 invalid_request, ends'],
    ['two Authorizations', get(['Authorization: a', 'Authorization: b']), 'ends', '400 invalid_request, ends'],
  ],
  proxyProtocol: [
    [
      'a PROXY header',
      Buffer.concat([
        Buffer.from('0d0a0d0a000d0a515549540a2111000c06060606020202020001000200', 'hex').subarray(0, 28),
        get([]),
      ]),
      '200, 200, open',
      'ends',
    ],
  ],
};

/**
 * Bodies that are too large, with nothing after them: the reply comes before they end, and the connection ends with it.
 */
export const OVERSIZED_REQUESTS: Readonly<Record<string, Uint8Array>> = {
  'a length that is too large': post([`Content-Length: ${BODY_BYTES_MAX + 1}`], ''),
  'a body that is too large': post([`Content-Length: ${BODY_BYTES_MAX + 1}`], 'x'.repeat(BODY_BYTES_MAX + 1)),
  'a body that is far too large': post(['Content-Length: 1000000'], 'x'.repeat(1_000_000)),
  'a chunked body that is too large': post([CHUNKED], `${chunks(5)}0\r\n\r\n`),
  'a chunked body without end': post([CHUNKED], chunks(60)),
};

export const BROKEN_REQUESTS: readonly BrokenRequest[] = [
  ...same.map(([request, bytes, outcome]) => ({ request, bytes, native: outcome, javascript: outcome })),
  ...Object.entries(differing).flatMap(([difference, rows]) =>
    rows.map(([request, bytes, native, javascript]) => {
      return { request, bytes, native, javascript, difference: difference as DifferenceName };
    }),
  ),
];

/** What current releases of uWebSockets.js do instead with the named requests, by the difference that each is. */
const OF_CURRENT_RELEASES: Readonly<
  Record<keyof typeof RELEASE_DIFFERENCES, Readonly<Record<Outcome, readonly string[]>>>
> = {
  refusals: {
    '400, ends': [
      'an unfinished coding',
      'a list of lengths',
      'length and chunks',
      'a negative length',
      'a length with a sign',
      'a hexadecimal length',
      'a length of twenty digits',
      'a chunk without a size',
      'a chunk of negative size',
      'a chunk longer than its size',
      'a space before the colon',
      'no Host',
      'a space after Host',
      'a folded line',
      'a NUL in a value',
      'a line without a colon',
      'a space in a name',
      'a chunk with an extension',
      'two Hosts',
    ],
    '505, ends': [
      'CONNECT',
      'a NUL in the path',
      'a path with a space',
      'a tab instead of a space',
      'lines that end in LF',
      'lines that end in CR',
      'the preface of HTTP/2',
      'a TLS handshake',
      'HTTP/1.0',
      'a whole URL',
      'a star',
      'two spaces',
      // The reply to the request itself is lost.
      'a trailer',
    ],
  },
  headSize: {
    '431, ends': [
      'a field of 20 KB',
      'fields of 20 KB together',
      'a path of 20 KB',
      'a query of 20 KB',
      'a path of 10 KB and a field of 10 KB',
    ],
  },
  fields: { '200, 200, open': ['60 more fields', 'an underscore in a name'] },
  methods: {
    '405 method_not_allowed, 200, open': ['an unknown method'],
    '200, 200, open': ['a method in small letters'],
  },
  unannouncedBodies: {
    '400 invalid_request, 405 method_not_allowed, open': ['a body that no field announces'],
  },
};

/** The outcome of each request that current releases of uWebSockets.js treat otherwise. */
export const CURRENT_OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  Object.values(OF_CURRENT_RELEASES).flatMap((byOutcome) =>
    Object.entries(byOutcome).flatMap(([outcome, requests]) => requests.map((request) => [request, outcome] as const)),
  ),
);

function chunks(count: number): string {
  return `4000\r\n${'x'.repeat(0x4000)}\r\n`.repeat(count);
}

function fields(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `X-${index}: a`);
}
