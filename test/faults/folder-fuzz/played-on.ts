// Plays on in a world that was opened from a folder, in memory: what the loader lets in must not break the engine later, and can be written
// as a snapshot and read again.
import type { Engine } from '../../../engine/engine.js';
import { WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import { chooseCommand, chooseWaitMs, seededChoice } from '../../support/random-play.js';
import { loadRows } from '../../support/world-story.js';

const MOVES = 60;
/** Timers that fire before a move, at most. */
const TICKS_PER_MOVE = 100;

/** @throws Error if the engine does, or if its rows are not those of a world */
export function playOn(engine: Engine): void {
  requireReadable(engine);
  if (engine.world.playerCount === 0) return;
  const choose = seededChoice(engine.nowMs);
  let { nowMs } = engine;
  for (let move = 1; move <= MOVES; move += 1) {
    nowMs += chooseWaitMs({ engine, nowMs }, choose);
    if (nowMs > WORLD_TIME_MS_MAX) break;
    for (let tick = 0; tick < TICKS_PER_MOVE && engine.nextDeadlineMs() <= nowMs; tick += 1)
      engine.apply(nowMs, { type: 'advance_time' });
    if (engine.nextDeadlineMs() <= nowMs) break;
    engine.apply(nowMs, chooseCommand(engine.world, choose));
  }
  requireReadable(engine);
}

function requireReadable(engine: Engine): void {
  const hash = engine.stateHash();
  const again = loadRows(engine.snapshotRows()).stateHash();
  if (again !== hash) throw new Error(`its snapshot is another world: ${again} and not ${hash}`);
}
