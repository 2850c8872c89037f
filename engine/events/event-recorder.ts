// Records the events of the entry being applied: keeps each for its receivers, and lists it for a replay that asks for events.

import { sum } from '../numbers/arithmetic.js';
import { ByteReader, HEAD_NUMBERS, writeCounts } from './event-bytes.js';
import type { EventLog } from './event-log.js';
import { RECORD_BYTES_MAX, readFields, writeFields } from './event-record.js';
import { type EventWorld, writeInstantOrNull } from './fields.js';
import { type Audience, EVENT_KINDS, OPEN_WORLD_TOPIC, WORLD_TOPIC, type WorldEvent } from './kinds.js';

const {
  building_started: BUILDING_STARTED,
  building_completed: BUILDING_COMPLETED,
  ships_ordered: SHIPS_ORDERED,
  ships_completed: SHIPS_COMPLETED,
  research_started: RESEARCH_STARTED,
  research_completed: RESEARCH_COMPLETED,
  fleet_launched: FLEET_LAUNCHED,
  incoming_fleet: INCOMING_FLEET,
} = EVENT_KINDS;

/** What the recorder reads of the world, and the column that it writes. */
export interface RecordedWorld extends EventWorld {
  readonly eventLog: EventLog;
  /** Seq of the last accepted entry. */
  readonly seq: number;
  /** World time of the command or timer that causes the events. */
  readonly nowMs: number;
  readonly players: { setChangedSeq(number: number, seq: number): void };
}

/** What is recorded of a fleet that sets out. */
export interface RecordedFleet {
  readonly number: number;
  readonly ownerNumber: number;
  readonly mission: number;
  readonly originKey: number;
  readonly targetKey: number;
  readonly ships: readonly number[];
  readonly cargo: readonly number[];
  readonly h2Cost: number;
  readonly arrivesAtMs: number;
  readonly returnsAtMs: number | null;
}

export class EventRecorder {
  /** Receivers of the events of the last entry, in order and with repeats. */
  readonly receivers: number[] = [];
  #list: WorldEvent[] | null = null;

  constructor(private readonly world: RecordedWorld) {}

  /**
   * Begins an entry.
   *
   * @param list receives the events of the entry; null if they are not needed
   */
  begin(list: WorldEvent[] | null): void {
    // For a few receivers this is faster than to set the length.
    while (this.receivers.length > 0) this.receivers.pop();
    this.#list = list;
  }

  // Each kind that bots cause all the time has a method, which writes the fields of its row in their order. No object of the event is
  // made, and nothing is looked up by its kind. A test compares what they write with what the table says.

