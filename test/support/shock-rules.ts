// Rule sets with one type of shock each, which are otherwise `planned`, with war. A world can be switched to them from `standard-1`.
import { type RuleSet, ruleSetText, type ShockEffect, type ShockRules } from '../../engine/rules/rule-set.js';
import { PLANNED } from './planned-rules.js';

/** A shock is announced each day, two to four hours before it begins, and lasts six hours. */
export function shocksOf(...effects: readonly ShockEffect[]): ShockRules {
  return {
    intervalSeconds: 86_400,
    noticeSecondsMin: 7_200,
    noticeSecondsMax: 14_400,
    types: effects.map((effect, place) => ({ type: `${effect.kind}_${place}`, durationSeconds: 21_600, effect })),
  };
}

export function withShocks(...effects: readonly ShockEffect[]): RuleSet {
  return {
    ...PLANNED,
    name: 'shocked',
    war: { protectionSeconds: 0, lootPeriodSeconds: 43_200, lootPairPercent: 50, strongAgainstPercent: 150 },
    shocks: shocksOf(...effects),
  };
}

export const shockText = (...effects: readonly ShockEffect[]): string => ruleSetText(withShocks(...effects));

export const FLARE = { kind: 'output', resource: 'energy', percent: 50 } as const satisfies ShockEffect;
export const RUSH = { kind: 'output', resource: 'iron', percent: 200 } as const satisfies ShockEffect;
export const PIRATES = { kind: 'pirates', idleSeconds: 36_000, percent: 40 } as const satisfies ShockEffect;
export const BOUNTY = { kind: 'bounty', percent: 300 } as const satisfies ShockEffect;
