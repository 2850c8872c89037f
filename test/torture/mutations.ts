// Ways to break a well-formed request: each mutation is a row of one table. If the end of the request stays certain,
// the mutation keeps its certainty, so that its reply is checked against the route.
import { BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../../http/limits.js';
import type { Draws } from '../support/process/draws.js';
import type { Certainty, TortureRequest } from './requests.js';

const HEAD_END = '\r\n\r\n';
const HUGE_FIELD_BYTES = 100_000;
const MANY_FIELDS = 2_000;

/** The parts of a request: its lines without line ends, and its body. */
interface Parts {
  readonly lines: readonly string[];
  readonly body: Buffer;
}

interface Mutated {
  readonly bytes: Buffer;
  /** Broken by default. */
  readonly certainty?: Certainty;
}

type Mutation = (parts: Parts, draws: Draws, bytes: Buffer) => Mutated;

/** Breaks a request. */
export function mutated(request: TortureRequest, draws: Draws): TortureRequest {
  const [mutationName, mutation] = draws.pick(Object.entries(MUTATIONS));
  const headEnd = request.bytes.indexOf(HEAD_END);
  const lines = request.bytes.toString('latin1', 0, headEnd).split('\r\n');
  const parts = { lines, body: request.bytes.subarray(headEnd + HEAD_END.length) };
  const { bytes, certainty = 'broken' } = mutation(parts, draws, request.bytes);
  const name = `${request.name}, ${mutationName}`;
  return { ...request, name, bytes, certainty: certainty === 'sound' ? request.certainty : certainty };
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'bytes flipped': (_parts, draws, bytes) => ({ bytes: flipped(bytes, draws) }),
  'bytes of the body flipped': ({ lines, body }, draws) => {
    return { bytes: joined(lines, flipped(body, draws)), certainty: 'sound' };
  },
  'bytes inserted': (_parts, draws, bytes) => {
    const at = draws.below(bytes.length + 1);
    return { bytes: Buffer.concat([bytes.subarray(0, at), randomBytes(draws), bytes.subarray(at)]) };
  },
  'bytes removed': (_parts, draws, bytes) => {
    const at = draws.below(bytes.length);
    return { bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + draws.between(1, 20))]) };
  },
  'cut short': (_parts, draws, bytes) => ({ bytes: bytes.subarray(0, draws.below(bytes.length)) }),
  'random bytes': (_parts, draws) => ({ bytes: randomBytes(draws, 400) }),
  'field duplicated': ({ lines, body }, draws) => {
    return { bytes: joined([...lines, draws.pick(lines.slice(1))], body) };
  },
  'authorization duplicated': ({ lines, body }) => {
    return { bytes: joined([...lines, 'Authorization: Bearer a', 'Authorization: Bearer b'], body) };
  },
  'odd field': ({ lines, body }, draws) => {
    return { bytes: joined([...lines, draws.pick(ODD_FIELDS)], body) };
  },
  'huge field': ({ lines, body }, draws) => {
    const size = draws.between(3_000, HUGE_FIELD_BYTES);
    const field = draws.oneIn(2) ? `X-Huge: ${'x'.repeat(size)}` : `${'X'.repeat(size)}: a`;
    return { bytes: joined([...lines, field], body) };
  },
  'many fields': ({ lines, body }, draws) => {
    const fields = Array.from({ length: draws.between(40, MANY_FIELDS) }, (_, index) => `X-${index}: a`);
    return { bytes: joined([...lines, ...fields], body) };
  },
  'odd length': ({ lines, body }, draws) => {
    const length = draws.pick(ODD_LENGTHS).replace('N', String(body.length));
    return { bytes: joined([...withoutLength(lines), `Content-Length: ${length}`], body) };
  },
  'two lengths': ({ lines, body }, draws) => {
    return { bytes: joined([...lines, `Content-Length: ${draws.below(200)}`], body) };
  },
  'body of a read': ({ lines }, draws) => {
    const body = randomBytes(draws);
    return { bytes: joined([...withoutLength(lines), `Content-Length: ${body.length}`], body) };
  },
  'odd coding': ({ lines, body }, draws) => {
    const coding = draws.pick(ODD_CODINGS);
    return { bytes: joined([...withoutLength(lines), `Transfer-Encoding: ${coding}`], chunked(body, draws)) };
  },
  'length and coding': ({ lines, body }, draws) => {
    const inner = 'GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n';
    const both = [...lines, 'Content-Length: 4', 'Transfer-Encoding: chunked'];
    return { bytes: joined(both, Buffer.concat([chunked(body, draws), Buffer.from(inner)])) };
  },
  chunks: ({ lines, body }, draws) => {
    const takesBody = /^(POST|PUT) /.test(lines[0] ?? '') && body.length > 0;
    const bytes = joined([...withoutLength(lines), 'Transfer-Encoding: chunked'], chunked(body, draws));
    return { bytes, certainty: takesBody ? 'sound' : 'broken' };
  },
  'odd chunks': ({ lines, body }, draws) => {
    const text = chunked(body, draws).toString('latin1');
    const odd = draws.pick(ODD_CHUNKS)(text);
    return { bytes: joined([...withoutLength(lines), 'Transfer-Encoding: chunked'], Buffer.from(odd, 'latin1')) };
  },
  'body too long': ({ lines }, draws) => {
    const bytesMax = lines[0]?.includes(' /api/batch ') === true ? BATCH_BODY_BYTES_MAX : BODY_BYTES_MAX;
    const length = bytesMax + draws.between(1, 5_000);
    const body = Buffer.alloc(draws.oneIn(2) ? length : draws.below(2_000), 0x20);
    return { bytes: joined([...withoutLength(lines), `Content-Length: ${length}`], body) };
  },
  'odd method': ({ lines, body }, draws) => {
    return { bytes: joined([startLine(lines, draws.pick(ODD_METHODS)), ...lines.slice(1)], body) };
  },
  'odd target': ({ lines, body }, draws) => {
    return { bytes: joined([startLine(lines, undefined, draws.pick(ODD_TARGETS)), ...lines.slice(1)], body) };
  },
  'odd version': ({ lines, body }, draws) => {
    const line = startLine(lines, undefined, undefined, draws.pick(ODD_VERSIONS));
    return { bytes: joined([line, ...lines.slice(1)], body) };
  },
  'odd line ends': ({ lines, body }, draws) => {
    const end = draws.pick(['\n', '\r', '\r\r\n', '\n\r', '\u2028', '\0']);
    return { bytes: Buffer.concat([Buffer.from(lines.join(end) + end + end), body]) };
  },
  'something in front': (_parts, draws, bytes) => ({ bytes: Buffer.concat([draws.pick(PREFACES), bytes]) }),
  upgrade: ({ lines, body }, draws) => ({ bytes: joined([...lines, ...draws.pick(UPGRADES)], body) }),
  expectation: ({ lines, body }, draws) => {
    const expectation = draws.pick(['100-continue', '100-CONTINUE', '200-ok', '', '100-continue, gzip']);
    return { bytes: joined([...lines, `Expect: ${expectation}`], body) };
  },
  'connection closed': ({ lines, body }) => {
    return { bytes: joined([...lines, 'Connection: close'], body), certainty: 'closing' };
  },
  'connection kept': ({ lines, body }) => {
    return { bytes: joined([...lines, 'Connection: keep-alive'], body), certainty: 'sound' };
  },
};

