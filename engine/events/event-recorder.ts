// Records what the entry being applied causes: keeps each event for its receivers, and lists it for followers.
import type { World } from '../state.js';
import type { WorldEvent } from './kinds.js';
import { AUDIENCES, OPEN_WORLD_TOPIC, WORLD_TOPIC } from './receivers.js';

export class EventRecorder {
  /** Receivers of the events of the last entry, in order and with repeats. */
  readonly receivers: number[] = [];
  #list: WorldEvent[] | null = null;

  constructor(private readonly world: World) {}

  /**
   * Begins an entry.
   *
   * @param list receives its events; null if there is no follower
   * @returns null if nothing is to be recorded
   */
  begin(list: WorldEvent[] | null): this | null {
    // For a few receivers this is faster than to set the length.
    while (this.receivers.length > 0) this.receivers.pop();
    this.#list = list;
    return list === null && !this.world.eventLog.hasBegun ? null : this;
  }

  /** @param event may hold lists that change afterwards */
  push(event: WorldEvent): void {
    const { eventLog, seq } = this.world;
    this.#list?.push(withOwnLists(event));
    if (!eventLog.hasBegun) return;
    const audience = AUDIENCES[event.kind];
    if (audience.player) {
      this.#keep(event.playerNumber, event);
      // The state shows the seq of the last event.
      this.world.playerChangedSeqs.set(event.playerNumber, seq + 1);
    }
    if (audience.world) this.#keep(WORLD_TOPIC, event);
    if (audience.openWorld) this.#keep(OPEN_WORLD_TOPIC, event);
  }

  /** Drops the events of a player that no longer exists, and wakes its readers, so that they end. */
  forget(playerNumber: number): void {
    this.world.eventLog.drop(playerNumber);
    this.receivers.push(playerNumber);
  }

  #keep(receiver: number, event: WorldEvent): void {
    this.world.eventLog.append(receiver, this.world.seq + 1, event);
    this.receivers.push(receiver);
  }
}

/** A copy of an event that nothing changes later. */
function withOwnLists(event: WorldEvent): WorldEvent {
  const fields = Object.entries(event).map(([name, value]) => [name, Array.isArray(value) ? value.slice() : value]);
  return Object.fromEntries(fields) as WorldEvent;
}
