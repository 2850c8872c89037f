// The table of all groups of units, in the order in which they are run.
import { codecUnits } from './codec.js';
import { commandUnits } from './commands.js';
import { UNIT_GROUP_SIZES, type UnitGroupName } from './group-sizes.js';
import { heapUnits } from './heap.js';
import { journalUnits } from './journal.js';
import { memoryUnits } from './memory.js';
import { mixUnits } from './mix.js';
import { replayUnits } from './replay.js';
import { tickUnits } from './ticks.js';
import type { UnitGroup } from './unit-case.js';
import { validatorUnits } from './validator.js';
import { viewUnits } from './views.js';

const GROUPS: Readonly<Record<UnitGroupName, UnitGroup>> = {
  commands: commandUnits,
  ticks: tickUnits,
  heap: heapUnits,
  codec: codecUnits,
  validator: validatorUnits,
  views: viewUnits,
  journal: journalUnits,
  mix: mixUnits,
  replay: replayUnits,
  memory: memoryUnits,
};

export function unitGroup(name: string): UnitGroup {
  if (!(name in UNIT_GROUP_SIZES)) throw new Error(`there is no group of units ${name}`);
  return GROUPS[name as UnitGroupName];
}
