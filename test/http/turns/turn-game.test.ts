// The rules of a game of turns, without a server: in every game at most one entrant has a turn, budgets hold, time passes no wish, and
// what happens depends only on the script.

import t from 'tap';
import { OVERRUNS_MAX, WAKES_BY_OTHERS_APART_MS, WAKES_OF_SENDER_APART_MS } from '../../../http/limits.js';
import { UNASKED_KINDS } from '../../../http/schemas/turns.js';
import { DAY_MS, TurnGame } from '../../../http/turns/turn-game.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { HOUR_MS, type Move, playTurns, type Script } from '../support/played-turns.js';

const ORDER_OF_SEED_7 = '021201210201';

/** A game in which only entrants do something. */
const QUIET = { orderSeed: 1, wakeupsByOthersPerDay: 4, events: [], gone: null };

const seed = drawSeed(t);
const RUNS = process.env['LONG'] === '1' ? 5_000 : 150;

const kind = fc.constantFrom(
  'building_completed' as const,
  'incoming_fleet' as const,
  'espionage_detected' as const,
  'fleet_returned' as const,
);
const afterMs = fc.option(fc.integer({ min: 1, max: 30 }).map((hours) => hours * HOUR_MS));
const on = fc.oneof(fc.constant('any' as const), fc.uniqueArray(kind));
const move: fc.Arbitrary<Move> = fc.record({
  commands: fc.nat(3),
  hits: fc.option(fc.nat(3)),
  wish: fc.option(fc.oneof(fc.record({ afterMs, on }), fc.constant('default' as const)), { freq: 8 }),
});
const entrant = fc.record({
  commandsPerDay: fc.nat(6),
  wakeupsPerDay: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 6, max: 30 })),
  moves: fc.array(move, { minLength: 1, maxLength: 5 }),
});
const script: fc.Arbitrary<Script> = fc.record({
  orderSeed: fc.nat(),
  days: fc.integer({ min: 1, max: 4 }),
  wakeupsByOthersPerDay: fc.nat(5),
  entrants: fc.array(entrant, { minLength: 1, maxLength: 4 }),
  events: fc.array(
    fc.record({ atMs: fc.integer({ min: 1, max: 4 * DAY_MS }), entrant: fc.nat(3), by: fc.nat(3), kind }),
    { maxLength: 40 },
  ),
  gone: fc.constant(null),
});

