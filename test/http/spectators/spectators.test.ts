// The limits of what spectators get, each at its edge: the size of frames and documents, and how much is made for viewers that are behind.
import t, { type Test } from 'tap';
import type { KeptEvent } from '../../../engine/events/event-log.js';
import { OPEN_WORLD_TOPIC, type WorldEvent } from '../../../engine/events/kinds.js';
import { GoodsTable } from '../../../engine/world/market-tables.js';
import { PactTable } from '../../../engine/world/pact-table.js';
import type { ReadonlyFleet, ReadonlyWorld } from '../../../engine/world/state.js';
import { EventHub } from '../../../http/events/event-hub.js';
import { EventView } from '../../../http/events/event-view.js';
import { ReaderCounts } from '../../../http/events/reader-counts.js';
import {
  LEADERBOARD_COURSES_MAX,
  LEADERBOARD_SAMPLES_MAX,
  MAP_BATTLES_PER_FRAME_MAX,
  MAP_CELLS_PER_FRAME_MAX,
  MAP_CELLS_PER_GALAXY_MAX,
  MAP_EVENTS_PER_FRAME_MAX,
  MAP_FLEETS_MAX,
  MAP_GOODS_MAX,
  MAP_LEGS_PER_FRAME_MAX,
  MAP_PACTS_MAX,
  MAP_PACTS_READ_MAX,
  MAP_RETIRED_PER_FRAME_MAX,
  MAP_STRIDE_FRAMES,
  MAP_TIES_PER_FRAME_MAX,
  MAP_WAKES_PER_TURN,
} from '../../../http/limits.js';
import { FleetDocument } from '../../../http/spectators/fleet-document.js';
import { FrameDraft } from '../../../http/spectators/frame-draft.js';
import { LeaderboardSampler, leaderboardCourses } from '../../../http/spectators/leaderboard-history.js';
import { MapDocument } from '../../../http/spectators/map-document.js';
import { MapFeed } from '../../../http/spectators/map-feed.js';
import { OwnedCells } from '../../../http/spectators/owned-cells.js';
import { MapStride } from '../../../http/spectators/stride.js';
import { begin, type Serving } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

/** No second frame comes while a test runs. */
const NEVER_MS = 3_600_000;
const IN_AN_HOUR_MS = performance.now() + NEVER_MS;

/** A world with bots, and what frames are made of. */
async function worldWith(t: Test, count: number, settings = {}) {
  const serving = await begin(t, { settings });
  if (count > 0) await serving.admin.command('/api/admin/players', { count, namePrefix: 'bot' }, 201);
  const { world } = serving.world.engine;
  const cells = new OwnedCells(world);
  while (!cells.advance(IN_AN_HOUR_MS));
  return { serving, world, cells, parts: { world, cells, events: new EventView(world) } };
}

/** Documents that are rendered at once. */
const documentsOf = (world: ReadonlyWorld, feedSeq: () => number, frameMs = 0) => ({
  world,
  nowMs: () => 0,
  feedSeq,
  tagOf: (version: string) => version,
  keep: (text: string) => text,
  frameMs,
});

/** Events with seqs from 1 on. */
function kept(count: number, event: (number: number) => WorldEvent): KeptEvent[] {
  return Array.from({ length: count }, (_, index) => ({ seq: index + 1, entrySeq: 1, event: event(index + 1) }));
}

const FLEET = { mission: 1, originKey: 26, targetKey: 26, atMs: 0, playerNumber: 1 } as const;
const destroyed = (fleetNumber: number): WorldEvent => ({ kind: 'fleet_destroyed', fleetNumber, ...FLEET });
const retired = (playerNumber: number): WorldEvent => {
  return { kind: 'player_retired', atMs: 0, playerNumber, name: 'bot', planetKeys: [] };
};
const battle = (fleetNumber: number): WorldEvent => ({
  kind: 'battle',
  ...{ atMs: 0, playerNumber: 1, planetKey: 25, defenderNumber: 2, fleetNumber, rounds: 1, outcome: 'draw' as const },
  ...{ attackerLostCount: 3, defenderLostCount: 4, loot: [0, 0, 0, 0] },
});

interface FrameBody {
  readonly stride: number;
  readonly gone: readonly number[];
  readonly battles: readonly unknown[];
  readonly events: readonly { readonly seq: number; readonly type: string }[];
}

t.test('the stride rises at once, and falls only after frames that had room', async (t) => {
  const stride = new MapStride();
  stride.reset(MAP_FLEETS_MAX);
  t.equal(stride.value, 1);
  stride.reset(MAP_FLEETS_MAX + 1);
  t.equal(stride.value, 2);
  stride.raiseTo(8);
  stride.raiseTo(4);
  t.equal(stride.value, 8);
  for (let frame = 1; frame < MAP_STRIDE_FRAMES; frame += 1) stride.framed(0, frame === 3 ? MAP_LEGS_PER_FRAME_MAX : 0);
  t.equal(stride.value, 8);
  stride.framed(0, 0);
  t.equal(stride.value, 2, 'what the fullest of these frames needed, with room to spare');
});

