// The life of an order at the shipyard: its cost, its place in the queue, its delivery, and its cancellation without
// refund.
import t from 'tap';
import { build, cancelShips, launch, shipIndex, shipList, unitList, upgrade } from '../../support/command-words.js';
import { HOUR_MS, MINUTE_MS, openScene, SECOND_MS } from '../../support/world-story.js';

t.test('an order takes its cost at once, for all of its ships', async (t) => {
  const { story, home } = openScene();
  const before = story.stocks(home);
  story.does(build(home, 'colony_ship', 7));
  const cost = unitList({ iron: 21_000, silver: 10_500, ember: 3500, energy: 700 });
  t.same(
    story.stocks(home),
    before.map((units, resource) => units - (cost[resource] ?? 0)),
  );
});

t.test('all ships of an order are delivered together at buildFinishAt and not a millisecond before', async (t) => {
  const { story, foreign } = openScene();
  story.equip(foreign, {});
  story.does(build(foreign, 'fighter', 3));
  const points = foreign.owner.points;
  story.advance(3 * MINUTE_MS - 1);
  t.same(foreign.ships, shipList({}));
  story.advance(1);
  t.same(foreign.ships, shipList({ fighter: 3 }));
  t.same(foreign.orders, []);
  t.equal(foreign.owner.points, points + 3 * (200 + 100 + 5), 'points count what the ships have cost');
});

t.test('orders of the same type wait behind the running one, and are delivered one after the other', async (t) => {
  const { story, foreign } = openScene();
  story.equip(foreign, {});
  const beganMs = story.nowMs;
  t.equal(story.does(build(foreign, 'scout', 3)).isBuilding, true);
  story.advance(30 * SECOND_MS);
  t.equal(story.does(build(foreign, 'scout', 1)).isBuilding, false);
  t.equal(story.does(build(foreign, 'scout', 2)).isBuilding, false);
  t.same(
    foreign.orders.map(({ count, finishAtMs }) => [count, (finishAtMs - beganMs) / SECOND_MS]),
    [
      [3, 60],
      [1, 80],
      [2, 120],
    ],
  );
  const delivered = [60, 80, 120].map((second) => {
    story.advanceTo(beganMs + second * SECOND_MS - 1);
    const before = foreign.ships[shipIndex('scout')];
    story.advance(1);
    return [before, foreign.ships[shipIndex('scout')]];
  });
  t.same(delivered, [
    [0, 3],
    [3, 4],
    [4, 6],
  ]);
});

t.test('another type is refused while any order is queued, and accepted once all are delivered', async (t) => {
  const { story, home } = openScene();
  story.does(build(home, 'scout', 1));
  story.does(build(home, 'scout', 1));
  story.advance(20 * SECOND_MS);
  t.equal(story.refusal(build(home, 'fighter', 1)).code, 'other_ship_in_production');
  story.advance(20 * SECOND_MS);
  story.does(build(home, 'fighter', 1));
});

t.test('one ship type at a time is a rule of the planet, not of the player', async (t) => {
  const { story, human, home } = openScene();
  const colony = story.colony(human, home);
  story.equip(colony, {});
  story.does(build(home, 'scout', 1));
  story.does(build(colony, 'fighter', 1));
  t.match([home.orders.length, colony.orders.length], [1, 1]);
});

t.test('cancelling removes all orders of the type without refund', async (t) => {
  const { story, home } = openScene();
  story.does(build(home, 'fighter', 3));
  story.does(build(home, 'fighter', 2));
  story.advance(MINUTE_MS);
  const before = story.stocks(home);
  story.does(cancelShips(home, 'fighter'));
  t.same(story.stocks(home), before);
  t.equal(story.engine.nextDeadlineMs(), Number.POSITIVE_INFINITY, 'no timer is left');
  story.advance(HOUR_MS);
  t.equal(home.ships[shipIndex('fighter')], 20, 'nothing is delivered');
});

t.test('after cancelling, another type can be built at once and takes its own full time', async (t) => {
  const { story, home } = openScene();
  story.does(build(home, 'fighter', 10));
  story.advance(MINUTE_MS);
  story.does(cancelShips(home, 'fighter'));
  const { order, isBuilding } = story.does(build(home, 'scout', 1));
  t.match([isBuilding, order.finishAtMs - story.nowMs], [true, 20 * SECOND_MS]);
});

t.test('the level of the shipyard at the time of the order decides its duration', async (t) => {
  const { story, home } = openScene();
  story.does(upgrade(home, 'shipyard'));
  const { order } = story.does(build(home, 'fighter', 10));
  t.equal(order.finishAtMs - story.nowMs, 600 * SECOND_MS, 'ships are built while the shipyard is being upgraded');
  story.advance(4 * MINUTE_MS);
  t.equal(home.orders[0]?.finishAtMs, order.finishAtMs, 'the running order keeps its time');
  const next = story.does(build(home, 'fighter', 10)).order;
  t.equal(next.finishAtMs - order.finishAtMs, 540 * SECOND_MS, 'the next one is a tenth faster');
});

t.test('ships can be launched from the instant of their delivery', async (t) => {
  const { story, bot, foreign, home } = openScene();
  story.equip(foreign, {});
  story.does(build(foreign, 'scout', 1));
  const spy = launch({ by: bot, from: foreign, to: home, ships: { scout: 1 }, mission: 'espionage' });
  story.advance(20 * SECOND_MS - 1);
  t.same(story.refusal(spy).facts.missing, { scout: 1 });
  story.advance(1);
  story.does(spy);
  t.same(foreign.ships, shipList({}));
});
