// Limits that apply before a client is known: registrations per address, the client's address behind a proxy, and its
// number of connections. The clock of the token buckets moves only when a test moves it.
import t from 'tap';
import { isLoopback, networkOf, plainAddress } from '../../../http/admission/addresses.js';
import { Admission, proxyList } from '../../../http/admission/admission.js';
import { TokenBuckets } from '../../../http/admission/token-buckets.js';
import { type Exchange, ShapeErrorBudget } from '../../../http/exchange/exchange.js';
import { BatchPart } from '../../../http/pipeline/batch.js';
import { countConnections } from '../../../http/server/native/connection-census.js';
import { statusesOf } from '../support/game-client.js';
import { OwnClock } from '../support/own-clock.js';
import { begin } from '../support/serving.js';

const CREATED = 201;
const NO_KEYS = { players: null, operator: null };

/** An exchange of which only the sender is read. */
function from(peerAddress: string, forwardedFor = ''): Exchange {
  const exchange = new BatchPart(NOBODY, 0, new ShapeErrorBudget(1));
  exchange.forwardedFor = forwardedFor;
  Object.defineProperty(exchange, 'peerAddress', { value: peerAddress });
  return exchange;
}

const NOBODY = { requestId: 'request', authorization: '', forwardedFor: '' } as Exchange;

function creation(name: string): { readonly body: unknown } {
  return { body: { name, isBot: true } };
}

t.test('a client creates its allowed players per minute, and the refusal says when to retry', async (t) => {
  const clock = new OwnClock(t, 0);
  const { client } = await begin(t, { auth: 'key', server: { registrationsPerMinute: 3 } });
  const first = await client.request('POST', '/api/game/player', creation('player 1'));
  const { apiKey } = first.body as { apiKey: string };
  for (const name of ['player 2', 'player 3']) {
    t.equal((await client.request('POST', '/api/game/player', creation(name))).status, CREATED);
  }
  const refused = await client.request('POST', '/api/game/player', creation('player 4'));
  t.match(refused, { status: 429, body: { code: 'rate_limited', retryAfterMs: 20_000 } });
  t.equal(refused.headers['retry-after'], '20');

  const again = await client.as(apiKey).request('POST', '/api/game/player', creation('player 1'));
  t.equal(again.status, 200, 'an existing player is not a registration');
  t.equal(
    (await client.as(apiKey).request('POST', '/api/game/player', creation('another'))).status,
    429,
    'a key makes no difference',
  );
  t.match(await client.read('/api/status'), { players: 3 });
  clock.nowMs += 20_000;
  t.equal((await client.request('POST', '/api/game/player', creation('player 4'))).status, CREATED);
  t.equal((await client.request('POST', '/api/game/player', creation('player 5'))).status, 429);
});

t.test('a request for an existing player takes no token', async (t) => {
  new OwnClock(t, 0);
  const { client } = await begin(t, { auth: 'key', server: { registrationsPerMinute: 2 } });
  const { body } = await client.request('POST', '/api/game/player', creation('first'));
  const owner = client.as((body as { apiKey: string }).apiKey);
  for (let count = 0; count < 10; count += 1) {
    t.equal((await owner.request('POST', '/api/game/player', creation('first'))).status, 200);
    t.equal((await client.request('POST', '/api/game/player', creation('first'))).status, 401);
  }
  t.equal((await client.request('POST', '/api/game/player', creation('second'))).status, CREATED);
  t.equal((await client.request('POST', '/api/game/player', creation('third'))).status, 429);
});

t.test('each operation of a batch counts', async (t) => {
  new OwnClock(t, 0);
  const { client } = await begin(t, { auth: 'key', server: { registrationsPerMinute: 3 } });
  const operations = Array.from({ length: 5 }, (_, index) => {
    return { method: 'POST', path: '/api/game/player', body: { name: `player ${index}`, isBot: true } };
  });
  const results = await client.batch(operations);
  t.same(statusesOf(results), [CREATED, CREATED, CREATED, 429, 429]);
  t.match(results[4]?.body, { code: 'rate_limited', retryAfterMs: Number });
  t.equal((await client.request('POST', '/api/game/player', creation('alone'))).status, 429);
});

