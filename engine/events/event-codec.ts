// The kinds of events as bytes: the number of each kind, and how its fields are written and read. The numbers are in snapshots on disk,
// and are never reused.
import { MISSIONS } from '../missions/names.js';
import { BLOCK_REASONS, type BlockReason } from '../plans/block-reason.js';
import { isStep, type PackedStep } from '../plans/plan-step.js';
import type { CombatOutcome } from '../reports.js';
import { type Amounts, CARGO_RESOURCE_COUNT, RESOURCES } from '../resources.js';
import { PLANETS_PER_PLAYER_MAX } from '../rules/limits.js';
import type { World } from '../state.js';
import type { ByteReader } from './byte-cursor.js';
import type { EventNumbers } from './event-numbers.js';
import type { EventKind, FleetEventHead, IncomingFleetHead, WorldEvent } from './kinds.js';

type EventOf<Kind extends EventKind> = Extract<WorldEvent, { readonly kind: Kind }>;
/** The fields of an event besides those of every event. */
type FieldsOf<Kind extends EventKind> = Omit<EventOf<Kind>, 'kind' | 'atMs' | 'playerNumber'>;

/** The kinds that bots cause all the time. EventRecorder has a method for each, which writes its fields. */
type FrequentKind =
  | 'building_started'
  | 'building_completed'
  | 'ships_ordered'
  | 'ships_completed'
  | 'research_started'
  | 'research_completed'
  | 'fleet_launched'
  | 'incoming_fleet';
type OtherKind = Exclude<EventKind, FrequentKind>;
/** An event of any other kind: it is written from its value. */
export type WrittenEvent = EventOf<OtherKind>;

interface KindReader<Kind extends EventKind> {
  readonly code: number;
  /** @param atMs of the event; instants are kept relative to it */
  read(from: EventFields, atMs: number): FieldsOf<Kind>;
}

interface KindCodec<Kind extends EventKind> extends KindReader<Kind> {
  write(to: EventNumbers, event: EventOf<Kind>): void;
}

type Codecs = { readonly [Kind in FrequentKind]: KindReader<Kind> } & {
  readonly [Kind in OtherKind]: KindCodec<Kind>;
};

/** Reads the fields of an event, and refuses what the world cannot have. */
export class EventFields {
  constructor(
    readonly bytes: ByteReader,
    private readonly world: World,
  ) {}

  planet(): number {
    const key = this.bytes.count();
    if (!this.world.universe.holds(key)) throw new RangeError(`the universe has no planet ${key}`);
    return key;
  }