/** N stands for the right length. */
const ODD_LENGTHS = [
  ...['', '-1', '+N', ' N', 'N ', 'N, N', 'N;', 'N\t', 'N\0', '0xN', '0N', '00000000000N', '1e3', '\u00b2'],
  ...['4294967296', '4294967300', '9007199254740993', '18446744073709551616', '99999999999999999999'],
];

const ODD_CODINGS = [
  'gzip',
  'gzip, chunked',
  'chunked, chunked',
  'CHUNKED',
  ' chunked',
  'chunked ',
  'xchunked',
  '\tchunked',
  '"chunked"',
  'identity',
  '',
];

/** Mutations of a chunked body: the size lines, the ends of the data and the end itself. */
const ODD_CHUNKS: readonly ((chunks: string) => string)[] = [
  (chunks) => chunks.replace(/\r\n/, '\n'),
  (chunks) => chunks.replace(/\r\n/, '\t\r\n'),
  (chunks) => chunks.replace(/\r\n/, ' \r\n'),
  (chunks) => chunks.replace(/\r\n/, ';name=value\r\n'),
  (chunks) => chunks.replace(/\r\n/, `;${'x'.repeat(20_000)}\r\n`),
  (chunks) => chunks.replace(/^/, '0x'),
  (chunks) => chunks.replace(/^/, '-'),
  (chunks) => chunks.replace(/^/, 'ffffffffffffffff'),
  (chunks) => chunks.replace(/^/, '00000000000000000000'),
  (chunks) => chunks.replace(/^[0-9a-f]+/, 'zz'),
  (chunks) => chunks.replace(/^[0-9a-f]+/, ''),
  (chunks) => chunks.replace(/\r\n0\r\n\r\n$/, 'XX0\r\n\r\n'),
  (chunks) => chunks.replace(/0\r\n\r\n$/, '0\r\nX-Trailer: a\r\n\r\n'),
  (chunks) => chunks.replace(/0\r\n\r\n$/, '0\r\nContent-Length: 5\r\n\r\n'),
  (chunks) => chunks.replace(/0\r\n\r\n$/, `0\r\n${'X: a\r\n'.repeat(3_000)}\r\n`),
  (chunks) => chunks.replace(/0\r\n\r\n$/, ''),
  (chunks) => chunks.replace(/0\r\n\r\n$/, '0\r\n'),
  (chunks) => `${'1\r\n \r\n'.repeat(5_000)}${chunks}`,
];

