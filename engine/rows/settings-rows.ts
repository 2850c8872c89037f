// The rows of the world itself: its settings and counters, its rules, its lineages, what retired players leave behind, and what lies in space. The row of
// the rules directly follows the first, because the lengths of the lists in other rows depend on it.

import { CROWDING_PASSES } from '../map/starters.js';
import {
  GALAXY_COUNT,
  SLOTS_PER_SYSTEM,
  SPEED_THOUSANDTHS_MAX,
  SPEED_THOUSANDTHS_MIN,
  SYSTEMS_PER_GALAXY_MAX,
  WORLD_TIME_MS_MAX,
} from '../rules/limits.js';
import { ANNOUNCEMENT_UNITS_MAX, NUMBER_MAX, PLAYER_NUMBER_MAX, RULE_SET_BYTES_MAX } from '../rules/record-limits.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import { RULES_VERSION, RULES_VERSION_OF_PARTS } from '../rules/rules-version.js';
import { rulesFromText, STANDARD_1_RULES } from '../rules/shipped.js';
import type { World } from '../world/state.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import { WorldDraft } from './world-draft.js';

export function writeWorld(world: World): Row {
  const {
    settings,
    starters: { cursor },
  } = world;
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
    cursor.pass,
    cursor.galaxy,
    cursor.turn,
    cursor.step,
    world.pausedAtMs,
    world.clockLagMs,
  ];
}

export function readWorld(row: RowReader): WorldDraft {
  row.requireLength(19);
  const settings = {
    seed: row.integer('seed'),
    systemsPerGalaxy: row.integer('systems per galaxy', 1, SYSTEMS_PER_GALAXY_MAX),
    speedThousandths: row.integer('speed in thousandths', SPEED_THOUSANDTHS_MIN, SPEED_THOUSANDTHS_MAX),
    rulesVersion: row.integer('rules version', RULES_VERSION, RULES_VERSION_OF_PARTS),
    startMs: row.integer('start time', 0, WORLD_TIME_MS_MAX),
  };
  const draft = new WorldDraft(settings, STANDARD_1_RULES);
  const { world } = draft;
  const { cursor } = world.starters;
  world.seq = row.integer('seq', 1, NUMBER_MAX);
  world.lastEntryMs = row.integer('world time', world.settings.startMs, WORLD_TIME_MS_MAX);
  world.nowMs = world.lastEntryMs;
  world.players.assumedActiveMs = world.lastEntryMs;
  world.humanNumber = row.integer('human number');
  world.lastFleetNumber = row.integer('last fleet number', 0, NUMBER_MAX);
  world.lastQueueNumber = row.integer('last queue number', 0, NUMBER_MAX);
  world.lastReportNumber = row.integer('last report number', 0, NUMBER_MAX);
  world.lastTimerId = row.integer('last timer id', 0, NUMBER_MAX);
  cursor.pass = row.integer('starter pass', 0, CROWDING_PASSES);
  cursor.galaxy = row.integer('starter galaxy', 1, GALAXY_COUNT);
  cursor.turn = row.integer('starter turn', 1, SLOTS_PER_SYSTEM);
  cursor.step = row.integer('starter step', 0, world.settings.systemsPerGalaxy - 1);
  world.pausedAtMs = row.integerOrNull('pause', world.settings.startMs, world.lastEntryMs);
  world.clockLagMs = row.integer('lag of the clock', 0, WORLD_TIME_MS_MAX);
  return draft;
}

export function writeRules({ rules }: World): Row {
  return [ROW_KINDS.rules, rules.text];
}

export function readRules({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  world.play(rulesFromText(row.text('rule set', RULE_SET_BYTES_MAX)));
}

/** @returns null if there is none */
export function writeAnnouncement({ announcement }: World): Row | null {
  if (announcement === null) return null;
  return [ROW_KINDS.announcement, announcement.text, announcement.atMs, announcement.untilMs];
}

export function readAnnouncement({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(4);
  if (world.announcement !== null) throw new Error('there are two such rows');
  const text = row.text('text', ANNOUNCEMENT_UNITS_MAX);
  const atMs = row.integer('time', world.settings.startMs, world.lastEntryMs);
  world.announcement = { text, atMs, untilMs: row.integerOrNull('end', atMs, WORLD_TIME_MS_MAX) };
}

export function* writeLineages({ lineages }: World): Generator<Row> {
  for (const { base, playersBefore } of lineages.list) yield [ROW_KINDS.lineage, base, playersBefore];
}

export function readLineage({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  world.lineages.begin({ base: row.integer('base', 1, world.seq), playersBefore: row.integer('players before') });
}

/** @returns the last player number, then the keys in the order of the list */
export function* writeRetired({ retiredCount, lastPlayerNumber, starters }: World): Generator<Row> {
  if (retiredCount === 0) return;
  yield [ROW_KINDS.retired, lastPlayerNumber];
  for (const key of starters.freed.keys) yield [ROW_KINDS.freed_starter, key];
}

export function readRetired(draft: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  if (draft.lastPlayerNumber !== null) throw new Error('there are two such rows');
  draft.lastPlayerNumber = row.integer('last player number', 1, PLAYER_NUMBER_MAX);
}

export function readFreedStarter({ world, lastPlayerNumber }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  if (lastPlayerNumber === null) throw new Error('nobody is retired');
  const key = row.integer('key');
  if (!world.universe.holds(key)) throw new Error(`the universe has no planet ${key}`);
  if (world.starters.freed.has(key)) throw new Error(`planet ${key} is listed twice`);
  world.starters.freed.add(key);
}

export function* writeFields({ fields }: World): Generator<Row> {
  for (const [key, units] of fields) yield [ROW_KINDS.field, key, units];
}

export function readField({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  if (world.rules.fields === null) throw new Error('the rules have no fields');
  const key = row.integer('planet');
  if (!world.universe.holds(key)) throw new Error(`the universe has no planet ${key}`);
  if (world.fields.has(key)) throw new Error(`the field of planet ${key} is listed twice`);
  world.fields.set(key, row.integers('units', CARGO_RESOURCE_COUNT));
}
