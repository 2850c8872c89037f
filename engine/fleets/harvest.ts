// harvest: loads what lies in space beside the target, which anybody or nobody may own, and flies home with it. If nothing lies there, the
// fleet returns as it left.

import { sum } from '../numbers/arithmetic.js';
import { changeField, fieldUnits } from './fields.js';
import { eventFieldsOf, loadShare } from './fleets.js';
import type { Mission } from './mission.js';

export const harvest: Mission = {
  isReturning: true,

  refusal: () => null,

  warning: ({ targetKey }, world) => (sum(fieldUnits(world, targetKey)) === 0 ? { code: 'field_empty' } : null),

  arrive(world, fleet) {
    const loaded = loadShare(world.rules, fleet, fieldUnits(world, fleet.targetKey));
    if (sum(loaded) === 0) return 'returns';
    const taken = loaded.map((units) => -units);
    const left = changeField(world, fleet.targetKey, taken);
    world.events.push({ kind: 'field_harvested', ...eventFieldsOf(world, fleet), amounts: loaded, left });
    return 'returns';
  },
};