t.test('a frame is bounded, however much has happened', async (t) => {
  const { parts } = await worldWith(t, 2);
  const draft = new FrameDraft(parts, 0, 1);
  draft.add(kept(MAP_LEGS_PER_FRAME_MAX, destroyed));
  t.equal(draft.stride, 1);
  draft.add(kept(MAP_LEGS_PER_FRAME_MAX + 1, destroyed));
  const { stride, gone } = JSON.parse(draft.frame('').text) as FrameBody;
  t.equal(stride, 2);
  t.equal(gone.length, MAP_LEGS_PER_FRAME_MAX / 2);
  t.ok(gone.every((number) => number % 2 === 0));

  const fights = new FrameDraft(parts, 0, 1);
  fights.add(kept(MAP_EVENTS_PER_FRAME_MAX, destroyed));
  t.equal((JSON.parse(fights.frame('').text) as FrameBody).events.length, MAP_EVENTS_PER_FRAME_MAX);
  fights.add(kept(MAP_BATTLES_PER_FRAME_MAX + 1, battle));
  const { battles, events } = JSON.parse(fights.frame('').text) as FrameBody;
  t.equal(battles.length, MAP_BATTLES_PER_FRAME_MAX);
  t.equal(events.length, MAP_EVENTS_PER_FRAME_MAX);
  t.ok(
    events.every(({ type }) => type === 'battle'),
    'battles rather than others',
  );

  const leaving = new FrameDraft(parts, 0, 1);
  leaving.add(kept(MAP_RETIRED_PER_FRAME_MAX, retired));
  t.notOk(leaving.isTooLarge);
  leaving.add(kept(1, retired));
  t.ok(leaving.isTooLarge);
});

t.test('a frame with too many cells is refused', async (t) => {
  const { parts, world } = await worldWith(t, 0);
  const key = (cell: number): number => world.universe.planetKeys(cell)[0] as number;
  const colonized = (count: number) =>
    kept(count, (cell) => ({
      kind: 'planet_colonized',
      atMs: 0,
      playerNumber: 1,
      planetKey: key(cell),
      fleetNumber: null,
    }));
  const draft = new FrameDraft(parts, 0, 1);
  draft.add(colonized(MAP_CELLS_PER_FRAME_MAX));
  t.notOk(draft.isTooLarge);
  draft.add(colonized(MAP_CELLS_PER_FRAME_MAX + 1));
  t.ok(draft.isTooLarge);
});

t.test('a galaxy of the largest universe has no more cells than fit', async (t) => {
  const { cells, world } = await worldWith(t, 0, { systemsPerGalaxy: 5_000 });
  t.ok(cells.cellsPerGalaxy <= MAP_CELLS_PER_GALAXY_MAX);
  t.ok(cells.cellsPerGalaxy * cells.systemsPerCell >= 5_000);
  const last = world.universe.planetKeys(world.universe.systemKey(100, 4_999)).at(-1) as number;
  t.equal(cells.cellOf(last), 100 * cells.cellsPerGalaxy - 1);
});

t.test('the documents list no more fleets than they may, and are rendered no more often than they may', async (t) => {
  const { world, cells } = await worldWith(t, 1);
  const owner = world.players.get(1);
  const fleetOf = (number: number) =>
    ({ ...FLEET, number, owner, isReturning: false, launchedAtMs: 1, arrivesAtMs: 2 }) as unknown as ReadonlyFleet;
  // All of them have even numbers, so that a stride of 2 is not enough.
  const numbered = Array.from({ length: MAP_FLEETS_MAX + 1 }, (_, index) => [2 * index, fleetOf(2 * index)] as const);
  const none = { to: () => [], aimedAt: () => [], stationedAt: () => [], stationedCount: 0 };
  const fleets = Object.assign(new Map(numbered), none);
  const stride = new MapStride();
  const full = new FleetDocument(
    documentsOf({ ...world, fleets, universe: world.universe }, () => 1),
    stride,
  );
  let reply = full.step();
  while (reply === null) reply = full.step();
  const body = JSON.parse(String(reply.body)) as { stride: number; total: number; legs: number[][] };
  t.match(body, { stride: 4, total: MAP_FLEETS_MAX + 1 });
  t.equal(body.legs.length, Math.ceil(MAP_FLEETS_MAX / 2 + 1 / 2));
  t.equal(stride.value, 4, 'frames have the same fleets');

  let feedSeq = 1;
  const seldom = new MapDocument(
    documentsOf(world, () => feedSeq, NEVER_MS),
    cells,
  );
  let first = seldom.step();
  while (first === null) first = seldom.step();
  feedSeq = 2;
  t.equal(seldom.step(), first);
});

