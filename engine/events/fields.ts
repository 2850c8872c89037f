// The types of fields that events have: how a value is kept, and which values a world can have. A kind of event lists its fields by the
// names of these types (kinds.ts). How a value is written is part of snapshots on disk, and never changes.
import type { PlanetKey, Universe } from '../map/universe.js';
import { PLANETS_PER_PLAYER_MAX } from '../rules/limits.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import { SHOCK_EFFECTS } from '../rules/shock-effects.js';
import type { Lot } from '../terms/lots.js';
import { MISSIONS } from '../terms/missions.js';
import { PACT_CHANGES, PACT_ENDINGS, PACT_KINDS, type PactChange, type PactEnding } from '../terms/pacts.js';
import { BLOCK_REASONS, type BlockReason, type PackedStep, requireStep } from '../terms/plan-step.js';
import { COMBAT_OUTCOMES, type CombatOutcome } from '../terms/reports.js';
import type { ByteReader, EventNumbers } from './event-bytes.js';

/** The value of a field of each type. */
export interface FieldValues {
  /** Any whole number that is not negative. */
  readonly count: number;
  readonly countOrNull: number | null;
  readonly flag: boolean;
  readonly text: string;
  readonly planet: PlanetKey;
  readonly planets: readonly PlanetKey[];
  readonly player: number;
  readonly playerOrNull: number | null;
  // Positions in the world's rules.
  readonly building: number;
  readonly ship: number;
  readonly research: number;
  /** Index into MISSIONS. */
  readonly mission: number;
  readonly missionOrNull: number | null;
  /** Index into PACT_KINDS. */
  readonly pactKind: number;
  readonly pactChange: PactChange;
  readonly pactEnding: PactEnding;
  /** Index into SHOCK_EFFECTS. */
  readonly shockEffect: number;
  readonly resourceOrNull: number | null;
  readonly outcome: CombatOutcome;
  readonly step: PackedStep;
  readonly blockReason: BlockReason;
  /** Units of one shippable resource. */
  readonly lot: Lot;
  readonly offerEnd: OfferEnd;
  readonly colonizationObstacle: (typeof COLONIZATION_OBSTACLES)[number];
  /** Counts by ship type. */
  readonly ships: readonly number[];
  readonly shipsOrNull: readonly number[] | null;
  /** Levels by building type. */
  readonly buildingsOrNull: readonly number[] | null;
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
  /** Whole units in the order of RESOURCES. */
  readonly amounts: readonly number[];
  /** World time in milliseconds, not before that of the event. */
  readonly instant: number;
  readonly instantOrNull: number | null;
}

export type FieldTypeName = keyof FieldValues;

/** What values of fields refer to. */
export interface EventWorld {
  readonly universe: Universe;
  readonly rules: Rules;
  readonly lastPlayerNumber: number;
}

/** How values of a type are kept. Instants are kept relative to the time of their event. */
export interface FieldType<Value> {
  write(to: EventNumbers, value: Value, atMs: number): void;
  /** @throws Error if the world cannot have such a value */
  read(from: ByteReader, world: EventWorld, atMs: number): Value;
}

/** Why an offer ended that nobody took. */
export const OFFER_ENDS = ['withdrawn', 'expired', 'addressee_retired', 'raided'] as const;
export type OfferEnd = (typeof OFFER_ENDS)[number];

const COLONIZATION_OBSTACLES = ['planet_occupied', 'planet_limit'] as const;

