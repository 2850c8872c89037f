// A game of turns as JSON: to an entrant what concerns it, to the operator all of it.
import { playerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import type { TurnBody, TurnsBody } from '../schemas/turns.js';
import type { Entrant, TurnGame, WakeCause } from './turn-game.js';
import type { Turns } from './turns.js';

/** What an entrant sees before the first game has begun. */
export function idleTurnBody(nowMs: number): TurnBody {
  const worldTime = isoText(nowMs);
  return {
    state: 'waiting',
    turn: 0,
    worldTime,
    until: null,
    commandsLeft: 0,
    wakeupsLeft: 0,
    wakeupsByOthersLeft: 0,
    dayEndsAt: null,
    wokenBy: null,
  };
}

export function turnBody(
  world: ReadonlyWorld,
  turns: Turns,
  game: TurnGame,
  entrant: Entrant,
  nowMs: number,
): TurnBody {
  const state = turnState(game, entrant);
  return {
    state,
    turn: entrant.wakeups,
    worldTime: isoText(nowMs),
    until: isoText(game.settings.untilMs),
    commandsLeft: game.commandsLeft(entrant),
    wakeupsLeft: game.wakeupsLeft(entrant),
    wakeupsByOthersLeft: game.wakeupsByOthersLeft(entrant),
    dayEndsAt: isoText(game.dayEndMs),
    wokenBy: state === 'active' ? shownWake(world, entrant) : null,
    ...(state === 'active' ? { wallMsLeft: turns.wallMsLeft } : {}),
  };
}

export function shownWake(
  world: ReadonlyWorld,
  { wakeReason, isWokenByOther }: WakeCause,
): NonNullable<TurnBody['wokenBy']> {
  if (wakeReason === null) return { reason: 'wish', type: null, seq: null, playerId: null };
  const { kind, seq, causerNumber } = wakeReason;
  return { reason: 'event', type: kind, seq, playerId: isWokenByOther ? playerId(world, causerNumber) : null };
}

export function turnState(game: TurnGame, entrant: Entrant): TurnBody['state'] {
  if (game.isOver || entrant.isLeaving || entrant.isWithdrawn) return 'over';
  return game.active === entrant ? 'active' : 'waiting';
}

export function turnsBody(world: ReadonlyWorld, { game, isRunning }: Turns, nowMs: number): TurnsBody {
  const worldTime = isoText(nowMs);
  if (game === null) return { state: 'idle', worldTime, until: null, turn: 0, activePlayerId: null, entrants: [] };
  return {
    state: isRunning ? 'running' : 'over',
    worldTime,
    until: isoText(game.settings.untilMs),
    turn: game.turns,
    activePlayerId: game.active === null ? null : playerId(world, game.active.playerNumber),
    entrants: game.entrants.map((entrant) => entrantBody(world, entrant)),
  };
}

function entrantBody(world: ReadonlyWorld, entrant: Entrant): TurnsBody['entrants'][number] {
  const { playerNumber, isWithdrawn, wakeups, wakeupsByOthers, commands, refusals, overruns } = entrant;
  return {
    playerId: playerId(world, playerNumber),
    isWithdrawn,
    wakeups,
    wakeupsByOthers,
    commands,
    refusals: Object.fromEntries([...refusals].sort(([a], [b]) => (a < b ? -1 : 1))),
    overruns,
  };
}
