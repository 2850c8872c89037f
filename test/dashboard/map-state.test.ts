// The model of the map: documents and frames give the same whatever the order in which they overlap, and its lists are bounded.
import type { GameEvent, MapFrame, MapGoods, MapLeg, MapPact } from 'galaxyd-client';
import t from 'tap';
import { NAMES_MAX, RECENT_EVENTS_MAX, TIES_MAX } from '../../dashboard/limits.js';
import {
  dropArrived,
  fleets,
  forgetMap,
  galaxies,
  goods,
  type MapChange,
  moveTo,
  omittedEvents,
  onFrame,
  pacts,
  recentEvents,
  stride,
  takeFleets,
  takeFrame,
  takeMap,
} from '../../dashboard/world/map-state.js';
import { nameOfPlayer, rememberNames } from '../../dashboard/world/names.js';

const worldTime = '2000-01-01T00:00:00.000Z';
const legOf = (fleet: number): MapLeg => [fleet, 1, 0, 0, 1, 0, 1, 2, 3, 4, 0, 1_000];
const pactOf = (number: number, proposer: number, partner: number, endsAtMs = 9_000): MapPact => [
  number,
  0,
  proposer,
  partner,
  1,
  0,
  1,
  2,
  3,
  4,
  endsAtMs,
];
const goodsOf = (number: number, sender: number, receiver: number, arrivesAtMs = 1_000): MapGoods => [
  number,
  sender,
  receiver,
  1,
  0,
  1,
  2,
  3,
  4,
  0,
  arrivesAtMs,
];
const frameOf = (parts: Partial<MapFrame>): MapFrame => ({
  since: 0,
  seq: 1,
  worldTime,
  stride: 1,
  total: 0,
  legs: [],
  gone: [],
  retired: [],
  battles: [],
  owners: [],
  pacts: [],
  pactsGone: [],
  goods: [],
  eventCount: 0,
  events: [],
  ...parts,
});

t.beforeEach(() => {
  forgetMap();
  const galaxy = { index: 2, planets: 3, players: 1, owners: [7, 0], owned: [3, 0] };
  const size = { systemsPerGalaxy: 4, systemsPerCell: 2, planets: 3, players: 1 };
  takeMap({ feedSeq: 0, worldTime, ...size, galaxies: [galaxy] });
  takeFleets({
    feedSeq: 0,
    worldTime,
    total: 2,
    stride: 1,
    missions: ['attack'],
    legs: [[...legOf(1)], [...legOf(2)]],
    pactKinds: ['non_aggression'],
    pacts: [[...pactOf(5, 1, 2)]],
    goods: [[...goodsOf(8, 1, 2)]],
  });
});

t.test('frames change fleets and owners, and a frame that is taken twice changes nothing more', async (t) => {
  const changes: MapChange[] = [];
  t.teardown(onFrame((change) => changes.push(change)));
  const frame = frameOf({
    legs: [legOf(3)],
    gone: [1],
    battles: [[2, 3, 4, 1, 7, 5, 6]],
    owners: [
      [2, 0, 8, 5],
      [9, 1, 8, 1],
    ],
    total: 2,
  });
  for (const _ of ['once', 'twice']) {
    takeFrame(frame);
    t.same(Array.from(fleets.keys()), [2, 3]);
    t.match(galaxies.value.get(2), { planets: 5, owners: [8, 0], owned: [5, 0] });
    t.match(galaxies.value.get(9), { planets: 1, owners: [0, 8], owned: [0, 1] }, 'a galaxy that nobody had owned');
  }
  t.match(changes[0], { isReset: false, gone: [1], battles: [{ galaxy: 2, slot: 4, attacker: 1, defenderLost: 6 }] });
  t.match(changes[0]?.legs, [
    { fleet: 3, from: { galaxy: 1, slot: 1 }, to: { galaxy: 2, system: 3 }, arrivesAtMs: 1_000 },
  ]);
});

t.test('the fleets of a retired player go with it', async (t) => {
  takeFrame(frameOf({ retired: [1] }));
  t.equal(fleets.size, 0);
});

t.test('if fewer fleets are shown, the others go', async (t) => {
  takeFrame(frameOf({ stride: 2, legs: [legOf(4)] }));
  t.same(Array.from(fleets.keys()), [2, 4]);
  t.equal(stride.value, 2);
});

