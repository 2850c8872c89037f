// The first row: the settings of the world and its counters.

import {
  GALAXY_COUNT,
  SLOTS_PER_SYSTEM,
  SPEED_THOUSANDTHS_MAX,
  SPEED_THOUSANDTHS_MIN,
  SYSTEMS_PER_GALAXY_MAX,
  WORLD_TIME_MS_MAX,
} from '../rules/limits.js';
import { NUMBER_MAX } from '../rules/record-limits.js';
import { RULES_VERSION, RULES_VERSION_OF_PARTS } from '../rules/rules-version.js';
import { STANDARD_1_RULES } from '../rules/shipped.js';
import { CROWDING_PASSES } from '../starters.js';
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import { WorldDraft } from './world-draft.js';

export function writeWorld(world: World): Row {
  const { settings, starters } = world;
  return [
    ROW_KINDS.world,
    settings.seed,
    settings.systemsPerGalaxy,
    settings.speedThousandths,
    settings.rulesVersion,
    settings.startMs,
    world.seq,
    world.lastEntryMs,
    world.humanNumber,
    world.lastFleetNumber,
    world.lastQueueNumber,
    world.lastReportNumber,
    world.lastTimerId,
    starters.pass,
    starters.galaxy,
    starters.turn,
    starters.step,
  ];
}

export function readWorld(row: RowReader): WorldDraft {
  row.requireLength(17);
  const settings = {
    seed: row.integer('seed'),
    systemsPerGalaxy: row.integer('systems per galaxy', 1, SYSTEMS_PER_GALAXY_MAX),
    speedThousandths: row.integer('speed in thousandths', SPEED_THOUSANDTHS_MIN, SPEED_THOUSANDTHS_MAX),
    rulesVersion: row.integer('rules version', RULES_VERSION, RULES_VERSION_OF_PARTS),
    startMs: row.integer('start time', 0, WORLD_TIME_MS_MAX),
  };
  const draft = new WorldDraft(settings, STANDARD_1_RULES);
  const { world } = draft;
  world.seq = row.integer('seq', 1, NUMBER_MAX);
  world.lastEntryMs = row.integer('world time', world.settings.startMs, WORLD_TIME_MS_MAX);
  world.nowMs = world.lastEntryMs;
  world.activity.assume(world.lastEntryMs);
  world.humanNumber = row.integer('human number');
  world.lastFleetNumber = row.integer('last fleet number', 0, NUMBER_MAX);
  world.lastQueueNumber = row.integer('last queue number', 0, NUMBER_MAX);
  world.lastReportNumber = row.integer('last report number', 0, NUMBER_MAX);
  world.lastTimerId = row.integer('last timer id', 0, NUMBER_MAX);
  world.starters.pass = row.integer('starter pass', 0, CROWDING_PASSES);
  world.starters.galaxy = row.integer('starter galaxy', 1, GALAXY_COUNT);
  world.starters.turn = row.integer('starter turn', 1, SLOTS_PER_SYSTEM);
  world.starters.step = row.integer('starter step', 0, world.settings.systemsPerGalaxy - 1);
  return draft;
}
