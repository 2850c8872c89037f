// The rows of shocks: what a player has looted since the last announcement, among its rows; after those of all players, when the next ones
// are announced, and the shocks themselves.

import { GALAXY_COUNT, TYPE_NAME_LENGTH_MAX, WORLD_TIME_MS_MAX } from '../rules/limits.js';
import { RULE_PERCENT_MAX } from '../rules/record-limits.js';
import { RESOURCES } from '../rules/resources.js';
import { BOUNTY, OUTPUT_SHOCK, SHOCK_EFFECTS } from '../rules/shock-effects.js';
import type { Shock } from '../world/shock-table.js';
import type { ReadonlyPlayer, World } from '../world/state.js';
import { NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

export function* writeShocks(world: World): Generator<Row> {
  const { shocks, timers } = world;
  if (shocks.timer === NO_TIMER) return;
  yield [ROW_KINDS.shocks, shocks.nextAtMs, timers.idOf(shocks.timer)];
  for (const shock of shocks.past()) yield writeShock(world, shock);
  for (const shock of shocks.pending()) yield writeShock(world, shock);
}

export function readShocks(draft: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  const { world } = draft;
  const { shocks } = world;
  if (world.rules.shocks === null) throw new Error('the rules have no shocks');
  if (shocks.timer !== NO_TIMER) throw new Error('there are two such rows');
  shocks.nextAtMs = row.integer('time of the next', world.settings.startMs, 2 * WORLD_TIME_MS_MAX);
  const timerId = row.integer('timer', 1, world.lastTimerId);
  shocks.timer = draft.schedule(timerId, shocks.nextAtMs, TIMER_KINDS.shocks_announce, 0);
}

/** @returns null if the player has looted nothing since the last announcement */
export function writeRaids({ shocks }: World, { number }: ReadonlyPlayer): Row | null {
  const raids = shocks.raidsOf(number);
  return raids.length === 0 ? null : [ROW_KINDS.raids, raids.map(({ galaxy, units }) => [galaxy, units])];
}

export function readRaids({ world, owner }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  if (world.rules.shocks === null) throw new Error('the rules have no shocks');
  const { number } = owner;
  for (const raid of row.groups('raids', GALAXY_COUNT, 2)) {
    const [galaxy, units] = [raid.integer('galaxy', 1, GALAXY_COUNT), raid.integer('units', 1)];
    if (world.shocks.raidsOf(number).some((other) => other.galaxy === galaxy))
      throw new Error('a galaxy is listed twice');
    world.shocks.addRaid(number, galaxy, units);
  }
}

function writeShock({ timers }: World, shock: Shock): Row {
  return [
    ROW_KINDS.shock,
    shock.number,
    shock.galaxy,
    shock.type,
    shock.effect,
    shock.resource,
    shock.percent,
    shock.idleMs,
    shock.playerNumber,
    shock.announcedAtMs,
    shock.startsAtMs,
    shock.endsAtMs,
    shock.hasBegun,
    shock.timer === NO_TIMER ? 0 : timers.idOf(shock.timer),
  ];
}

export function readShock(draft: WorldDraft, row: RowReader): void {
  row.requireLength(14);
  const { world } = draft;
  const { shocks } = world;
  if (shocks.timer === NO_TIMER) throw new Error('no row of the next shocks precedes it');
  const number = row.integer('number', 1, world.lastTimerId);
  const galaxy = row.integer('galaxy', 1, GALAXY_COUNT);
  const type = row.text('type', TYPE_NAME_LENGTH_MAX);
  const effect = row.integer('effect', 0, SHOCK_EFFECTS.length - 1);
  const resource = row.integer('resource', 0, RESOURCES.length - 1);
  const percent = row.integer('per cent', 1, RULE_PERCENT_MAX);
  const idleMs = row.integer('idle time', 0, WORLD_TIME_MS_MAX);
  const player = row.integer('player');
  const playerNumber = effect === BOUNTY ? draft.presentPlayer(player) : player;
  const announcedAtMs = row.integer('time', world.settings.startMs, world.nowMs);
  const startsAtMs = row.integer(
    'beginning',
    Math.max(announcedAtMs, draft.shockEndsMs(galaxy)),
    2 * WORLD_TIME_MS_MAX,
  );
  const endsAtMs = row.integer('end', startsAtMs, 3 * WORLD_TIME_MS_MAX);
  draft.noteShock(number, galaxy, endsAtMs);
  const hasBegun = row.flag('has begun');
  const timerId = row.integer('timer', 0, world.lastTimerId);
  const isOver = timerId === 0;
  if (isOver && !(hasBegun && endsAtMs <= world.nowMs && effect === OUTPUT_SHOCK))
    throw new Error('it is not over, and has no timer');
  const turnsAtMs = hasBegun ? endsAtMs : startsAtMs;
  const timer = isOver ? NO_TIMER : draft.schedule(timerId, turnsAtMs, TIMER_KINDS.shock_turn, number);
  shocks.add({
    ...{ number, galaxy, type, effect, resource, percent, idleMs, playerNumber },
    ...{ announcedAtMs, startsAtMs, endsAtMs, hasBegun, timer },
  });
}