const ODD_FIELDS = [
  'X: \u0000',
  'X: a\u0001b',
  'X: a\u007fb',
  'X: \u00ff\u00fe',
  'X : a',
  'X\u0000: a',
  'X_Y: a',
  ': a',
  ':',
  'no colon',
  ' folded',
  'X: a\r\n folded',
  'X: a\rX: b',
  'X: a\nInjected: b',
  'Host: other',
  'Host: a\u0000b',
  'Cookie: ; ; ;',
  'Range: bytes=0-0, -1, 5-',
  'Accept-Encoding: gzip, br, zstd, x',
  'If-None-Match: "',
  `If-None-Match: ${'W/"a",'.repeat(500)}`,
  'Idempotency-Key: ',
  'Idempotency-Key: \u00e9',
  'Prefer: return=minimal; return=representation,,,=',
  'Authorization: Basic YTpi',
  'Authorization: Bearer a b',
  'X-Forwarded-For: 127.0.0.1, 999.999.999.999',
  'Forwarded: for="[::1]"; by=_x',
  'Trailer: Content-Length',
  'TE: trailers, deflate;q=0.5',
  'Keep-Alive: timeout=0, max=0',
];

const ODD_METHODS = [
  'get',
  'FOO',
  'CONNECT',
  'PRI',
  'SOURCE',
  'M-SEARCH',
  'QUERY',
  '',
  ' ',
  'G\u0000T',
  'A'.repeat(5_000),
];
const ODD_TARGETS = [
  '',
  '*',
  '?',
  '//',
  '/?',
  '/healthz?',
  '/healthz?a=b&a[]=c&__proto__=d',
  '/healthz#fragment',
  '/health z',
  '/healthz\u0000',
  '/\u00e9\u00ff',
  'healthz',
  'http://world/healthz',
  'http://127.0.0.1:1/healthz',
  'world:443',
  '/api/game/state/..',
  '/api/game/state/%',
  '/api/game/state/%u1234',
  '/api/game/galaxy/1e0/system/0x0',
  `/${'a'.repeat(20_000)}`,
  `/${'a/'.repeat(5_000)}`,
  `/healthz?${'a=b&'.repeat(5_000)}`,
];
const ODD_VERSIONS = [
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/3',
  'HTTP/1.2',
  'HTTP/1.10',
  'http/1.1',
  'HTTP/1.1 ',
  '',
  'X',
];

const PREFACES = [
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', 'latin1'),
  // A TLS client hello, and the signature of the second version of the PROXY protocol.
  Buffer.from('16030100c8010000c40303000102030405060708090a0b0c0d0e0f', 'hex'),
  Buffer.from('0d0a0d0a000d0a515549540a2111000c7f0000017f00000100500bb8', 'hex'),
  Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 1 65535\r\n'),
  Buffer.from('PROXY UNKNOWN\r\n'),
  Buffer.from('\r\n'),
  Buffer.from('\r\n\r\n\r\n'),
  Buffer.from('\u00ef\u00bb\u00bf', 'latin1'),
  Buffer.from('\0'),
  Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  Buffer.from('SSH-2.0-OpenSSH_9.0\r\n'),
];

const UPGRADES = [
  [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
  ],
  ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['Connection: Upgrade, close', 'Upgrade: TLS/1.0'],
];

function joined(lines: readonly string[], body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}${HEAD_END}`, 'latin1'), body]);
}

function withoutLength(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.startsWith('Content-Length:'));
}

/** The first line with another method, target or version. */
function startLine(lines: readonly string[], method?: string, target?: string, version = 'HTTP/1.1'): string {
  const [ownMethod = '', ownTarget = ''] = (lines[0] ?? '').split(' ');
  return `${method ?? ownMethod} ${target ?? ownTarget} ${version}`;
}

/** A body in one to five chunks. */
function chunked(body: Buffer, draws: Draws): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let chunk = draws.between(1, 5); at < body.length; chunk -= 1) {
    const end = chunk <= 1 ? body.length : at + draws.between(1, body.length - at);
    pieces.push(Buffer.from(`${(end - at).toString(16)}\r\n`), body.subarray(at, end), Buffer.from('\r\n'));
    at = end;
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

function flipped(bytes: Buffer, draws: Draws): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = draws.between(1, 6); times > 0 && copy.length > 0; times -= 1) {
    copy[draws.below(copy.length)] = draws.below(256);
  }
  return copy;
}

function randomBytes(draws: Draws, countMax = 40): Buffer {
  return Buffer.from(Array.from({ length: draws.between(1, countMax) }, () => draws.below(256)));
}
