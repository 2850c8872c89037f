// The generated parts of docs/rules.md: tables made from the engine's catalogue, each between its marks. The text
// around them is written by hand.

import { sightOfDefender } from '../../engine/fleets/sight.js';
import { FLIGHT_TYPES } from '../../engine/map/universe.js';
import * as limits from '../../engine/rules/limits.js';
import { type Amounts, RESOURCES } from '../../engine/rules/resources.js';
import type { Fraction, ResearchEffect, RuleSet } from '../../engine/rules/rule-set.js';
import { buildingBaseMs, type Rules } from '../../engine/rules/rules.js';
import { DEFAULT_RULES, RULES_VERSION, STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { leansText } from '../../http/views/richness-text.js';
import { renewSections, type Sections, table } from './marked-sections.js';

const LEVELS_SHOWN = [1, 2, 5, 10, 20];
const ANTI_SPY_LEVELS_SHOWN = [0, 1, 2, 3, 5, 10];
const SCOUTS_SHOWN = [0, 1, 2, 4];

/** What does not depend on the rule set. */
const GENERAL: Sections = {
  version: () => `${RULES_VERSION}`,
  universe: () =>
    `Galaxies 1 to ${limits.GALAXY_COUNT}; in each ${limits.SYSTEMS_PER_GALAXY_DEFAULT} systems unless the world was made with ` +
    `another number, counted from 0; in each system ${limits.PLANETS_PER_SYSTEM_MIN} to ${limits.SLOTS_PER_SYSTEM} planets at slots 1 to ${limits.SLOTS_PER_SYSTEM}.`,
  sight: () =>
    table(
      ['anti_spy', ...SCOUTS_SHOWN.map((scouts) => `${scouts} scout${scouts === 1 ? '' : 's'}`)],
      ANTI_SPY_LEVELS_SHOWN.map((level) => [
        `level ${level}`,
        ...SCOUTS_SHOWN.map((scouts) => seenByOwner(level, scouts)),
      ]),
    ),
  limits: () =>
    table(
      ['limit', 'value'],
      Object.entries(limits).map(([name, value]) => [`\`${name}\``, String(value)]),
    ),
};

/** Lines with numbers of a rule set; a line is empty if the rule set lacks the part that it is about. */
function numbers(rules: Rules) {
  const { set } = rules;
  const { starter, plans, colonies, war } = set;
  const within =
    war === undefined || war.lootPeriodSeconds === 0
      ? ''
      : `, for all attackers of ${war.lootPeriodSeconds / 3_600} hours (at speed 1) together`;
  return {
    starter:
      `- A starter planet begins with ${starter.buildings.join(', ')} at level 1 and ${amounts(starter.stock)}.\n` +
      `- A player can have ${starter.perPlayerMax} starter planets.\n` +
      `- A colonized planet begins with ${set.colony.buildings.join(', ')} at level 1 and what the fleet brought.`,
    protection:
      war === undefined
        ? ''
        : `New players are protected for ${war.protectionSeconds / 3_600} hours (at speed 1) from their creation.`,
    growth: [
      `- Level \`L\` costs \`base x ${decimal(set.costGrowth)}^(L-1)\`, rounded down. Energy is part of the cost from level ${set.energyCostFromLevel} on.`,
      `- Level \`L\` produces \`base x L${growth(set.outputGrowth)}\` units an hour, rounded down.`,
    ].join('\n'),
    saving:
      `Level 1 of the research of a drive unlocks it; each further level lowers the drive's h2 use by ${set.h2SavingPercentPerLevel} %, ` +
      `down to ${set.h2UsePercentMin} %.`,
    plans: plans === undefined ? '' : `A plan has up to ${plans.stepsMax} steps.`,
    'h2-cost': `\`h2Cost = ceil(distance x sum of h2 rates x drive factor x research saving / ${set.h2DistanceDivisor})\`, there and back.`,
    colonies:
      colonies === undefined
        ? ''
        : `Fleets colonize up to ${colonies.planetsAtFirst} planets in all, and one more for each ${colonies.levelsPerPlanet === 1 ? 'level' : `${colonies.levelsPerPlanet} levels`} of ${colonies.research}.`,
    combat: [
      `- A battle has at most ${set.combatRoundsMax} rounds.`,
      `- Each level of ${set.roles.planetaryShield} adds ${set.shieldHitPointsPerLevel} hit points.`,
      ...(war === undefined
        ? []
        : [
            `- Each level of a defence adds ${decimal(set.costGrowth)} times the attack and the hit points that the level before added, as its cost does.`,
          ]),
      ...(war === undefined ? [] : [`- Damage to what a type is strong against counts ${war.strongAgainstPercent} %.`]),
      `- The loot is 1/${set.lootDivisor} of each stock${within}.`,
      ...(war === undefined || war.lootPairPercent === 0
        ? []
        : [
            `- In ${war.lootPeriodSeconds / 3_600} hours (at speed 1) a player takes from one other player at most ${war.lootPairPercent} % of what its own planets produce in that time.`,
          ]),
    ].join('\n'),
    ...linesOfParts(set),
  };
}

/** The same of the parts that have a section each. */
function linesOfParts({ points, deliveries, richness, sight, fields, support, market, pacts, shocks }: RuleSet) {
  return {
    deliveries:
      deliveries === undefined
        ? ''
        : `In ${deliveries.periodSeconds / 3_600} hours (at speed 1) other players together bring a planet at most ${deliveries.outputPercent} % of what it produces in that time.`,
    richness:
      richness === undefined
        ? ''
        : `A planet produces ${richness.percentMin} to ${richness.percentMax} % of what its buildings produce elsewhere; one on which newcomers start ${leansText(richness.starters)}.`,
    support:
      support === undefined ? '' : `A planet takes at most ${support.fleetsPerPlanetMax} fleets of other players.`,
    market: marketLines(market),
    pacts: pactLine(pacts),
    shocks: shockLines(shocks),
    reach:
      sight === undefined
        ? ''
        : `Each level of ${sight.research} lets planets see flights ${sight.distancePerLevel} distance units farther.`,
    fields:
      fields === undefined
        ? ''
        : `Beside one planet of each system, which the seed draws, lie ${amounts(fields.asteroids)} at first. A battle leaves ${fields.wreckPercent} % of what the destroyed ships cost.`,
    points:
      points === undefined
        ? ''
        : [
            '- buildings: 100 %, on every planet;',
            `- ships, at home or in flight: ${points.shipPercent} %;`,
            `- ships of others that it destroyed, attacking or defending: ${points.destroyedPercent} %, in each battle of at most as many units as it lost there itself.`,
          ].join('\n'),
  };
}

function pactLine(pacts: RuleSet['pacts']): string {
  if (pacts === undefined) return '';
  const { proposalSeconds, durationSecondsMax, noticeSeconds, openMax } = pacts;
  return (
    `A proposal expires after ${proposalSeconds / 3_600} hours, a pact is in force for at most ${durationSecondsMax / 86_400} days, and notice is ` +
    `${noticeSeconds / 3_600} hours (at speed 1). A player has at most ${openMax} pacts in force and proposals of its own.`
  );
}

function shockLines(shocks: RuleSet['shocks']): string {
  if (shocks === undefined) return '';
  const { intervalSeconds, noticeSecondsMin, noticeSecondsMax, types } = shocks;
  const hours = (seconds: number): string => `${seconds / 3_600} hours`;
  const lasting = types.map(({ type, durationSeconds, effect }) => {
    if (effect.kind === 'output')
      return `- \`${type}\`: all planets produce ${effect.percent} % of their ${effect.resource} for ${hours(durationSeconds)}.`;
    if (effect.kind === 'bounty')
      return `- \`${type}\`: for ${hours(durationSeconds)} each attacker may take ${effect.percent} % of the usual share from the player who has looted most in the galaxy since the last announcement.`;
    return `- \`${type}\`: they take ${effect.percent} % of what a planet holds beyond what all planets of its owner usually produce in ${hours(effect.idleSeconds)}. They leave protected players alone.`;
  });
  return [
    `Shocks are announced every ${hours(intervalSeconds)}, ${hours(noticeSecondsMin)} to ${hours(noticeSecondsMax)} before they begin (at speed 1). Each type is as likely as any other.`,
    '',
    ...lasting,
  ].join('\n');
}

function messageLines({ messages }: RuleSet): string {
  if (messages === undefined) return '';
  const { charactersMax, periodSeconds, sentMax, sentToOneMax, keptMax, broadcastsMax, broadcastsKeptMax } = messages;
  return [
    `- A message has at most ${charactersMax} characters.`,
    `- In ${periodSeconds / 3_600} hours (at speed 1), from its first message on, a player sends at most ${sentMax} messages to single players, ${sentToOneMax} of them to each one, and ${broadcastsMax} to everybody.`,
    `- The newest ${keptMax} messages to a player are kept, the newest ${keptMax} that it sent, and the newest ${broadcastsKeptMax} to everybody.`,
    `- A player can block ${messages.blockedMax} others.`,
  ].join('\n');
}

function marketLines(market: RuleSet['market']): string {
  if (market === undefined) return '';
  const { carrier, offersPerPlayer, offerSecondsMax, unsoldPercent, values } = market;
  return [
    `- A player has at most ${offersPerPlayer} open offers, each for at most ${offerSecondsMax / 3_600} hours (at speed 1).`,
    `- Goods travel as in a ${carrier}.`,
    `- An offer loses ${unsoldPercent} % of what it holds and does not sell, h2 for its way included.`,
    `- A unit is worth: ${amounts(values)}.`,
  ].join('\n');
}

/** Tables of a rule set. */
function tables({ set }: Rules): Sections {
  return {
    buildings: () =>
      table(
        ['type', 'base cost', 'base output an hour', 'in battle', ''],
        set.buildings.map(({ type, baseCost, baseOutput, defence, description }) => [
          ...[type, amounts(baseCost), amounts(baseOutput)],
          defence === undefined
            ? ''
            : `level 1: attack ${defence.attack}, hit points ${defence.hitPoints}; strong against ${defence.strongAgainst.join(', ')}`,
          description,
        ]),
      ),
    ships: () =>
      table(
        [
          ...['type', 'cost', 'base time', 'attack', 'defence', 'speed', 'cargo', 'h2 rate', 'hangar size'],
          ...['hangar capacity', 'strong against'],
        ],
        set.ships.map((rule) => [
          ...[rule.type, amounts(rule.cost), `${rule.baseSeconds} s`],
          ...[rule.attack, rule.defence, rule.speedTenths / 10, rule.cargo, rule.h2RateTenths / 10].map(String),
          ...[`${rule.hangarSize}`, `${rule.hangarCapacity}`, (rule.strongAgainst ?? []).join(', ')],
        ]),
      ),
    research: () =>
      table(
        ['type', 'unlocks', 'a level'],
        set.research.map(({ type, unlocks, effect }) => [
          type,
          unlocks,
          effect === undefined ? '' : effectText(effect),
        ]),
      ),
    drives: () =>
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

function levels(rules: Rules): string {
  return table(
    ['type', 'level', 'cost', 'output an hour', 'time'],
    rules.set.buildings.flatMap(({ type }, building) =>
      LEVELS_SHOWN.map((level) => [
        ...[type, String(level)],
        ...[amounts(rules.buildingCost(building, level)), amounts(rules.buildingOutput(building, level))],
        `${buildingBaseMs(level - 1) / 1000} s`,
      ]),
    ),
  );
}

const SECTIONS: Sections = {
  ...GENERAL,
  ...mapped(numbers(DEFAULT_RULES)),
  ...tables(DEFAULT_RULES),
  messages: () => messageLines(DEFAULT_RULES.set),
  levels: () => levels(DEFAULT_RULES),
  'standard-1-numbers': () =>
    Object.values(numbers(STANDARD_1_RULES))
      .filter((lines) => lines !== '')
      .map(listed)
      .join('\n'),
  ...Object.fromEntries(
    Object.entries(tables(STANDARD_1_RULES)).map(([name, content]) => [`standard-1-${name}`, content]),
  ),
};

function mapped(lines: Readonly<Record<string, string>>): Sections {
  return Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, () => line]));
}

function listed(lines: string): string {
  return lines.startsWith('- ') ? lines : `- ${lines}`;
}

function decimal({ numerator, denominator }: Fraction): number {
  return numerator / denominator;
}

/** A factor for each level; none if the output is linear. */
function growth(fraction: Fraction): string {
  return decimal(fraction) === 1 ? '' : ` x ${decimal(fraction)}^L`;
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
