// Replays the log of a world from its genesis and shows every entry to a watcher. It changes nothing on disk.
import type { Command } from '../engine/commands/table.js';
import { Engine } from '../engine/engine.js';
import type { WorldEvent } from '../engine/events/kinds.js';
import { isRefusal } from '../engine/terms/rejections.js';
import { type Replay, type ReplayableEngine, replay } from '../persistence/recovery/replay.js';
import type { WorldStore } from '../persistence/stores/world-store.js';

/** What looks at the entries. It must not change the engine. */
export interface Watcher {
  /** An entry is about to be applied. Before the first one the engine has no world. */
  before(engine: Engine, atMs: number, command: Command): void;
  /** The same entry was applied, and caused these events, in order. A world without events causes none. */
  after(engine: Engine, atMs: number, command: Command, events: readonly WorldEvent[]): void;
}

/**
 * @returns the engine after the last entry, and what was replayed
 * @throws RecoveryRefused, LogUnreadable, NoWorld
 */
export async function watchedReplay(
  store: WorldStore,
  watcher: Watcher,
): Promise<{ readonly engine: Engine; readonly replayed: Replay }> {
  await store.requireWorld();
  const log = await store.openLog();
  const engine = Engine.create();
  try {
    return { engine, replayed: await replay(log, watched(engine, watcher)) };
  } finally {
    await log.close();
  }
}

function watched(engine: Engine, watcher: Watcher): ReplayableEngine {
  const apply = (atMs: number, command: Command, events: WorldEvent[] = []) => {
    const first = events.length;
    watcher.before(engine, atMs, command);
    const outcome = engine.apply(atMs, command, events);
    if (!isRefusal(outcome)) watcher.after(engine, atMs, command, first === 0 ? events : events.slice(first));
    return outcome;
  };
  return {
    get seq() {
      return engine.seq;
    },
    get nowMs() {
      return engine.nowMs;
    },
    get eventReceivers() {
      return engine.eventReceivers;
    },
    nextDeadlineMs: () => engine.nextDeadlineMs(),
    apply: apply as Engine['apply'],
  };
}
