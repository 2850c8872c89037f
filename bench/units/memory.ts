// What a player costs in memory: resident bytes of a process that holds many, and for fewer of them what each byte is for.

import type { Rules } from '../../engine/rules/rules.js';
import { heapBreakdown } from './heap-breakdown.js';
import { consume } from './samplers.js';
import { type DirectCase, type DirectReading, rulesOf, type UnitGroup } from './unit-case.js';
import { EngineWorld } from './worlds/engine-world.js';

/** A snapshot of the heap is a text of a few kilobytes a player. */
const BREAKDOWN_PLAYERS_MAX = 10_000;
/** Parts below this share of all bytes are reported together. */
const SMALL_SHARE = 0.01;

export const memoryUnits: UnitGroup = function* (sizes) {
  const { players, seed } = sizes;
  const rules = rulesOf(sizes);
  const fewer = Math.min(players, BREAKDOWN_PLAYERS_MAX);
  yield direct(`parts (of ${fewer})`, () => breakdownReadings(fewer, seed, rules));
  yield direct('starter planets', async () => residentReadings(players, seed, rules));
};

function residentReadings(players: number, seed: number, rules: Rules): DirectReading[] {
  const before = settledMemory();
  const bench = new EngineWorld(seed, rules);
  bench.addBots(players);
  const after = settledMemory();
  // The world must be there until now.
  consume(bench.world.playerCount);
  return [
    reading('resident', (after.rss - before.rss) / players),
    reading('heap', (after.heapUsed - before.heapUsed) / players),
    reading('typed arrays', (after.arrayBuffers - before.arrayBuffers) / players),
  ];
}

async function breakdownReadings(players: number, seed: number, rules: Rules): Promise<DirectReading[]> {
  const bench = new EngineWorld(seed, rules);
  bench.addBots(players);
  const parts = await heapBreakdown('World');
  consume(bench.world.playerCount);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const large = parts.filter(({ bytes }) => bytes >= total * SMALL_SHARE);
  const rest = total - large.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    reading('all', total / players),
    ...large.map(({ path, bytes }) => reading(path, bytes / players)),
    reading('everything else', rest / players),
  ];
}

/** Memory once nothing is left to collect. */
export function settledMemory(): NodeJS.MemoryUsage {
  for (let turn = 0; turn < 4; turn += 1) globalThis.gc?.();
  return process.memoryUsage();
}

function reading(name: string, bytes: number): DirectReading {
  const rounded = Math.round(bytes * 10) / 10;
  return {
    name,
    unit: 'bytes per player',
    isLowerBetter: true,
    samples: 1,
    lower: rounded,
    median: rounded,
    upper: rounded,
  };
}

function direct(name: string, measure: DirectCase['measure']): DirectCase {
  return { kind: 'direct', name, measure };
}
