// The feed: what passes its filters, and that the same event is listed once however it came.
import type { EventData, GameEvent } from 'galaxyd-client';
import t from 'tap';
import { FEED_EVENTS_MAX } from '../../dashboard/limits.js';
import { EVENT_KINDS, FeedLog, kindOf, passes } from '../../dashboard/views/feed/feed-log.js';

const all = { types: [], player: null, place: null };
const timeOf = (second: number): string => new Date(second * 1_000).toISOString();

function launchOf(seq: number, second = seq): GameEvent {
  const data: EventData<'fleet_launched'> = {
    fleetId: `fleet-${second}`,
    mission: 'attack',
    originPlanetId: 'planet-7-12-5',
    targetPlanetId: 'planet-70-1-2',
    ships: [],
    resources: { iron: 0, silver: 0, ember: 0, h2: 0 },
    h2Cost: 1,
    arrivesAt: timeOf(second + 60),
    returnsAt: null,
  };
  return { seq, type: 'fleet_launched', at: timeOf(second), playerId: 'player-3', data };
}

const battle: GameEvent = {
  seq: 9,
  type: 'battle',
  at: timeOf(9),
  playerId: 'player-3',
  data: {
    planetId: 'planet-1-0-26',
    fleetId: 'fleet-1',
    attackerId: 'player-3',
    defenderId: 'player-4',
    outcome: 'draw',
    rounds: 1,
    attackerLostCount: 0,
    defenderLostCount: 0,
    loot: { iron: 0, silver: 0, ember: 0, h2: 0 },
  },
};

t.test('filters by type, player and place', async (t) => {
  const launch = launchOf(1);
  t.ok(passes(launch, all));
  t.ok(passes(launch, { ...all, types: ['battle', 'fleet_launched'] }));
  t.notOk(passes(launch, { ...all, types: ['battle'] }));
  t.ok(passes(battle, { ...all, player: 'player-4' }), 'a battle is about both players');
  t.notOk(passes(battle, { ...all, player: 'player-40' }));
  for (const place of ['7', '7:12', '7:12:5', '70:1:2']) t.ok(passes(launch, { ...all, place }), place);
  for (const place of ['1', '7:1', '7:12:50', '70:1:20']) t.notOk(passes(launch, { ...all, place }), place);
});

t.test('each type belongs to one kind', async (t) => {
  const types = EVENT_KINDS.flatMap(({ types }) => types);
  t.equal(new Set(types).size, types.length);
  t.equal(kindOf('battle'), 'battle');
});

t.test('an event is listed once, whatever its seq, and the newest first', async (t) => {
  const log = new FeedLog();
  log.add([launchOf(1, 10), launchOf(2, 20)]);
  log.add([launchOf(102, 20), launchOf(103, 30)]);
  t.same(
    log.events.value.map(({ at }) => at),
    [timeOf(30), timeOf(20), timeOf(10)],
  );
  log.clear();
  log.add([launchOf(2, 20)]);
  t.equal(log.events.value.length, 1, 'what was cleared may come again');
});

t.test('the oldest events go if there are too many', async (t) => {
  const log = new FeedLog();
  log.add(Array.from({ length: FEED_EVENTS_MAX + 1 }, (_, index) => launchOf(index + 1)));
  t.equal(log.events.value.length, FEED_EVENTS_MAX);
  t.equal(log.events.value.at(-1)?.seq, 2);
});

t.test('a message and a pact are about both players, and are diplomacy', async (t) => {
  const head = { seq: 1, at: timeOf(1), playerId: 'player-3' };
  const spoke: GameEvent = { ...head, type: 'players_spoke', data: { receiverId: 'player-4' } };
  const data = {
    pactId: 'pact-1',
    kind: 'shared_sight',
    otherId: 'player-4',
    change: 'began',
    endsAt: timeOf(9),
  } as const;
  const pact: GameEvent = { ...head, type: 'pact', data };
  for (const event of [spoke, pact]) {
    for (const player of ['player-3', 'player-4'])
      t.ok(passes(event, { ...all, player }), `${event.type} of ${player}`);
    t.notOk(passes(event, { ...all, player: 'player-5' }));
  }
  t.same(
    [spoke, pact].map(({ type }) => kindOf(type)),
    ['diplomacy', 'diplomacy'],
  );
});