const HOME_KEY = 26;
/** Pacts and proposals, each of two players of its own. */
const pactsOf = (inForce: readonly boolean[]): PactTable => {
  const pacts = new PactTable();
  const terms = { kind: 0, durationMs: 1, sinceMs: 0, endsAtMs: 1, cancelledByNumber: 0, timer: 0 };
  for (const [index, isInForce] of inForce.entries())
    pacts.add({ ...terms, number: index + 1, isInForce, proposerNumber: 2 * index + 1, partnerNumber: 2 * index + 2 });
  return pacts;
};
const goodsOf = (count: number): GoodsTable => {
  const goods = new GoodsTable();
  const way = { toKey: HOME_KEY, fromKey: HOME_KEY, lot: { resource: 0, units: 1 }, sentAtMs: 0, arrivesAtMs: 1 };
  for (let number = 1; number <= count; number += 1)
    goods.add({ ...way, offerNumber: number, isForMaker: false, ownerNumber: number, senderNumber: 1 });
  return goods;
};
const many = (count: number, isInForce: boolean): boolean[] => Array.from({ length: count }, () => isInForce);

for (const { listed, pacts = [], goods = 0, has } of [
  { listed: 'the oldest pacts', pacts: many(MAP_PACTS_MAX + 1, true), has: { pacts: MAP_PACTS_MAX, goods: 0 } },
  { listed: 'the oldest goods', goods: MAP_GOODS_MAX + 1, has: { pacts: 0, goods: MAP_GOODS_MAX } },
  {
    listed: 'the last pact that is read',
    pacts: [...many(MAP_PACTS_READ_MAX - 1, false), true],
    has: { pacts: 1, goods: 0 },
  },
  {
    listed: 'no pact after too many proposals',
    pacts: [...many(MAP_PACTS_READ_MAX, false), true],
    has: { pacts: 0, goods: 0 },
  },
]) {
  t.test(`the map lists ${listed}, and no more`, async (t) => {
    const { world } = await worldWith(t, 1);
    const home = { firstPlanet: { key: HOME_KEY } };
    const crowded = {
      ...{ universe: world.universe, fleets: world.fleets, lineages: { idNumberOf: (number: number) => number } },
      ...{ players: { get: () => home }, pacts: pactsOf(pacts), goods: goodsOf(goods) },
    };
    const document = new FleetDocument(
      documentsOf(crowded as unknown as ReadonlyWorld, () => 1),
      new MapStride(),
    );
    const body = JSON.parse(String(document.step()?.body)) as { pacts: number[][]; goods: number[][] };
    t.same({ pacts: body.pacts.length, goods: body.goods.length }, has);
    if (body.pacts.length > 1) t.equal(body.pacts[0]?.[0], 1);
    if (body.goods.length > 1) t.equal(body.goods[0]?.[0], 2);
  });
}

const agreed = (offerNumber: number): WorldEvent => ({
  kind: 'trade_agreed',
  ...{ atMs: 0, playerNumber: 1, offerNumber, planetKey: HOME_KEY, partnerNumber: 2, partnerPlanetKey: HOME_KEY },
  ...{ give: { resource: 0, units: 1 }, want: { resource: 1, units: 1 } },
});
const pactBegan = (pactNumber: number): WorldEvent => ({
  kind: 'pact',
  ...{ atMs: 0, playerNumber: 1, pactNumber, pactKind: 0, otherNumber: 2, change: 'began', endsAtMs: 1 },
});

t.test('a frame with too many pacts and goods is refused; a trade counts as its two loads', async (t) => {
  const { parts } = await worldWith(t, 2);
  for (const { pacts, trades, isTooLarge } of [
    { pacts: MAP_TIES_PER_FRAME_MAX, trades: 0, isTooLarge: false },
    { pacts: MAP_TIES_PER_FRAME_MAX + 1, trades: 0, isTooLarge: true },
    { pacts: 0, trades: MAP_TIES_PER_FRAME_MAX / 2, isTooLarge: false },
    { pacts: 1, trades: MAP_TIES_PER_FRAME_MAX / 2, isTooLarge: true },
  ]) {
    const draft = new FrameDraft(parts, 0, 1);
    draft.add(kept(pacts, pactBegan));
    draft.add(kept(trades, agreed));
    t.equal(draft.isTooLarge, isTooLarge, `${pacts} pacts, ${trades} trades`);
  }
});