  buildingStarted(
    playerNumber: number,
    planetKey: number,
    queueNumber: number,
    buildingType: number,
    targetLevel: number,
    finishAtMs: number,
  ): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(BUILDING_STARTED.code);
    numbers.count(planetKey);
    numbers.count(queueNumber);
    numbers.count(buildingType);
    numbers.count(targetLevel);
    numbers.count(finishAtMs - world.nowMs);
    this.#keep(BUILDING_STARTED.audience, playerNumber);
  }

  buildingCompleted(
    playerNumber: number,
    planetKey: number,
    queueNumber: number,
    buildingType: number,
    level: number,
  ): void {
    const { numbers } = this.world.eventLog;
    numbers.begin(BUILDING_COMPLETED.code);
    numbers.count(planetKey);
    numbers.count(queueNumber);
    numbers.count(buildingType);
    numbers.count(level);
    this.#keep(BUILDING_COMPLETED.audience, playerNumber);
  }

  shipsOrdered(playerNumber: number, planetKey: number, shipType: number, count: number, finishAtMs: number): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(SHIPS_ORDERED.code);
    numbers.count(planetKey);
    numbers.count(shipType);
    numbers.count(count);
    numbers.count(finishAtMs - world.nowMs);
    this.#keep(SHIPS_ORDERED.audience, playerNumber);
  }

  shipsCompleted(playerNumber: number, planetKey: number, shipType: number, count: number): void {
    const { numbers } = this.world.eventLog;
    numbers.begin(SHIPS_COMPLETED.code);
    numbers.count(planetKey);
    numbers.count(shipType);
    numbers.count(count);
    this.#keep(SHIPS_COMPLETED.audience, playerNumber);
  }

  researchStarted(playerNumber: number, researchType: number, targetLevel: number, finishAtMs: number): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(RESEARCH_STARTED.code);
    numbers.count(researchType);
    numbers.count(targetLevel);
    numbers.count(finishAtMs - world.nowMs);
    this.#keep(RESEARCH_STARTED.audience, playerNumber);
  }

  researchCompleted(playerNumber: number, researchType: number, level: number): void {
    const { numbers } = this.world.eventLog;
    numbers.begin(RESEARCH_COMPLETED.code);
    numbers.count(researchType);
    numbers.count(level);
    this.#keep(RESEARCH_COMPLETED.audience, playerNumber);
  }

  fleetLaunched(fleet: RecordedFleet): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(FLEET_LAUNCHED.code);
    numbers.count(fleet.number);
    numbers.count(fleet.mission);
    numbers.count(fleet.originKey);
    numbers.count(fleet.targetKey);
    numbers.sparse(fleet.ships);
    numbers.list(fleet.cargo);
    numbers.count(fleet.h2Cost);
    numbers.count(fleet.arrivesAtMs - world.nowMs);
    writeInstantOrNull(numbers, fleet.returnsAtMs, world.nowMs);
    this.#keep(FLEET_LAUNCHED.audience, fleet.ownerNumber);
  }

  /** @param sees whether the player may see the mission and the number of ships, and how many there are of each type */
  incomingFleet(
    playerNumber: number,
    fleet: RecordedFleet,
    sees: { readonly mission: boolean; readonly types: boolean },
  ): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(INCOMING_FLEET.code);
    numbers.count(fleet.number);
    numbers.count(fleet.originKey);
    numbers.count(fleet.targetKey);
    numbers.count(fleet.ownerNumber);
    numbers.countOrNull(sees.mission ? fleet.mission : null);
    numbers.countOrNull(sees.mission ? sum(fleet.ships) : null);
    numbers.sparseOrNull(sees.types ? fleet.ships : null);
    numbers.count(fleet.arrivesAtMs - world.nowMs);
    this.#keep(INCOMING_FLEET.audience, playerNumber);
  }

  /** @param event may hold lists that change afterwards */
  push(event: WorldEvent): void {
    writeFields(this.world.eventLog.numbers, event);
    this.#keep(EVENT_KINDS[event.kind].audience, event.playerNumber);
  }

  /** Drops the events of a player that no longer exists, and lists it as a receiver, so that its readers end. */
  forget(playerNumber: number): void {
    this.world.eventLog.drop(playerNumber);
    this.receivers.push(playerNumber);
  }

  /** Keeps the event that was written last. */
  #keep(audience: Audience, playerNumber: number): void {
    const { world } = this;
    const { eventLog, nowMs } = world;
    if (this.#list !== null) this.#list.push(lastWritten(world, playerNumber));
    const entrySeq = world.seq + 1;
    if (audience.player) {
      eventLog.append(playerNumber, entrySeq, nowMs, playerNumber);
      this.receivers.push(playerNumber);
      // The state shows the seq of the last event.
      world.players.setChangedSeq(playerNumber, entrySeq);
    }
    if (audience.world) {
      eventLog.append(WORLD_TOPIC, entrySeq, nowMs, playerNumber);
      this.receivers.push(WORLD_TOPIC);
    }
    if (audience.openWorld) {
      eventLog.append(OPEN_WORLD_TOPIC, entrySeq, nowMs, playerNumber);
      this.receivers.push(OPEN_WORLD_TOPIC);
    }
  }
}

/** The event that was written last, as a value. */
function lastWritten(world: RecordedWorld, playerNumber: number): WorldEvent {
  const { numbers, end } = world.eventLog.numbers;
  const bytes = new Uint8Array(RECORD_BYTES_MAX);
  writeCounts(bytes, 0, numbers, HEAD_NUMBERS, end);
  return readFields(new ByteReader(bytes, 0), world, world.nowMs, playerNumber);
}
