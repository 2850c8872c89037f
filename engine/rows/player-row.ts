// The rows of a player: its own, that of its keys, and that of its protection and what it destroyed. The rows of its planets, fleets and
// reports follow. Snapshots also have rows of when players were last active.

import { setOutputBonuses } from '../planets/output.js';
import { addDestroyedTo } from '../planets/points.js';
import { RESEARCH_LEVEL_MAX } from '../rules/limits.js';
import { KEY_HASH_LENGTH_MAX, NAME_KEY_UNITS_MAX, NAME_UNITS_MAX, PLAYER_NUMBER_MAX } from '../rules/record-limits.js';
import type { ActiveResearch, Looted, Player } from '../world/player-table.js';
import type { World } from '../world/state.js';
import { TIMER_KINDS } from '../world/timer-queue.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

export function writePlayer(world: World, player: Player): Row {
  const { research } = player;
  return [
    ROW_KINDS.player,
    player.number,
    player.name,
    player.nameKey,
    player.isBot,
    player.keyHash,
    player.changedSeq,
    player.starterCount,
    player.researchLevels,
    research === null
      ? null
      : [research.researchType, research.startedAtMs, research.finishAtMs, world.timers.idOf(research.timer)],
  ];
}

export function readPlayer(draft: WorldDraft, row: RowReader): void {
  row.requireLength(10);
  const { world } = draft;
  const next = world.lastPlayerNumber + 1;
  const number = row.integer('number', next, draft.lastPlayerNumber ?? next);
  const name = row.text('name', NAME_UNITS_MAX);
  const nameKey = row.text('name key', NAME_KEY_UNITS_MAX);
  const isBot = row.flag('bot flag');
  if (isBot === (number === world.humanNumber)) throw new Error(`the one human must be player ${world.humanNumber}`);
  const keyHash = row.textOrNull('key hash', KEY_HASH_LENGTH_MAX);
  const player = draft.beginPlayer(number, { name, nameKey, isBot, keyHash });
  player.changedSeq = row.integer('changed seq', 1, world.seq);
  player.starterCount = row.integer('starter count', 1, world.rules.set.starter.perPlayerMax);
  const levels = row.integers('research levels', world.rules.research.length, 0, RESEARCH_LEVEL_MAX);
  for (let type = 0; type < levels.length; type += 1) player.setResearchLevel(type, levels[type] as number);
  setOutputBonuses(world, player);
  const research = row.groupOrNull('research', 4);
  if (research !== null) player.beginResearch(readResearch(draft, player, research));
}

function readResearch(draft: WorldDraft, player: Player, research: RowReader): ActiveResearch {
  const { world } = draft;
  const researchType = research.integer('research type', 0, world.rules.research.length - 1);
  const startedAtMs = research.integer('research start', 0, world.nowMs);
  const finishAtMs = research.integer('research end', startedAtMs);
  const timerId = research.integer('research timer', 1, world.lastTimerId);
  const timer = draft.schedule(timerId, finishAtMs, TIMER_KINDS.research_complete, player.number);
  return { researchType, startedAtMs, finishAtMs, timer };
}

/** @returns null if the key never expires and there is none before it */
export function writeKeys({ keyExpiresAtMs, oldKeyHash, oldKeyUntilMs }: Player): Row | null {
  if (keyExpiresAtMs === null && oldKeyHash === null && oldKeyUntilMs === null) return null;
  return [ROW_KINDS.keys, keyExpiresAtMs, oldKeyHash, oldKeyUntilMs];
}

export function readKeys({ owner }: WorldDraft, row: RowReader): void {
  row.requireLength(4);
  if (owner.keyExpiresAtMs !== null || owner.oldKeyHash !== null) throw new Error('the player has two such rows');
  owner.keyExpiresAtMs = row.integerOrNull('expiry');
  owner.oldKeyHash = row.textOrNull('old key hash', KEY_HASH_LENGTH_MAX);
  owner.oldKeyUntilMs = row.integerOrNull('end of the old key');
  const isExpiring = owner.keyExpiresAtMs !== null;
  if (owner.keyHash === null || (!isExpiring && owner.oldKeyHash === null)) throw new Error('there is no such key');
  if ((owner.oldKeyHash === null) !== (owner.oldKeyUntilMs === null))
    throw new Error('the old key has no end, or no hash');
}