t.test('no game breaks the rules', (t) => {
  let turns = 0;
  let byOthers = 0;
  fc.assert(
    fc.property(script, (script) => {
      const played = playTurns(script);
      turns += played.turns.length;
      byOthers += played.turns.filter(({ by }) => by !== null).length;
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
  t.ok(turns > RUNS && byOthers > RUNS, `${turns} turns were played, others have caused ${byOthers}`);
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
        game.entrants.map(({ wakeups, wakeupsByOthers, commands, isWithdrawn, overruns }) => [
          wakeups,
          wakeupsByOthers,
          commands,
          isWithdrawn,
          overruns,
        ]);
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
    const { turns } = playTurns({ ...QUIET, orderSeed, days: 4, entrants: three });
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
    const [entrant] = playTurns({ ...QUIET, days: 30, entrants }).game.entrants;
    return [entrant?.overruns, entrant?.isWithdrawn];
  };
  t.same(overrunsOf([deaf]), [OVERRUNS_MAX, true]);
  t.same(overrunsOf([deaf, deaf, good])[1], false, 'a turn that it ends itself begins the count anew');
  t.end();
});

t.test('a wish that is due without a turn left waits for the next day', (t) => {
  const eager: Move = { commands: 2, hits: null, wish: { afterMs: HOUR_MS, on: [] } };
  const entrants = [{ commandsPerDay: 3, wakeupsPerDay: 2, moves: [eager] }];
  const { turns } = playTurns({ ...QUIET, days: 2, entrants });
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

/** One who is woken by what others do in two days, and sleeps else. @returns hours of its turns, and who has caused each */
function wokenBy(script: Pick<Script, 'events'> & Partial<Script>, wish: Move['wish'], wakeupsPerDay = 60) {
  const sleeper = { commandsPerDay: 9, wakeupsPerDay, moves: [{ commands: 0, hits: null, wish }] };
  const silent = { commandsPerDay: 0, wakeupsPerDay: 1, moves: [{ commands: 0, hits: null, wish: NEVER }] };
  const { turns, faults } = playTurns({ ...QUIET, days: 2, entrants: [sleeper, silent, silent], ...script });
  t.same(faults, []);
  return turns.filter(({ entrant }) => entrant === 0).map(({ atMs, by }) => [atMs / HOUR_MS, by]);
}

const NEVER: Move['wish'] = { afterMs: null, on: [] };
const ON_FLEETS: Move['wish'] = { afterMs: null, on: ['incoming_fleet', 'fleet_returned'] };
const fleetAt = (hours: number, by: number) => ({
  atMs: hours * HOUR_MS,
  entrant: 0,
  by,
  kind: 'incoming_fleet' as const,
});

t.test('another player causes a turn at most once in six hours', (t) => {
  const apart = WAKES_OF_SENDER_APART_MS / HOUR_MS;
  const events = [1, 1.1, 2, 3, 6.9].map((hours) => fleetAt(hours, 1));
  t.same(wokenBy({ events }, ON_FLEETS), [
    [0, null],
    [1, 1],
    [1 + apart, 1],
  ]);
  t.end();
});

t.test('what others do within ten minutes causes one turn', (t) => {
  const apart = WAKES_BY_OTHERS_APART_MS / HOUR_MS;
  const events = [fleetAt(1, 1), fleetAt(1.05, 2), fleetAt(1.1, 2), fleetAt(3, 2)];
  t.same(wokenBy({ events }, ON_FLEETS), [
    [0, null],
    [1, 1],
    [1 + apart, 2],
    [1 + apart + 6, 2],
  ]);
  t.end();
});

t.test('turns that others cause have a budget of their own: one for each six of the entrant at most', (t) => {
  const events = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => fleetAt(at * 3, 1 + (at % 2)));
  const hourly: Move['wish'] = { afterMs: 8 * HOUR_MS, on: ['incoming_fleet'] };
  const ofDay = (turns: readonly (readonly (number | null)[])[]): number[] =>
    [true, false].map(
      (isOwn) => turns.filter(([hours = 0, by]) => (hours ?? 0) < 24 && (by === null) === isOwn).length,
    );
  t.same(ofDay(wokenBy({ events, wakeupsByOthersPerDay: 0 }, hourly)), [3, 0]);
  t.same(ofDay(wokenBy({ events, wakeupsByOthersPerDay: 2 }, ON_FLEETS)), [1, 2]);
  t.same(ofDay(wokenBy({ events, wakeupsByOthersPerDay: 9 }, ON_FLEETS)), [1, 7]);
  for (const [own, byOthers] of [
    [5, 0],
    [6, 1],
    [24, 4],
  ] as const) {
    t.same(ofDay(wokenBy({ events, wakeupsByOthersPerDay: 9 }, ON_FLEETS, own)), [1, byOthers]);
  }
  t.end();
});

t.test('an entrant that others have woken sleeps on as it wished, if it says nothing else', (t) => {
  const moves: Move[] = ['first', 'woken'].map((turn) => ({
    commands: 0,
    hits: null,
    wish: turn === 'first' ? { afterMs: 10 * HOUR_MS, on: ['incoming_fleet'] } : 'default',
  }));
  const entrants = [{ commandsPerDay: 0, wakeupsPerDay: 6, moves }];
  const { turns } = playTurns({ ...QUIET, days: 1, entrants, events: [fleetAt(4, 1)] });
  t.same(
    turns.map(({ atMs, by }) => [atMs / HOUR_MS, by]),
    [
      [0, null],
      [4, 1],
      [10, null],
      [20, null],
    ],
  );
  t.end();
});

t.test('what anybody can cause at little cost wakes only who has asked for it', (t) => {
  for (const kind of UNASKED_KINDS) {
    const events = [{ ...fleetAt(1, 1), kind }];
    t.same(wokenBy({ events }, { afterMs: null, on: 'any' }), [[0, null]], kind);
    t.same(
      wokenBy({ events }, { afterMs: null, on: [kind] }),
      [
        [0, null],
        [1, 1],
      ],
      kind,
    );
  }
  t.end();
});

t.test('an entrant who is retired, or has no key, has no turn', (t) => {
  let canAct = true;
  const events = { canAct: () => canAct, lastSeq: () => 0, eventsAfter: () => [] };
  const entrants = [{ playerNumber: 1, commandsPerDay: 1, wakeupsPerDay: 9 }];
  const game = new TurnGame({ startMs: 0, untilMs: DAY_MS, orderSeed: 0, wakeupsByOthersPerDay: 0, entrants }, events);
  t.equal(game.next()?.playerNumber, 1);
  game.end(1, { atMs: HOUR_MS, on: 'any' });
  canAct = false;
  game.movedTo(HOUR_MS);
  t.equal(game.next(), null);
  t.equal(game.entrants[0]?.isWithdrawn, true);
  t.equal(game.nextWishMs, DAY_MS, 'and time moves to the end');
  t.end();
});
