// The rules of a game of turns, without a server: in every game at most one entrant has a turn, budgets hold, time passes no wish, and
// what happens depends only on the script.

import t from 'tap';
import { OVERRUNS_MAX } from '../../../http/limits.js';
import { DAY_MS, TurnGame } from '../../../http/turns/turn-game.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { HOUR_MS, type Move, playTurns, type Script } from '../support/played-turns.js';

const ORDER_OF_SEED_7 = '021201210201';

const seed = drawSeed(t);
const RUNS = process.env['LONG'] === '1' ? 5_000 : 150;

const kind = fc.constantFrom('building_completed' as const, 'incoming_fleet' as const, 'fleet_returned' as const);
const afterMs = fc.option(fc.integer({ min: 1, max: 30 }).map((hours) => hours * HOUR_MS));
const on = fc.oneof(fc.constant('any' as const), fc.uniqueArray(kind));
const move: fc.Arbitrary<Move> = fc.record({
  commands: fc.nat(3),
  hits: fc.option(fc.nat(3)),
  wish: fc.option(fc.record({ afterMs, on }), { freq: 8 }),
});
const entrant = fc.record({
  commandsPerDay: fc.nat(6),
  wakeupsPerDay: fc.integer({ min: 1, max: 6 }),
  moves: fc.array(move, { minLength: 1, maxLength: 5 }),
});
const script: fc.Arbitrary<Script> = fc.record({
  orderSeed: fc.nat(),
  days: fc.integer({ min: 1, max: 4 }),
  entrants: fc.array(entrant, { minLength: 1, maxLength: 4 }),
  events: fc.array(fc.record({ atMs: fc.integer({ min: 1, max: 4 * DAY_MS }), entrant: fc.nat(3), kind }), {
    maxLength: 40,
  }),
  gone: fc.constant(null),
});

t.test('no game breaks the rules', (t) => {
  let turns = 0;
  fc.assert(
    fc.property(script, (script) => {
      const played = playTurns(script);
      turns += played.turns.length;
      const overspent = script.entrants.flatMap(({ commandsPerDay }, index) =>
        Array.from({ length: script.days }, (_, day) => {
          const today = played.turns.filter((turn) => turn.entrant === index && Math.floor(turn.atMs / DAY_MS) === day);
          return today.reduce((sum, { commands }) => sum + commands, 0) > commandsPerDay;
        }),
      );
      return played.faults.length === 0 && !overspent.includes(true) && played.game.turns === played.turns.length;
    }),
    { seed, numRuns: RUNS },
  );
  t.ok(turns > RUNS, 'turns were played');
  t.end();
});

t.test('the same script is the same game', (t) => {
  fc.assert(
    fc.property(script, (script) => {
      t.same(playTurns(script).turns, playTurns(script).turns);
    }),
    { seed, numRuns: RUNS / 5 },
  );
  t.end();
});

t.test('a game does not depend on when it is noticed that an entrant is gone', (t) => {
  const leaving = fc.record({ entrant: fc.nat(3), afterTurn: fc.integer({ min: 1, max: 5 }) });
  let lost = 0;
  fc.assert(
    fc.property(script, leaving, (script, gone) => {
      const early = playTurns({ ...script, gone: { ...gone, isNoticedLate: false } });
      const late = playTurns({ ...script, gone: { ...gone, isNoticedLate: true } });
      const counts = ({ game }: typeof early) =>
        game.entrants.map(({ wakeups, commands, isWithdrawn, overruns }) => [wakeups, commands, isWithdrawn, overruns]);
      lost += late.game.entrants.some(({ isWithdrawn }) => isWithdrawn) ? 1 : 0;
      t.same(early.turns, late.turns);
      t.same(counts(early), counts(late));
      t.equal(early.game.turns, late.game.turns);
      t.same([...early.faults, ...late.faults], []);
    }),
    { seed, numRuns: RUNS },
  );
  t.ok(lost > 0, 'some were withdrawn');
  t.end();
});

t.test('who is awake at the same time acts in an order that the seed decides', (t) => {
  const sleepy: Move = { commands: 0, hits: null, wish: { afterMs: DAY_MS, on: [] } };
  const orderOf = (orderSeed: number): string => {
    const three = Array.from({ length: 3 }, () => ({ commandsPerDay: 1, wakeupsPerDay: 1, moves: [sleepy] }));
    const { turns } = playTurns({ orderSeed, days: 4, entrants: three, events: [], gone: null });
    t.same(
      turns.map(({ atMs }) => atMs / DAY_MS),
      [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
    );
    return turns.map(({ entrant }) => entrant).join('');
  };
  const orders = Array.from({ length: 60 }, (_, orderSeed) => orderOf(orderSeed));
  t.equal(new Set(orders.map((order) => order.slice(0, 3))).size, 6, 'every order comes');
  t.ok(new Set(orders).size > 50, 'and each day has its own');
  // Results of tournaments depend on it for ever.
  t.equal(orders[7], ORDER_OF_SEED_7);
  t.end();
});

t.test('an entrant that never ends its turns is withdrawn after some in a row', (t) => {
  const deaf: Move = { commands: 1, hits: null, wish: null };
  const good: Move = { commands: 1, hits: null, wish: { afterMs: HOUR_MS, on: [] } };
  const overrunsOf = (moves: readonly Move[]) => {
    const entrants = [{ commandsPerDay: 100, wakeupsPerDay: 100, moves }];
    const [entrant] = playTurns({ orderSeed: 1, days: 30, entrants, events: [], gone: null }).game.entrants;
    return [entrant?.overruns, entrant?.isWithdrawn];
  };
  t.same(overrunsOf([deaf]), [OVERRUNS_MAX, true]);
  t.same(overrunsOf([deaf, deaf, good])[1], false, 'a turn that it ends itself begins the count anew');
  t.end();
});

t.test('a wish that is due without a turn left waits for the next day', (t) => {
  const eager: Move = { commands: 2, hits: null, wish: { afterMs: HOUR_MS, on: [] } };
  const entrants = [{ commandsPerDay: 3, wakeupsPerDay: 2, moves: [eager] }];
  const { turns } = playTurns({ orderSeed: 1, days: 2, entrants, events: [], gone: null });
  t.same(
    turns.map(({ atMs, commands }) => [atMs / HOUR_MS, commands]),
    [
      [0, 2],
      [1, 1],
      [24, 2],
      [25, 1],
    ],
  );
  t.end();
});

t.test('an entrant who is retired, or has no key, has no turn', (t) => {
  let canAct = true;
  const events = { canAct: () => canAct, lastSeq: () => 0, hasEvent: () => false };
  const entrants = [{ playerNumber: 1, commandsPerDay: 1, wakeupsPerDay: 9 }];
  const game = new TurnGame({ startMs: 0, untilMs: DAY_MS, orderSeed: 0, entrants }, events);
  t.equal(game.next()?.playerNumber, 1);
  game.end(1, { atMs: HOUR_MS, on: 'any' });
  canAct = false;
  game.movedTo(HOUR_MS);
  t.equal(game.next(), null);
  t.equal(game.entrants[0]?.isWithdrawn, true);
  t.equal(game.nextWishMs, DAY_MS, 'and time moves to the end');
  t.end();
});
