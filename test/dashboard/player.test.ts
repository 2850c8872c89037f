// What the page of a player derives from its events: fleets that approach, and when a ship order was begun; what types are called.
import type { GameEvent } from 'galaxyd-client';
import t from 'tap';
import { formatShipsOf, formatType } from '../../dashboard/parts/format.js';
import { incomingFleets, shipOrderStart } from '../../dashboard/views/player/player-events.js';
import type { Leg } from '../../dashboard/world/map-state.js';
import { rememberTypeNames } from '../../dashboard/world/names.js';

const timeOf = (second: number): string => new Date(second * 1_000).toISOString();
const place = (slot: number) => ({ galaxy: 1, system: 0, slot });
const target = 'planet-1-0-26';

function legOf(fleet: number, parts: Partial<Leg> = {}): Leg {
  const times = { departsAtMs: 0, arrivesAtMs: fleet * 1_000 };
  return { fleet, owner: 2, mission: 0, isReturning: false, from: place(3), to: place(26), ...times, ...parts };
}

function warningOf(fleet: number): GameEvent {
  const data = {
    fleetId: `fleet-${fleet}`,
    senderId: 'player-2',
    originSystem: { galaxyIndex: 1, index: 0 },
    targetPlanetId: target,
    mission: null,
    shipCount: 12,
    ships: null,
    arrivesAt: timeOf(fleet),
  };
  return { seq: fleet, type: 'incoming_fleet', at: timeOf(0), playerId: 'player-1', data };
}

t.test('fleets of others approach, from the map and from warnings', async (t) => {
  const { data, ...rest } = warningOf(4) as Extract<GameEvent, { type: 'incoming_fleet' }>;
  const { fleetId, senderId, originSystem, targetPlanetId } = data;
  const gone = {
    ...rest,
    seq: 5,
    type: 'incoming_fleet_gone',
    data: { fleetId, senderId, originSystem, targetPlanetId },
  };
  const found = incomingFleets({
    ownNumber: 1,
    planetIds: new Set([target]),
    // The newest first.
    events: [gone as GameEvent, warningOf(4), warningOf(2)],
    legs: [legOf(3), legOf(2), legOf(6, { owner: 1 }), legOf(7, { isReturning: true }), legOf(8, { to: place(27) })],
    missions: ['attack'],
  });
  t.same(
    found.map(({ number, mission, shipCount }) => [number, mission, shipCount]),
    [
      [2, null, 12],
      [3, 'attack', null],
    ],
    'the next to arrive first; a warning hides what its player may not know; a fleet that turned back is gone',
  );
});

t.test('a ship order begins when it was ordered, or when the one before it was delivered', async (t) => {
  const order = (type: 'ships_ordered' | 'ships_completed', at: number, finish: number): GameEvent => {
    const data = { planetId: target, shipType: 'scout', count: 1, finishAt: timeOf(finish) };
    return { seq: at, type, at: timeOf(at), playerId: 'player-1', data } as GameEvent;
  };
  const events = [order('ships_completed', 30, 30), order('ships_ordered', 12, 50), order('ships_ordered', 10, 30)];
  t.equal(shipOrderStart(events, target, 'scout', timeOf(50)), timeOf(30));
  t.equal(shipOrderStart(events.slice(2), target, 'scout', timeOf(30)), timeOf(10));
  t.equal(shipOrderStart(events, target, 'scout', timeOf(99)), null, 'it is older than the events');
});

t.test('a type has the name that the rules of the world give it, else its identifier', async (t) => {
  t.equal(formatType('iron_mine'), 'iron mine');
  rememberTypeNames([
    { type: 'iron_mine', displayName: 'Quarry' },
    { type: 'scout', displayName: 'Heron' },
    { type: 'zentrale' },
  ]);
  t.same(['iron_mine', 'zentrale'].map(formatType), ['Quarry', 'zentrale']);
  t.equal(formatShipsOf('scout', 2), '2 Herons');
  rememberTypeNames([{ type: 'iron_mine' }]);
  t.equal(formatType('iron_mine'), 'iron mine', 'another world has other names');
});
