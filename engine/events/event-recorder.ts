// Records what the entry being applied causes: keeps each event for its receivers, and lists it for a replay that asks for them.
import { sum } from '../arithmetic.js';
import type { SightOfFleet } from '../sight.js';
import type { Fleet, World } from '../state.js';
import { ByteReader, writeCounts } from './byte-cursor.js';
import {
  codeOf,
  EventFields,
  readFields,
  type WrittenEvent,
  writeBuilding,
  writeFields,
  writeFleet,
  writeIncoming,
  writeInstantOrNull,
  writeResearch,
  writeShips,
} from './event-codec.js';
import { HEAD_NUMBERS } from './event-numbers.js';
import { RECORD_BYTES_MAX } from './event-record.js';
import type { WorldEvent } from './kinds.js';
import { AUDIENCES, type Audience, OPEN_WORLD_TOPIC, WORLD_TOPIC } from './receivers.js';

const BUILDING_STARTED = codeOf('building_started');
const BUILDING_COMPLETED = codeOf('building_completed');
const SHIPS_ORDERED = codeOf('ships_ordered');
const SHIPS_COMPLETED = codeOf('ships_completed');
const RESEARCH_STARTED = codeOf('research_started');
const RESEARCH_COMPLETED = codeOf('research_completed');
const FLEET_LAUNCHED = codeOf('fleet_launched');
const INCOMING_FLEET = codeOf('incoming_fleet');

export class EventRecorder {
  /** Receivers of the events of the last entry, in order and with repeats. */
  readonly receivers: number[] = [];
  #list: WorldEvent[] | null = null;

  constructor(private readonly world: World) {}

  /**
   * Begins an entry.
   *
   * @param list receives its events; null if nobody asks for them
   */
  begin(list: WorldEvent[] | null): void {
    // For a few receivers this is faster than to set the length.
    while (this.receivers.length > 0) this.receivers.pop();
    this.#list = list;
  }

  // What bots cause all the time has a method for each kind: no object of the event is made, and nothing is looked up by its kind.

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
    numbers.begin(BUILDING_STARTED);
    writeBuilding(numbers, planetKey, queueNumber, buildingType, targetLevel);
    numbers.count(finishAtMs - world.nowMs);
    this.#keep(AUDIENCES.building_started, playerNumber);
  }

  buildingCompleted(
    playerNumber: number,
    planetKey: number,
    queueNumber: number,
    buildingType: number,
    level: number,
  ): void {
    const { numbers } = this.world.eventLog;
    numbers.begin(BUILDING_COMPLETED);
    writeBuilding(numbers, planetKey, queueNumber, buildingType, level);
    this.#keep(AUDIENCES.building_completed, playerNumber);
  }

  shipsOrdered(playerNumber: number, planetKey: number, shipType: number, count: number, finishAtMs: number): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(SHIPS_ORDERED);
    writeShips(numbers, planetKey, shipType, count);
    numbers.count(finishAtMs - world.nowMs);
    this.#keep(AUDIENCES.ships_ordered, playerNumber);
  }

  shipsCompleted(playerNumber: number, planetKey: number, shipType: number, count: number): void {
    const { numbers } = this.world.eventLog;
    numbers.begin(SHIPS_COMPLETED);
    writeShips(numbers, planetKey, shipType, count);
    this.#keep(AUDIENCES.ships_completed, playerNumber);
  }

  researchStarted(playerNumber: number, researchType: number, targetLevel: number, finishAtMs: number): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(RESEARCH_STARTED);
    writeResearch(numbers, researchType, targetLevel);
    numbers.count(finishAtMs - world.nowMs);
    this.#keep(AUDIENCES.research_started, playerNumber);
  }

  researchCompleted(playerNumber: number, researchType: number, level: number): void {
    const { numbers } = this.world.eventLog;
    numbers.begin(RESEARCH_COMPLETED);
    writeResearch(numbers, researchType, level);
    this.#keep(AUDIENCES.research_completed, playerNumber);
  }

  fleetLaunched(fleet: Fleet): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(FLEET_LAUNCHED);
    writeFleet(numbers, fleet.number, fleet.mission, fleet.originKey, fleet.targetKey);
    numbers.sparse(fleet.ships);
    numbers.list(fleet.cargo);
    numbers.count(fleet.h2Cost);
    numbers.count(fleet.arrivesAtMs - world.nowMs);
    writeInstantOrNull(numbers, world.nowMs, fleet.returnsAtMs);
    this.#keep(AUDIENCES.fleet_launched, fleet.owner.number);
  }

  /** @param sees what the player may see of the fleet */
  incomingFleet(playerNumber: number, fleet: Fleet, sees: SightOfFleet): void {
    const { world } = this;
    const { numbers } = world.eventLog;
    numbers.begin(INCOMING_FLEET);
    writeIncoming(numbers, fleet.number, fleet.originKey, fleet.targetKey, fleet.owner.number);
    numbers.countOrNull(sees.mission ? fleet.mission : null);
    numbers.countOrNull(sees.mission ? sum(fleet.ships) : null);
    numbers.sparseOrNull(sees.types ? fleet.ships : null);
    numbers.count(fleet.arrivesAtMs - world.nowMs);
    this.#keep(AUDIENCES.incoming_fleet, playerNumber);
  }

  /** @param event may hold lists that change afterwards */
  push(event: WrittenEvent): void {
    writeFields(this.world.eventLog.numbers, event);
    this.#keep(AUDIENCES[event.kind], event.playerNumber);
  }

  /** Drops the events of a player that no longer exists, and wakes its readers, so that they end. */
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
      world.playerChangedSeqs.set(playerNumber, entrySeq);
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
function lastWritten(world: World, playerNumber: number): WorldEvent {
  const { numbers, end } = world.eventLog.numbers;
  const bytes = new Uint8Array(RECORD_BYTES_MAX);
  writeCounts(bytes, 0, numbers, HEAD_NUMBERS, end);
  return readFields(new EventFields(new ByteReader(bytes, 0), world), world.nowMs, playerNumber);
}
