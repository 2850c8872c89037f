// A world of standard-1 with upgrades in progress is switched to standard-2 in mid-game. Its players get plans, and the world is the same
// after a crash, from a snapshot, restored to the middle of its history and forked.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { Engine } from '../../../engine/engine.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import type { OpenWorld } from '../../../persistence/open-world.js';
import { recover } from '../../../persistence/recovery/recovery.js';
import { storeAt } from '../../../persistence/store-url.js';
import { restoreWorld } from '../../../persistence/upkeep/restore.js';
import { createPlayers, durable, openFolder, snapshotOf } from '../../support/opened-world.js';
import { planFaults } from '../../support/plan-oracle.js';
import { type Choose, chooseCommand, choosePlan, seededChoice } from '../../support/random-play.js';
import { testSettings } from '../../support/test-rules.js';
import { HOUR_MS, MINUTE_MS } from '../../support/world-story.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const BOTS = 12;
const MOVES = 150;
const MOVES_BETWEEN_LOOKS = 10;
const NEWCOMERS: ReadonlySet<string> = new Set(['create_player', 'create_players', 'retire_players']);

function play({ engine, sequencer }: OpenWorld, choose: Choose, moves: number): void {
  for (let move = 0; move < moves; move += 1) {
    sequencer.advanceTo(sequencer.nowMs + choose(10 * MINUTE_MS));
    const command = chooseCommand(engine.world, choose);
    // The world stays small.
    if (!NEWCOMERS.has(command.type)) sequencer.submit(command);
    if (move % MOVES_BETWEEN_LOOKS > 0) continue;
    const faults = planFaults(engine);
    if (faults.length > 0) throw new Error(faults.join('; '));
  }
}

/** Gives every planet a plan. */
function putPlans({ engine, sequencer }: OpenWorld, choose: Choose): void {
  for (const planet of [...engine.world.planets.values()]) sequencer.submit(choosePlan(engine.world, planet, choose));
}

t.test('plans of a world that was switched to standard-2 in mid-game survive whatever happens to it', async (t) => {
  const [folder, image, restored] = [await temporaryFolder(t), await temporaryFolder(t), await temporaryFolder(t)];
  const choose = seededChoice(17);
  const world = await openFolder(t, folder, { settings: testSettings({ seed: 3, systemsPerGalaxy: 3 }) });
  const { engine, sequencer } = world;
  sequencer.submit(createPlayers(BOTS, 'bot'));
  play(world, choose, MOVES);
  const planets = [...engine.world.planets.values()];
  for (const { key: planetKey } of planets) {
    sequencer.submit({ type: 'grant_resources', planetKey, amounts: [1e6, 1e6, 1e6, 1e6, 1e6] });
    sequencer.submit({ type: 'upgrade_building', planetKey, buildingType: 0 });
  }
  t.ok(planets.filter(({ upgrade }) => upgrade !== null).length > BOTS / 2, 'upgrades are in progress');
  sequencer.submit({ type: 'switch_rules', rules: STANDARD_2_RULES.text });
  t.equal(engine.world.rules, STANDARD_2_RULES);
  putPlans(world, choose);
  play(world, choose, MOVES);
  t.ok(engine.world.plans.size > 2, `${engine.world.plans.size} plans`);
  await durable(world);
  const middle = { seq: engine.seq, hash: engine.stateHash() };
  await snapshotOf(world);
  putPlans(world, choose);
  play(world, choose, MOVES);
  await durable(world);
  const end = { seq: engine.seq, hash: engine.stateHash() };

  // What a crash leaves: the files as they are.
  await cp(folder, image, { recursive: true });
  const again = await openFolder(t, image);
  t.same({ seq: again.engine.seq, hash: again.engine.stateHash() }, end, 'after a crash');
  const store = storeAt(image);
  await again.close();
  const log = await store.openLog();
  const [fromLog, fromSnapshot] = [
    await recover(log, store.snapshots, { until: { seq: middle.seq } }),
    await recover(log, store.snapshots, { fromSnapshot: middle.seq }),
  ];
  await log.close();
  t.equal(fromLog.engine.stateHash(), middle.hash);
  t.equal(fromSnapshot.engine.stateHash(), end.hash, 'from the snapshot');

  const target = join(restored, 'world');
  const { base } = await restoreWorld({
    kind: 'fork',
    source: { store },
    until: { seq: middle.seq },
    to: storeAt(target),
  });
  const other = await openFolder(t, target);
  fromLog.engine.beginLineage(base);
  t.equal(other.engine.stateHash(), fromLog.engine.stateHash(), 'restored');
  play(other, seededChoice(5), MOVES / 3);

  // A fork in memory goes on exactly like the world, plans included.
  const loader = Engine.loader();
  for (const row of engine.snapshotRows()) loader.add(row);
  const fork = loader.finish();
  const atMs = sequencer.nowMs + 24 * HOUR_MS;
  while (fork.nextDeadlineMs() <= atMs) fork.apply(atMs, { type: 'advance_time' });
  sequencer.advanceTo(atMs);
  t.equal(fork.stateHash(), engine.stateHash(), 'a fork, a day later');
  t.ok(engine.seq > end.seq);
});