export const FIELD_TYPES: { readonly [Name in FieldTypeName]: FieldType<FieldValues[Name]> } = {
  count: {
    write: (to, value) => to.count(value),
    read: (from) => from.count(),
  },
  countOrNull: {
    write: (to, value) => to.countOrNull(value),
    read: (from) => from.countOrNull(),
  },
  flag: {
    write: (to, value) => to.flag(value),
    read: (from) => from.flag(),
  },
  text: {
    write: (to, value) => to.text(value),
    read: (from) => from.text(),
  },
  planet: {
    write: (to, value) => to.count(value),
    read: readPlanet,
  },
  planets: {
    write: (to, value) => to.list(value),
    read: (from, world) =>
      Array.from({ length: below(from, 'planet list', PLANETS_PER_PLAYER_MAX + 1) }, () => readPlanet(from, world)),
  },
  player: {
    write: (to, value) => to.count(value),
    read: (from, world) => readPlayerNumber(from, world),
  },
  playerOrNull: {
    write: (to, value) => to.countOrNull(value),
    read: (from, world) => {
      const shifted = below(from, 'player', world.lastPlayerNumber + 2);
      return shifted === 0 ? null : shifted - 1;
    },
  },
  building: position('building', ({ buildings }) => buildings),
  ship: position('ship', ({ ships }) => ships),
  research: position('research', ({ research }) => research),
  mission: position('mission', () => MISSIONS),
  missionOrNull: positionOrNull('mission', MISSIONS),
  pactKind: position('kind of pact', () => PACT_KINDS),
  pactChange: oneOf('change of a pact', PACT_CHANGES),
  pactEnding: oneOf('reason', PACT_ENDINGS),
  shockEffect: position('effect of a shock', () => SHOCK_EFFECTS),
  resourceOrNull: positionOrNull('resource', RESOURCES),
  outcome: oneOf('outcome', COMBAT_OUTCOMES),
  step: {
    write: (to, value) => to.count(value),
    read: (from, world) => {
      const step = from.count();
      requireStep(world, step);
      return step;
    },
  },
  blockReason: oneOf('reason', BLOCK_REASONS),
  lot: {
    write: (to, { resource, units }) => {
      to.count(resource);
      to.count(units);
    },
    read: (from) => ({ resource: below(from, 'resource', CARGO_RESOURCE_COUNT), units: from.count() }),
  },
  offerEnd: oneOf('reason', OFFER_ENDS),
  colonizationObstacle: oneOf('reason', COLONIZATION_OBSTACLES),
  // Rules may have got more types of ships and buildings since the event.
  ships: {
    write: (to, value) => to.sparse(value),
    read: (from, { rules }) => from.sparse(rules.ships.length),
  },
  shipsOrNull: {
    write: (to, value) => to.sparseOrNull(value),
    read: (from, { rules }) => from.sparseOrNull(rules.ships.length),
  },
  buildingsOrNull: {
    write: (to, value) => to.sparseOrNull(value),
    read: (from, { rules }) => from.sparseOrNull(rules.buildings.length),
  },
  cargo: {
    write: (to, value) => to.list(value),
    read: (from) => exactly(CARGO_RESOURCE_COUNT, from.list()),
  },
  amounts: {
    write: (to, value) => to.list(value),
    read: (from) => exactly(RESOURCES.length, from.list()),
  },
  instant: {
    write: (to, value, atMs) => to.count(value - atMs),
    read: (from, _world, atMs) => atMs + from.count(),
  },
  instantOrNull: {
    write: writeInstantOrNull,
    read: (from, _world, atMs) => {
      const delayMs = from.countOrNull();
      return delayMs === null ? null : atMs + delayMs;
    },
  },
};

/** Writes an instant at or after that of its event, or null. */
export function writeInstantOrNull(to: EventNumbers, instantMs: number | null, atMs: number): void {
  to.countOrNull(instantMs === null ? null : instantMs - atMs);
}

/** @throws RangeError if the world has had no such player */
/** The player whom an event is about; 0 for nobody. */
export function readSubject(from: ByteReader, { lastPlayerNumber }: EventWorld): number {
  return below(from, 'player', lastPlayerNumber + 1);
}

function readPlayerNumber(from: ByteReader, { lastPlayerNumber }: EventWorld): number {
  return below(from, 'player', lastPlayerNumber + 1, 1);
}

function readPlanet(from: ByteReader, { universe }: EventWorld): PlanetKey {
  const key = from.count();
  if (!universe.holds(key)) throw new RangeError(`the universe has no planet ${key}`);
  return key;
}

/** A position in a list of the rules. */
function position(name: string, list: (rules: Rules) => readonly unknown[]): FieldType<number> {
  return {
    write: (to, value) => to.count(value),
    read: (from, { rules }) => below(from, name, list(rules).length),
  };
}

/** A position in a list that never changes, or null. */
function positionOrNull(name: string, list: readonly unknown[]): FieldType<number | null> {
  return {
    write: (to, value) => to.countOrNull(value),
    read: (from) => {
      const shifted = below(from, name, list.length + 1);
      return shifted === 0 ? null : shifted - 1;
    },
  };
}

/** One of a few values, kept as its position: a later version only appends to them. */
function oneOf<Value extends string>(name: string, values: readonly Value[]): FieldType<Value> {
  return {
    write: (to, value) => to.count(values.indexOf(value)),
    read: (from) => values[below(from, name, values.length)] as Value,
  };
}

function below(from: ByteReader, name: string, end: number, lowest = 0): number {
  const value = from.count();
  if (value < lowest || value >= end) throw new RangeError(`there is no ${name} ${value}`);
  return value;
}

function exactly(length: number, values: number[]): number[] {
  if (values.length !== length) throw new RangeError(`a list of an event has ${values.length} values, not ${length}`);
  return values;
}