  planets(): number[] {
    return Array.from({ length: this.#below('planet list', PLANETS_PER_PLAYER_MAX + 1) }, () => this.planet());
  }

  player(): number {
    return this.#below('player', this.world.lastPlayerNumber + 1, 1);
  }

  building(): number {
    return this.#below('building', this.world.rules.buildings.length);
  }

  ship(): number {
    return this.#below('ship', this.world.rules.ships.length);
  }

  research(): number {
    return this.#below('research', this.world.rules.research.length);
  }

  mission(): number {
    return this.#below('mission', MISSIONS.length);
  }

  missionOrNull(): number | null {
    const shifted = this.#below('mission', MISSIONS.length + 1);
    return shifted === 0 ? null : shifted - 1;
  }

  outcome(): CombatOutcome {
    return OUTCOMES[this.#below('outcome', OUTCOMES.length)] as CombatOutcome;
  }

  step(): PackedStep {
    const step = this.bytes.count();
    if (!isStep(this.world.rules, step)) throw new RangeError(`the rules have no step ${step}`);
    return step;
  }

  blockReason(): BlockReason {
    return BLOCK_REASONS[this.#below('reason', BLOCK_REASONS.length)] as BlockReason;
  }

  /** Counts by ship type, of the types that there were then. */
  ships(): number[] {
    return this.bytes.sparse(this.world.rules.ships.length);
  }

  shipsOrNull(): number[] | null {
    return this.bytes.sparseOrNull(this.world.rules.ships.length);
  }

  buildingsOrNull(): number[] | null {
    return this.bytes.sparseOrNull(this.world.rules.buildings.length);
  }

  cargo(): number[] {
    return exactly(CARGO_RESOURCE_COUNT, this.bytes.list());
  }

  amounts(): Amounts {
    return exactly(RESOURCES.length, this.bytes.list()) as readonly number[] as Amounts;
  }

  #below(name: string, end: number, lowest = 0): number {
    const value = this.bytes.count();
    if (value < lowest || value >= end) throw new RangeError(`there is no ${name} ${value}`);
    return value;
  }
}

function exactly(length: number, values: number[]): number[] {
  if (values.length !== length) throw new RangeError(`a list of an event has ${values.length} values, not ${length}`);
  return values;
}

const OUTCOMES: readonly CombatOutcome[] = ['attacker_won', 'defender_won', 'draw'];

function writeNewPlayer(to: EventNumbers, { name, isBot, planetKey }: FieldsOf<'player_created'>): void {
  to.text(name);
  to.flag(isBot);
  to.count(planetKey);
}

function readNewPlayer(from: EventFields): FieldsOf<'player_created'> {
  return { name: from.bytes.text(), isBot: from.bytes.flag(), planetKey: from.planet() };
}

function writeBlocked(to: EventNumbers, { planetKey, step, reason }: FieldsOf<'plan_step_blocked'>): void {
  to.count(planetKey);
  to.count(step);
  to.count(BLOCK_REASONS.indexOf(reason));
}

function readBlocked(from: EventFields): FieldsOf<'plan_step_blocked'> {
  return { planetKey: from.planet(), step: from.step(), reason: from.blockReason() };
}

/** The fields that events of buildings begin with. */
export function writeBuilding(
  to: EventNumbers,
  planetKey: number,
  queueNumber: number,
  buildingType: number,
  level: number,
): void {
  to.count(planetKey);
  to.count(queueNumber);
  to.count(buildingType);
  to.count(level);
}

/** The fields that events of ships on a planet begin with. */
export function writeShips(to: EventNumbers, planetKey: number, shipType: number, count: number): void {
  to.count(planetKey);
  to.count(shipType);
  to.count(count);
}

function readShips(from: EventFields): FieldsOf<'ships_completed'> {
  return { planetKey: from.planet(), shipType: from.ship(), count: from.bytes.count() };
}

/** The fields that events of research begin with. */
export function writeResearch(to: EventNumbers, researchType: number, level: number): void {
  to.count(researchType);
  to.count(level);
}

/** The fields that events of a fleet begin with. */
export function writeFleet(
  to: EventNumbers,
  fleetNumber: number,
  mission: number,
  originKey: number,
  targetKey: number,
): void {
  to.count(fleetNumber);
  to.count(mission);
  to.count(originKey);
  to.count(targetKey);
}

function writeFleetOf(to: EventNumbers, { fleetNumber, mission, originKey, targetKey }: FleetEventHead): void {
  writeFleet(to, fleetNumber, mission, originKey, targetKey);
}

function readFleet(from: EventFields): Omit<FleetEventHead, 'atMs' | 'playerNumber'> {
  const fleetNumber = from.bytes.count();
  return { fleetNumber, mission: from.mission(), originKey: from.planet(), targetKey: from.planet() };
}

/** The fields that events of incoming fleets begin with. */
export function writeIncoming(
  to: EventNumbers,
  fleetNumber: number,
  originKey: number,
  targetKey: number,
  senderNumber: number,
): void {
  to.count(fleetNumber);
  to.count(originKey);
  to.count(targetKey);
  to.count(senderNumber);
}

function readIncoming(from: EventFields): Omit<IncomingFleetHead, 'atMs' | 'playerNumber'> {
  const fleetNumber = from.bytes.count();
  return { fleetNumber, originKey: from.planet(), targetKey: from.planet(), senderNumber: from.player() };
}

/** An instant at or after that of the event, or null. */
export function writeInstantOrNull(to: EventNumbers, atMs: number, instantMs: number | null): void {
  to.countOrNull(instantMs === null ? null : instantMs - atMs);
}

function readInstantOrNull(from: EventFields, atMs: number): number | null {
  const delayMs = from.bytes.countOrNull();
  return delayMs === null ? null : atMs + delayMs;
}

const CODECS: Codecs = {
  player_created: { code: 1, write: writeNewPlayer, read: readNewPlayer },
  building_started: {
    code: 2,
    read: (from, atMs) => ({
      planetKey: from.planet(),
      queueNumber: from.bytes.count(),
      buildingType: from.building(),
      targetLevel: from.bytes.count(),
      finishAtMs: atMs + from.bytes.count(),
    }),
  },
  building_completed: {
    code: 3,
    read: (from) => ({
      planetKey: from.planet(),
      queueNumber: from.bytes.count(),
      buildingType: from.building(),
      level: from.bytes.count(),
    }),
  },
  building_cancelled: {
    code: 4,
    write(to, { planetKey, queueNumber, buildingType, targetLevel, refund }) {
      writeBuilding(to, planetKey, queueNumber, buildingType, targetLevel);
      to.list(refund);
    },
    read: (from) => ({
      planetKey: from.planet(),
      queueNumber: from.bytes.count(),
      buildingType: from.building(),
      targetLevel: from.bytes.count(),
      refund: from.amounts(),
    }),
  },
  ships_ordered: {
    code: 5,
    read: (from, atMs) => ({
      planetKey: from.planet(),
      shipType: from.ship(),
      count: from.bytes.count(),
      finishAtMs: atMs + from.bytes.count(),
    }),
  },
  ships_completed: { code: 6, read: readShips },
  ships_cancelled: {
    code: 7,
    write(to, { planetKey, shipType, count }) {
      writeShips(to, planetKey, shipType, count);
    },
    read: readShips,
  },
  research_started: {
    code: 8,
    read: (from, atMs) => ({
      researchType: from.research(),
      targetLevel: from.bytes.count(),
      finishAtMs: atMs + from.bytes.count(),
    }),
  },
  research_completed: {
    code: 9,
    read: (from) => ({ researchType: from.research(), level: from.bytes.count() }),
  },
  fleet_launched: {
    code: 10,
    read: (from, atMs) => ({
      ...readFleet(from),
      ships: from.ships(),
      cargo: from.cargo(),
      h2Cost: from.bytes.count(),
      arrivesAtMs: atMs + from.bytes.count(),
      returnsAtMs: readInstantOrNull(from, atMs),
    }),
  },
  fleet_arrived: {
    code: 11,
    write(to, event) {
      writeFleetOf(to, event);
      to.sparse(event.ships);
      to.list(event.cargo);
      writeInstantOrNull(to, event.atMs, event.returnsAtMs);
    },
    read: (from, atMs) => ({
      ...readFleet(from),
      ships: from.ships(),
      cargo: from.cargo(),
      returnsAtMs: readInstantOrNull(from, atMs),
    }),
  },
  fleet_recalled: {
    code: 12,
    write(to, event) {
      writeFleetOf(to, event);
      to.count(event.returnsAtMs - event.atMs);
    },
    read: (from, atMs) => ({ ...readFleet(from), returnsAtMs: atMs + from.bytes.count() }),
  },
  fleet_returned: {
    code: 13,
    write(to, event) {
      writeFleetOf(to, event);
      to.sparse(event.ships);
      to.list(event.cargo);
    },
    read: (from) => ({ ...readFleet(from), ships: from.ships(), cargo: from.cargo() }),
  },
  fleet_destroyed: { code: 14, write: writeFleetOf, read: readFleet },
  incoming_fleet: {
    code: 15,
    read: (from, atMs) => ({
      ...readIncoming(from),
      mission: from.missionOrNull(),
      shipCount: from.bytes.countOrNull(),
      ships: from.shipsOrNull(),
      arrivesAtMs: atMs + from.bytes.count(),
    }),
  },
  incoming_fleet_gone: {
    code: 16,
    write(to, { fleetNumber, originKey, targetKey, senderNumber }) {
      writeIncoming(to, fleetNumber, originKey, targetKey, senderNumber);
    },
    read: readIncoming,
  },
  combat_report: {
    code: 17,
    write(to, event) {
      to.count(event.fleetNumber);
      to.count(event.reportNumber);
      to.count(event.planetKey);
      to.count(event.attackerNumber);
      to.count(event.defenderNumber);
      to.count(OUTCOMES.indexOf(event.outcome));
      to.sparse(event.attackerLost);
      to.sparse(event.defenderLost);
      to.list(event.loot);
    },
    read: (from) => ({
      fleetNumber: from.bytes.count(),
      reportNumber: from.bytes.count(),
      planetKey: from.planet(),
      attackerNumber: from.player(),
      defenderNumber: from.player(),
      outcome: from.outcome(),
      attackerLost: from.ships(),
      defenderLost: from.ships(),
      loot: from.cargo(),
    }),
  },
  espionage_report: {
    code: 18,
    write(to, event) {
      to.count(event.fleetNumber);
      to.count(event.reportNumber);
      to.count(event.planetKey);
      to.count(event.defenderNumber);
      to.list(event.stocks);
      to.sparseOrNull(event.ships);
      to.sparseOrNull(event.buildings);
    },
    read: (from) => ({
      fleetNumber: from.bytes.count(),
      reportNumber: from.bytes.count(),
      planetKey: from.planet(),
      defenderNumber: from.player(),
      stocks: from.amounts(),
      ships: from.shipsOrNull(),
      buildings: from.buildingsOrNull(),
    }),
  },
  espionage_detected: {
    code: 19,
    write(to, event) {
      to.count(event.fleetNumber);
      to.count(event.reportNumber);
      to.count(event.planetKey);
      to.count(event.attackerNumber);
      to.count(event.scouts);
    },
    read: (from) => ({
      fleetNumber: from.bytes.count(),
      reportNumber: from.bytes.count(),
      planetKey: from.planet(),
      attackerNumber: from.player(),
      scouts: from.bytes.count(),
    }),
  },
  resources_received: {
    code: 20,
    write(to, event) {
      to.count(event.planetKey);
      to.count(event.fleetNumber);
      to.count(event.senderNumber);
      to.list(event.amounts);
    },
    read: (from) => ({
      planetKey: from.planet(),
      fleetNumber: from.bytes.count(),
      senderNumber: from.player(),
      amounts: from.cargo(),
    }),
  },
  planet_colonized: {
    code: 21,
    write(to, event) {
      to.count(event.planetKey);
      to.countOrNull(event.fleetNumber);
    },
    read: (from) => ({ planetKey: from.planet(), fleetNumber: from.bytes.countOrNull() }),
  },
  colonization_failed: {
    code: 22,
    write(to, event) {
      writeFleetOf(to, event);
      to.flag(event.reason === 'planet_limit');
      to.count(event.returnsAtMs - event.atMs);
    },
    read: (from, atMs) => ({
      ...readFleet(from),
      reason: from.bytes.flag() ? 'planet_limit' : 'planet_occupied',
      returnsAtMs: atMs + from.bytes.count(),
    }),
  },
  resources_granted: {
    code: 23,
    write(to, event) {
      to.count(event.planetKey);
      to.list(event.amounts);
    },
    read: (from) => ({ planetKey: from.planet(), amounts: from.amounts() }),
  },
  key_rotated: {
    code: 24,
    write(to, event) {
      writeInstantOrNull(to, event.atMs, event.expiresAtMs);
      writeInstantOrNull(to, event.atMs, event.oldKeyUntilMs);
    },
    read: (from, atMs) => ({
      expiresAtMs: readInstantOrNull(from, atMs),
      oldKeyUntilMs: readInstantOrNull(from, atMs),
    }),
  },
  keys_revoked: { code: 25, write() {}, read: () => ({}) },
  player_joined: { code: 26, write: writeNewPlayer, read: readNewPlayer },
  battle: {
    code: 27,
    write(to, event) {
      to.count(event.fleetNumber);
      to.count(event.planetKey);
      to.count(event.defenderNumber);
      to.count(OUTCOMES.indexOf(event.outcome));
      to.count(event.rounds);
      to.count(event.attackerLostCount);
      to.count(event.defenderLostCount);
    },
    read: (from) => ({
      fleetNumber: from.bytes.count(),
      planetKey: from.planet(),
      defenderNumber: from.player(),
      outcome: from.outcome(),
      rounds: from.bytes.count(),
      attackerLostCount: from.bytes.count(),
      defenderLostCount: from.bytes.count(),
    }),
  },
  player_retired: {
    code: 28,
    write(to, event) {
      to.text(event.name);
      to.list(event.planetKeys);
    },
    read: (from) => ({ name: from.bytes.text(), planetKeys: from.planets() }),
  },
  plan_step_started: {
    code: 29,
    write(to, event) {
      to.count(event.planetKey);
      to.count(event.step);
      to.count(event.stepsLeft);
    },
    read: (from) => ({ planetKey: from.planet(), step: from.step(), stepsLeft: from.bytes.count() }),
  },
  plan_step_skipped: {
    code: 30,
    write(to, event) {
      writeBlocked(to, event);
      to.count(event.stepsLeft);
    },
    read: (from) => ({ ...readBlocked(from), stepsLeft: from.bytes.count() }),
  },
  plan_step_blocked: { code: 31, write: writeBlocked, read: readBlocked },
  plan_completed: {
    code: 32,
    write(to, event) {
      to.count(event.planetKey);
    },
    read: (from) => ({ planetKey: from.planet() }),
  },
  attack_turned_away: {
    code: 33,
    write(to, event) {
      writeFleetOf(to, event);
      to.count(event.defenderNumber);
      to.count(event.protectedUntilMs - event.atMs);
      to.count(event.returnsAtMs - event.atMs);
    },
    read: (from, atMs) => ({
      ...readFleet(from),
      defenderNumber: from.player(),
      protectedUntilMs: atMs + from.bytes.count(),
      returnsAtMs: atMs + from.bytes.count(),
    }),
  },
};

/** The kind of each number. */
const KINDS_BY_CODE: (EventKind | undefined)[] = [];
for (const [kind, { code }] of Object.entries(CODECS)) {
  if (KINDS_BY_CODE[code] !== undefined) throw new Error(`two kinds of events have the number ${code}`);
  KINDS_BY_CODE[code] = kind as EventKind;
}

/** The number of a kind. */
export function codeOf(kind: EventKind): number {
  return CODECS[kind].code;
}

// The table maps each kind to its own codec; TypeScript cannot infer that through the union.
const READERS = CODECS as unknown as Readonly<Record<EventKind, KindReader<EventKind>>>;
const WRITERS = CODECS as unknown as Readonly<Record<OtherKind, KindCodec<OtherKind>>>;

/** Writes the kind of an event and its fields, without its time and its player. */
export function writeFields(to: EventNumbers, event: WrittenEvent): void {
  const codec = WRITERS[event.kind];
  to.begin(codec.code);
  codec.write(to, event);
}

/** Reads the kind of an event and its fields. @throws RangeError if the world cannot have such an event */
export function readFields(from: EventFields, atMs: number, playerNumber: number): WorldEvent {
  const kind = KINDS_BY_CODE[from.bytes.count()];
  if (kind === undefined) throw new RangeError('there is no such kind of event');
  return { kind, atMs, playerNumber, ...READERS[kind].read(from, atMs) } as WorldEvent;
}
