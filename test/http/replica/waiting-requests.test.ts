// Requests that wait for a role or an entry: their limits, their order and their deadlines, on a clock of the test's own.
import t from 'tap';
import { ReplicaPolicy } from '../../../http/replica/replica-policy.js';
import { type WaitingRequest, WaitingRequests } from '../../../http/replica/waiting-requests.js';
import type { Availability } from '../../../persistence/writer/sequencer.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';

const LIMITS = { requestsMax: 4, requestsPerOwnerMax: 2, bytesMax: 100, pollMs: 10, sliceMs: 5 };

function scene() {
  const time = new VirtualTime();
  const scheduler = new VirtualScheduler(time);
  const requests = new WaitingRequests({ scheduler, elapsedMs: () => time.elapsedMs(), limits: LIMITS });
  const proceeded: string[] = [];
  const ready = new Set<string>();
  const request = (name: string, workMs = 0): WaitingRequest => ({
    isReady: () => ready.has(name),
    proceed(isLate) {
      proceeded.push(isLate ? `${name} late` : name);
      time.moveTo(time.elapsedMs() + workMs);
    },
  });
  return { scheduler, requests, proceeded, ready, request };
}

t.test(
  'requests that wait are limited in number and in bytes, and one client leaves half of both to the others',
  async (t) => {
    const { requests, request } = scene();
    const first = requests.add(request('a'), 'ann', 50, 100);
    t.equal(requests.add(request('b'), 'ann', 1, 100), null, 'more than half of the bytes');
    t.not(requests.add(request('c'), 'ann', 0, 100), null);
    t.equal(requests.add(request('d'), 'ann', 0, 100), null, 'a third of one client');
    t.equal(requests.add(request('e'), 7, 51, 100), null, 'more than is free');
    t.not(requests.add(request('f'), 7, 25, 100), null);
    t.not(requests.add(request('g'), 8, 0, 100), null);
    t.equal(requests.add(request('h'), 9, 0, 100), null, 'one more than all');
    first?.();
    first?.();
    t.equal(requests.size, 3, 'a request that is removed twice frees its place once');
    t.not(requests.add(request('i'), 9, 12, 100), null);
  },
);

t.test('requests proceed once they are ready, or at their deadline, in the order in which they came', async (t) => {
  const { scheduler, requests, proceeded, ready, request } = scene();
  for (const name of ['a', 'b']) requests.add(request(name), name, 0, 100);
  scheduler.pass(50);
  const gone = requests.add(request('c'), 'c', 0, 100);
  ready.add('b');
  requests.check();
  requests.check();
  t.same(proceeded, [], 'not within the call');
  scheduler.run();
  t.same(proceeded, ['b']);
  scheduler.pass(50);
  t.same(proceeded, ['b', 'a late']);
  gone?.();
  scheduler.pass(10);
  scheduler.pass(1_000);
  t.same(proceeded, ['b', 'a late'], 'one that was removed is not called');
  t.equal(scheduler.size, 0, 'without requests no timer is set');
});

t.test('what becomes ready at once proceeds in slices', async (t) => {
  const { scheduler, requests, proceeded, ready, request } = scene();
  for (const name of ['a', 'b', 'c']) {
    requests.add(request(name, 3), name, 0, 100);
    ready.add(name);
  }
  requests.check();
  scheduler.run();
  t.same(proceeded, ['a', 'b'], 'two take longer than a slice');
  scheduler.run();
  t.same(proceeded, ['a', 'b', 'c']);
});

t.test('a poll finds what becomes ready without a call of check()', async (t) => {
  const { scheduler, requests, proceeded, ready, request } = scene();
  requests.add(request('a'), 'a', 0, 1_000);
  scheduler.pass(10);
  t.same(proceeded, []);
  ready.add('a');
  scheduler.pass(10);
  t.same(proceeded, ['a']);
});

t.test('a command waits from the beginning of a handover until a leader is known', async (t) => {
  const replica = { role: 'leader' as 'leader' | 'standby', leaderUrl: 'http://a' as string | null, mayAnswer: true };
  const sequencer = { lastSeq: 9, durableSeq: 7, state: 'open' as Availability, availability: () => sequencer.state };
  const standing = new ReplicaPolicy(replica, sequencer, false);
  const verdict = () => standing.verdict('command', 0);
  t.equal(verdict(), 'go');
  sequencer.state = 'handing_over';
  t.equal(verdict(), 'wait');
  Object.assign(replica, { role: 'standby', leaderUrl: null });
  sequencer.state = 'not_leader';
  t.equal(verdict(), 'wait', 'it is not known yet who leads next');
  replica.leaderUrl = 'http://b';
  t.equal(verdict(), 'not_leader');
  replica.leaderUrl = null;
  t.equal(verdict(), 'no_leader', 'this time nobody has handed over');
  t.equal(standing.verdict('state', 7), 'go');
  t.equal(standing.verdict('state', 8), 'wait');
  replica.mayAnswer = false;
  t.equal(standing.verdict('state', 0), 'no_leader');
  t.equal(standing.verdict('report', 0), 'go');
  t.equal(standing.worldSeqOf(3), 7);
  t.equal(standing.worldSeqOf(8), 8);
  t.equal(
    new ReplicaPolicy(replica, sequencer, true).worldSeqOf(8),
    7,
    'with relaxed durability a reply waits for nothing',
  );
});
