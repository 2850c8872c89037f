// What plans cost: the bytes of a step that waits, in memory, in a snapshot and in the log, and the time of a step that starts.
import { encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import { ROW_KINDS } from '../../engine/rows/world-rows.js';
import { STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import { packStep } from '../../engine/terms/plan-step.js';
import { Batch, NO_PREVIOUS_HASH } from '../../persistence/log/batch-record.js';
import { encodeChunk } from '../../persistence/snapshots/snapshot-codec.js';
import { EngineWorld, IRON_MINE, PlanetRing } from './engine-world.js';
import { bytesReading, settledMemory } from './memory.js';
import { consume } from './samplers.js';
import type { DirectReading, OneShotCase, UnitGroup } from './unit-case.js';

/** Steps of the shorter of two plans: the difference in time is what the further steps cost. */
const FEW_STEPS = 10;
const MANY_STEPS = 50;
/** Steps that each planet starts in one run. */
const STEPS_PER_RUN = 10;
/** Runs before the world is begun anew: levels have an end. */
const RUNS_PER_WORLD = 5;
const IDENTITY = { rulesVersion: STANDARD_2_RULES.version, seq: 1, logHash: '0'.repeat(32) };
/** Longer than the steps of a run take. */
const LONG_MS = 400 * 24 * 3_600_000;

export const planUnits: UnitGroup = function* ({ players, seed }) {
  yield { kind: 'direct', name: 'stored steps', measure: async () => storedReadings(players, seed) };
  yield startedCase(players, seed);
};

function upgrades(count: number): number[] {
  return new Array<number>(count).fill(packStep({ action: 'upgrade', buildingType: IRON_MINE }));
}

function planOf(planetKey: number, steps: readonly number[]): Extract<WorldCommand, { type: 'put_plan' }> {
  return { type: 'put_plan', planetKey, isSkipping: false, longerThanMs: null, launches: [], steps };
}

/** The iron mines are busy with the first step; the others wait. */
function storedReadings(players: number, seed: number): DirectReading[] {
  const bench = new EngineWorld(seed, STANDARD_2_RULES);
  const planets = bench.addBots(players).flatMap((player) => player.planets);
  const bytesWith = (count: number) => {
    // All commands share the steps: only those that the world keeps are counted.
    const steps = upgrades(count);
    const commands = planets.map(({ key }) => planOf(key, steps));
    for (const command of commands) bench.does(command);
    return {
      'in memory': heapBytes(),
      'in a snapshot': planRowBytes(bench),
      'in the log': commands.reduce((sum, command) => sum + recordBytes(command), 0),
    };
  };
  // The first plan starts a step, the others of the same planet do not.
  bytesWith(FEW_STEPS);
  const few = bytesWith(FEW_STEPS);
  const many = bytesWith(MANY_STEPS);
  consume(bench.world.plans.size);
  const steps = planets.length * (MANY_STEPS - FEW_STEPS);
  return (Object.keys(few) as (keyof typeof few)[]).map((name) =>
    bytesReading(name, 'bytes per step', (many[name] - few[name]) / steps),
  );
}

function heapBytes(): number {
  return settledMemory().heapUsed;
}

function planRowBytes({ engine }: EngineWorld): number {
  let bytes = 0;
  for (const row of engine.rows()) if (row[0] === ROW_KINDS.plan) bytes += encodeChunk([row], 0, IDENTITY).length;
  return bytes;
}

function recordBytes(command: WorldCommand): number {
  const batch = new Batch(1);
  batch.tryAdd(0, encodeCommand(command));
  return batch.encode(STANDARD_2_RULES.version, NO_PREVIOUS_HASH).length;
}

/** Each planet has plenty, so that a step starts when the one before it is finished. */
function startedCase(players: number, seed: number): OneShotCase {
  let ring: PlanetRing | undefined;
  let runs = 0;
  return {
    kind: 'one-shot',
    name: 'upgrades by plan, one after the other',
    unit: 'step',
    prepare() {
      if (ring === undefined || runs === RUNS_PER_WORLD) {
        ring = new PlanetRing(players, seed, STANDARD_2_RULES);
        runs = 0;
      }
      runs += 1;
      const { bench, planets } = ring;
      for (const { key } of planets) bench.does(planOf(key, upgrades(STEPS_PER_RUN)));
      const atMs = bench.nowMs + LONG_MS;
      return { count: STEPS_PER_RUN * planets.length, run: () => bench.passTo(atMs) };
    },
  };
}
