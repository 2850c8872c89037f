// All scenarios, in the order in which the help lists them, and what is measured if none is named.
import type { Whole } from '../runner/command-line.js';
import type { Scenario } from '../runner/scenario.js';
import { units } from '../units/groups.js';
import { call } from './call.js';
import { comparison } from './comparison.js';
import { endToEnd } from './end-to-end.js';
import { hostile } from './hostile.js';
import { openLoop, SHORT_OPEN_MIXES, soak } from './open-loop.js';
import { settings } from './settings.js';
import { snapshots } from './snapshots.js';
import { subscribers } from './subscribers.js';
import { viewers } from './viewers.js';

export const SCENARIOS: readonly Scenario[] = [
  units,
  endToEnd,
  openLoop,
  soak,
  snapshots,
  hostile,
  settings,
  call,
  subscribers,
  viewers,
  comparison,
];

/** Its `--seconds` are those of the closed loops. */
export const WHOLE: Whole = [
  { scenario: units },
  { scenario: endToEnd },
  { scenario: openLoop, names: SHORT_OPEN_MIXES, without: 'seconds' },
];
