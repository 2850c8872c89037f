// The optional parts of a rule set, compiled: types are positions, and the effects of research are sorted by what they change.

import { BUILDING_LEVEL_MAX } from './limits.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from './resources.js';
import { type Fraction, positionOf, type ResearchEffect, type RuleSet } from './rule-set.js';
import { SHOCK_EFFECTS } from './shock-effects.js';

/** The limit on planets; `research` is a position. */
export interface CompiledColonies {
  readonly research: number;
  readonly planetsAtFirst: number;
  readonly levelsPerPlanet: number;
}

/**
 * What fights in a battle, by pool: a pool for each ship type, then, for the defender alone, one for the planetary shield
 * and one for each building with a defence.
 */
export interface CompiledWar {
  /** Milliseconds at speed 1. */
  readonly protectionMs: number;
  /** Milliseconds at speed 1. */
  readonly lootPeriodMs: number;
  readonly lootPairPercent: number;
  readonly strongAgainstPercent: number;
  /** The pools of the defender that each ship type is strong against. Those below the number of ship types are of both sides. */
  readonly shipStrongAgainst: readonly (readonly number[])[];
  readonly defences: readonly CompiledDefence[];
}

/** A building that fights. */
export interface CompiledDefence {
  /** Position of the building. */
  readonly building: number;
  /** Damage in a round, by level. */
  readonly attacks: readonly number[];
  /** By level. */
  readonly hitPoints: readonly number[];
  /** Ship types. */
  readonly strongAgainst: readonly number[];
}

/** The limit on what other players bring to a planet. */
export interface CompiledDeliveries {
  /** Milliseconds at speed 1. */
  readonly periodMs: number;
  readonly outputPercent: number;
}

/** How much planets produce. */
export interface CompiledRichness {
  /** Each is as likely as any other, in per cent. Successive ones have the same ratio, so half is as likely as double. */
  readonly percents: readonly number[];
  /** For each shippable resource, in per cent. Each list is as likely as any other. */
  readonly starters: readonly (readonly number[])[];
}

/** How far planets see flights; `research` is a position. */
export interface CompiledSight {
  readonly research: number;
  readonly distancePerLevel: number;
}

/** Pacts of two players. Milliseconds at speed 1. */
export interface CompiledPacts {
  readonly proposalMs: number;
  readonly durationMsMax: number;
  readonly noticeMs: number;
  readonly openMax: number;
}

/** Shocks of galaxies. */
export interface CompiledShocks {
  /** Milliseconds at speed 1. */
  readonly intervalMs: number;
  readonly noticeSecondsMin: number;
  readonly noticeSecondsMax: number;
  readonly types: readonly CompiledShock[];
}

/** A type of shock; see Shock in world/shock-table.ts. */
export interface CompiledShock {
  readonly type: string;
  /** Milliseconds at speed 1. */
  readonly durationMs: number;
  /** Index into SHOCK_EFFECTS. */
  readonly effect: number;
  readonly resource: number;
  readonly percent: number;
  /** Milliseconds at speed 1. */
  readonly idleMs: number;
}

/** What lies in space. */
export interface CompiledFields {
  /** Units beside one planet of each system at first, by shippable resource. */
  readonly asteroids: readonly number[];
  readonly wreckPercent: number;
}

/** How players trade; `carrier` is a position. */
export interface CompiledMarket {
  readonly carrier: number;
  readonly offersPerPlayer: number;
  /** Milliseconds at speed 1. */
  readonly offerMsMax: number;
  readonly unsoldPercent: number;
  /** Value of a unit, by shippable resource. */
  readonly values: readonly number[];
}

/** What each level of a research adds, in per cent or in scouts. */
export interface EffectTerm {
  /** Position of the research. */
  readonly research: number;
  readonly perLevel: number;
}

/** The effects of research by what they change; each list is empty if nothing does. */
export interface CompiledEffects {
  /** Indexed by resource, in per cent. */
  readonly output: readonly (readonly EffectTerm[])[];
  readonly attack: readonly EffectTerm[];
  readonly hitPoints: readonly EffectTerm[];
  readonly cargo: readonly EffectTerm[];
  readonly sight: readonly EffectTerm[];
}

/** @returns null if the rule set has no limit on planets besides PLANETS_PER_PLAYER_MAX */
export function compileColonies({ colonies, research }: RuleSet): CompiledColonies | null {
  return colonies === undefined ? null : { ...colonies, research: positionOf(research, colonies.research) };
}

/** @returns null if the rule set has no `war` */
export function compileWar(set: RuleSet): CompiledWar | null {
  const { war, buildings, ships, roles, costGrowth } = set;
  if (war === undefined) return null;
  const armed = buildings.flatMap(({ type, defence }) => (defence === undefined ? [] : [type]));
  const pools = [...ships.map(({ type }) => type), roles.planetaryShield, ...armed].map((type) => ({ type }));
  return {
    protectionMs: war.protectionSeconds * 1000,
    lootPeriodMs: war.lootPeriodSeconds * 1000,
    lootPairPercent: war.lootPairPercent,
    strongAgainstPercent: war.strongAgainstPercent,
    shipStrongAgainst: ships.map(({ strongAgainst = [] }) => strongAgainst.map((type) => positionOf(pools, type))),
    defences: buildings.flatMap(({ defence }, building) =>
      defence === undefined
        ? []
        : [
            {
              building,
              attacks: throughLevels(defence.attack, costGrowth),
              hitPoints: throughLevels(defence.hitPoints, costGrowth),
              strongAgainst: defence.strongAgainst.map((type) => positionOf(ships, type)),
            },
          ],
    ),
  };
}

