// The generated parts of docs/rules.md: tables made from the engine's catalogue, each between its marks. The text
// around them is written by hand.

import { sightOfDefender } from '../../engine/fleets/sight.js';
import { FLIGHT_TYPES } from '../../engine/map/universe.js';
import * as limits from '../../engine/rules/limits.js';
import { type Amounts, RESOURCES } from '../../engine/rules/resources.js';
import type { Fraction, ResearchEffect } from '../../engine/rules/rule-set.js';
import { buildingBaseMs } from '../../engine/rules/rules.js';
import { RULES_VERSION, STANDARD_1_RULES, STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import { renewSections, type Sections, table } from './marked-sections.js';

/** The rules that docs/rules.md describes. */
const { set: STANDARD_1 } = STANDARD_1_RULES;

const LEVELS_SHOWN = [1, 2, 3, 5, 10, 20];
const ANTI_SPY_LEVELS_SHOWN = [0, 1, 2, 3, 5, 10];
const SCOUTS_SHOWN = [0, 1, 2, 4];

const SECTIONS: Sections = {
  version: () => `${RULES_VERSION}`,
  universe: () =>
    `Galaxies 1 to ${limits.GALAXY_COUNT}; in each ${limits.SYSTEMS_PER_GALAXY_DEFAULT} systems unless the world was made with ` +
    `another number, counted from 0; in each system ${limits.PLANETS_PER_SYSTEM_MIN} to ${limits.SLOTS_PER_SYSTEM} planets at slots 1 to ${limits.SLOTS_PER_SYSTEM}.`,
  starter: () => {
    const buildings = STANDARD_1.starter.buildings.join(', ');
    return `${buildings} at level 1; ${amounts(STANDARD_1.starter.stock)}.`;
  },
  'energy-level': () => `Energy is part of the cost from level ${STANDARD_1.energyCostFromLevel} on.`,
  buildings: () =>
    table(
      ['type', 'base cost', 'base output an hour', ''],
      STANDARD_1.buildings.map((rule) => [
        rule.type,
        amounts(rule.baseCost),
        amounts(rule.baseOutput),
        rule.description,
      ]),
    ),
  levels: () =>
    table(
      ['type', 'level', 'cost', 'output an hour', 'time'],
      STANDARD_1.buildings.flatMap((rule, type) =>
        LEVELS_SHOWN.map((level) => [
          rule.type,
          String(level),
          amounts(STANDARD_1_RULES.buildingCost(type, level)),
          amounts(STANDARD_1_RULES.buildingOutput(type, level)),
          `${buildingBaseMs(level - 1) / 1000} s`,
        ]),
      ),
    ),
  ships: () =>
    table(
      ['type', 'cost', 'base time', 'attack', 'defence', 'speed', 'cargo', 'h2 rate', 'hangar size', 'hangar capacity'],
      STANDARD_1.ships.map((rule) => [
        rule.type,
        amounts(rule.cost),
        `${rule.baseSeconds} s`,
        ...[rule.attack, rule.defence, rule.speedTenths / 10, rule.cargo].map(String),
        ...[rule.h2RateTenths / 10, rule.hangarSize, rule.hangarCapacity].map(String),
      ]),
    ),
  research: () =>
    table(
      ['type', 'unlocks'],
      STANDARD_1.research.map((rule) => [rule.type, rule.unlocks]),
    ),
  drives: () =>
    table(
      ['drive', 'needs', ...FLIGHT_TYPES, 'h2 factor'],
      STANDARD_1.drives.map((rule) => [
        rule.type,
        rule.research ?? 'nothing',
        ...rule.multiplierTenths.map((tenths) => (tenths === 0 ? 'none' : `x ${tenths / 10}`)),
        `x ${rule.h2FactorTenths / 10}`,
      ]),
    ),
  sight: () =>
    table(
      ['anti_spy', ...SCOUTS_SHOWN.map((scouts) => `${scouts} scout${scouts === 1 ? '' : 's'}`)],
      ANTI_SPY_LEVELS_SHOWN.map((level) => [
        `level ${level}`,
        ...SCOUTS_SHOWN.map((scouts) => seenByOwner(level, scouts)),
      ]),
    ),
  ...standard2Sections(),
  limits: () =>
    table(
      ['limit', 'value'],
      Object.entries(limits).map(([name, value]) => [`\`${name}\``, String(value)]),
    ),
};

/** The chapter of standard-2: its parts, and its tables by the same columns. */
function standard2Sections(): Sections {
  const { set } = STANDARD_2_RULES;
  return {
    'standard-2-parts': () => standard2Parts().join('\n'),
    'standard-2-buildings': () =>
      table(
        ['type', 'base cost', 'base output an hour', 'in battle', ''],
        set.buildings.map(({ type, baseCost, baseOutput, defence, description }) => [
          ...[type, amounts(baseCost), amounts(baseOutput)],
          defence === undefined
            ? ''
            : `a level: attack ${defence.attackPerLevel}, hit points ${defence.hitPointsPerLevel}; strong against ${defence.strongAgainst.join(', ')}`,
          description,
        ]),
      ),
    'standard-2-ships': () =>
      table(
        [
          'type',
          'cost',
          'base time',
          'attack',
          'defence',
          'speed',
          'cargo',
          'h2 rate',
          'hangar size',
          'strong against',
        ],
        set.ships.map((rule) => [
          ...[rule.type, amounts(rule.cost), `${rule.baseSeconds} s`],
          ...[rule.attack, rule.defence, rule.speedTenths / 10, rule.cargo, rule.h2RateTenths / 10].map(String),
          ...[`${rule.hangarSize}`, (rule.strongAgainst ?? []).join(', ')],
        ]),
      ),
    'standard-2-research': () =>
      table(
        ['type', 'unlocks', 'a level'],
        set.research.map(({ type, unlocks, effect }) => [
          type,
          unlocks,
          effect === undefined ? '' : effectText(effect),
        ]),
      ),
    'standard-2-drives': () =>
      table(
        ['drive', 'needs', ...FLIGHT_TYPES, 'h2 factor'],
        set.drives.map((rule) => [
          ...[rule.type, rule.research ?? 'nothing'],
          ...rule.multiplierTenths.map((tenths) => (tenths === 0 ? 'none' : `x ${tenths / 10}`)),
          `x ${rule.h2FactorTenths / 10}`,
        ]),
      ),
  };
}

function standard2Parts(): string[] {
  const { starter, costGrowth, outputGrowth, plans, colonies, war, points, h2DistanceDivisor } = STANDARD_2_RULES.set;
  return [
    `- A starter planet begins with ${starter.buildings.join(', ')} at level 1 and ${amounts(starter.stock)}.`,
    `- Level L of a building costs base x ${costGrowth.numerator / costGrowth.denominator}^(L-1), and produces base x L${growth(outputGrowth)} an hour.`,
    `- A plan has up to ${plans?.stepsMax} steps.`,
    `- Fleets colonize up to ${colonies?.planetsAtFirst} planets in all, and one more for each ${colonies?.levelsPerPlanet === 1 ? 'level' : `${colonies?.levelsPerPlanet} levels`} of ${colonies?.research}.`,
    `- New players are protected for ${(war?.protectionSeconds ?? 0) / 3_600} hours. Damage to what a type is strong against counts ${war?.strongAgainstPercent} %.`,
    `- Points: ${points?.planetPercents.join(', ')} % of the buildings of the first planet, the second, and so on; ${points?.shipPercent} % of ships; ${points?.destroyedPercent} % of what was destroyed.`,
    `- The divisor of h2Cost is ${h2DistanceDivisor}.`,
  ];
}

/** A factor for each level; none if the output is linear. */
function growth({ numerator, denominator }: Fraction): string {
  return numerator === denominator ? '' : ` x ${numerator / denominator}^L`;
}

function effectText(effect: ResearchEffect): string {
  if (effect.kind === 'sight') return `${effect.scoutsPerLevel} scouts more`;
  const what = effect.kind === 'output' ? `output of ${effect.resources.join(' and ')}` : effect.kind.replace('_', ' ');
  return `${what} +${effect.percentPerLevel} %`;
}

/**
 * Returns the document with its generated parts replaced.
 *
 * @param document text of docs/rules.md
 * @throws Error if a section has no marks
 */
export function renewRules(document: string): string {
  return renewSections(document, SECTIONS);
}

function seenByOwner(antiSpyLevel: number, scouts: number): string {
  const { mission, types } = sightOfDefender(antiSpyLevel, scouts);
  return types ? 'mission, ships by type' : mission ? 'mission, number of ships' : 'nothing more';
}

function amounts(values: Amounts): string {
  const parts = RESOURCES.flatMap((name, resource) => (values[resource] === 0 ? [] : [`${values[resource]} ${name}`]));
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
