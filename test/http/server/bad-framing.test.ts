// Requests that are broken below the level of paths and bodies: each has its outcome, the server goes on, and bytes
// that follow a request whose end is in doubt are never taken for a request. And requests that never end.
import t from 'tap';
import { SERVER_DIFFERENCES } from '../../../http/documents/server-differences.js';
import { isCurrentRelease } from '../../support/native-release.js';
import {
  BROKEN_REQUESTS,
  type BrokenRequest,
  CURRENT_OUTCOMES,
  type Outcome,
  OVERSIZED_REQUESTS,
} from '../support/broken-requests.js';
import { GameClient } from '../support/game-client.js';
import { ConnectionEnded, RawConnection, type RawReply, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, begin, isNative } from '../support/serving.js';

const { client, play, port } = await begin(t);
await play.newcomer('bystander');
const before = await play.hash();

const SECOND = Buffer.from('GET /readyz HTTP/1.1\r\nHost: second\r\n\r\n');

/** Both are begun together, since both last until the server gives clients up. */
const outcomes = BROKEN_REQUESTS.map((row) => outcomeOfRow(row.bytes, expectedOf(row)));
const silence = silentClients();

t.test('a broken request has the outcome of its row', async (t) => {
  for (const [index, outcome] of (await Promise.all(outcomes)).entries()) {
    const row = BROKEN_REQUESTS[index] as BrokenRequest;
    t.equal(outcome, expectedOf(row), row.request);
  }
});

t.test('clients that fall silent are dropped, and others do not wait for them', async (t) => {
  const { before, whatTheyGot } = await silence;
  t.match(before, { players: 1 }, 'others are served');
  const [nothing, ...begun] = whatTheyGot;
  t.equal(nothing, '', 'one that has sent nothing gets nothing');
  // The difference "unfinishedRequests".
  const reply = isNative ? /^$/ : /^HTTP\/1\.1 408 .*\r\nconnection: close\r\n.*"code":"request_timeout"/is;
  for (const text of begun) t.match(text, reply, 'others learn why');
  const afterwards = new GameClient(port);
  t.match(await afterwards.read('/api/status'), { players: 1, seq: before.seq });
  afterwards.close();
});

/** Each sends a part of a creation, from nothing to all but the last byte. */
async function silentClients() {
  const body = JSON.stringify({ name: 'silent', isBot: true });
  const whole = requestBytes('POST', '/api/game/player', [], body);
  const headEnd = whole.indexOf('\r\n\r\n');
  const cuts = [0, 3, 20, headEnd, headEnd + 3, headEnd + 4, headEnd + 5, whole.length - 1];
  const silent = await Promise.all(cuts.map(() => RawConnection.open(port)));
  for (const [index, connection] of silent.entries()) connection.send(whole.subarray(0, cuts[index]));
  const before = await client.read<{ players: number; seq: number }>('/api/status');
  const rests = await Promise.all(silent.map((connection) => connection.rest()));
  return { before, whatTheyGot: rests.map(String) };
}

t.test('the two servers differ if and only if a row names the difference', async (t) => {
  for (const { request, native, javascript, difference } of BROKEN_REQUESTS) {
    t.equal(native !== javascript, difference !== undefined, request);
  }
  const met = BROKEN_REQUESTS.flatMap(({ difference }) => difference ?? []);
  t.same([...new Set([...met, ...MET_ELSEWHERE])].sort(), Object.keys(SERVER_DIFFERENCES).sort());
  const names = new Set(BROKEN_REQUESTS.map(({ request }) => request));
  t.same(
    [...CURRENT_OUTCOMES.keys()].filter((request) => !names.has(request)),
    [],
    'current releases: only rows',
  );
});

/**
 * Differences that the test of silent clients and the tests wire, slow-readers, flood, web-socket and hostile-sockets cover, and every
 * ordinary reply.
 */
const MET_ELSEWHERE: readonly (keyof typeof SERVER_DIFFERENCES)[] = [
  'unfinishedRequests',
  'lateReplies',
  'unreadReplies',
  'bodilessReplies',
  'ownHeaders',
  'forbiddenFrames',
  'unfinishedFrames',
  'framesAfterClose',
  'unmaskedFrames',
];

t.test('a refusal that closes the connection reaches a client that has sent nothing behind its request', async (t) => {
  for (const { request, bytes, javascript, difference } of BROKEN_REQUESTS) {
    if (difference !== 'closingReply') continue;
    const expected = (isNative && isCurrentRelease ? CURRENT_OUTCOMES.get(request) : undefined) ?? javascript;
    t.equal(await outcomeOf(bytes, expected, []), expected, request);
  }
});

t.test('a body that is too large is refused before it has ended, whether its length is announced or not', async (t) => {
  for (const [request, bytes] of Object.entries(OVERSIZED_REQUESTS)) {
    t.equal(await outcomeOf(bytes, '413 body_too_large, ends', []), '413 body_too_large, ends', request);
  }
});

t.test('after all of this nothing has changed', async (t) => {
  // The server has closed idle connections long ago.
  const afterwards = new GameClient(port, ADMIN_KEY);
  t.same(await afterwards.read('/api/admin/state-hash'), before);
  t.match(await afterwards.read('/readyz'), { status: 'ready' });
  afterwards.close();
});

/** The outcome of a row over the server of this run. */
function expectedOf({ request, native, javascript }: BrokenRequest): Outcome {
  if (!isNative) return javascript;
  return isCurrentRelease ? (CURRENT_OUTCOMES.get(request) ?? native) : native;
}

/** By the difference "bodilessReplies" one 304 in many closes its connection, but not the next one, too. */
async function outcomeOfRow(bytes: Uint8Array, expected: Outcome): Promise<Outcome> {
  const outcome = await outcomeOf(bytes, expected);
  return isNative && expected.startsWith('304') && outcome !== expected ? outcomeOf(bytes, expected) : outcome;
}

/**
 * Sends the bytes together with a second request and reads as many replies as are expected; then checks whether the
 * connection stays open.
 */
async function outcomeOf(bytes: Uint8Array, expected: Outcome, behind = [SECOND]): Promise<Outcome> {
  const connection = await RawConnection.open(port);
  connection.send(Buffer.concat([bytes, ...behind]));
  const parts: string[] = [];
  try {
    for (let reply = 0; reply < expected.split(', ').length - 1; reply += 1) {
      parts.push(nameOf(await connection.reply()));
    }
    parts.push(await endOf(connection, expected));
  } catch (error) {
    if (!(error instanceof ConnectionEnded)) throw error;
    parts.push(error.rest.length === 0 ? 'ends' : `ends within ${JSON.stringify(error.rest.toString())}`);
  }
  connection.close();
  return parts.join(', ');
}

/** `open` if a third request is answered; otherwise the server ends the connection and sends nothing before that. */
async function endOf(connection: RawConnection, expected: Outcome): Promise<string> {
  if (expected.endsWith('open')) {
    connection.send(SECOND);
    return (await connection.reply()).status === 200 ? 'open' : 'something else';
  }
  const rest = await connection.rest();
  return rest.length === 0 ? 'ends' : JSON.stringify(rest.toString('latin1'));
}

function nameOf({ status, body }: RawReply): string {
  const text = body.toString();
  if (status < 400 || !text.startsWith('{')) return String(status);
  return `${status} ${(JSON.parse(text) as { code: string }).code}`;
}
