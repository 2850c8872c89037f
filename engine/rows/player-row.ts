// The row of a player. The rows of its planets, fleets and reports follow it.
import { setOutputBonuses } from '../output.js';
import { RESEARCH_LEVEL_MAX } from '../rules/limits.js';
import { KEY_HASH_LENGTH_MAX, NAME_KEY_UNITS_MAX, NAME_UNITS_MAX } from '../rules/record-limits.js';
import { type ActiveResearch, Player, type World } from '../state.js';
import { TIMER_KINDS } from '../timer-queue.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
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
  const next = world.players.length;
  const number = row.integer('number', next, draft.lastPlayerNumber ?? next);
  const name = row.text('name', NAME_UNITS_MAX);
  const nameKey = row.text('name key', NAME_KEY_UNITS_MAX);
  const isBot = row.flag('bot flag');
  if (isBot === (number === world.humanNumber)) throw new Error(`the one human must be player ${world.humanNumber}`);
  const player = new Player(world, number, name, nameKey, isBot, row.textOrNull('key hash', KEY_HASH_LENGTH_MAX));
  draft.beginPlayer(player);
  world.playerChangedSeqs.set(number, row.integer('changed seq', 1, world.seq));
  player.starterCount = row.integer('starter count', 1, world.rules.set.starter.perPlayerMax);
  const levels = row.integers('research levels', world.rules.research.length, 0, RESEARCH_LEVEL_MAX);
  for (let type = 0; type < levels.length; type += 1) player.researchLevels[type] = levels[type] as number;
  setOutputBonuses(world, player);
  const research = row.groupOrNull('research', 4);
  if (research !== null) player.research = readResearch(draft, player, research);
}

function readResearch(draft: WorldDraft, player: Player, research: RowReader): ActiveResearch {
  const { world } = draft;
  const researchType = research.integer('research type', 0, world.rules.research.length - 1);
  const startedAtMs = research.integer('research start', 0, world.nowMs);
  const finishAtMs = research.integer('research end', startedAtMs);
  const timerId = research.integer('research timer', 1, world.lastTimerId);
  const timer = draft.schedule(timerId, finishAtMs, TIMER_KINDS.research_complete, player);
  return { researchType, startedAtMs, finishAtMs, timer };
}
