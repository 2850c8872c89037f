// The missions that a fleet can have, and the one table of warnings. Positions of missions are the same under all rules, and are written to
// disk. A launch with a warning is accepted, but its fleet, as things are now, will come back without what it flies for.
// A warning is a value, like a refusal, and the mission of the launch decides on it.

import type { RuleSet } from '../rules/rule-set.js';
import type { ResearchGoal } from '../rules/rules.js';

export const MISSIONS = ['attack', 'transport', 'deploy', 'colonize', 'espionage', 'harvest', 'support'] as const;
export type MissionName = (typeof MISSIONS)[number];
export const ATTACK = MISSIONS.indexOf('attack');
export const TRANSPORT = MISSIONS.indexOf('transport');
export const DEPLOY = MISSIONS.indexOf('deploy');
export const COLONIZE = MISSIONS.indexOf('colonize');
export const ESPIONAGE = MISSIONS.indexOf('espionage');
export const SUPPORT = MISSIONS.indexOf('support');
export const HARVEST = MISSIONS.indexOf('harvest');

/** The part of the rules that a mission needs; the others are those of the specification. */
const PART_OF_MISSION: { readonly [Name in MissionName]?: keyof RuleSet } = {
  harvest: 'fields',
  support: 'support',
};

/** Whether a rule set has a mission. */
export function hasMission(set: RuleSet, mission: MissionName): boolean {
  const part = PART_OF_MISSION[mission];
  return part === undefined || set[part] !== undefined;
}

/** Codes are stable. The titles name the fields of a warning that say more. */
export const WARNINGS = {
  target_unowned: {
    title: 'Nobody owns the target. Unless that changes before it arrives, the fleet turns round there.',
  },
  target_protected: {
    title:
      'The owner of the target is protected until `until`, unless it attacks somebody before. The fleet arrives earlier and turns round there.',
  },
  target_in_pact: {
    title:
      'The player and the owner of the target have a pact that is in force until `until`. The fleet arrives earlier and turns round there.',
  },
  loot_used_up: {
    title:
      'The player has taken from the owner of the target what it may until `until`, the end of the period; without `until`, it produces too ' +
      'little to take anything. The fleet arrives earlier, and fights without taking loot.',
  },
  deliveries_used_up: {
    title:
      'The target takes nothing more from other players until `until`, the end of the period; without `until`, as long as it produces so ' +
      'little. The fleet arrives earlier and turns round there.',
  },
  field_empty: {
    title:
      'Nothing lies in space beside the target. Unless that changes before it arrives, the fleet comes back empty.',
  },
  support_full: {
    title:
      'As many fleets of others are stationed at the target as the rules allow (`limit`). Unless that changes before it arrives, the fleet ' +
      'turns round there.',
  },
  planet_limit: {
    title:
      'The player has as many planets as its fleets may colonize (`limit`). Unless that changes before it arrives, the fleet turns round ' +
      'there. `raisedBy` is the research that raises the limit next, if any does.',
  },
} as const satisfies Record<string, { readonly title: string }>;

export type WarningCode = keyof typeof WARNINGS;

/** A code, and what a client needs to act on it. */
export interface Warning {
  readonly code: WarningCode;
  /** World time until which the target keeps the fleet from its mission. */
  readonly untilMs?: number;
  readonly limit?: { readonly name: string; readonly maximum: number };
  /** The level of a research that raises the limit next. */
  readonly raisedBy?: ResearchGoal;
}