t.test('players created by the operator do not count', async (t) => {
  new OwnClock(t, 0);
  const { client, admin } = await begin(t, { auth: 'key', server: { registrationsPerMinute: 1 } });
  await admin.command('/api/admin/players', { count: 500, namePrefix: 'bot' }, CREATED);
  t.equal((await client.request('POST', '/api/game/player', creation('first'))).status, CREATED);
  t.equal((await client.request('POST', '/api/game/player', creation('second'))).status, 429);
  await admin.command('/api/admin/players', { count: 500, namePrefix: 'more' }, CREATED);
});

t.test('X-Forwarded-For is used only if a trusted proxy sends it', async (t) => {
  new OwnClock(t, 0);
  const register = async (trustedProxies: readonly string[], forwardedFor: readonly string[]): Promise<number[]> => {
    const { client } = await begin(t, { auth: 'key', server: { registrationsPerMinute: 1, trustedProxies } });
    const statuses: number[] = [];
    for (const [index, hops] of forwardedFor.entries()) {
      const options = { ...creation(`player ${index}`), headers: { 'x-forwarded-for': hops } };
      statuses.push((await client.request('POST', '/api/game/player', options)).status);
    }
    return statuses;
  };
  const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.1'];
  t.same(await register([], addresses), [CREATED, 429, 429]);
  t.same(await register(['10.0.0.0/8'], addresses), [CREATED, 429, 429], 'this peer is not one of them');
  t.same(await register(['127.0.0.0/8'], addresses), [CREATED, CREATED, 429]);
  const lies = ['203.0.113.1, 192.0.2.1', '203.0.113.2, 192.0.2.1', '203.0.113.3,192.0.2.2'];
  t.same(await register(['127.0.0.1'], lies), [CREATED, 429, CREATED], 'the hops that the client claims are ignored');
});

