// Golden worlds: of each, a fixed log, a fixed snapshot and the fixed events. They detect every change of a format, of a rule and of the
// hash. After an intended change, `TAP_SNAPSHOT=1 npm test -- test/persistence/recovery/golden-worlds.test.ts` writes them anew.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { Engine } from '../../../engine/engine.js';
import { planOf } from '../../../engine/queries/plan.js';
import { EventView } from '../../../http/events/event-view.js';
import { replay } from '../../../persistence/recovery/replay.js';
import { SnapshotFolder } from '../../../persistence/snapshots/snapshot-files.js';
import { readSnapshot } from '../../../persistence/snapshots/snapshot-reader.js';
import { EventOracle } from '../../support/event-oracle.js';
import { fullScene, NEWCOMERS } from '../../support/full-scene.js';
import { planFaults } from '../../support/plan-oracle.js';
import { standard2Scene } from '../../support/standard-2-scene.js';
import { DAY_MS, HOUR_MS, type WorldStory } from '../../support/world-story.js';
import { recordsOf } from '../log/log-contract.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { recordsOfStory, withGoldenLog, writeGoldenLog, writeGoldenSnapshot } from './golden-files.js';

/** What only rules with parts can cause. */
const KINDS_OF_PARTS = [
  'attack_turned_away',
  'battle',
  'colonization_failed',
  'fleet_stationed',
  'goods_arrived',
  'offer_ended',
  'trade_agreed',
  'pact',
  'pact_ended',
  'plan_completed',
  'plan_step_blocked',
  'plan_step_skipped',
  'plan_step_started',
  'support_fought',
] as const;

t.test('the golden world of standard-2 has what only rules with parts have', async (t) => {
  const { events, engine, world } = standard2Scene();
  const kinds = new Set(events.map(({ kind }) => kind));
  for (const kind of KINDS_OF_PARTS) t.ok(kinds.has(kind), kind);
  const plans = [...world.planets.values()].map((planet) => planOf(world, planet, engine.nowMs));
  const put = plans.filter(({ steps }) => steps.length > 0);
  t.same(put.map(({ isSkipping }) => isSkipping).sort(), [false, false, true]);
  t.same(put.map(({ longerThanMs }) => longerThanMs).sort(), [DAY_MS, null, null]);
  const lanes = put.flatMap((plan) => plan.lanes);
  t.same([...new Set(lanes.map(({ state }) => state))].sort(), ['blocked', 'busy', 'empty', 'waiting']);
  t.ok(Math.max(...lanes.map(({ deadlineMs }) => deadlineMs)) > engine.nowMs, 'a lane has a timer');
  t.same(planFaults(engine), []);
  t.ok(
    [...world.fleets.values()].some(({ isStationed }) => isStationed),
    'a fleet is stationed',
  );
  t.ok(world.offers.size > 0 && world.goods.size > 0, 'an offer is open, and goods are under way');
  const pacts = [...world.pacts.values()].map(({ isInForce, cancelledByNumber }) => [isInForce, cancelledByNumber > 0]);
  t.same(pacts, [
    [true, true],
    [true, false],
    [false, false],
  ]);
});

/** The full scene an hour later, with newcomers, one of whom is retired. */
function standard1Story(): WorldStory {
  const { story } = fullScene();
  story.advance(HOUR_MS);
  story.does(NEWCOMERS);
  story.does({ type: 'retire_players', playerNumbers: [story.world.lastPlayerNumber] });
  return story;
}

await t.test('standard-1', (t) => testGoldenWorld(t, 'standard-1', standard1Story));
await t.test('standard-2', (t) => testGoldenWorld(t, 'standard-2', standard2Scene));

/** Under TAP_SNAPSHOT the folder is written anew first. @param name of the folder in test/golden */
async function testGoldenWorld(t: Test, name: string, makeStory: () => WorldStory): Promise<void> {
  const golden = fileURLToPath(new URL(`../../../../test/golden/${name}`, import.meta.url));
  const [logFolder, snapshots, tellings] = [join(golden, 'log'), join(golden, 'snapshots'), join(golden, 'events.txt')];
  if (process.env['TAP_SNAPSHOT'] === '1') {
    const story = makeStory();
    await rm(golden, { recursive: true, force: true });
    await writeGoldenLog(logFolder, recordsOfStory(story));
    await writeGoldenSnapshot(snapshots, story.engine);
    await writeFile(tellings, told(story.engine));
  }
  const goldenText = await readFile(tellings, 'utf8');

  await t.test('the golden log holds the records of its story, and leads to the golden events', async (t) => {
    const engine = Engine.create();
    const folder = await temporaryFolder(t);
    const records = await withGoldenLog(logFolder, join(folder, 'log'), async (log) => {
      await replay(log, engine);
      return await recordsOf(log, 1);
    });
    t.same(records, recordsOfStory(makeStory()));
    t.equal(told(engine), goldenText);
    const epochs = await withGoldenLog(logFolder, join(folder, 'acquired'), async (log) => {
      return [await log.currentEpoch(), await log.acquire(), await log.currentEpoch()];
    });
    t.same(epochs, [1, 2, 2], 'it can be acquired, in the epoch after that of its writer');
  });

  await t.test('the golden snapshot is the golden world, byte by byte', async (t) => {
    const { engine: live } = makeStory();
    const store = new SnapshotFolder(snapshots);
    t.same(await store.list(), [live.seq]);
    const { engine, manifest } = await readSnapshot(store, live.seq);
    t.equal(told(engine), goldenText);
    t.equal(manifest.stateHash, live.stateHash());
    const folder = await temporaryFolder(t);
    const name = await writeGoldenSnapshot(folder, live);
    for (const file of ['manifest.json', 'rows']) {
      const [written, golden] = await Promise.all([folder, snapshots].map((path) => readFile(join(path, name, file))));
      t.equal(written?.toString('hex'), golden?.toString('hex'), file);
    }
  });

  await t.test('the golden events are those that the entries cause', async (t) => {
    const { entries, engine } = makeStory();
    const oracle = new EventOracle(entries);
    const receivers = [...oracle.receivers].sort((a, b) => a - b);
    const lines = receivers.flatMap((receiver) =>
      oracle.of(receiver).map((event) => `${receiver} ${event.entrySeq} ${oracle.text(event)}`),
    );
    t.equal([...lines, ...sharesOf(engine), engine.stateHash(), ''].join('\n'), goldenText);
  });
}

/** The events that a world keeps, as readers see them, points that are shares, and its state hash. */
function told(engine: Engine): string {
  const { world } = engine;
  const { eventLog, lastPlayerNumber } = world;
  const view = new EventView(world);
  const lines: string[] = [];
  for (let receiver = -1; receiver <= lastPlayerNumber; receiver += 1) {
    const kept = eventLog.read(receiver, eventLog.oldestSeq(receiver) - 1, Number.POSITIVE_INFINITY, engine.seq);
    for (const { seq, entrySeq, event } of kept) lines.push(`${receiver} ${entrySeq} ${view.text(seq, event)}`);
  }
  return [...lines, ...sharesOf(engine), engine.stateHash(), ''].join('\n');
}

/** The points of each player in hundredths, which are not in the rows; nothing if the rules count all that is spent. */
function sharesOf({ world }: Engine): string[] {
  if (world.rules.points === null) return [];
  return [...world.players.values()].map(
    ({ number, points, pointHundredths }) => `points ${number} ${100 * points + pointHundredths}`,
  );
}
