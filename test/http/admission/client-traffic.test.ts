// Who sends how much: counts by minutes, with a bounded number of clients.
import t from 'tap';
import { ClientTraffic } from '../../../http/admission/client-traffic.js';
import {
  TRAFFIC_CLIENTS_KEPT,
  TRAFFIC_CLIENTS_MAX,
  TRAFFIC_EXACT_PER_SECOND,
  TRAFFIC_MINUTES,
} from '../../../http/limits.js';

const MINUTE_MS = 60_000;
const READ = { status: 200, commands: 0, bytesIn: 0, bytesOut: 0, weight: 1 };

t.test('each count, of an address and of the player whose key was sent', async (t) => {
  const traffic = new ClientTraffic(0);
  traffic.answered('192.0.2.1', 7, { ...READ, status: 201, commands: 1, bytesIn: 100, bytesOut: 1_000 }, 10);
  traffic.answered('192.0.2.1', 0, { ...READ, bytesOut: 500 }, 20);
  traffic.answered('192.0.2.2', 7, { ...READ, status: 429, bytesOut: 90 }, 30);
  traffic.answered('192.0.2.2', 7, { ...READ, status: 404, bytesOut: 80 }, 40);
  traffic.sent('192.0.2.2', 7, 5_000, 50);
  const players = traffic.players(1, 2_000);
  const ofPlayer = { requests: 3, commands: 1, bytesIn: 100, bytesOut: 6_170, refusals: 2, rateLimited: 1 };
  t.match([...players.clients], [[7, ofPlayer]]);
  t.equal(players.seconds, 2);
  const addresses = traffic.addresses(1, 2_000);
  t.match(addresses.clients.get('192.0.2.1'), { requests: 2, commands: 1, bytesIn: 100, bytesOut: 1_500, refusals: 0 });
  t.match(addresses.clients.get('192.0.2.2'), { requests: 2, bytesOut: 5_170, refusals: 2, rateLimited: 1 });
  t.match(addresses.total, { requests: 4, bytesOut: 6_670 });
});

t.test('a minute that is over stays for a minute, and for an hour in the hour', async (t) => {
  const traffic = new ClientTraffic(0);
  const requests = (minutes: number, nowMs: number) => {
    const { total, seconds } = traffic.addresses(minutes, nowMs);
    return [total.requests, seconds];
  };
  traffic.answered('a', 0, READ, 0);
  t.same(requests(1, MINUTE_MS - 1), [1, 59.999]);
  traffic.answered('a', 0, READ, MINUTE_MS);
  t.same(requests(1, MINUTE_MS), [2, 60], 'the last minute, and the present one');
  t.same(requests(1, 2 * MINUTE_MS), [1, 60], 'the first one is too old');
  t.same(requests(TRAFFIC_MINUTES, 2 * MINUTE_MS), [2, 120]);
  t.same(
    requests(TRAFFIC_MINUTES, (TRAFFIC_MINUTES + 1) * MINUTE_MS),
    [1, 3_600],
    'an hour later only the second one is left',
  );
  t.same(requests(TRAFFIC_MINUTES, (TRAFFIC_MINUTES + 2) * MINUTE_MS), [0, 3_600]);
});

t.test('after days without a request an hour is empty, and covers an hour', async (t) => {
  const traffic = new ClientTraffic(0);
  traffic.answered('a', 0, READ, 0);
  const daysLater = 3 * 24 * 60 * MINUTE_MS + 30_000;
  const { total, seconds } = traffic.addresses(TRAFFIC_MINUTES, daysLater);
  t.same([total.requests, seconds], [0, 3_630]);
});

t.test('those who come when a minute has enough clients are counted together, until the next minute', async (t) => {
  const traffic = new ClientTraffic(0);
  for (let client = 0; client < TRAFFIC_CLIENTS_MAX; client += 1) traffic.answered(`a${client}`, 0, READ, 0);
  traffic.answered('late', 0, { ...READ, bytesOut: 70 }, 1);
  traffic.answered('a0', 0, READ, 1);
  const crowded = traffic.addresses(1, 1);
  t.equal(crowded.clients.size, TRAFFIC_CLIENTS_MAX);
  t.match(crowded.others, { requests: 1, bytesOut: 70 });
  t.equal(crowded.clients.get('a0')?.requests, 2, 'those who were there are still counted');
  traffic.answered('late', 0, READ, MINUTE_MS);
  const later = traffic.addresses(1, MINUTE_MS);
  t.equal(later.clients.get('late')?.requests, 1);
  t.equal(later.total.requests, TRAFFIC_CLIENTS_MAX + 3, 'and nothing is lost');
});

t.test('of a minute that is over the heaviest are kept, by whatever they send', async (t) => {
  const traffic = new ClientTraffic(0);
  for (let client = 0; client < 3 * TRAFFIC_CLIENTS_KEPT; client += 1) {
    traffic.answered(`a${client}`, 0, { ...READ, bytesOut: 1 }, 0);
    traffic.answered(`a${client}`, 0, { ...READ, bytesOut: 1 }, 0);
  }
  traffic.answered('one large reply', 0, { ...READ, bytesOut: 1_000_000 }, 0);
  traffic.answered('one large body', 0, { ...READ, bytesIn: 1_000_000 }, 0);
  const { clients, total, others } = traffic.addresses(1, MINUTE_MS);
  t.equal(clients.size, TRAFFIC_CLIENTS_KEPT);
  t.ok(clients.has('one large reply') && clients.has('one large body'));
  t.equal(total.requests, 6 * TRAFFIC_CLIENTS_KEPT + 2);
  t.equal(others.requests, total.requests - 2 - 2 * (TRAFFIC_CLIENTS_KEPT - 2));
});

t.test('in a busy second some requests are drawn, and count for all', async (t) => {
  const traffic = new ClientTraffic(0);
  // Two clients take turns.
  const sent = 1_000 * TRAFFIC_EXACT_PER_SECOND;
  for (let request = 0; request < sent; request += 1) {
    const weight = traffic.weightAt(0);
    if (request < TRAFFIC_EXACT_PER_SECOND && weight !== 1) t.fail('the first ones are counted');
    if (weight > 0) traffic.answered(`a${request % 2}`, 0, { ...READ, weight }, 0);
  }
  for (const client of ['a0', 'a1']) {
    const counted = traffic.addresses(1, 0).clients.get(client)?.requests ?? 0;
    t.ok(Math.abs(counted / (sent / 2) - 1) < 0.05, `${counted} of ${sent / 2}`);
  }
  t.equal(traffic.weightAt(1_000), 1, 'the next second begins anew');
});

t.test('open WebSockets and streams', async (t) => {
  const traffic = new ClientTraffic(0);
  traffic.opened('a', 1);
  traffic.opened('a', 1);
  traffic.opened(7, 1);
  traffic.opened('a', -1);
  t.same([traffic.openOf('a'), traffic.openOf(7), traffic.openOf('b')], [1, 1, 0]);
  t.match([...traffic.addresses(1, 0).clients], [['a', { requests: 0 }]], 'who only listens is there as well');
  t.match([...traffic.players(1, 0).clients], [[7, { requests: 0 }]]);
});