t.test('the client is the first hop from the right that is not a trusted proxy', async (t) => {
  const admission = new Admission(NO_KEYS, {
    registrationsPerMinute: 1,
    rateLimits: null,
    trustedProxies: ['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7'],
  });
  const rows: readonly [peer: string, forwardedFor: string, client: string][] = [
    ['198.51.100.1', '', '198.51.100.1'],
    ['198.51.100.1', '203.0.113.1', '198.51.100.1'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', '203.0.113.1', '203.0.113.1'],
    ['10.1.2.3', '203.0.113.9, 203.0.113.1', '203.0.113.1'],
    ['10.1.2.3', '203.0.113.9,203.0.113.1 , 10.9.9.9,192.0.2.7', '203.0.113.1'],
    ['10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['2001:db8:1::5', '2001:DB8:2::1', '2001:db8:2::1'],
    ['10.1.2.3', '::ffff:203.0.113.1', '203.0.113.1'],
    ['10.1.2.3', '203.0.113.1, ::ffff:10.0.0.2', '203.0.113.1'],
    ['10.1.2.3', '203.0.113.1, unknown', '10.1.2.3'],
    ['10.1.2.3', ',', '10.1.2.3'],
    ['', '203.0.113.1', ''],
  ];
  for (const [peer, forwardedFor, client] of rows) {
    t.equal(admission.clientAddress(from(peer, forwardedFor)), client, `${peer} ← ${forwardedFor}`);
  }
});

t.test('a proxy that is not trusted is reported once, and a trusted one never', async (t) => {
  const told: string[] = [];
  const onUntrustedProxy = (address: string): void => void told.push(address);
  const settings = { registrationsPerMinute: 1, rateLimits: null, trustedProxies: ['10.0.0.0/8'], onUntrustedProxy };
  const admission = new Admission(NO_KEYS, settings);
  for (const [peer, forwardedFor] of [
    ['198.51.100.1', ''],
    ['10.1.2.3', '203.0.113.1'],
    ['198.51.100.1', '203.0.113.1'],
    ['198.51.100.2', '203.0.113.1'],
  ] as const)
    admission.clientAddress(from(peer, forwardedFor));
  t.same(told, ['198.51.100.1']);
});

t.test('an IPv6 /64 is one client, whichever of its addresses it uses', async (t) => {
  const rows: readonly [address: string, network: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::2', '0:0:0:0::/64'],
    ['::1', '::1'],
    ['', ''],
  ];
  for (const [address, network] of rows) t.equal(networkOf(address), network, address);
  const admission = new Admission(
    NO_KEYS,
    { registrationsPerMinute: 1, rateLimits: null, trustedProxies: [] },
    () => 0,
  );
  t.equal(admission.takeRegistration(from('2001:db8:1:2::1')), 0);
  t.equal(admission.takeRegistration(from('2001:db8:1:2:ffff::')), 60_000);
  t.equal(admission.takeRegistration(from('2001:db8:1:3::1')), 0);
  const owners = ['2001:db8:1:2::1', '2001:db8:1:2::2'].map((address) => admission.ownerOf(from(address)));
  t.equal(owners[0], owners[1], 'memory and turns are shared within it too');
});

t.test('networks are parsed, and malformed ones are refused', async (t) => {
  for (const network of ['10.0.0.0/8', '127.0.0.1', '::1', '2001:db8::/32', '0.0.0.0/0']) proxyList([network]);
  for (const network of [
    '',
    '10.0.0.0/33',
    '::/129',
    '10.0.0/8',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
  ]) {
    t.throws(() => proxyList([network]), { name: 'RangeError' }, network);
  }
  const written = ['::FFFF:127.0.0.1', '2001:DB8::1', '2001:0db8:0000::0001', '::ffff:c633:6409', 'fe80::1%eth0', 'x'];
  const plain = ['127.0.0.1', '2001:db8::1', '2001:db8::1', '198.51.100.9', 'fe80::1%eth0', 'x'];
  t.same(written.map(plainAddress), plain);
  t.same(['127.0.0.1', '127.9.9.9', '::1', '128.0.0.1', '::2'].map(isLoopback), [true, true, true, false, false]);
});

t.test('token buckets refill, drop full ones, and remember a bounded number of clients', async (t) => {
  let nowMs = 5_000;
  const buckets = new TokenBuckets({ capacity: 3, refillMs: 100, clientsMax: 4, nowMs: () => nowMs });
  const takes = (count: number) => Array.from({ length: count }, () => buckets.take('a').waitMs);
  t.same(takes(5), [0, 0, 0, 100, 100]);
  nowMs += 60;
  t.same(takes(1), [40]);
  nowMs += 40;
  t.same(takes(2), [0, 100], 'one token has come back');
  nowMs += 10_000;
  t.same(takes(4), [0, 0, 0, 100], 'never more than the capacity');
  nowMs += 301;
  t.equal(buckets.take('b').waitMs, 0);
  t.equal(buckets.size, 1, 'the bucket of a is full again');
  for (const client of ['c', 'd', 'e', 'f', 'g']) t.equal(buckets.take(client).waitMs, 0);
  t.equal(buckets.size, 4);
});

t.test('a cost above the capacity is taken from a full bucket, and what is paid already counts', async (t) => {
  let nowMs = 0;
  const buckets = new TokenBuckets<number>({ capacity: 10, refillMs: 100, clientsMax: 4, nowMs: () => nowMs });
  t.match(buckets.take(1, 0), { waitMs: 0, left: 10, fullInMs: 0 }, 'only a look');
  t.equal(buckets.size, 0);
  t.match(buckets.take(1, 4), { waitMs: 0, left: 6, fullInMs: 400 });
  t.match(buckets.take(1, 7), { waitMs: 100, left: 6, fullInMs: 400 }, 'too few are left');
  t.match(buckets.take(1, 25), { waitMs: 400, left: 6 }, 'it needs a full bucket');
  t.match(buckets.take(1, 24, 1), { waitMs: 400 }, 'again with the one that is paid, which then has to be paid again');
  nowMs += 400;
  t.match(buckets.take(1, 1), { waitMs: 0, left: 9 });
  t.match(buckets.take(1, 24, 1), { waitMs: 0, left: 0, fullInMs: 2_500 }, 'it is in debt');
  t.match(buckets.take(1, 1), { waitMs: 1_600 });
  t.match(buckets.take(1, 0), { waitMs: 0, left: 0 }, 'a look is never refused');
  nowMs += 1_600;
  t.match(buckets.take(1, 1), { waitMs: 0, left: 0 });
});

t.test('a client that does not wait as long as it was told is early', async (t) => {
  let nowMs = 0;
  const buckets = new TokenBuckets<number>({ capacity: 1, refillMs: 100, clientsMax: 4, nowMs: () => nowMs });
  const take = () => buckets.take(1);
  t.match(take(), { waitMs: 0, isEarly: false });
  t.match(take(), { waitMs: 100, isEarly: false }, 'it did not know');
  nowMs += 60;
  t.match(take(), { waitMs: 40, isEarly: true });
  nowMs += 40;
  t.match(take(), { waitMs: 0, isEarly: false });
  t.match(take(), { waitMs: 100, isEarly: false }, 'it did wait, and this is another refusal');
});

/** A file in the form of Linux: a server on port 3000 (0BB8), and other sockets of the machine. */
const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 14183 1 0000000000000000 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:C34E 01 00000000:00000000 02:000004AF 00000000     0        0 14190 2 0000000000000000 20 4 30 10 -1
   2: 020200C0:0BB8 010200C0:C350 01 00000000:00000000 02:000004AF 00000000     0        0 14191 2 0000000000000000 20 4 30 10 -1
   3: 020200C0:0BB8 010200C0:C351 01 00000000:00000000 02:000004AF 00000000     0        0 14192 2 0000000000000000 20 4 30 10 -1
   4: 020200C0:0BB8 010200C0:C352 06 00000000:00000000 03:00000FFA 00000000     0        0 0 3 0000000000000000
   5: 020200C0:C350 010200C0:0BB8 01 00000000:00000000 02:000004AF 00000000     0        0 14193 2 0000000000000000 20 4 30 10 -1
   6: 020200C0:0BB9 010200C0:C353 01 00000000:00000000 02:000004AF 00000000     0        0 14194 2 0000000000000000 20 4 30 10 -1
`;
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 15000 1 0000000000000000 100 0 0 10 0
   1: 0000000000000000FFFF0000020200C0:0BB8 0000000000000000FFFF0000010200C0:C354 01 00000000:00000000 02:000004AF 00000000     0        0 15001 2 0000000000000000 20 4 30 10 -1
   2: B80D0120000000000000000001000000:0BB8 B80D0120020001000000000001000000:C355 01 00000000:00000000 02:000004AF 00000000     0        0 15002 2 0000000000000000 20 4 30 10 -1
   3: B80D0120000000000000000001000000:0BB8 B80D0120020001000000000002000000:C356 01 00000000:00000000 02:000004AF 00000000     0        0 15003 2 0000000000000000 20 4 30 10 -1
   4: 00000000000000000000000001000000:0BB8 00000000000000000000000001000000:C357 01 00000000:00000000 02:000004AF 00000000     0        0 15004 2 0000000000000000 20 4 30 10 -1
`;

t.test("the kernel's tables show how many connections each client has", async (t) => {
  const counts = new Map<string, number>();
  countConnections(TCP, 3_000, counts);
  countConnections(TCP6, 3_000, counts);
  t.same(
    [...counts].sort(),
    [
      ['127.0.0.1', 1],
      ['192.0.2.1', 3],
      ['2001:db8:1:2::/64', 2],
      ['::1', 1],
    ],
    'only established ones to this port; both spellings of an IPv4 address are one client',
  );
  countConnections('', 3_000, counts);
  t.equal(counts.size, 4);
});