/** @returns null if the player is not suspended */
export function writeSuspension({ suspendedAtMs }: Player): Row | null {
  return suspendedAtMs === null ? null : [ROW_KINDS.suspension, suspendedAtMs];
}

export function readSuspension({ world, owner }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  if (owner.suspendedAtMs !== null) throw new Error('the player has two such rows');
  owner.suspendedAtMs = row.integer('beginning', world.settings.startMs, world.lastEntryMs);
}

/** Yields the names that a player had before, oldest first. */
export function* writeFormerNames({ formerNames }: Player): Generator<Row> {
  for (const { name, nameKey } of formerNames) yield [ROW_KINDS.former_name, name, nameKey];
}

export function readFormerName(draft: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  draft.addFormerName({ name: row.text('name', NAME_UNITS_MAX), nameKey: row.text('name key', NAME_KEY_UNITS_MAX) });
}

/** @returns null if the player never was protected, or attacked, and neither destroyed nor took anything */
export function writeWar({ protectedUntilMs, destroyedUnits, looted }: Player): Row | null {
  if (protectedUntilMs === 0 && destroyedUnits === 0 && looted === null) return null;
  const taken = looted === null ? null : [looted.untilMs, [...looted.units]];
  return [ROW_KINDS.war, protectedUntilMs, destroyedUnits, taken];
}

export function readWar(draft: WorldDraft, row: RowReader): void {
  row.requireLength(4);
  const { world, owner, points } = draft;
  if (world.rules.war === null) throw new Error('the rules have no war');
  if (writeWar(owner) !== null) throw new Error('the player has two such rows');
  const protectedUntilMs = row.integer('end of the protection');
  const destroyedUnits = row.integer('destroyed units');
  owner.protectedUntilMs = protectedUntilMs;
  owner.destroyedUnits = destroyedUnits;
  addDestroyedTo(points, world.rules, destroyedUnits);
  const looted = row.groupOrNull('loot', 2);
  if (looted !== null) owner.looted = readLooted(draft, looted);
  if (writeWar(owner) === null) throw new Error('it says nothing');
}

function readLooted(draft: WorldDraft, looted: RowReader): Looted {
  const untilMs = looted.integer('end of the loot period', 1);
  const units = new Map<number, number>();
  for (const taken of looted.groups('looted players', PLAYER_NUMBER_MAX, 2)) {
    const number = draft.referencePlayer(taken.integer('looted player', 1));
    if (number === draft.owner.number || units.has(number))
      throw new Error(`it looted player ${number} twice, or itself`);
    units.set(number, taken.integer('looted units', 1));
  }
  if (units.size === 0) throw new Error('it looted nobody');
  return { untilMs, units };
}

/** Players in one row. */
const PLAYERS_PER_ROW = 1_000;

/** Yields rows of the first player's number and an instant for each player from there on, 0 for a retired one. */
export function* writeActivity(world: World): Generator<Row> {
  const { players, lastPlayerNumber, lastEntryMs } = world;
  if (!wereActiveBefore(players.values(), lastEntryMs)) return;
  for (let first = 1; first <= lastPlayerNumber; first += PLAYERS_PER_ROW) {
    const instants: number[] = [];
    for (let number = first; number < first + PLAYERS_PER_ROW && number <= lastPlayerNumber; number += 1) {
      instants.push(players.get(number)?.lastActiveMs ?? 0);
    }
    yield [ROW_KINDS.activity, first, instants];
  }
}

/** Whether anybody was last active before an instant. */
function wereActiveBefore(players: Iterable<Player>, atMs: number): boolean {
  for (const { lastActiveMs } of players) if (lastActiveMs !== atMs) return true;
  return false;
}

export function readActivity({ world, lastReadNumber }: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  const first = row.integer('first player number', 1, lastReadNumber);
  const instants = row.fewIntegers('instants', Math.min(PLAYERS_PER_ROW, lastReadNumber - first + 1));
  for (const [index, atMs] of instants.entries()) {
    if (atMs > world.lastEntryMs) throw new Error(`player ${first + index} was active after the world time`);
    world.players.at(first + index).lastActiveMs = atMs;
  }
}