/** What all levels up to each one have together, rounded down, if each has `growth` times what the one before has. @param first of level 1 */
function throughLevels(first: number, { numerator, denominator }: Fraction): readonly number[] {
  const strengths = [0];
  // top / bottom is growth^0 + growth^1 + … for as many levels.
  let [top, bottom] = [0n, 1n];
  for (let level = 1; level <= BUILDING_LEVEL_MAX; level += 1) {
    top = top * BigInt(numerator) + bottom * BigInt(denominator);
    bottom *= BigInt(denominator);
    strengths.push(Number((BigInt(first) * top) / bottom));
  }
  return strengths;
}

/** @returns null if everybody may bring any planet anything */
export function compileDeliveries({ deliveries }: RuleSet): CompiledDeliveries | null {
  if (deliveries === undefined) return null;
  const { periodSeconds, outputPercent } = deliveries;
  return { periodMs: periodSeconds * 1000, outputPercent };
}

/** Steps from the poorest to the richest planets. An even number: 50 to 200 % have 100 % in their middle. */
const RICHNESS_STEPS = 100;

/** @returns null if all planets are alike */
export function compileRichness({ richness }: RuleSet): CompiledRichness | null {
  if (richness === undefined) return null;
  const { percentMin, percentMax, starters } = richness;
  const percents: number[] = [];
  let percent = percentMin;
  for (let step = 0; step <= RICHNESS_STEPS; step += 1) {
    // The whole number that is nearest to percentMin^(1 - step / STEPS) x percentMax^(step / STEPS), from exact powers of twice both sides.
    const exact = power(2, RICHNESS_STEPS) * power(percentMin, RICHNESS_STEPS - step) * power(percentMax, step);
    while (power(2 * percent + 1, RICHNESS_STEPS) <= exact) percent += 1;
    percents.push(percent);
  }
  return { percents, starters };
}

/** base^exponent, by squares. */
function power(base: number, exponent: number): bigint {
  if (exponent === 0) return 1n;
  const half = power(base, Math.floor(exponent / 2));
  return half * half * (exponent % 2 === 0 ? 1n : BigInt(base));
}

/** @returns null if planets see no flights */
export function compileSight({ sight, research }: RuleSet): CompiledSight | null {
  return sight === undefined ? null : { ...sight, research: positionOf(research, sight.research) };
}

/** @returns null if nothing lies in space */
export function compileFields({ fields }: RuleSet): CompiledFields | null {
  if (fields === undefined) return null;
  const { asteroids, wreckPercent } = fields;
  return { asteroids: asteroids.slice(0, CARGO_RESOURCE_COUNT), wreckPercent };
}

/** @returns null if players do not trade */
export function compileMarket({ market, ships }: RuleSet): CompiledMarket | null {
  if (market === undefined) return null;
  const { carrier, offersPerPlayer, offerSecondsMax, unsoldPercent, values } = market;
  return {
    carrier: positionOf(ships, carrier),
    offersPerPlayer,
    offerMsMax: offerSecondsMax * 1000,
    unsoldPercent,
    values: values.slice(0, CARGO_RESOURCE_COUNT),
  };
}

/** @returns null if there are no shocks */
export function compileShocks({ shocks }: RuleSet): CompiledShocks | null {
  if (shocks === undefined) return null;
  const { intervalSeconds, types, ...notice } = shocks;
  return {
    ...notice,
    intervalMs: intervalSeconds * 1000,
    types: types.map(({ type, durationSeconds, effect }) => ({
      type,
      durationMs: durationSeconds * 1000,
      effect: SHOCK_EFFECTS.indexOf(effect.kind),
      resource: effect.kind === 'output' ? RESOURCES.indexOf(effect.resource) : 0,
      percent: effect.percent,
      idleMs: effect.kind === 'pirates' ? effect.idleSeconds * 1000 : 0,
    })),
  };
}

/** @returns null if players make no pacts */
export function compilePacts({ pacts }: RuleSet): CompiledPacts | null {
  if (pacts === undefined) return null;
  const { proposalSeconds, durationSecondsMax, noticeSeconds, openMax } = pacts;
  return {
    proposalMs: proposalSeconds * 1000,
    durationMsMax: durationSecondsMax * 1000,
    noticeMs: noticeSeconds * 1000,
    openMax,
  };
}

export function compileEffects({ research }: RuleSet): CompiledEffects {
  const terms = (perLevel: (effect: ResearchEffect) => number): EffectTerm[] =>
    research.flatMap(({ effect }, position) => {
      const added = effect === undefined ? 0 : perLevel(effect);
      return added === 0 ? [] : [{ research: position, perLevel: added }];
    });
  const percent = (kind: ResearchEffect['kind']) =>
    terms((effect) => (effect.kind === kind && effect.kind !== 'sight' ? effect.percentPerLevel : 0));
  return {
    output: RESOURCES.map((name) =>
      terms((effect) => (effect.kind === 'output' && effect.resources.includes(name) ? effect.percentPerLevel : 0)),
    ),
    attack: percent('attack'),
    hitPoints: percent('hit_points'),
    cargo: percent('cargo'),
    sight: terms((effect) => (effect.kind === 'sight' ? effect.scoutsPerLevel : 0)),
  };
}

/** The research of a player. */
export interface Researcher {
  researchLevel(researchType: number): number;
}

/** Sum of what the levels of a player add. */
export function sumOfEffects(terms: readonly EffectTerm[], player: Researcher): number {
  let added = 0;
  for (const { research, perLevel } of terms) added += player.researchLevel(research) * perLevel;
  return added;
}
