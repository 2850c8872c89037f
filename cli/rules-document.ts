// The generated parts of docs/rules.md: tables made from the engine's catalogue, each between its marks. The text
// around them is written by hand.

import { FLIGHT_TYPES } from '../engine/flight-types.js';
import { type Amounts, RESOURCES } from '../engine/resources.js';
import * as limits from '../engine/rules/limits.js';
import { buildingBaseMs } from '../engine/rules/rules.js';
import { RULES_VERSION, STANDARD_1_RULES } from '../engine/rules/shipped.js';

/** The rules that docs/rules.md describes. */
const { set: STANDARD_1 } = STANDARD_1_RULES;

const LEVELS_SHOWN = [1, 2, 3, 5, 10, 20];

/** The text between `<!-- begin name -->` and `<!-- end name -->`, by name. */
const SECTIONS: Readonly<Record<string, () => string>> = {
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
  limits: () =>
    table(
      ['limit', 'value'],
      Object.entries(limits).map(([name, value]) => [`\`${name}\``, String(value)]),
    ),
};

/**
 * Returns the document with its generated parts replaced.
 *
 * @param document text of docs/rules.md
 * @throws Error if a section has no marks
 */
export function renewRules(document: string): string {
  let renewed = document;
  for (const [name, content] of Object.entries(SECTIONS)) {
    const marks = new RegExp(`(<!-- begin ${name} -->\\n)[^]*?(<!-- end ${name} -->)`);
    if (!marks.test(renewed)) throw new Error(`docs/rules.md has no marks for ${name}`);
    renewed = renewed.replace(marks, (_match, begin: string, end: string) => `${begin}${content()}\n${end}`);
  }
  return renewed;
}

function amounts(values: Amounts): string {
  const parts = RESOURCES.flatMap((name, resource) => (values[resource] === 0 ? [] : [`${values[resource]} ${name}`]));
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
