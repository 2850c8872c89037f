// Tests of the torture itself: the faults that it must find in wrong replies, and its command line.
import { type AddressInfo, createServer } from 'node:net';
import { CommanderError } from 'commander';
import t, { type Test } from 'tap';
import { parseArguments, REQUESTS_DEFAULT } from './arguments.js';
import { drawCase, type TortureCase } from './cases.js';
import { deliver } from './delivery.js';
import type { FrozenWorld } from './frozen-world.js';
import { ReplySplitter } from './reply-splitter.js';
import type { Certainty, TortureRequest } from './requests.js';
import { TRANSPORTS } from './transports.js';

const GAME_HEAD = 'X-Request-Id: a-001\r\nX-World-Time: 2000-01-01T00:00:00.000Z\r\n';
const HEALTH = reply('200 OK', '{"status":"ok"}', 'application/json');
const NOT_FOUND = reply('404 Not Found', problem('player_not_found', 404));

/** Answers of a server to GET /healthz, and the fault in each. */
const WRONGS: readonly (readonly [what: string, certainty: Certainty, answer: string, fault: RegExp | null])[] = [
  ['the right reply', 'sound', HEALTH, null],
  ['the right reply to a broken request', 'broken', HEALTH, null],
  ['silence after a broken request', 'broken', '', null],
  ['100 Continue, and then nothing', 'broken', 'HTTP/1.1 100 Continue\r\n\r\n', null],
  ['a reply that is cut off', 'broken', HEALTH.slice(0, 50), null],
  ['silence', 'sound', '', /is not answered/],
  ['half a reply', 'sound', HEALTH.slice(0, -3), /is not answered/],
  ['an undocumented status', 'sound', NOT_FOUND, /does not name the error/],
  [
    'a status that no route has',
    'broken',
    reply('418 Teapot', problem('player_not_found', 418)),
    /documents the status 418/,
  ],
  [
    'a status that does not match its code',
    'broken',
    reply('409 Conflict', problem('player_not_found', 409)),
    /409 with/,
  ],
  ['an unknown code', 'broken', reply('404 Not Found', problem('nonsense', 404)), /404 with the code nonsense/],
  ['an internal error', 'broken', reply('500 Error', problem('internal_error', 500)), /a mistake of the server/],
  [
    'a refusal of the transport to a broken request',
    'broken',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    /the transport answers 400/,
  ],
  ['a refusal of the transport to a sound request', 'sound', 'HTTP/1.1 400 Bad Request\r\n\r\n', /x-request-id/],
  ['a wrong body', 'sound', reply('200 OK', '{"status":7}', 'application/json'), /status/],
  ['bytes that are not HTTP', 'broken', 'oops', /not the beginning of a reply/],
  ['bytes after the reply', 'broken', `${HEALTH}oops`, /not the beginning of a reply/],
  ['two lengths', 'broken', HEALTH.replace('\r\n', '\r\nContent-Length: 1\r\n'), /two fields/],
  ['a reply after the last', 'closing', HEALTH + HEALTH, /behind a request that ends the connection/],
];

t.test('each wrong reply is a fault, and no right one is', async (t) => {
  for (const [what, certainty, answer, fault] of WRONGS) {
    const faults = (await delivered(t, certainty, answer)).join('; ');
    if (fault === null) t.equal(faults, '', what);
    else t.match(faults, fault, what);
  }
});

t.test('a reply to HEAD has no body, whatever its head says', async (t) => {
  const head = HEALTH.slice(0, HEALTH.indexOf('{'));
  const split = (bytes: string, presence: 'never' | 'unknown'): number => {
    const splitter = new ReplySplitter(() => presence);
    return splitter.take(Buffer.from(bytes)).length + splitter.end().length;
  };
  t.equal(split(head + head, 'never'), 2);
  t.equal(split(head + head, 'unknown'), 2);
  t.equal(split(HEALTH + head + HEALTH, 'unknown'), 3);
});

t.test('replies are the same in whatever pieces they arrive', async (t) => {
  const bytes = Buffer.from(HEALTH + NOT_FOUND + HEALTH);
  for (const size of [1, 7, 100, bytes.length]) {
    const splitter = new ReplySplitter(() => 'as announced');
    const statuses: number[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      statuses.push(...splitter.take(bytes.subarray(at, at + size)).map(({ status }) => status));
    }
    t.same(statuses, [200, 404, 200], `${size} bytes at a time`);
  }
});

t.test('a case depends on its seed and number alone', async (t) => {
  const bytesOf = ({ pieces }: TortureCase): string => pieces.map((piece) => piece.toString('latin1')).join('|');
  for (const number of [0, 7, 50, 99]) {
    t.equal(bytesOf(drawCase(1, number, WORLD)), bytesOf(drawCase(1, number, WORLD)));
  }
  t.not(bytesOf(drawCase(1, 7, WORLD)), bytesOf(drawCase(2, 7, WORLD)));
  t.not(bytesOf(drawCase(1, 7, WORLD)), bytesOf(drawCase(1, 8, WORLD)));
});

t.test('the command line names servers, seeds and cases', async (t) => {
  const parse = (...words: string[]) => {
    return parseArguments(words, (command) => {
      command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
    });
  };
  const both = { transports: ['native', 'javascript'], auths: ['none', 'key'] };
  t.match(parse(), { ...both, requests: REQUESTS_DEFAULT, only: undefined, isStormy: true, isJson: false });
  const again = parse('--seed', '7', '--only', '3,17', '--transport', 'native', '--auth', 'key');
  t.match(again, { seed: 7, only: [3, 17], transports: ['native'], auths: ['key'], isStormy: false });
  t.match(parse('--requests', '10', '--no-storms', '--json'), { requests: 10, isStormy: false, isJson: true });
  for (const words of [['--seed', '-1'], ['--transport', 'quic'], ['--auth', 'all'], ['--only', ''], ['now']]) {
    t.throws(() => parse(...words), CommanderError, words.join(' '));
  }
});

const WORLD: FrozenWorld = {
  players: [{ id: 'player-1', starterId: 'planet-1-0-4', apiKey: '' }],
  colonyIds: ['planet-2-0-1'],
  kept: { key: 'a', path: '/api/building/upgrade', body: '{}' },
};

/** Sends one request to a server that answers with these bytes and hangs up. @returns the faults */
async function delivered(t: Test, certainty: Certainty, answer: string): Promise<readonly string[]> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const bytes = Buffer.from('GET /healthz HTTP/1.1\r\nHost: world\r\n\r\n');
  const request: TortureRequest = { name: 'getHealth', method: 'GET', path: '/healthz', certainty, bytes };
  const requests = [request];
  const torture: TortureCase = {
    number: 0,
    delivery: 'whole',
    requests,
    pieces: [bytes],
    pauseMs: 0,
    isUnread: false,
    ending: 'read',
  };
  return (await deliver(torture, { host: '127.0.0.1', port }, TRANSPORTS.javascript)).faults;
}

function reply(statusLine: string, body: string, type = 'application/problem+json'): string {
  const length = Buffer.byteLength(body);
  const tag = statusLine.startsWith('200') ? 'ETag: W/"a"\r\n' : '';
  return `HTTP/1.1 ${statusLine}\r\nContent-Type: ${type}\r\n${GAME_HEAD}${tag}Content-Length: ${length}\r\n\r\n${body}`;
}

function problem(code: string, status: number): string {
  const type = `/api/errors#${code}`;
  return JSON.stringify({ type, title: 'a', status, detail: 'a', code, requestId: 'a-001' });
}
