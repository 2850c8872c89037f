// Measures one group of units, in the process that groups.ts starts for it.
import { commandUnits, tickUnits } from './commands.js';
import type { UnitGroupName } from './groups.js';
import { heapUnits } from './heap.js';
import { codecUnits, replayUnits } from './log.js';
import { memoryUnits } from './memory.js';
import { mixUnits } from './mix.js';
import { planUnits } from './plans.js';
import { consumed, sampleOneShot, sampleSteady } from './samplers.js';
import {
  EFFORTS,
  type Effort,
  type Reading,
  type UnitAnswer,
  type UnitCase,
  type UnitGroup,
  type UnitTask,
} from './unit-case.js';
import { viewUnits } from './views.js';

const GROUPS: Readonly<Record<UnitGroupName, UnitGroup>> = {
  commands: commandUnits,
  ticks: tickUnits,
  heap: heapUnits,
  codec: codecUnits,
  views: viewUnits,
  mix: mixUnits,
  replay: replayUnits,
  memory: memoryUnits,
  plans: planUnits,
};

export function unitGroup(name: string): UnitGroup {
  if (!(name in GROUPS)) throw new Error(`there is no group of units ${name}`);
  return GROUPS[name as UnitGroupName];
}

export async function measure(
  { group, only, players, isFull, seed, rules }: UnitTask,
  report: (text: string) => void,
): Promise<UnitAnswer> {
  const readings: Reading[] = [];
  for (const measured of unitGroup(group)({ players, isFull, seed, rules })) {
    if (!measured.name.includes(only)) continue;
    const id = `${group}: ${measured.name}${players === 0 ? '' : `, ${players} players`}${rules === 'standard-1' ? '' : `, ${rules}`}`;
    report(id);
    readings.push(...(await readingsOf(id, measured, isFull ? EFFORTS.full : EFFORTS.short)));
  }
  return { readings, consumed: consumed() };
}

async function readingsOf(id: string, measured: UnitCase, effort: Effort): Promise<readonly Reading[]> {
  switch (measured.kind) {
    case 'steady':
      return [await sampleSteady(measured, effort, id)];
    case 'one-shot':
      return [await sampleOneShot(measured, effort, id)];
    case 'direct':
      return (await measured.measure()).map(({ name, ...reading }) => ({ id: `${id}, ${name}`, ...reading }));
  }
}
