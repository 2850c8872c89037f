// What `galaxyd promote` asks for, and how it ends if nobody takes over: the request is always withdrawn. The process
// tests show the rest on a real store.
import t from 'tap';
import { HANDOVER_LAG_MAX, MEMBER_READY_MS } from '../../../persistence/limits.js';
import {
  type Promotion,
  type PromotionOptions,
  promote,
  StandbyClockJumped,
} from '../../../persistence/replication/promotion.js';
import type { Leadership, Lease, Member } from '../../../persistence/stores/world-store.js';

const member = (id: string, seq: number, reportedAgoMs = 0): Member => {
  return { id, url: `http://${id}`, role: 'standby', seq, version: '1', obstacle: null, reportedAgoMs };
};

/** A lease that somebody else changes. */
class Watched {
  lease: Lease = { epoch: 4, leaderId: 'a', leaderUrl: 'http://a', beat: 9, leaseMs: 2000, wantedId: null };
  readonly wants: (string | null)[] = [];
  members: readonly Member[] = [
    member('a', 50),
    member('b', 40),
    member('c', 45),
    member('d', 60, MEMBER_READY_MS + 1),
  ];

  /** @param onWant what the leader and the standbys do about it */
  constructor(readonly onWant: (wantedId: string | null) => Partial<Lease> = () => ({})) {}

  promote(options: Partial<PromotionOptions> = {}): Promise<Promotion> {
    const leadership: Pick<Leadership, 'read' | 'members' | 'want'> = {
      read: async () => this.lease,
      members: async () => this.members,
      want: async (wantedId) => {
        this.wants.push(wantedId);
        this.lease = { ...this.lease, wantedId, ...this.onWant(wantedId) };
      },
    };
    const signal = new AbortController().signal;
    return promote(leadership, { signal, label: 'here', waitMs: 120, ...options });
  }
}

const takesOver = (wantedId: string | null): Partial<Lease> => {
  return wantedId === null ? {} : { epoch: 5, leaderId: wantedId, leaderUrl: `http://${wantedId}`, wantedId: null };
};

t.test('the ready standby that has applied most is asked for, or the one that is named', async (t) => {
  const most = new Watched(takesOver);
  t.match(await most.promote(), { leader: { id: 'c' }, before: { id: 'a' }, epoch: 5, durationMs: Number });
  t.same(most.wants, ['c']);
  for (const to of ['b', 'http://b', 'http://b/']) {
    const named = new Watched(takesOver);
    t.match(await named.promote({ to }), { leader: { id: 'b' } });
    t.same(named.wants, ['b']);
  }
  const leader = new Watched();
  t.match(await leader.promote({ to: 'a' }), { leader: { id: 'a' }, before: null, epoch: 4, durationMs: 0 });
  t.same(leader.wants, [], 'the leader leads already');
});

t.test('a standby whose clock has jumped is not asked for', async (t) => {
  const watched = new Watched(takesOver);
  const obstacle = 'the clock of this machine says 2046';
  watched.members = watched.members.map((each) => (each.id === 'c' ? { ...each, obstacle } : each));
  t.match(await watched.promote(), { leader: { id: 'b' } }, 'another one is');
  const named = new Watched(takesOver);
  named.members = watched.members;
  await t.rejects(named.promote({ to: 'c' }), new StandbyClockJumped({ ...member('c', 45), obstacle }));
  t.same(named.wants, []);
});

t.test('of two processes with the same URL the one that has reported last is meant', async (t) => {
  const watched = new Watched(takesOver);
  watched.members = [...watched.members, { ...member('b2', 41), url: 'http://b' }].map((each) =>
    each.id === 'b' ? { ...each, reportedAgoMs: 2000 } : each,
  );
  t.match(await watched.promote({ to: 'http://b' }), { leader: { id: 'b2' } });
});

t.test('without a leader, a ready standby or the wanted process nothing is asked for', async (t) => {
  const refused = async (
    change: (watched: Watched) => void,
    to: string | undefined,
    message: RegExp,
  ): Promise<void> => {
    const watched = new Watched(takesOver);
    change(watched);
    const promotion = watched.promote(to === undefined ? {} : { to });
    await t.rejects(promotion, { name: 'PromotionRefused', message });
    t.same(watched.wants, []);
  };
  const released = (watched: Watched): void => {
    watched.lease = { ...watched.lease, leaderId: null };
  };
  const silent = (watched: Watched): void => {
    watched.members = [member('a', 50, MEMBER_READY_MS + 1), member('b', 40)];
  };
  const alone = (watched: Watched): void => {
    watched.members = [member('a', 50), member('d', 60, MEMBER_READY_MS + 1)];
  };
  const farBehind = (watched: Watched): void => {
    watched.members = [member('a', HANDOVER_LAG_MAX + 1), member('b', 0)];
  };
  await refused(farBehind, undefined, /^http:\/\/b is 100001 entries behind; promote it when it has caught up$/);
  await refused(released, undefined, /^no process leads the world in here now/);
  await refused(silent, undefined, /^no process leads the world in here now/);
  await refused(alone, undefined, /^there is no standby of the world in here; start another/);
  await refused(() => {}, 'e', /^e does not serve the world in here; these do, the leader first: http:\/\/a \(a\), /);
  await refused(() => {}, 'd', /^d \(http:\/\/d\) has not reported for 3\.0 s, and may have ended$/);
});

t.test('a request that is not met is withdrawn', async (t) => {
  const ignored = new Watched();
  await t.rejects(ignored.promote(), {
    message: /^http:\/\/c has not taken over within 0\.12 s; .* http:\/\/a leads$/,
  });
  t.same(ignored.wants, ['c', null]);
  const overtaken = new Watched((id) => (id === null ? {} : { epoch: 5, leaderId: 'b', leaderUrl: 'http://b' }));
  await t.rejects(overtaken.promote(), { message: 'http://b has taken over instead of http://c' });
  t.same(overtaken.wants, ['c', null]);
  const interruption = new AbortController();
  const interrupted = new Watched();
  const promotion = interrupted.promote({ signal: interruption.signal, waitMs: 60_000 });
  interruption.abort(new Error('interrupted'));
  await t.rejects(promotion, { message: 'interrupted' });
  t.same(interrupted.wants, ['c', null]);
});
