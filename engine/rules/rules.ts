// A rule set compiled for the engine: types are positions in its lists, and costs and outputs by level are dense
// tables, computed once with exact integers. There are no floating-point powers at run time.

import { multiplyDivideFloor, sum } from '../numbers/arithmetic.js';
import { BUILDING_LEVEL_MAX, PLANETS_PER_PLAYER_MAX, RESEARCH_LEVEL_MAX } from './limits.js';
import {
  type CompiledColonies,
  type CompiledDeliveries,
  type CompiledEffects,
  type CompiledFields,
  type CompiledMarket,
  type CompiledPacts,
  type CompiledRichness,
  type CompiledShocks,
  type CompiledSight,
  type CompiledWar,
  compileColonies,
  compileDeliveries,
  compileEffects,
  compileFields,
  compileMarket,
  compilePacts,
  compileRichness,
  compileShocks,
  compileSight,
  compileWar,
  type Researcher,
  sumOfEffects,
} from './parts.js';
import { type Amounts, ENERGY, RESOURCES } from './resources.js';
import {
  type BuildingRule,
  type DriveRule,
  type Fraction,
  type MessageRules,
  type PlanRules,
  type PointsRules,
  positionOf,
  type ResearchRule,
  type RuleSet,
  ruleSetText,
  type ShipRule,
  type SupportRules,
} from './rule-set.js';
import { rulesVersionOf } from './rules-version.js';

/** Seconds that level 1 of a building takes (specification, section 5). */
const BUILDING_SECONDS_FACTOR = 60;
/** Seconds that level 1 of a research takes (specification, section 5). */
const RESEARCH_SECONDS_FACTOR = 120;
/** Each shipyard level shortens the build time to 9/10 of that of the level below (specification, section 5). */
const SHIPYARD_SPEEDUP = { numerator: 9, denominator: 10 };

const LEVELS: readonly number[] = Array.from({ length: BUILDING_LEVEL_MAX + 1 }, (_, level) => level);

/** A drive with the position of its research; -1 if every player has it. */
export type CompiledDrive = Omit<DriveRule, 'research'> & { readonly research: number };

/** A building that produces a resource, with its units an hour by level. */
export interface Producer {
  readonly type: number;
  readonly unitsPerHour: readonly number[];
}

interface BigFraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export class Rules {
  /** Text of the rule set; see ruleSetText(). */
  readonly text: string;
  readonly buildings: readonly BuildingRule[];
  readonly ships: readonly ShipRule[];
  readonly drives: readonly CompiledDrive[];
  readonly research: readonly ResearchRule[];
  // Position of the type in each role.
  readonly shipyard: number;
  readonly antiSpy: number;
  readonly planetaryShield: number;
  readonly scout: number;
  readonly colonyShip: number;
  readonly starterBuildings: readonly number[];
  readonly colonyBuildings: readonly number[];
  /** See rulesVersionOf(). */
  readonly version: number;
  // The optional parts; null if the rule set does not have them.
  readonly plans: PlanRules | null;
  readonly colonies: CompiledColonies | null;
  readonly deliveries: CompiledDeliveries | null;
  readonly richness: CompiledRichness | null;
  readonly sight: CompiledSight | null;
  readonly war: CompiledWar | null;
  readonly points: PointsRules | null;
  readonly fields: CompiledFields | null;
  readonly support: SupportRules | null;
  readonly messages: MessageRules | null;
  readonly market: CompiledMarket | null;
  readonly pacts: CompiledPacts | null;
  readonly shocks: CompiledShocks | null;
  readonly effects: CompiledEffects;
  /** Whether any research raises the output of planets. */
  readonly hasOutputEffects: boolean;
  /** Indexed by resource. Most resources have two producers: the zentrale and their own mine. */
  readonly producers: readonly (readonly Producer[])[];
  /** [type][level]: units of each resource to build that level; level 0 costs nothing. */
  readonly #buildingCost: readonly (readonly Amounts[])[];
  /** [type][level]: units of all resources together to build that level. */
  readonly #buildingPoints: readonly (readonly number[])[];
  /** [type][level]: units of all resources together to build that level and all below it. */
  readonly #buildingPointsThrough: readonly (readonly number[])[];
  /** [type][level]: units of each resource an hour at speed 1. */
  readonly #buildingOutput: readonly (readonly Amounts[])[];
  /** [type]: units of all resources together to build one. */
  readonly #shipPoints: readonly number[];