const numbersOf = (ties: readonly { readonly number: number }[]): number[] => ties.map(({ number }) => number);

t.test('pacts begin, change and end with frames, and a frame that is taken twice changes nothing more', async (t) => {
  t.match(pacts.value, [
    { number: 5, proposer: 1, partner: 2, from: { galaxy: 1, slot: 1 }, to: { galaxy: 2, slot: 4 } },
  ]);
  for (const _ of ['once', 'twice']) {
    takeFrame(frameOf({ pacts: [pactOf(5, 1, 2, 4_000), pactOf(6, 2, 3)] }));
    t.match(pacts.value, [
      { number: 5, endsAtMs: 4_000 },
      { number: 6, partner: 3 },
    ]);
    t.equal(pacts.value.length, 2);
  }
  takeFrame(frameOf({ pactsGone: [5] }));
  t.same(numbersOf(pacts.value), [6]);
  takeFrame(frameOf({ pacts: Array.from({ length: TIES_MAX }, (_, index) => pactOf(index + 10, 1, 2)) }));
  t.equal(pacts.value.length, TIES_MAX);
  t.equal(pacts.value[0]?.number, 10, 'the oldest makes room');
  forgetMap();
  t.same([pacts.value, goods.value], [[], []], 'another key may show less');
});

t.test('goods are there until they arrive, or their receiver is retired', async (t) => {
  takeFrame(frameOf({ goods: [goodsOf(9, 2, 1, 2_000), goodsOf(8, 1, 2)] }));
  t.match(goods.value, [{ number: 8, sender: 1, receiver: 2, to: { system: 3 } }, { arrivesAtMs: 2_000 }]);
  dropArrived(999);
  t.same(numbersOf(goods.value), [8, 9]);
  const before = goods.value;
  dropArrived(999);
  t.equal(goods.value, before, 'nothing is drawn again if nothing has arrived');
  dropArrived(1_000);
  t.same(numbersOf(goods.value), [9]);
  takeFrame(frameOf({ retired: [2] }));
  t.same(numbersOf(goods.value), [9], 'what a retired player has sent arrives');
  takeFrame(frameOf({ retired: [1] }));
  t.same(goods.value, []);
});

const eventOf = (seq: number) => ({ seq, type: 'player_created', at: worldTime, data: {} }) as unknown as GameEvent;
const eventsTo = (last: number) => Array.from({ length: last }, (_, index) => eventOf(index + 1));

t.test('the newest events are kept', async (t) => {
  const events = eventsTo(RECENT_EVENTS_MAX + 5);
  takeFrame(frameOf({ seq: 10, events: events.slice(0, 10) }));
  takeFrame(frameOf({ seq: events.length, events: events.slice(5) }));
  t.equal(recentEvents.value.length, RECENT_EVENTS_MAX);
  t.equal(recentEvents.value[0]?.seq, RECENT_EVENTS_MAX + 5);
  t.equal(new Set(recentEvents.value).size, RECENT_EVENTS_MAX, 'a frame may repeat some');
});

t.test('events that frames leave out are counted once', async (t) => {
  moveTo(4);
  takeFrame(frameOf({ seq: 10, events: [eventOf(6), eventOf(10)] }));
  t.equal(omittedEvents.value, 4);
  takeFrame(frameOf({ seq: 12, events: [eventOf(10), eventOf(12)] }));
  t.equal(omittedEvents.value, 5);
  moveTo(20);
  t.equal(omittedEvents.value, 13, 'what happened while the documents were read again is left out');
  moveTo(10);
  t.equal(omittedEvents.value, 4, 'what comes again is no longer left out');
  t.same(
    recentEvents.value.map(({ seq }) => seq),
    [10, 6],
    'nor known',
  );
});

t.test('the names that were learned first are forgotten first', async (t) => {
  rememberNames(
    Array.from({ length: NAMES_MAX + 1 }, (_, index) => ({ id: `player-${index}`, name: `Name ${index}` })),
  );
  t.equal(nameOfPlayer('player-0'), null);
  t.equal(nameOfPlayer(`player-${NAMES_MAX}`), `Name ${NAMES_MAX}`);
});
