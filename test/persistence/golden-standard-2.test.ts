// A fixed log, a fixed snapshot and the fixed events of a world of standard-2: every later version must still read them. After an intended
// change: `TAP_SNAPSHOT=1 npm test -- test/persistence/golden-standard-2.test.ts` writes them anew.
import t from 'tap';
import { planOf } from '../../engine/queries/plan.js';
import { planFaults } from '../support/plan-oracle.js';
import { standard2Scene } from '../support/standard-2-scene.js';
import { testGoldenWorld } from './golden-world-contract.js';

/** What rules with parts can cause. */
const KINDS = [
  'attack_turned_away',
  'battle',
  'colonization_failed',
  'plan_completed',
  'plan_step_blocked',
  'plan_step_skipped',
  'plan_step_started',
] as const;

t.test('the golden world of standard-2 has what only rules with parts have', async (t) => {
  const { events, engine, world } = standard2Scene();
  const kinds = new Set(events.map(({ kind }) => kind));
  for (const kind of KINDS) t.ok(kinds.has(kind), kind);
  const plans = [...world.planets.values()].map((planet) => planOf(world, planet, engine.nowMs));
  const put = plans.filter(({ steps }) => steps.length > 0);
  t.same(put.map(({ isSkipping }) => isSkipping).sort(), [false, false, true]);
  const lanes = put.flatMap((plan) => plan.lanes);
  t.same([...new Set(lanes.map(({ state }) => state))].sort(), ['blocked', 'busy', 'empty', 'waiting']);
  t.ok(Math.max(...lanes.map(({ deadlineMs }) => deadlineMs)) > engine.nowMs, 'a lane has a timer');
  t.same(planFaults(engine), []);
});

await testGoldenWorld(t, 'standard-2', standard2Scene);