  /** @param set a valid rule set; see ruleSetFaults() */
  constructor(readonly set: RuleSet) {
    const { buildings, ships, drives, research, roles, starter, colony } = set;
    this.text = ruleSetText(set);
    this.buildings = buildings;
    this.ships = ships;
    this.research = research;
    this.drives = drives.map((drive) => ({
      ...drive,
      research: drive.research === null ? -1 : positionOf(research, drive.research),
    }));
    this.shipyard = positionOf(buildings, roles.shipyard);
    this.antiSpy = positionOf(buildings, roles.antiSpy);
    this.planetaryShield = positionOf(buildings, roles.planetaryShield);
    this.scout = positionOf(ships, roles.scout);
    this.colonyShip = positionOf(ships, roles.colonyShip);
    this.version = rulesVersionOf(set);
    this.plans = set.plans ?? null;
    this.colonies = compileColonies(set);
    this.deliveries = compileDeliveries(set);
    this.richness = compileRichness(set);
    this.sight = compileSight(set);
    this.war = compileWar(set);
    this.points = set.points ?? null;
    this.fields = compileFields(set);
    this.support = set.support ?? null;
    this.messages = set.messages ?? null;
    this.market = compileMarket(set);
    this.pacts = compilePacts(set);
    this.shocks = compileShocks(set);
    this.effects = compileEffects(set);
    this.hasOutputEffects = this.effects.output.some((terms) => terms.length > 0);
    this.starterBuildings = starter.buildings.map((type) => positionOf(buildings, type));
    this.colonyBuildings = colony.buildings.map((type) => positionOf(buildings, type));
    const costPowers = powersOf(set.costGrowth);
    this.#buildingCost = byLevel(buildings, ({ baseCost }, resource, level) =>
      level === 0 || (resource === ENERGY && level < set.energyCostFromLevel)
        ? 0
        : scaledFloor(at(baseCost, resource), at(costPowers, level - 1)),
    );
    this.#buildingPoints = this.#buildingCost.map((costs) => costs.map(sum));
    this.#buildingPointsThrough = this.#buildingPoints.map((points) =>
      LEVELS.map((level) => sum(points.slice(0, level + 1))),
    );
    const outputPowers = powersOf(set.outputGrowth);
    this.#buildingOutput = byLevel(buildings, ({ baseOutput }, resource, level) =>
      scaledFloor(at(baseOutput, resource) * level, at(outputPowers, level)),
    );
    this.#shipPoints = ships.map(({ cost }) => sum(cost));
    this.producers = RESOURCES.map((_, resource) =>
      buildings.flatMap(({ baseOutput }, type) =>
        baseOutput[resource] === 0
          ? []
          : [{ type, unitsPerHour: at(this.#buildingOutput, type).map((output) => at(output, resource)) }],
      ),
    );
  }

  /** baseTime x count x 0.9^(shipyardLevel-1), to the nearest millisecond at speed 1 (specification, section 5). */
  shipBaseMs(shipType: number, count: number, shipyardLevel: number): number {
    const { baseSeconds } = at(this.ships, shipType);
    // Rounds to the nearest, halves up: computes twice the time rounded down, adds 1 and halves.
    const doubledMs = multiplyFractionFloor(2 * baseSeconds * 1000 * count, at(SHIPYARD_FACTOR, shipyardLevel));
    return Math.floor((doubledMs + 1) / 2);
  }

  /** Cost in units of `count` ships of a type, in the order of RESOURCES. */
  shipCost(shipType: number, count: number): Amounts {
    const { cost } = at(this.ships, shipType);
    return [cost[0] * count, cost[1] * count, cost[2] * count, cost[3] * count, cost[4] * count];
  }

  /** Cost in units of `level` of a building type, in the order of RESOURCES. */
  buildingCost(buildingType: number, level: number): Amounts {
    return at(at(this.#buildingCost, buildingType), level);
  }

  /** Points of `level` of a building type: the units of all resources that this level costs. */
  buildingPoints(buildingType: number, level: number): number {
    return at(at(this.#buildingPoints, buildingType), level);
  }

  /** Points of a building at `level`: the units of all resources that its levels cost together. */
  buildingPointsThrough(buildingType: number, level: number): number {
    return at(at(this.#buildingPointsThrough, buildingType), level);
  }

  /** Points of a ship: the units of all resources that it costs. */
  shipPoints(shipType: number): number {
    return at(this.#shipPoints, shipType);
  }

  /** Units of each resource that a building produces in an hour at speed 1, in the order of RESOURCES. */
  buildingOutput(buildingType: number, level: number): Amounts {
    return at(at(this.#buildingOutput, buildingType), level);
  }

  /** Number of planets up to which the fleets of a player colonize. */
  planetsMaxOf(player: Researcher): number {
    if (this.colonies === null) return PLANETS_PER_PLAYER_MAX;
    const { research, planetsAtFirst, levelsPerPlanet } = this.colonies;
    const more = Math.floor(player.researchLevel(research) / levelsPerPlanet);
    return Math.min(planetsAtFirst + more, PLANETS_PER_PLAYER_MAX);
  }

  /** The level of a research that raises planetsMaxOf() next; null if none does. */
  planetsMaxRaisedBy(player: Researcher): ResearchGoal | null {
    if (this.colonies === null) return null;
    const { research, levelsPerPlanet } = this.colonies;
    const present = player.researchLevel(research);
    const level = present + levelsPerPlanet - (present % levelsPerPlanet);
    return level > RESEARCH_LEVEL_MAX ? null : { researchType: at(this.research, research).type, level };
  }

  /** Distance up to which the planets of a player see flights; 0 if they see none. */
  reachOf(player: Researcher): number {
    return this.sight === null ? 0 : player.researchLevel(this.sight.research) * this.sight.distancePerLevel;
  }

  /** What a player's research adds to its output of a resource, in per cent; 0 for none. */
  outputBonusOf(player: Researcher, resource: number): number {
    return sumOfEffects(at(this.effects.output, resource), player);
  }

  /** Attack of a player's ships and defences in per cent of that of their types. */
  attackPercentOf(player: Researcher): number {
    return 100 + sumOfEffects(this.effects.attack, player);
  }

  /** Hit points of a player's ships and defences in per cent of those of their types. */
  hitPointPercentOf(player: Researcher): number {
    return 100 + sumOfEffects(this.effects.hitPoints, player);
  }

  /** Cargo that a player's ships can hold in per cent of that of their types. */
  cargoPercentOf(player: Researcher): number {
    return 100 + sumOfEffects(this.effects.cargo, player);
  }

  /** Number of scouts that are added to those of a player's fleets, and of levels that are added to its anti_spy. */
  sightBonusOf(player: Researcher): number {
    return sumOfEffects(this.effects.sight, player);
  }
}

/** A level that a research must reach. */
export interface ResearchGoal {
  readonly researchType: string;
  readonly level: number;
}

/** (level + 1)^2 x 60 s, in milliseconds at speed 1 (specification, section 5). `level` is the current level. */
export function buildingBaseMs(level: number): number {
  return (level + 1) * (level + 1) * BUILDING_SECONDS_FACTOR * 1000;
}

/** (level + 1)^2 x 120 s, in milliseconds at speed 1 (specification, section 5). `level` is the current level. */
export function researchBaseMs(level: number): number {
  return (level + 1) * (level + 1) * RESEARCH_SECONDS_FACTOR * 1000;
}

/** growth^exponent as exact fractions, for exponents from 0 to BUILDING_LEVEL_MAX. */
function powersOf({ numerator, denominator }: Fraction): readonly BigFraction[] {
  const powers: BigFraction[] = [];
  let power: BigFraction = { top: 1n, bottom: 1n };
  for (let exponent = 0; exponent <= BUILDING_LEVEL_MAX; exponent += 1) {
    powers.push(power);
    power = { top: power.top * BigInt(numerator), bottom: power.bottom * BigInt(denominator) };
  }
  return powers;
}

/** 0.9^(level-1), by shipyard level; index 0 is unused. */
const SHIPYARD_FACTOR: readonly BigFraction[] = [{ top: 1n, bottom: 1n }, ...powersOf(SHIPYARD_SPEEDUP)];

/** floor(value x top / bottom), exact at any size. */
function scaledFloor(value: number, { top, bottom }: BigFraction): number {
  return value === 0 ? 0 : Number((BigInt(value) * top) / bottom);
}

/** floor(value x top / bottom), exact. Doubles suffice for most shipyards and are ten times as fast as BigInts. */
function multiplyFractionFloor(value: number, factor: BigFraction): number {
  const { top, bottom } = factor;
  if (bottom <= Number.MAX_SAFE_INTEGER) return multiplyDivideFloor(value, Number(top), Number(bottom));
  return scaledFloor(value, factor);
}

function byLevel(
  buildings: readonly BuildingRule[],
  amount: (building: BuildingRule, resource: number, level: number) => number,
): readonly (readonly Amounts[])[] {
  return buildings.map((building) =>
    LEVELS.map((level) => {
      const of = (resource: number): number => amount(building, resource, level);
      return [of(0), of(1), of(2), of(3), of(4)];
    }),
  );
}

/** @throws RangeError if there is no such row: an index that does not come from the rules is a broken invariant */
function at<T>(rows: readonly T[], index: number): T {
  const row = rows[index];
  if (row === undefined) throw new RangeError(`the rules have no entry ${index}`);
  return row;
}