/** A feed whose viewers the test plays itself. */
function feedOf(
  { world: { sequencer, engine }, bugs }: Serving,
  cells: OwnedCells,
  counts: ReaderCounts,
  feedSeq = () => engine.world.eventLog.lastSeq(OPEN_WORLD_TOPIC),
): MapFeed {
  const { world } = engine;
  const hub = new EventHub({ world, sequencer });
  const onBug = (error: unknown): void => void bugs.push(error);
  const stride = new MapStride();
  return new MapFeed({ world, sequencer, hub, cells, stride, counts, feedSeq, onBug, frameMs: NEVER_MS });
}

t.test('a frame names no event that it may not name yet', async (t) => {
  const { serving, cells } = await worldWith(t, 3);
  const counts = new ReaderCounts();
  const feed = feedOf(serving, cells, counts, () => 2);
  const viewer = { wake() {} };
  const end = feed.add(viewer, 0);
  await until(() => counts.mapFramesMade.shared === 1);
  t.match(feed.frameAfter(viewer, 0), { since: 0, seq: 2 });
  end();
});

t.test('viewers that are behind share a few frames, so that none waits for the others', async (t) => {
  const { serving, cells } = await worldWith(t, 200);
  const counts = new ReaderCounts();
  const feed = feedOf(serving, cells, counts);
  const ends = [feed.add({ wake() {} }, 190)];
  await until(() => counts.mapFramesMade.shared === 1);
  const viewers = Array.from({ length: 190 }, (_, position) => {
    const viewer = { wake() {} };
    ends.push(feed.add(viewer, position));
    if (feed.frameAfter(viewer, position) !== null) t.fail(`a frame at ${position}`);
    return viewer;
  });
  await until(() => counts.mapFramesMade.own === SHARED_FRAMES);
  await turns();
  t.equal(counts.mapFramesMade.own, SHARED_FRAMES);
  for (const [position, viewer] of viewers.entries()) {
    const frame = feed.frameAfter(viewer, position);
    if (frame === null || frame === 'expired') throw new Error(`no frame at ${position}`);
    const missed = frame.seq - position;
    if (frame.since > position || frame.seq - frame.since > 2 * missed)
      t.fail(`from ${frame.since}, for a viewer at ${position}`);
  }
  for (const end of ends) end();
});

/** They have missed 11 to 200 events: rounded up to a power of two, 16 to 256. */
const SHARED_FRAMES = 5;

t.test('no frame is made for viewers that have gone', async (t) => {
  const { serving, cells } = await worldWith(t, 100);
  const counts = new ReaderCounts();
  const feed = feedOf(serving, cells, counts);
  const end = feed.add({ wake() {} }, 90);
  await until(() => counts.mapFramesMade.shared === 1);
  for (let position = 0; position < 50; position += 1) {
    const viewer = { wake() {} };
    const leave = feed.add(viewer, position);
    t.equal(feed.frameAfter(viewer, position), null);
    leave();
  }
  let isWoken = false;
  const viewer = {
    wake() {
      isWoken = true;
    },
  };
  const leave = feed.add(viewer, 80);
  t.equal(feed.frameAfter(viewer, 80), null);
  await until(() => isWoken);
  t.match(feed.frameAfter(viewer, 80), { since: 68, seq: 100 });
  t.equal(counts.mapFramesMade.own, 1);
  leave();
  end();
});

t.test('viewers are woken in parts, and nobody is left out', async (t) => {
  const { serving, cells } = await worldWith(t, 3);
  const feed = feedOf(serving, cells, new ReaderCounts());
  const wokenAt: number[] = [];
  let turn = 0;
  const ends = Array.from({ length: MAP_WAKES_PER_TURN + 1 }, () =>
    feed.add({ wake: () => void wokenAt.push(turn) }, 0),
  );
  await until(() => {
    turn += 1;
    return wokenAt.length === MAP_WAKES_PER_TURN + 1;
  });
  t.equal(new Set(wokenAt).size, 2, 'in two turns');
  for (const end of ends) end();
});

t.test('the course of the leaderboard stays within its bounds, whatever the time', async (t) => {
  const { world } = await worldWith(t, LEADERBOARD_COURSES_MAX + 1);
  let nowMs = 0;
  const sampler = new LeaderboardSampler({ world, nowMs: () => nowMs, isStopping: () => false });
  for (; nowMs < 10 * LEADERBOARD_SAMPLES_MAX; nowMs += 1) {
    sampler.take();
    if (sampler.samples.length >= LEADERBOARD_SAMPLES_MAX) t.fail('too many samples');
  }
  t.equal(sampler.samples[0]?.atMs, 0, 'the beginning stays');
  const count = sampler.samples.length;
  nowMs = sampler.samples.at(-1)?.atMs ?? 0;
  sampler.take();
  t.equal(sampler.samples.length, count, 'a clock that stands still adds nothing');
  const courses = leaderboardCourses(sampler.samples);
  t.equal(courses.length, LEADERBOARD_COURSES_MAX);
  t.ok(courses.every(({ points }) => points.length === count));
});
