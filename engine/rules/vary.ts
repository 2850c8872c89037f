// Draws instances of a rule set from a seed. They have the same structure and identifiers, but other numbers and other names for people, so
// that an agent must read the rules and cannot know them beforehand. What the specification fixes never varies, and neither do the drives,
// distances, texts with numbers in them, and the types that others are strong against (decision 4).

import { drawBelow, SALTS } from '../numbers/random.js';
import { TYPE_NAME_LENGTH_MAX } from './limits.js';
import { RULE_PERCENT_MAX } from './record-limits.js';
import type { Amounts } from './resources.js';
import type { Fraction, PointsRules, ResearchEffect, RichnessRules, RuleSet, ShockRule } from './rule-set.js';
import { ruleSetFaults } from './soundness.js';

/** Maximum number of draws of an instance until it is sound. After that only its names vary. */
const ATTEMPTS_MAX = 64;
/** More than any rule set has numbers: no two attempts share a draw. */
const DRAWS_PER_ATTEMPT = 100_000;
/** Growths vary in steps of a hundredth. */
const GROWTH_PARTS = 100;
const GROWTH_STEPS = 2;
const SECONDS_PER_HOUR = 3600;

/** Bounds of a factor, in per cent. */
type Range = readonly [lowest: number, highest: number];

const COST: Range = [75, 130];
const OUTPUT: Range = [80, 125];
const STRENGTH: Range = [80, 125];
const DURATION: Range = [70, 140];
const SPEED: Range = [75, 135];
const ROOM: Range = [65, 150];
const EFFECT: Range = [60, 160];
const STOCK: Range = [75, 130];
const FIELD: Range = [50, 200];

/**
 * Draws an instance of a rule set.
 *
 * @param set a valid rule set
 * @param seed safe non-negative integer; the same seed always gives the same instance
 * @returns a valid rule set, named after the set, `-vary-` and the seed
 */
export function varied(set: RuleSet, seed: number): RuleSet {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const instance = named(withOtherNumbers(set, new Numbers(seed, attempt)), seed);
    if (ruleSetFaults(instance).length === 0) return instance;
  }
  return named(set, seed);
}

/** The numbers of one attempt, drawn one after the other. */
class Numbers {
  readonly #seed: number;
  #next: number;

  constructor(seed: number, attempt: number) {
    this.#seed = seed;
    this.#next = attempt * DRAWS_PER_ATTEMPT;
  }

