// A limited number of batches is worked on at a time: each takes many times the memory of its bytes.
import t from 'tap';
import type { Owner } from '../../../http/admission/owners.js';
import { WorkQueue } from '../../../http/admission/work-queue.js';
import type { Exchange } from '../../../http/exchange/exchange.js';
import { QUEUED_REQUESTS_MAX, SEATS_MAX, SEATS_PER_OWNER_MAX } from '../../../http/limits.js';
import { HostNames } from '../../../http/server/host-names.js';
import { type Endpoint, Receiver } from '../../../http/server/receiver.js';
import { RouteCounts, ServerCounts } from '../../../http/server/request-counts.js';
import { Traffic } from '../../../http/server/traffic.js';
import type { Wire } from '../../../http/server/transport.js';
import type { WireExchange } from '../../../http/server/wire-exchange.js';
import { NO_SOCKETS } from '../support/own-endpoints.js';
import { turns, until } from '../support/waiting.js';

const NO_WIRE: Wire = {
  address: '192.0.2.1',
  keepsBytes: false,
  needsLength: false,
  isOver: false,
  end() {},
  endWithoutBody() {},
  stream() {
    throw new Error('nothing is streamed here');
  },
  cork(writes) {
    writes();
  },
  close() {},
  cutWhatFollows: () => true,
  gone() {},
};

/** A receiver whose requests begin to work and do not finish by themselves. */
function receiving(goesOn: boolean) {
  const begun: Exchange[] = [];
  const received: WireExchange[] = [];
  t.teardown(() => {
    for (const exchange of received) exchange.abort();
  });
  const endpoint: Endpoint = {
    method: 'POST',
    path: '/slow',
    bodyBytesMax: 100,
    isHeavy: true,
    takesSeat: true,
    cost: 1,
    counts: new RouteCounts('/slow'),
    serve(exchange) {
      if (goesOn) exchange.takeTurns?.(() => exchange.isDone);
      begun.push(exchange);
    },
  };
  let owner: Owner = 1;
  const onBug = (error: unknown) => t.error(error);
  const gatekeeper = { ownerOf: () => owner, admits: () => true, answered() {} };
  const receiver = new Receiver({
    endpoints: [endpoint],
    counts: new ServerCounts(),
    traffic: new Traffic(() => 0),
    work: new WorkQueue(),
    gatekeeper,
    hostNames: new HostNames(null),
    crossOrigin: null,
    sockets: NO_SOCKETS,
    onBug,
  });
  const receive = (of: Owner, count: number): WireExchange[] => {
    owner = of;
    return Array.from({ length: count }, () => {
      const exchange = receiver.open(NO_WIRE, false, endpoint.counts.post);
      received.push(exchange);
      receiver.head.take('host', 'a');
      receiver.receive(exchange, endpoint, { onData: (take) => take(Buffer.from('{}'), true) });
      return exchange;
    });
  };
  return { begun, receive };
}

t.test('a client has a limited number of seats, and gets one back when a request ends', async (t) => {
  const { begun, receive } = receiving(true);
  receive(1, 5 * SEATS_MAX);
  await turns();
  t.equal(begun.length, SEATS_PER_OWNER_MAX);
  begun[0]?.durable();
  await until(() => begun.length > SEATS_PER_OWNER_MAX);
  (begun[1] as WireExchange).abort();
  await until(() => begun.length > SEATS_PER_OWNER_MAX + 1);
  await turns();
  t.equal(begun.length, SEATS_PER_OWNER_MAX + 2);
});

t.test('all clients together have SEATS_MAX seats, and take turns when seats become free', async (t) => {
  const { begun, receive } = receiving(true);
  const owners = SEATS_MAX / SEATS_PER_OWNER_MAX;
  for (let owner = 1; owner <= owners; owner += 1) receive(owner, SEATS_MAX);
  const lateA = new Set<Exchange>(receive(owners + 1, SEATS_PER_OWNER_MAX));
  const lateB = new Set<Exchange>(receive(owners + 2, SEATS_PER_OWNER_MAX));
  await turns();
  t.equal(begun.length, SEATS_MAX);
  for (let round = 1; round <= 2; round += 1) {
    for (const exchange of begun.slice((round - 1) * SEATS_MAX, round * SEATS_MAX)) exchange.durable();
    await until(() => begun.length >= (round + 1) * SEATS_MAX);
  }
  for (const late of [lateA, lateB]) t.ok(begun.some((exchange) => late.has(exchange)));
});

t.test('a request that needs no further turns has no seat', async (t) => {
  const { begun, receive } = receiving(false);
  receive(1, 5 * SEATS_MAX);
  await until(() => begun.length === 5 * SEATS_MAX);
  t.pass();
});

t.test('requests that are aborted while they wait take no seat', async (t) => {
  const { begun, receive } = receiving(true);
  for (const exchange of receive(1, 5 * SEATS_MAX).slice(SEATS_PER_OWNER_MAX)) exchange.abort();
  await turns();
  for (const exchange of begun) exchange.durable();
  await turns();
  receive(1, SEATS_MAX);
  await turns();
  t.equal(begun.length, 2 * SEATS_PER_OWNER_MAX);
});

t.test('the number of requests that wait for a seat is bounded', async (t) => {
  const { begun, receive } = receiving(true);
  const exchanges = receive(1, SEATS_PER_OWNER_MAX + QUEUED_REQUESTS_MAX / 2);
  await turns();
  t.equal(begun.length, SEATS_PER_OWNER_MAX);
  t.ok(exchanges.every(({ isDone }) => !isDone));
  const [oneTooMany] = receive(1, 1);
  t.equal(oneTooMany?.status, 503);
  const [other] = receive(2, 1);
  t.equal(other?.isDone, false, 'one client leaves half of the places to others');
});
