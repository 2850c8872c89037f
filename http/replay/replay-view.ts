// A replay as shown in replies.
import { planetId, playerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { Position } from '../../persistence/history/past.js';
import type { ReplayState } from '../../persistence/history/replayed-world.js';
import type { Timeline } from '../../persistence/history/timeline.js';
import { isoText } from '../exchange/iso-time.js';
import type { ReplayPositionBody, TimelineBody } from '../schemas/replay.js';

/** @param timeline null before it is known */
export function replayPositionBody(state: ReplayState, timeline: Timeline | null): ReplayPositionBody {
  const { seq, atMs, isPlaying, speed, first, last, game } = state;
  return {
    seq,
    worldTime: isoText(atMs),
    isPlaying,
    speed,
    first: positionBody(first),
    last: positionBody(last),
    game,
    isHistoryKept: first.seq === 1,
    indexedShare: indexedShare(state, timeline),
  };
}

/** @param timeline null before it is known */
export function timelineBody(world: ReadonlyWorld, state: ReplayState, timeline: Timeline | null): TimelineBody {
  const { buckets = [], battles = [] } = timeline ?? {};
  return {
    indexedShare: indexedShare(state, timeline),
    buckets: buckets.map(({ fromMs, ...counts }) => ({ from: isoText(fromMs), ...counts })),
    battles: battles.map(({ seq, atMs, planetKey, attackerNumber, defenderNumber, lostCount }) => ({
      seq,
      at: isoText(atMs),
      planetId: planetId(world.universe, planetKey),
      attackerId: playerId(world, attackerNumber),
      defenderId: playerId(world, defenderNumber),
      lostCount,
    })),
  };
}

function positionBody({ seq, atMs }: Position): ReplayPositionBody['first'] {
  return { seq, worldTime: isoText(atMs) };
}

function indexedShare({ first, last }: ReplayState, timeline: Timeline | null): number {
  if (timeline === null) return 0;
  if (last.seq === first.seq) return 1;
  return Math.min(Math.max((timeline.indexedTo.seq - first.seq) / (last.seq - first.seq), 0), 1);
}