  between(lowest: number, highest: number): number {
    const drawn = lowest + drawBelow(highest - lowest + 1, this.#seed, this.#next, SALTS.variation);
    this.#next += 1;
    return drawn;
  }

  /** The value times a drawn factor, to the nearest; 0 stays 0, and nothing else becomes 0. */
  scaled(value: number, [lowest, highest]: Range): number {
    const percent = this.between(lowest, highest);
    return value === 0 ? 0 : Math.max(1, Math.floor((value * percent + 50) / 100));
  }

  amounts([iron, silver, ember, h2, energy]: Amounts, range: Range): Amounts {
    return [
      this.scaled(iron, range),
      this.scaled(silver, range),
      this.scaled(ember, range),
      this.scaled(h2, range),
      this.scaled(energy, range),
    ];
  }

  /** A growth that is some hundredths larger or smaller, and at least 1. */
  growth({ numerator, denominator }: Fraction): Fraction {
    const hundredths = Math.floor((numerator * GROWTH_PARTS + Math.floor(denominator / 2)) / denominator);
    const drawn = hundredths + this.between(-GROWTH_STEPS, GROWTH_STEPS);
    return { numerator: Math.max(GROWTH_PARTS, drawn), denominator: GROWTH_PARTS };
  }

  effect(effect: ResearchEffect): ResearchEffect {
    return effect.kind === 'sight'
      ? { ...effect, scoutsPerLevel: effect.scoutsPerLevel + this.between(0, 1) }
      : { ...effect, percentPerLevel: this.scaled(effect.percentPerLevel, EFFECT) };
  }
}

function withOtherNumbers(set: RuleSet, numbers: Numbers): RuleSet {
  const { starter, energyCostFromLevel, combatRoundsMax } = set;
  return {
    ...set,
    buildings: set.buildings.map((rule) => ({
      ...rule,
      baseCost: numbers.amounts(rule.baseCost, COST),
      baseOutput: numbers.amounts(rule.baseOutput, OUTPUT),
      ...(rule.defence === undefined
        ? {}
        : {
            defence: {
              ...rule.defence,
              attack: numbers.scaled(rule.defence.attack, STRENGTH),
              hitPoints: numbers.scaled(rule.defence.hitPoints, STRENGTH),
            },
          }),
    })),
    ships: set.ships.map((rule) => ({
      ...rule,
      cost: numbers.amounts(rule.cost, COST),
      baseSeconds: numbers.scaled(rule.baseSeconds, DURATION),
      attack: numbers.scaled(rule.attack, STRENGTH),
      defence: numbers.scaled(rule.defence, STRENGTH),
      speedTenths: numbers.scaled(rule.speedTenths, SPEED),
      cargo: numbers.scaled(rule.cargo, ROOM),
      h2RateTenths: numbers.scaled(rule.h2RateTenths, DURATION),
      hangarCapacity: numbers.scaled(rule.hangarCapacity, ROOM),
    })),
    research: set.research.map((rule) =>
      rule.effect === undefined ? rule : { ...rule, effect: numbers.effect(rule.effect) },
    ),
    starter: { ...starter, stock: numbers.amounts(starter.stock, STOCK) },
    costGrowth: numbers.growth(set.costGrowth),
    outputGrowth: numbers.growth(set.outputGrowth),
    // A planet without energy must be able to build the first levels.
    energyCostFromLevel: Math.max(2, energyCostFromLevel + numbers.between(-1, 1)),
    shieldHitPointsPerLevel: numbers.scaled(set.shieldHitPointsPerLevel, STRENGTH),
    h2DistanceDivisor: numbers.scaled(set.h2DistanceDivisor, DURATION),
    combatRoundsMax: Math.max(1, combatRoundsMax + numbers.between(-1, 1)),
    lootDivisor: set.lootDivisor + numbers.between(0, 1),
    ...otherParts(set, numbers),
  };
}

/** The optional parts that the set has. */
function otherParts(
  { colonies, war, points, deliveries, richness, sight, fields, support, pacts, shocks }: RuleSet,
  numbers: Numbers,
): Partial<RuleSet> {
  return {
    ...(colonies === undefined
      ? {}
      : { colonies: { ...colonies, planetsAtFirst: Math.max(1, colonies.planetsAtFirst + numbers.between(0, 1)) } }),
    ...(war === undefined
      ? {}
      : {
          war: {
            ...war,
            protectionSeconds: inHours(numbers.scaled(war.protectionSeconds, DURATION)),
            lootPeriodSeconds: inHours(numbers.scaled(war.lootPeriodSeconds, DURATION)),
            strongAgainstPercent: 100 + numbers.scaled(war.strongAgainstPercent - 100, STRENGTH),
          },
        }),
    ...(points === undefined ? {} : { points: variedPoints(points, numbers) }),
    ...(deliveries === undefined
      ? {}
      : { deliveries: { ...deliveries, periodSeconds: inHours(numbers.scaled(deliveries.periodSeconds, DURATION)) } }),
    ...(richness === undefined ? {} : { richness: variedRichness(richness, numbers) }),
    ...(sight === undefined
      ? {}
      : { sight: { ...sight, distancePerLevel: numbers.scaled(sight.distancePerLevel, EFFECT) } }),
    ...(fields === undefined ? {} : { fields: { ...fields, asteroids: numbers.amounts(fields.asteroids, FIELD) } }),
    ...(support === undefined
      ? {}
      : { support: { fleetsPerPlanetMax: numbers.scaled(support.fleetsPerPlanetMax, ROOM) } }),
    ...(pacts === undefined
      ? {}
      : { pacts: { ...pacts, noticeSeconds: inHours(numbers.scaled(pacts.noticeSeconds, DURATION)) } }),
    ...(shocks === undefined
      ? {}
      : {
          shocks: {
            ...shocks,
            intervalSeconds: Math.max(
              shocks.noticeSecondsMax,
              inHours(numbers.scaled(shocks.intervalSeconds, DURATION)),
            ),
            types: shocks.types.map((rule) => variedShock(rule, numbers)),
          },
        }),
  };
}

/** Destroyed ships keep counting at most what ships count. */
function variedPoints({ shipPercent, destroyedPercent }: PointsRules, numbers: Numbers): PointsRules {
  const ships = numbers.scaled(shipPercent, DURATION);
  return { shipPercent: ships, destroyedPercent: Math.min(ships, numbers.scaled(destroyedPercent, DURATION)) };
}

/** All starter planets lean more than usual, or all of them less, so that they stay worth the same. They stay between the poorest and the richest. */
function variedRichness({ percentMin, percentMax, starters }: RichnessRules, numbers: Numbers): RichnessRules {
  const lowest = numbers.scaled(percentMin, STRENGTH);
  const highest = numbers.scaled(percentMax, STRENGTH);
  const leanPercent = numbers.scaled(100, STRENGTH);
  const leaning = starters.map((percents) =>
    percents.map((percent) => Math.max(1, 100 + Math.trunc(((percent - 100) * leanPercent) / 100))),
  );
  return {
    percentMin: Math.min(100, lowest, ...leaning.flat()),
    percentMax: Math.max(100, highest, ...leaning.flat()),
    starters: leaning,
  };
}

/** What is less than usual stays less, and what is more stays more. */
function variedShock(rule: ShockRule, numbers: Numbers): ShockRule {
  const { percent } = rule.effect;
  const drawn =
    percent < 100
      ? Math.min(99, numbers.scaled(percent, STRENGTH))
      : Math.min(RULE_PERCENT_MAX, 100 + numbers.scaled(percent - 100, EFFECT));
  return { ...rule, effect: { ...rule.effect, percent: drawn } };
}

/** Whole hours, rounded up: 0 stays 0. */
function inHours(seconds: number): number {
  return Math.ceil(seconds / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}

/** Gives a rule set its own name, and all types names for people. */
function named(set: RuleSet, seed: number): RuleSet {
  const { buildings, ships, drives, research } = set;
  const names = displayNames(seed, buildings.length + ships.length + drives.length + research.length)[
    Symbol.iterator
  ]();
  const withName = <Rule>(rule: Rule): Rule & { readonly displayName: string } => ({
    ...rule,
    displayName: names.next().value ?? '',
  });
  return {
    ...set,
    name: variedName(set.name, seed),
    buildings: buildings.map(withName),
    ships: ships.map(withName),
    drives: drives.map(withName),
    research: research.map(withName),
  };
}

/** `standard-2-vary-7`; a long name is cut, so that the seed fits. */
function variedName(name: string, seed: number): string {
  const ending = `-vary-${seed}`;
  return name.slice(0, TYPE_NAME_LENGTH_MAX - ending.length) + ending;
}

// Invented names for the types. Nobody has met them before, so only the catalogue says what a type is.
const ONSETS = [
  'b',
  'br',
  'd',
  'dr',
  'f',
  'g',
  'gl',
  'h',
  'j',
  'k',
  'kr',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'sk',
  't',
  'tr',
  'v',
  'z',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ei', 'ou'];
const CODAS = ['', '', 'l', 'm', 'n', 'r', 's', 'th', 'x'];
const SYLLABLES_MIN = 2;
const SYLLABLES_MAX = 3;
/** Draws that one name may take, the first included. */
const TRIES_PER_NAME = 64;
/** Draws of a syllable. */
const DRAWS_PER_SYLLABLE = 3;
const DRAWS_PER_NAME = 1 + SYLLABLES_MAX * DRAWS_PER_SYLLABLE;

/**
 * @param count of names, at most a few hundred
 * @returns different names, the same ones for the same seed
 */
function displayNames(seed: number, count: number): string[] {
  const names: string[] = [];
  for (let place = 0; place < count; place += 1) {
    let name = '';
    for (let attempt = 0; attempt < TRIES_PER_NAME && (name === '' || names.includes(name)); attempt += 1)
      name = drawnName(seed, (place * TRIES_PER_NAME + attempt) * DRAWS_PER_NAME);
    // There are tens of thousands of names, so this hardly ever happens.
    names.push(names.includes(name) ? `${name} ${place + 1}` : name);
  }
  return names;
}

function drawnName(seed: number, firstDraw: number): string {
  let number = firstDraw;
  const below = (bound: number): number => {
    const value = drawBelow(bound, seed, number, SALTS.displayName);
    number += 1;
    return value;
  };
  const pick = (parts: readonly string[]): string => parts[below(parts.length)] ?? '';
  const syllables = SYLLABLES_MIN + below(SYLLABLES_MAX - SYLLABLES_MIN + 1);
  const text = Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
