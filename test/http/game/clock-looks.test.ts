// A request reads the world's clock once: everything that it reads, changes and reports happens at one instant. A
// request that takes several turns reads the clock once in each.
import t, { type Test } from 'tap';
import { MANUAL_START_MS, ManualClock } from '../../../persistence/time/clock.js';
import { type Reply, withKey } from '../support/game-client.js';
import { OwnClock } from '../support/own-clock.js';
import { ADMIN_KEY, beginHeld } from '../support/serving.js';

class CountedClock extends ManualClock {
  looks = 0;

  override nowMs(): number {
    this.looks += 1;
    return super.nowMs();
  }
}

async function beginCounted(t: Test, auth: 'none' | 'key' = 'none') {
  const clock = new CountedClock(MANUAL_START_MS);
  const serving = await beginHeld(t, { clock, auth, adminKey: ADMIN_KEY });
  /** How often a request reads the clock. */
  const looksOf = async (request: () => Promise<Reply>, status: number, what: string): Promise<number> => {
    clock.looks = 0;
    const reply = await request();
    t.equal(reply.status, status, what);
    return clock.looks;
  };
  return { ...serving, looksOf };
}

t.test('a request reads the clock once, whatever its result', async (t) => {
  const { client, admin, play, looksOf } = await beginCounted(t);
  const { playerId, planetId } = await play.rich('doer');
  const state = `/api/game/state/${playerId}`;
  const upgrade = (buildingType: string, key?: string) => () => {
    const body = { planetId, buildingType };
    return client.request('POST', '/api/building/upgrade', key === undefined ? { body } : withKey(key, body));
  };
  const advance = () => admin.request('POST', '/api/admin/clock/advance', { body: { seconds: 3600 } });
  const cases: readonly (readonly [string, () => Promise<Reply>, number])[] = [
    ['a read', () => client.request('GET', state), 200],
    ['a HEAD', () => client.request('HEAD', state), 200],
    ['a command', upgrade('iron_mine'), 200],
    ['a command that the engine refuses', upgrade('silver_mine'), 409],
    ['a command with a key that the engine refuses', upgrade('silver_mine', 'one'), 409],
    ['a move of the clock, which fires a timer', advance, 200],
    ['a command with a key', upgrade('iron_mine', 'one'), 200],
    ['the same again', upgrade('iron_mine', 'one'), 200],
    ['another request with its key', upgrade('silver_mine', 'one'), 422],
    ['a body of a wrong shape', () => client.request('POST', '/api/building/upgrade', { body: {} }), 400],
    ['a key of a wrong shape', upgrade('iron_mine', 'x y'), 400],
    ['a path that does not exist', () => client.request('GET', '/api/nothing'), 404],
    ['a planet that does not exist', () => client.request('GET', '/api/game/planet/planet-0-0-0'), 404],
  ];
  for (const [what, request, status] of cases) t.equal(await looksOf(request, status, what), 1, what);
});

t.test('an unknown caller is refused with one read of the clock', async (t) => {
  const { client, looksOf } = await beginCounted(t, 'key');
  const request = () => client.request('GET', '/api/game/state/player-1');
  t.equal(await looksOf(request, 401, 'unauthenticated'), 1);
});

t.test('a batch reads the clock once in each of its turns, however many operations it has', async (t) => {
  // Real time stands still, so that no turn is too long.
  new OwnClock(t, 0);
  const { client, play, looksOf } = await beginCounted(t);
  const { playerId, planetId } = await play.rich('doer');
  const looksOfBatch = (operation: object, count: number) => {
    const body = { operations: Array.from({ length: count }, () => operation) };
    return looksOf(() => client.request('POST', '/api/batch', { body }), 200, `${count} operations`);
  };
  const command = { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } };
  const read = { method: 'GET', path: `/api/game/state/${playerId}` };
  // One turn for the request, and one each for shapes, operations and the reply.
  for (const operation of [command, read]) t.equal(await looksOfBatch(operation, 200), 4);
});
