// Games of turns over HTTP: who may act when, how time moves, and what the budgets are. test/http/turn-game.test.ts tests the rules of
// the game by themselves.
import t from 'tap';
import type { TurnsBody } from '../../http/schemas/turns.js';
import {
  beginGame,
  beginTurnWorld,
  endOf,
  gameOf,
  gameOver,
  type Seat,
  seats,
  turnOf,
  upgrade,
} from './support/turn-play.js';

const pairOf = (list: readonly Seat[]): [Seat, Seat] => list as [Seat, Seat];

t.test('entrants act one after another, and time stands still meanwhile', async (t) => {
  const serving = await beginTurnWorld(t);
  const [ada, bob] = pairOf(await seats(serving, 'ada', 'bob'));
  const { until } = await beginGame(serving, [ada, bob]);
  t.equal(until, '2000-01-02T00:00:00.000Z');
  const { activePlayerId } = await gameOf(serving);
  const [first, second] = activePlayerId === ada.id ? [ada, bob] : [bob, ada];
  t.match(await turnOf(first), { state: 'active', turn: 1, worldTime: '2000-01-01T00:00:00.000Z', commandsLeft: 100 });
  t.match((await upgrade(second)).body, { code: 'not_your_turn' });
  t.equal((await upgrade(first)).status, 200);
  t.match((await upgrade(first)).body, { code: 'upgrade_in_progress' });
  t.match(await endOf(first, { wakeOn: ['building_completed'] }), { state: 'waiting', commandsLeft: 98 });
  t.match((await upgrade(first)).body, { code: 'not_your_turn' });
  t.match(await turnOf(second), { state: 'active', worldTime: '2000-01-01T00:00:00.000Z' });
  await endOf(second, { wakeAt: null });
  const woken = await turnOf(first);
  t.match(woken, { state: 'active', turn: 2 });
  const { planets } = await first.client.read<{ planets: { buildings: { constructionQueue: unknown[] }[] }[] }>(
    `/api/game/state/${first.id}`,
  );
  t.notOk(
    planets[0]?.buildings.some(({ constructionQueue }) => constructionQueue.length > 0),
    'the mine is done',
  );
  t.ok(woken.worldTime > '2000-01-01T00:00:00.000Z');
  await endOf(first, { wakeAt: null });
  const over: TurnsBody = await gameOver(serving);
  t.match(over, { state: 'over', worldTime: until, turn: 3, activePlayerId: null });
  t.match(
    over.entrants.find(({ playerId }) => playerId === first.id),
    { wakeups: 2, commands: 2, refusals: { upgrade_in_progress: 1 }, overruns: 0, isWithdrawn: false },
  );
  t.match(await turnOf(second), { state: 'over' });
});
