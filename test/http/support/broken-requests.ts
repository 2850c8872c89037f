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

/** The section of a standard that says what the request is. */
type Section = `RFC ${9110 | 9112}, ${number}` | `RFC ${9110 | 9112}, ${number}.${number}`;

export interface BrokenRequest {
  readonly section: Section;
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
/** The signature and the head of version 2 of the protocol. */
const PROXY_HEADER = Buffer.from('0d0a0d0a000d0a515549540a2111000c060606060202020200010002', 'hex');

const SERVED = '200, 200, open';
const ANSWERED = '400 invalid_request, 200, open';
const INVALID = '400 invalid_request, ends';
const MALFORMED = '400 malformed_request, ends';
const TOO_LARGE = '431 head_too_large, ends';
const NOT_IMPLEMENTED = '501 not_implemented, ends';
const OTHER_VERSION = '505 http_version_not_supported, ends';

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

type Same = readonly [section: Section, request: string, bytes: Uint8Array, outcome: Outcome];
type Differing = readonly [section: Section, request: string, bytes: Uint8Array, native: Outcome, javascript: Outcome];

const same: readonly Same[] = [
  ['RFC 9112, 3.2', 'a Host that is an address of IPv6', raw(['GET /healthz HTTP/1.1', 'Host: [::1]:80']), SERVED],
  ['RFC 9112, 3.2', 'a Host without the number of its port', raw(['GET /healthz HTTP/1.1', 'Host: a:']), SERVED],
  ['RFC 9112, 3.2', 'a fragment', get([], '/healthz#a'), '404 route_not_found, 200, open'],
  ['RFC 9112, 3.2', 'a path with two slashes', get([], '//healthz'), '404 route_not_found, 200, open'],
  ['RFC 9112, 3.2', 'a path with dots', get([], '/api/../healthz'), '404 route_not_found, 200, open'],
  ['RFC 9112, 3.2', 'a path with an escape that is none', get([], '/%zz'), '404 route_not_found, 200, open'],
  ['RFC 9112, 3.2', 'a path with an escaped NUL', get([], '/healthz%00'), '404 route_not_found, 200, open'],
  ['RFC 9112, 6.1', 'a chunked body', post([CHUNKED], CHUNKED_BODY), ANSWERED],
  ['RFC 9112, 6.1', 'chunked in capitals', post(['Transfer-Encoding: CHUNKED'], CHUNKED_BODY), ANSWERED],
  ['RFC 9112, 6.1', 'chunked with a capital', post(['Transfer-Encoding: Chunked'], CHUNKED_BODY), ANSWERED],
  ['RFC 9112, 6.1', 'an empty coding', post(['Transfer-Encoding:'], CHUNKED_BODY), MALFORMED],
  ['RFC 9112, 6.2', 'a length with a zero in front', post(['Content-Length: 010']), ANSWERED],
  ['RFC 9112, 6.2', 'a length with spaces around it', post(['Content-Length: \t10 ']), ANSWERED],
  ['RFC 9112, 6.3', 'no length, no body', raw(['POST /api/game/player HTTP/1.1', 'Host: a']), ANSWERED],
  ['RFC 9112, 6.3', 'GET with an empty body', get(['Content-Length: 0']), SERVED],
  [
    'RFC 9112, 6.3',
    'a body for an unknown path',
    raw(['POST /nowhere HTTP/1.1', 'Host: a', 'Content-Length: 10'], BODY),
    '404 route_not_found, 200, open',
  ],
  [
    'RFC 9112, 6.3',
    'a chunked body for an unknown path',
    raw(['POST /nowhere HTTP/1.1', 'Host: a', CHUNKED], CHUNKED_BODY),
    '404 route_not_found, 200, open',
  ],
  [
    'RFC 9112, 6.3',
    'a body with the wrong method',
    raw(['PUT /healthz HTTP/1.1', 'Host: a', 'Content-Length: 10'], BODY),
    '405 method_not_allowed, 200, open',
  ],
  ['RFC 9112, 7.1', 'a size in capitals', post([CHUNKED], CHUNKED_BODY.replace('a', 'A')), ANSWERED],
  ['RFC 9112, 7.1', 'a size with zeros in front', post([CHUNKED], CHUNKED_BODY.replace('a', '000a')), ANSWERED],
  [
    'RFC 9112, 7.1',
    'a last size of several zeros',
    post([CHUNKED], CHUNKED_BODY.replace('0\r\n', '000\r\n')),
    ANSWERED,
  ],
  ['RFC 9110, 5.4', '45 more fields', get(fields(45)), SERVED],
  ['RFC 9110, 5.4', 'a field of 3 KiB', get([`X: ${'a'.repeat(3 * 1024)}`]), SERVED],
  ['RFC 9110, 5.5', 'a tab in a value', get(['X: a\tb']), SERVED],
  ['RFC 9110, 5.5', 'an empty value', get(['X:']), SERVED],
  ['RFC 9110, 5.5', 'a value with bytes above 127', get(['X: \xff']), SERVED],
  ['RFC 9110, 9.1', 'TRACE', raw(['TRACE /healthz HTTP/1.1', 'Host: a']), '405 method_not_allowed, 200, open'],
  ['RFC 9110, 9.1', 'DELETE', raw(['DELETE /healthz HTTP/1.1', 'Host: a']), '405 method_not_allowed, 200, open'],
  [
    'RFC 9110, 9.1',
    'PATCH',
    raw(['PATCH /healthz HTTP/1.1', 'Host: a', 'Content-Length: 10'], BODY),
    '405 method_not_allowed, 200, open',
  ],
  ['RFC 9110, 9.1', 'OPTIONS', raw(['OPTIONS /healthz HTTP/1.1', 'Host: a']), '405 method_not_allowed, 200, open'],
  [
    'RFC 9110, 10.1.1',
    'an expectation that is met',
    post(['Content-Length: 10', 'Expect: 100-continue']),
    '100, 400 invalid_request, 200, open',
  ],
  ['RFC 9110, 10.1.1', 'an unknown expectation', post(['Content-Length: 10', 'Expect: magic']), ANSWERED],
  ['RFC 9110, 10.1.1', 'an expectation without a body', get(['Expect: 100-continue']), '100, 200, 200, open'],
  ['RFC 9110, 13.1', 'If-None-Match: *', get(['If-None-Match: *'], '/api/leaderboard'), '304, 200, open'],
  ['RFC 9110, 13.1', 'a tag without quotes', get(['If-None-Match: abc'], '/api/leaderboard'), SERVED],
  [
    'RFC 9110, 13.1',
    'an If-Modified-Since that is no date',
    get(['If-Modified-Since: yesterday'], '/api/leaderboard'),
    SERVED,
  ],
  ['RFC 9110, 13.1', 'a Range', get(['Range: bytes=0-0'], '/api/leaderboard'), SERVED],
  ['RFC 9112, 3.2', 'an empty Host', raw(['GET /healthz HTTP/1.1', 'Host:']), ANSWERED],
  ['RFC 9112, 3.2', 'a Host with a user', raw(['GET /healthz HTTP/1.1', 'Host: user@a']), ANSWERED],
  ['RFC 9112, 3.2', 'a Host with a path', raw(['GET /healthz HTTP/1.1', 'Host: a/b']), ANSWERED],
  ['RFC 9112, 3.2', 'a Host that is a list', raw(['GET /healthz HTTP/1.1', 'Host: a, b']), ANSWERED],
  ['RFC 9112, 3.2', 'a Host with a space', raw(['GET /healthz HTTP/1.1', 'Host: a b']), ANSWERED],
  ['RFC 9112, 3.2', 'a Host with a port that is none', raw(['GET /healthz HTTP/1.1', 'Host: a:b']), ANSWERED],
];

/** Not answered by the native server, which closes the connection. */
const lost: Readonly<Partial<Record<DifferenceName, readonly Same[]>>> = {
  refusals: [
    ['RFC 9112, 2.2', 'a space before the request', raw([' GET /healthz HTTP/1.1', 'Host: a']), MALFORMED],
    ['RFC 9112, 2.2', 'lines that end in LF', raw(['GET /healthz HTTP/1.1', 'Host: a'], '', '\n'), MALFORMED],
    ['RFC 9112, 2.2', 'lines that end in CR', raw(['GET /healthz HTTP/1.1', 'Host: a'], '', '\r'), MALFORMED],
    ['RFC 9112, 2.2', 'a head that ends in LF', raw(['GET /healthz HTTP/1.1', 'Host: a\n'], '', '\r\n'), MALFORMED],
    ['RFC 9112, 2.2', 'a space before the first field', raw(['GET /healthz HTTP/1.1', ' Host: a']), MALFORMED],
    ['RFC 9112, 2.2', 'the preface of HTTP/2', raw(['PRI * HTTP/2.0', '', 'SM']), OTHER_VERSION],
    ['RFC 9112, 2.2', 'a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex'), MALFORMED],
    [
      'RFC 9112, 2.2',
      'a PROXY line',
      Buffer.concat([Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 80\r\n'), get([])]),
      NOT_IMPLEMENTED,
    ],
    ['RFC 9112, 2.2', 'a greeting', raw(['hello']), MALFORMED],
    ['RFC 9112, 2.2', 'a reply', raw(['HTTP/1.1 200 OK', 'Content-Length: 0']), MALFORMED],
    ['RFC 9112, 2.3', 'HTTP/1.2', get([], '/healthz', ' HTTP/1.2'), OTHER_VERSION],
    ['RFC 9112, 2.3', 'HTTP/2.0', get([], '/healthz', ' HTTP/2.0'), OTHER_VERSION],
    ['RFC 9112, 2.3', 'HTTP/9.9', get([], '/healthz', ' HTTP/9.9'), OTHER_VERSION],
    ['RFC 9112, 2.3', 'HTTP/1.10', get([], '/healthz', ' HTTP/1.10'), MALFORMED],
    ['RFC 9112, 2.3', 'HTTP/01.1', get([], '/healthz', ' HTTP/01.1'), MALFORMED],
    ['RFC 9112, 2.3', 'HTTP in small letters', get([], '/healthz', ' http/1.1'), MALFORMED],
    ['RFC 9112, 2.3', 'another protocol', get([], '/healthz', ' HTTPS/1.1'), MALFORMED],
    ['RFC 9112, 2.3', 'no version', raw(['GET /healthz']), OTHER_VERSION],
    ['RFC 9112, 3', 'a tab instead of a space', raw(['GET\t/healthz HTTP/1.1', 'Host: a']), MALFORMED],
    ['RFC 9112, 3', 'a space after the version', get([], '/healthz', ' HTTP/1.1 '), MALFORMED],
    ['RFC 9112, 3', 'a path with a space', get([], '/health z'), MALFORMED],
    ['RFC 9112, 3', 'no target', raw(['GET HTTP/1.1', 'Host: a']), MALFORMED],
    ['RFC 9112, 3.2', 'no Host', raw(['GET /healthz HTTP/1.1', 'X: a']), MALFORMED],
    ['RFC 9112, 3.2', 'a space after Host', raw(['GET /healthz HTTP/1.1', 'Host : a']), MALFORMED],
    ['RFC 9112, 3.2', 'a path with a backslash', get([], '\\healthz'), MALFORMED],
    ['RFC 9112, 3.2', 'a path without a slash', get([], 'healthz'), MALFORMED],
    ['RFC 9112, 3.2', 'a NUL in the path', get([], '/a\0b'), MALFORMED],
    ['RFC 9112, 3.2', 'a control character in the path', get([], '/a\x01b'), MALFORMED],
    ['RFC 9112, 3.2', 'a whole URL without a host', get([], 'http:///healthz'), MALFORMED],
    ['RFC 9112, 3.2', 'a whole URL with a user', get([], 'http://user@a/healthz'), ANSWERED],
    ['RFC 9112, 3.2', 'a whole URL without Host', raw(['GET http://a/healthz HTTP/1.1']), MALFORMED],
    ['RFC 9112, 3.2', 'a URL of another scheme', get([], 'ftp://a/healthz'), MALFORMED],
    ['RFC 9112, 3.2', 'an authority', get([], 'a:80'), MALFORMED],
    ['RFC 9112, 3.2', 'a star with another method', get([], '*'), MALFORMED],
    ['RFC 9112, 3.2', 'CONNECT', raw(['CONNECT a:80 HTTP/1.1', 'Host: a']), NOT_IMPLEMENTED],
    ['RFC 9112, 5.1', 'a space before the colon', post(['Transfer-Encoding : chunked'], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 5.1', 'a tab before the colon', post(['Transfer-Encoding\t: chunked'], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 5.1', 'a line without a colon', get(['garbage']), MALFORMED],
    ['RFC 9112, 5.1', 'a space in a name', get(['a b: c']), MALFORMED],
    ['RFC 9112, 5.1', 'a bracket in a name', get(['a(b): c']), MALFORMED],
    ['RFC 9112, 5.1', 'a byte above 127 in a name', get(['X\xff: c']), MALFORMED],
    ['RFC 9112, 5.1', 'a NUL in a name', get(['X\0: c']), MALFORMED],
    ['RFC 9112, 5.2', 'a folded line', get(['X: a', ' b']), MALFORMED],
    ['RFC 9112, 5.2', 'a line folded by a tab', get(['X: a', '\tb']), MALFORMED],
    ['RFC 9112, 5.2', 'a folded coding', post(['Transfer-Encoding:', ' chunked'], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 6.1', 'an unfinished coding', post(['Transfer-Encoding: gzip']), MALFORMED],
    ['RFC 9112, 6.1', 'the coding identity', post(['Transfer-Encoding: identity', 'Content-Length: 10']), MALFORMED],
    [
      'RFC 9112, 6.1',
      'a coding behind a vertical tab',
      post(['Transfer-Encoding: \x0bchunked'], CHUNKED_BODY),
      MALFORMED,
    ],
    ['RFC 9112, 6.1', 'length and chunks', post(['Content-Length: 10', CHUNKED], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 6.1', 'chunks and length', post([CHUNKED, 'Content-Length: 10'], CHUNKED_BODY), MALFORMED],
    [
      'RFC 9112, 6.1',
      'chunks of HTTP/1.0',
      raw(['POST /api/game/player HTTP/1.0', 'Host: a', CHUNKED], CHUNKED_BODY),
      MALFORMED,
    ],
    ['RFC 9112, 6.2', 'a list of lengths', post(['Content-Length: 10, 10']), MALFORMED],
    ['RFC 9112, 6.2', 'a negative length', post(['Content-Length: -1']), MALFORMED],
    ['RFC 9112, 6.2', 'a length with a sign', post(['Content-Length: +10']), MALFORMED],
    ['RFC 9112, 6.2', 'a hexadecimal length', post(['Content-Length: 0xa']), MALFORMED],
    ['RFC 9112, 6.2', 'a length with a space', post(['Content-Length: 1 0']), MALFORMED],
    ['RFC 9112, 6.2', 'a length with a fraction', post(['Content-Length: 10.0']), MALFORMED],
    ['RFC 9112, 6.2', 'a length of twenty digits', post(['Content-Length: 99999999999999999999']), MALFORMED],
    ['RFC 9112, 6.3', 'a body that no field announces', post([]), '400 invalid_request, 400 malformed_request, ends'],
    [
      'RFC 9112, 6.3',
      'a broken chunk for an unknown path',
      raw(['POST /nowhere HTTP/1.1', 'Host: a', CHUNKED], 'zz\r\n'),
      '404 route_not_found, ends',
    ],
    ['RFC 9112, 7.1', 'a chunk without a size', post([CHUNKED], `zz\r\n${BODY}\r\n0\r\n\r\n`), MALFORMED],
    ['RFC 9112, 7.1', 'a chunk of negative size', post([CHUNKED], `-1\r\n${BODY}\r\n0\r\n\r\n`), MALFORMED],
    ['RFC 9112, 7.1', 'a size with a sign', post([CHUNKED], CHUNKED_BODY.replace('a', '+a')), MALFORMED],
    ['RFC 9112, 7.1', 'a size with a prefix', post([CHUNKED], CHUNKED_BODY.replace('a', '0xa')), MALFORMED],
    ['RFC 9112, 7.1', 'a size with an underscore', post([CHUNKED], CHUNKED_BODY.replace('a', '0_a')), MALFORMED],
    [
      'RFC 9112, 7.1',
      'a size of seventeen digits',
      post([CHUNKED], CHUNKED_BODY.replace('a', '1000000000000000a')),
      MALFORMED,
    ],
    ['RFC 9112, 7.1', 'a chunk longer than its size', post([CHUNKED], `5\r\n${BODY}\r\n0\r\n\r\n`), MALFORMED],
    ['RFC 9112, 7.1', 'a size that ends in CR alone', post([CHUNKED], CHUNKED_BODY.replace('a\r\n', 'a\r')), MALFORMED],
    [
      'RFC 9112, 7.1.1',
      'an extension with a bare LF',
      post([CHUNKED], CHUNKED_BODY.replace('a\r\n', 'a;x\ny\r\n')),
      MALFORMED,
    ],
    [
      'RFC 9112, 7.1.1',
      'an extension of 20 KB',
      post([CHUNKED], CHUNKED_BODY.replace('a\r\n', `a;${'x'.repeat(20_000)}\r\n`)),
      '413 body_too_large, ends',
    ],
    ['RFC 9110, 5.4', '60 more fields', get(fields(60)), TOO_LARGE],
    ['RFC 9110, 5.4', '2,100 more fields', get(Array.from({ length: 2_100 }, () => 'X: a')), TOO_LARGE],
    ['RFC 9110, 5.4', 'a method of 20 KB', raw([`${'A'.repeat(20_000)} /healthz HTTP/1.1`, 'Host: a']), MALFORMED],
    ['RFC 9110, 5.5', 'a NUL in a value', get(['X: a\0b']), MALFORMED],
    ['RFC 9110, 5.5', 'a control character in a value', get(['X: a\x01b']), MALFORMED],
    ['RFC 9110, 5.5', 'a bare CR in a value', get(['X: a\rb']), MALFORMED],
    ['RFC 9110, 5.5', 'a bare LF in a value', get(['X: a\nb']), MALFORMED],
    ['RFC 9110, 9.1', 'an unknown method', raw(['BREW /healthz HTTP/1.1', 'Host: a']), NOT_IMPLEMENTED],
    ['RFC 9110, 9.1', 'a method in small letters', raw(['get /healthz HTTP/1.1', 'Host: a']), NOT_IMPLEMENTED],
    ['RFC 9110, 9.1', 'a method with an odd character', raw(['G@T /healthz HTTP/1.1', 'Host: a']), MALFORMED],
    [
      'RFC 9110, 9.1',
      'a method that begins with a known one',
      raw(['GETS /healthz HTTP/1.1', 'Host: a']),
      NOT_IMPLEMENTED,
    ],
  ],
  unknownForms: [
    ['RFC 9112, 2.2', 'an empty line before the request', raw(['', 'GET /healthz HTTP/1.1', 'Host: a']), SERVED],
    ['RFC 9112, 2.2', 'two empty lines before the request', raw(['', '', 'GET /healthz HTTP/1.1', 'Host: a']), SERVED],
    ['RFC 9112, 2.3', 'HTTP/1.0', get([], '/healthz', ' HTTP/1.0'), '200, ends'],
    ['RFC 9112, 2.3', 'HTTP/1.0 without Host', raw(['GET /healthz HTTP/1.0']), '200, ends'],
    [
      'RFC 9112, 2.3',
      'HTTP/1.0 that keeps the connection',
      get(['Connection: keep-alive'], '/healthz', ' HTTP/1.0'),
      SERVED,
    ],
    [
      'RFC 9112, 2.3',
      'HTTP/1.0 with a body',
      raw(['POST /api/game/player HTTP/1.0', 'Content-Type: application/json', 'Content-Length: 10'], BODY),
      INVALID,
    ],
    ['RFC 9112, 3.2', 'a whole URL', get([], 'http://a/healthz'), SERVED],
    ['RFC 9112, 3.2', 'a whole URL in capitals, with a port', get([], 'HTTP://A:80/healthz'), SERVED],
    ['RFC 9112, 3.2', 'a whole URL of https', get([], 'https://a/healthz'), SERVED],
    ['RFC 9112, 3.2', 'a whole URL without a path', get([], 'http://a'), SERVED],
    ['RFC 9112, 3.2', 'a whole URL with a query alone', get([], 'http://a?b'), SERVED],
    ['RFC 9112, 3.2', 'a star', raw(['OPTIONS * HTTP/1.1', 'Host: a']), '204, 200, open'],
    ['RFC 9112, 6.2', 'a length of ten digits', post(['Content-Length: 0000000010']), ANSWERED],
    ['RFC 9110, 5.1', 'every character that a name may have', get(["!#$%&'*+-.^_`|~09azAZ: a"]), SERVED],
    ['RFC 9110, 5.1', 'an underscore in a name', get(['X_Y: a']), SERVED],
    ['RFC 9110, 5.4', '49 more fields', get(fields(49)), SERVED],
    ['RFC 9110, 9.1', 'PROPFIND', raw(['PROPFIND /healthz HTTP/1.1', 'Host: a']), '405 method_not_allowed, 200, open'],
    ['RFC 9110, 9.1', 'QUERY', raw(['QUERY /healthz HTTP/1.1', 'Host: a']), '405 method_not_allowed, 200, open'],
    [
      'RFC 9110, 10.1.1',
      'an expectation of HTTP/1.0',
      raw(
        [
          'POST /api/game/player HTTP/1.0',
          'Content-Type: application/json',
          'Content-Length: 10',
          'Expect: 100-continue',
        ],
        BODY,
      ),
      INVALID,
    ],
  ],
  lenientLines: [
    ['RFC 9112, 2.3', 'RTSP', get([], '/healthz', ' RTSP/1.0'), '200, ends'],
    ['RFC 9112, 3', 'two spaces', raw(['GET  /healthz HTTP/1.1', 'Host: a']), SERVED],
    ['RFC 9112, 3', 'two spaces before the version', raw(['GET /healthz  HTTP/1.1', 'Host: a']), SERVED],
  ],
  closingReply: [
    ['RFC 9112, 3.2', 'two Hosts', get(['Host: b']), INVALID],
    ['RFC 9112, 3.2', 'the same Host twice', get(['Host: a']), INVALID],
    ['RFC 9110, 5.3', 'two Idempotency-Keys', get(['Idempotency-Key: a', 'Idempotency-Key: a']), INVALID],
    ['RFC 9110, 5.3', 'two Authorizations', get(['Authorization: a', 'Authorization: b']), INVALID],
    ['RFC 9112, 3.2', 'a path with bytes above 127', get([], '/\xff'), MALFORMED],
    ['RFC 9112, 3.2', 'an id with bytes above 127', get([], '/api/game/state/\xc3\xa9'), MALFORMED],
    ['RFC 9112, 3.2', 'a query with bytes above 127', get([], '/healthz?\xff'), MALFORMED],
    ['RFC 9112, 3.2', 'CONNECT with a path', raw(['CONNECT /healthz HTTP/1.1', 'Host: a']), NOT_IMPLEMENTED],
    [
      'RFC 9112, 6.1',
      'a coding before chunked',
      post(['Transfer-Encoding: gzip, chunked'], CHUNKED_BODY),
      NOT_IMPLEMENTED,
    ],
    ['RFC 9112, 6.1', 'a coding after chunked', post(['Transfer-Encoding: chunked, gzip'], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 6.1', 'an unknown coding', post(['Transfer-Encoding: xchunked'], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 6.1', 'a coding in quotes', post(['Transfer-Encoding: "chunked"'], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 6.1', 'a coding with a parameter', post(['Transfer-Encoding: chunked;a=b'], CHUNKED_BODY), MALFORMED],
    ['RFC 9112, 6.1', 'chunked twice', post([CHUNKED, CHUNKED], CHUNKED_BODY), MALFORMED],
    [
      'RFC 9112, 6.1',
      'chunked twice in one field',
      post(['Transfer-Encoding: chunked, chunked'], CHUNKED_BODY),
      MALFORMED,
    ],
    ['RFC 9112, 6.2', 'two lengths', post(['Content-Length: 10', 'Content-Length: 5']), MALFORMED],
    ['RFC 9112, 6.2', 'the same length twice', post(['Content-Length: 10', 'Content-Length: 10']), MALFORMED],
    ['RFC 9112, 6.2', 'a length without digits', post(['Content-Length:']), MALFORMED],
    [
      'RFC 9112, 6.3',
      'GET with a body',
      raw(['GET /healthz HTTP/1.1', 'Host: a', 'Content-Length: 10'], BODY),
      INVALID,
    ],
    ['RFC 9112, 6.3', 'GET with chunks', raw(['GET /healthz HTTP/1.1', 'Host: a', CHUNKED], CHUNKED_BODY), INVALID],
    ['RFC 9112, 9.6', 'Connection: close', get(['Connection: close']), '200, ends'],
    [
      'RFC 9112, 9.6',
      'a Connection value of five characters, which the native library takes for close',
      get(['Connection: other']),
      '200, ends',
    ],
    ['RFC 9112, 9.6', 'close among other Connection options', get(['Connection: x, Close']), '200, ends'],
    ['RFC 9110, 5.4', 'a field of 20 KB', get([`X: ${'a'.repeat(20_000)}`]), TOO_LARGE],
    ['RFC 9110, 5.4', 'a name of 20 KB', get([`${'a'.repeat(20_000)}: a`]), TOO_LARGE],
    [
      'RFC 9110, 5.4',
      'fields of 20 KB together',
      get(Array.from({ length: 20 }, () => `X: ${'a'.repeat(1_000)}`)),
      TOO_LARGE,
    ],
    ['RFC 9110, 5.4', 'a path of 20 KB', get([], `/${'a'.repeat(20_000)}`), TOO_LARGE],
    ['RFC 9110, 5.4', 'a query of 20 KB', get([], `/healthz?${'a'.repeat(20_000)}`), TOO_LARGE],
  ],
  chunkExtras: [
    [
      'RFC 9112, 7.1.1',
      'a chunk with an extension',
      post([CHUNKED], CHUNKED_BODY.replace('a\r\n', 'a;x=y\r\n')),
      ANSWERED,
    ],
    [
      'RFC 9112, 7.1.1',
      'a chunk with a quoted extension',
      post([CHUNKED], CHUNKED_BODY.replace('a\r\n', 'a;x="y;z"\r\n')),
      ANSWERED,
    ],
    [
      'RFC 9112, 7.1.1',
      'an extension at the last chunk',
      post([CHUNKED], CHUNKED_BODY.replace('0\r\n', '0;x\r\n')),
      ANSWERED,
    ],
  ],
};

const differing: Readonly<Partial<Record<DifferenceName, readonly Differing[]>>> = {
  chunkExtras: [
    [
      'RFC 9112, 7.1.2',
      'a trailer',
      post([CHUNKED], CHUNKED_BODY.replace('0\r\n', '0\r\nX: y\r\n')),
      INVALID,
      ANSWERED,
    ],
    [
      'RFC 9112, 7.1.2',
      'a length in a trailer',
      post([CHUNKED], CHUNKED_BODY.replace('0\r\n', '0\r\nContent-Length: 5\r\n')),
      INVALID,
      MALFORMED,
    ],
    [
      'RFC 9112, 7.1.2',
      'a Host in a trailer',
      post([CHUNKED], CHUNKED_BODY.replace('0\r\n', '0\r\nHost: b\r\n')),
      INVALID,
      ANSWERED,
    ],
    [
      'RFC 9112, 7.1.2',
      'a malformed trailer',
      post([CHUNKED], CHUNKED_BODY.replace('0\r\n', '0\r\nX y\r\n')),
      INVALID,
      MALFORMED,
    ],
  ],
  proxyProtocol: [['RFC 9112, 2.2', 'a PROXY header', Buffer.concat([PROXY_HEADER, get([])]), SERVED, MALFORMED]],
  oddFields: [
    ['RFC 9112, 5.1', 'a field without a name', get([': b']), SERVED, MALFORMED],
    ['RFC 9110, 5.5', 'DEL in a value', get(['X: a\x7fb']), SERVED, MALFORMED],
  ],
  chunkSeparators: [
    [
      'RFC 9112, 7.1',
      'a chunk without a line end',
      post([CHUNKED], CHUNKED_BODY.replace('}\r\n', '}XX')),
      ANSWERED,
      MALFORMED,
    ],
    [
      'RFC 9112, 7.1',
      'a space before the size of a chunk',
      post([CHUNKED], CHUNKED_BODY.replace('a', ' a')),
      INVALID,
      MALFORMED,
    ],
    [
      'RFC 9112, 7.1',
      'a space after the size of a chunk',
      post([CHUNKED], CHUNKED_BODY.replace('a', 'a ')),
      ANSWERED,
      MALFORMED,
    ],
    [
      'RFC 9112, 7.1',
      'a tab after the size of a chunk',
      post([CHUNKED], CHUNKED_BODY.replace('a', 'a\t')),
      ANSWERED,
      MALFORMED,
    ],
    [
      'RFC 9112, 7.1',
      'a size that ends in LF alone',
      post([CHUNKED], CHUNKED_BODY.replace('a\r\n', 'a\n')),
      ANSWERED,
      MALFORMED,
    ],
    [
      'RFC 9112, 7.1',
      'an empty line for the last size',
      post([CHUNKED], CHUNKED_BODY.replace('\r\n0', '\r\n')),
      ANSWERED,
      MALFORMED,
    ],
  ],
  headSize: [
    [
      'RFC 9110, 5.4',
      'a path of 10 KB and a field of 10 KB',
      get([`X: ${'a'.repeat(10_000)}`], `/${'a'.repeat(10_000)}`),
      '404 route_not_found, 200, open',
      TOO_LARGE,
    ],
  ],
  bytesAtValueEnd: [
    [
      'RFC 9110, 5.5',
      'an Idempotency-Key that ends in a byte above 127',
      raw(['POST /api/game/planet/starter/player-99 HTTP/1.1', 'Host: a', 'Idempotency-Key: a\xff']),
      '404 player_not_found, 200, open',
      ANSWERED,
    ],
  ],
  upgrade: [
    [
      'RFC 9110, 7.8',
      'Upgrade to WebSocket at another path',
      get(['Connection: Upgrade', 'Upgrade: websocket']),
      SERVED,
      '200, ends',
    ],
    [
      'RFC 9110, 7.8',
      'Upgrade to HTTP/2',
      get(['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']),
      SERVED,
      '200, ends',
    ],
  ],
  expectationLetters: [
    [
      'RFC 9110, 10.1.1',
      'an expectation in capitals',
      post(['Content-Length: 10', 'Expect: 100-CONTINUE']),
      ANSWERED,
      '100, 400 invalid_request, 200, open',
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
  ...same.map(([section, request, bytes, outcome]) => {
    return { section, request, bytes, native: outcome, javascript: outcome };
  }),
  ...rowsOf(lost).map(([difference, [section, request, bytes, javascript]]) => {
    return { section, request, bytes, native: 'ends', javascript, difference };
  }),
  ...rowsOf(differing).map(([difference, [section, request, bytes, native, javascript]]) => {
    return { section, request, bytes, native, javascript, difference };
  }),
];

/** What current releases of uWebSockets.js do instead with the named requests, by the difference that each is. */
const OF_CURRENT_RELEASES: Readonly<
  Record<keyof typeof RELEASE_DIFFERENCES, Readonly<Record<Outcome, readonly string[]>>>
> = {
  refusals: {
    '400, ends': [
      'a head that ends in LF',
      'a space before the first field',
      'no Host',
      'a space after Host',
      'two Hosts',
      'the same Host twice',
      'a space before the colon',
      'a tab before the colon',
      'a line without a colon',
      'a space in a name',
      'a bracket in a name',
      'a byte above 127 in a name',
      'a NUL in a name',
      'a folded line',
      'a line folded by a tab',
      'a folded coding',
      'an unfinished coding',
      'the coding identity',
      'a coding behind a vertical tab',
      'length and chunks',
      'chunks and length',
      'a list of lengths',
      'a negative length',
      'a length with a sign',
      'a hexadecimal length',
      'a length with a space',
      'a length with a fraction',
      'a length of twenty digits',
      'a broken chunk for an unknown path',
      'a chunk without a size',
      'a chunk of negative size',
      'a size with a sign',
      'a size with a prefix',
      'a size with an underscore',
      'a size of seventeen digits',
      'a chunk longer than its size',
      'a size that ends in CR alone',
      'a chunk with an extension',
      'a chunk with a quoted extension',
      'an extension at the last chunk',
      'an extension with a bare LF',
      'an extension of 20 KB',
      'a NUL in a value',
      'a control character in a value',
      'a bare LF in a value',
    ],
    // The reply to a request with a trailer is lost.
    '505, ends': [
      'a space before the request',
      'lines that end in LF',
      'lines that end in CR',
      'the preface of HTTP/2',
      'a TLS handshake',
      'a PROXY line',
      'a reply',
      'HTTP/1.0',
      'HTTP/1.0 without Host',
      'HTTP/1.0 that keeps the connection',
      'HTTP/1.0 with a body',
      'HTTP/1.2',
      'HTTP/2.0',
      'HTTP/9.9',
      'HTTP/1.10',
      'HTTP/01.1',
      'HTTP in small letters',
      'another protocol',
      'RTSP',
      'two spaces',
      'two spaces before the version',
      'a tab instead of a space',
      'a space after the version',
      'a path with a space',
      'no target',
      'a path with a backslash',
      'a path without a slash',
      'a NUL in the path',
      'a control character in the path',
      'a whole URL',
      'a whole URL in capitals, with a port',
      'a whole URL of https',
      'a whole URL without a path',
      'a whole URL with a query alone',
      'a whole URL without a host',
      'a whole URL with a user',
      'a whole URL without Host',
      'a URL of another scheme',
      'an authority',
      'a star',
      'a star with another method',
      'CONNECT',
      'chunks of HTTP/1.0',
      'a trailer',
      'a length in a trailer',
      'a Host in a trailer',
      'an expectation of HTTP/1.0',
    ],
  },
  headSize: {
    '431, ends': [
      '2,100 more fields',
      'a field of 20 KB',
      'a name of 20 KB',
      'fields of 20 KB together',
      'a path of 20 KB',
      'a query of 20 KB',
      'a method of 20 KB',
      'a path of 10 KB and a field of 10 KB',
    ],
  },
  forms: {
    '200, 200, open': ['every character that a name may have', 'an underscore in a name', '49 more fields'],
    '400 invalid_request, 200, open': ['a length of ten digits'],
  },
  methods: {
    '405 method_not_allowed, 200, open': [
      'an unknown method',
      'a method with an odd character',
      'a method that begins with a known one',
      'PROPFIND',
      'QUERY',
    ],
    '200, 200, open': ['a method in small letters'],
  },
  unannouncedBodies: { '400 invalid_request, 405 method_not_allowed, open': ['a body that no field announces'] },
};

/** The outcome of each request that current releases of uWebSockets.js treat otherwise. */
export const CURRENT_OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  Object.values(OF_CURRENT_RELEASES).flatMap((byOutcome) =>
    Object.entries(byOutcome).flatMap(([outcome, requests]) => requests.map((request) => [request, outcome] as const)),
  ),
);

function rowsOf<Row>(
  table: Readonly<Partial<Record<DifferenceName, readonly Row[]>>>,
): (readonly [DifferenceName, Row])[] {
  const entries = Object.entries(table) as [DifferenceName, readonly Row[]][];
  return entries.flatMap(([difference, rows]) => rows.map((row) => [difference, row] as const));
}

function chunks(count: number): string {
  return `4000\r\n${'x'.repeat(0x4000)}\r\n`.repeat(count);
}

function fields(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `X-${index}: a`);
}
